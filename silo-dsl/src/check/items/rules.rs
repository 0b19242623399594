//! Rules: checked for each tool they are on, since what they bind may differ in type.

use crate::check::body::{Checker, Context, FunctionHead};
use crate::check::shared::Shared;
use crate::diagnostics::Diagnostic;
use crate::ir::{FunctionKind, Param, Rule, RuleHook, Type};
use silo_runtime::ids::FieldId;

impl Shared<'_, '_> {
    /// Checks all rules.
    pub(crate) fn check_rules(&mut self) -> Vec<Rule> {
        (0..self.declared.rules.len()).filter_map(|at| self.check_rule(at)).collect()
    }

    fn check_rule(&mut self, at: usize) -> Option<Rule> {
        let rule = self.declared.rules.get(at)?.clone();
        let start = self.diagnostics.len();
        let mut hooks = Vec::with_capacity(rule.on.len());
        for on in &rule.on {
            let own = self.diagnostics.len();
            let decl = self.declared.functions.get(on.function.0 as usize)?;
            let params: Vec<Param> = on
                .binds
                .iter()
                .filter_map(|(at, span)| {
                    decl.params.get(*at).map(|param| Param { span: *span, default: None, ..param.param.clone() })
                })
                .chain(on.unknown.iter().map(|(name, span)| Param {
                    name: name.clone(),
                    ty: Type::Never,
                    default: None,
                    span: *span,
                }))
                .collect();
            let tool = decl.name.clone();
            let id = self.fresh_function();
            let mut checker = Checker::new(self, Context::Rule);
            checker.params(&params);
            let checked = checker.block(rule.body);
            checker.body.block = checked.block;
            let head = FunctionHead {
                name: rule.name.clone(),
                kind: FunctionKind::Rule,
                params,
                result: Type::Null,
                docs: rule.docs.clone(),
                span: rule.span,
            };
            let (function, outline) = checker.finish(head);
            self.keep(id, function, outline);
            self.once(start, own, rule.on.len(), &tool);
            let binds = on.binds.iter().map(|(at, _)| FieldId::from(*at)).collect();
            hooks.push(RuleHook { tool: on.tool, function: id, binds });
        }
        Some(Rule { name: rule.name, docs: rule.docs, on: hooks, span: rule.span })
    }

    /// Of what was found for this tool, keeps what was not found for one before, and says for which tool it is.
    fn once(&mut self, start: usize, own: usize, tools: usize, tool: &str) {
        let found: Vec<Diagnostic> = self.diagnostics.drain(own.min(self.diagnostics.len())..).collect();
        for diagnostic in found {
            let known = self.diagnostics.get(start..).unwrap_or_default();
            if known.iter().any(|other| other.code == diagnostic.code && other.span() == diagnostic.span()) {
                continue;
            }
            let diagnostic = match tools {
                0 | 1 => diagnostic,
                _ => diagnostic.note(format!("the rule is on {tools} tools; this was found for `{tool}`")),
            };
            self.diagnostics.push(diagnostic);
        }
    }
}
