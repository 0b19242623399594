//! Signatures of functions, actions, tools and verifiers, and the heads of rules and invariants.

mod params;

use super::collect::{Items, Namespace};
use super::items::{Callable, Code, FunctionDecl, InvariantDecl, ParamDecl, RuleDecl, RuleOn, VerifierDecl};
use super::messages::did_you_mean;
use super::{Declared, fields, function_id, names, structures};
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::tree::{self, FunctionBody, Item, ItemKind};
use params::Place;
use silo_runtime::ids::ToolId;
use silo_runtime::value::Text;
use std::sync::Arc;

/// Reads all signatures.
pub(super) fn read<'t>(declared: &mut Declared<'t>, items: &Items<'t>, sink: &mut Vec<Diagnostic>) {
    let mut callables = Namespace::default();
    for item in &items.functions {
        function(declared, item, &mut callables, sink);
    }
    structures::number_derived(declared);
    for verifier in &items.verifiers {
        let params = params::read(declared, &verifier.params, Place::Verifier, sink);
        if callables.add("verifier", &verifier.name, sink) {
            let function = function_id(declared.functions.len() + declared.derived.len() + declared.verifiers.len());
            declared.verifiers.push(VerifierDecl {
                name: Arc::clone(&verifier.name.text),
                span: verifier.name.span,
                function,
                params,
                body: &verifier.body,
            });
        }
    }
    warn_of_near_tools(declared, sink);
    rules(declared, items, sink);
    let mut labels = super::types::Names::default();
    for invariant in &items.invariants {
        let label = &invariant.label;
        match labels.get(&label.text) {
            Some(first) => sink.push(super::messages::duplicate("invariant", &label.text, label.span, *first)),
            None => _ = labels.insert(Arc::clone(&label.text), label.span),
        }
        declared.invariants.push(InvariantDecl {
            label: Arc::clone(&invariant.label.text),
            span: invariant.label.span,
            condition: &invariant.condition,
        });
    }
}

fn function<'t>(declared: &mut Declared<'t>, item: &'t Item, callables: &mut Namespace, sink: &mut Vec<Diagnostic>) {
    let (name, params, result, code, by, kind) = match &item.kind {
        ItemKind::Function(function) => {
            let code = match &function.body {
                FunctionBody::Expr(expr) => Code::Expr(expr),
                FunctionBody::Block(block) => Code::Block(block),
            };
            (&function.name, &function.params, function.result.as_ref(), code, None, Callable::Fn)
        }
        ItemKind::Action(action) => {
            (&action.name, &action.params, action.result.as_ref(), Code::Block(&action.body), None, Callable::Action)
        }
        ItemKind::Tool(tool) => {
            let tools = declared.functions.iter().filter(|known| matches!(known.kind, Callable::Tool(_))).count();
            let by = tool.by.as_ref().map(|by| Arc::clone(&by.text));
            (&tool.name, &tool.params, None, Code::Block(&tool.body), by, Callable::Tool(ToolId::from(tools)))
        }
        _ => return,
    };
    names::check_reserved(kind.word(), name, &names::FUNCTIONS, sink);
    let is_tool = matches!(kind, Callable::Tool(_));
    if is_tool {
        names::check_tool_name(name, sink);
    }
    let place = if is_tool { Place::Tool } else { Place::Function };
    let read = params::read(declared, params, place, sink);
    let result = result.map(|ty| declared.types.resolve(ty, sink).unwrap_or_else(fields::unknown));
    if !callables.add(kind.word(), name, sink) {
        return;
    }
    let input = is_tool.then(|| params::input_record(declared, &read, params.span));
    declared.functions.push(FunctionDecl {
        name: Arc::clone(&name.text),
        kind,
        span: name.span,
        docs: fields::docs(&item.docs),
        params: read,
        result,
        input,
        by,
        code,
    });
}

/// Two tools whose names differ in case only are legal, and a trap for whoever calls them.
fn warn_of_near_tools(declared: &Declared<'_>, sink: &mut Vec<Diagnostic>) {
    let mut seen = super::types::Names::default();
    for tool in declared.functions.iter().filter(|function| matches!(function.kind, Callable::Tool(_))) {
        if let Some(first) = seen.insert(Text::from(tool.name.to_ascii_lowercase()), tool.span) {
            sink.push(
                Diagnostic::warning(
                    codes::warnings::NEAR_NAMES,
                    tool.span,
                    format!("the tool `{}` differs from another in case only", tool.name),
                )
                .label("this one")
                .also(first, "and this one")
                .why("agents mix such names up, and some interfaces fold their case")
                .help("give one of them a name that sounds different"),
            );
        }
    }
}

fn rules<'t>(declared: &mut Declared<'t>, items: &Items<'t>, sink: &mut Vec<Diagnostic>) {
    let mut rules = Namespace::default();
    for (item, rule) in &items.rules {
        let on = rule.targets.iter().filter_map(|target| hook(declared, rule, target, sink)).collect();
        if rules.add("rule", &rule.name, sink) {
            declared.rules.push(RuleDecl {
                name: Arc::clone(&rule.name.text),
                span: rule.name.span,
                docs: fields::docs(&item.docs),
                on,
                body: &rule.body,
            });
        }
    }
}

fn hook(
    declared: &Declared<'_>,
    rule: &tree::Rule,
    target: &tree::RuleTarget,
    sink: &mut Vec<Diagnostic>,
) -> Option<RuleOn> {
    let found = declared.functions.iter().enumerate().find(|(_, function)| function.name == target.tool.text);
    let Some((at, function)) = found else {
        if declared.broken.contains(&target.tool.text) {
            return None;
        }
        let message = format!("there is no tool `{}`", target.tool);
        let diagnostic = Diagnostic::error(codes::names::UNKNOWN_TOOL, target.tool.span, message).label("not declared");
        let tools = declared.functions.iter().filter(|function| matches!(function.kind, Callable::Tool(_)));
        sink.push(did_you_mean(
            diagnostic,
            &target.tool,
            tools.map(|tool| &*tool.name),
            "name a tool that the rule is about",
        ));
        return None;
    };
    let Callable::Tool(tool) = function.kind else {
        let what = function.kind.word();
        let article = if what == "action" { "an" } else { "a" };
        sink.push(
            Diagnostic::error(
                codes::names::UNKNOWN_TOOL,
                target.tool.span,
                format!("`{}` is {article} {what}, not a tool", target.tool),
            )
            .label("rules judge what the agent calls")
            .also(function.span, "declared here")
            .help("put the rule on the tools that use it"),
        );
        return None;
    };
    let twice = rule
        .targets
        .iter()
        .take_while(|other| other.span != target.span)
        .find(|other| other.tool.text == target.tool.text);
    if let Some(first) = twice {
        sink.push(
            Diagnostic::error(
                codes::names::DUPLICATE,
                target.tool.span,
                format!("the rule is on `{}` twice", target.tool),
            )
            .label("again here")
            .also(first.tool.span, "first here")
            .help("bind all parameters that the rule reads in one of them"),
        );
        return None;
    }
    let mut binds = Vec::with_capacity(target.params.len());
    let mut unknown = Vec::new();
    for name in &target.params {
        names::check_reserved("parameter of a rule", name, &names::IN_RULES, sink);
        let known = function.params.iter().position(|param| param.param.name == name.text);
        match known {
            Some(at) => match target
                .params
                .iter()
                .take_while(|other| other.span != name.span)
                .find(|other| other.text == name.text)
            {
                Some(first) => sink.push(super::messages::twice("parameter", name, first.span)),
                None => binds.push((at, name.span)),
            },
            None => {
                unknown.push((Arc::clone(&name.text), name.span));
                let message = format!("the tool `{}` has no parameter `{name}`", target.tool);
                let diagnostic = Diagnostic::error(codes::names::UNKNOWN_PARAMETER, name.span, message)
                    .label("not a parameter")
                    .also(function.span, "the tool is declared here");
                let names = function.params.iter().map(|param| &*param.param.name);
                sink.push(did_you_mean(diagnostic, name, names, "a rule binds parameters of the tool by their names"));
            }
        }
    }
    if !unknown.is_empty() {
        // One of those that it does not bind may be meant.
        let bound = |param: &ParamDecl| target.params.iter().any(|name| name.text == param.param.name);
        unknown.extend(
            function
                .params
                .iter()
                .filter(|param| !bound(param))
                .map(|param| (Arc::clone(&param.param.name), target.span)),
        );
    }
    Some(RuleOn { function: function_id(at), tool, binds, unknown })
}
