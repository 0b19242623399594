//! Calls of functions, actions and tools.

use super::arguments::{Given, Slot};
use crate::check::body::{Checker, Context};
use crate::check::suggest::nearest;
use crate::declare::{Callable, ParamDecl};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Builtin, ExprId, ExprKind, FunctionId, Type};
use crate::syntax::tree::{Args, CallTool, Name};
use silo_runtime::ids::{EntityId, FieldId};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{Value, WorldName};

/// A parameter as a call sees it.
pub(crate) struct ParamView {
    pub(crate) name: Text,
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    pub(crate) span: Span,
}

impl ParamView {
    pub(crate) fn of(decl: &ParamDecl) -> Self {
        let optional = decl.param.default.is_some() || decl.param.ty.is_optional();
        // Null for a parameter that may be left out means left out.
        let ty = if optional { decl.param.ty.clone().optional() } else { decl.param.ty.clone() };
        Self { name: decl.param.name.clone(), ty, optional, span: decl.param.span }
    }
}

impl Checker<'_, '_, '_> {
    /// `name(args)`, in a verifier possibly on a world.
    pub(crate) fn call(
        &mut self,
        name: &Name,
        args: &Args,
        world: Option<WorldName>,
        span: Span,
        alone: bool,
    ) -> ExprId {
        let Some(function) = self.shared.functions.get(name.as_str()).copied() else {
            return self.builtin(name, args, span);
        };
        let Some(decl) = self.shared.declared.functions.get(function.0 as usize) else { return self.broken(span) };
        let (kind, declared_at) = (decl.kind, decl.span);
        let params: Vec<ParamView> = decl.params.iter().map(ParamView::of).collect();
        self.note_call(function, name.span);
        let not_here = self.call_not_here(name, kind, function, world);
        let stop = match not_here {
            Some(diagnostic) => {
                self.report(diagnostic);
                true
            }
            None => {
                kind != Callable::Fn && !self.may_write(name.span, &format!("the {} `{name}` is called", kind.word()))
            }
        };
        if stop {
            self.check_unknown_args(args);
            return self.broken(span);
        }
        let Some(args) = self.arguments(args, &params, &format!("`{name}`"), name.span, Some(declared_at)) else {
            return self.broken(span);
        };
        let outline = self.shared.outline(function);
        let (result, uses_world) = match outline {
            Some(outline) => (outline.result.clone(), outline.uses_world),
            None => (None, false),
        };
        self.outline.uses_world |= uses_world && world.is_none();
        if kind != Callable::Fn {
            let written = outline.map(|outline| outline.written.clone()).unwrap_or_default();
            for each in written {
                self.note_written_by_call(each);
            }
        }
        let ty = result.unwrap_or(Type::Never);
        let id = self.push(ExprKind::Call { function, args, world }, ty.clone(), span);
        if !alone && ty == Type::Null {
            let diagnostic = Diagnostic::error(
                codes::effects::NO_VALUE,
                name.span,
                format!("`{name}` gives nothing that could be used"),
            )
            .also(declared_at, format!("this {} has no `return` with a value", kind.word()))
            .help("write the call as a statement");
            return self.fail(span, diagnostic);
        }
        id
    }

    /// Arguments in the order of the parameters, each converted to what its parameter takes.
    pub(crate) fn arguments(
        &mut self,
        args: &Args,
        params: &[ParamView],
        what: &str,
        span: Span,
        declared: Option<Span>,
    ) -> Option<Vec<Option<ExprId>>> {
        let slots: Vec<Slot<'_>> =
            params.iter().map(|param| Slot { name: &param.name, optional: param.optional }).collect();
        let given = self.bind(args, &slots, what, span.to(args.span), declared)?;
        let mut ids = Vec::with_capacity(params.len());
        for (given, param) in given.into_iter().zip(params) {
            let because = || Some((param.span, format!("`{}` is declared here", param.name)));
            ids.push(match given {
                None => None,
                Some(Given::Expr(expr)) => Some(self.expect_because(expr, &param.ty, because())),
                Some(Given::Member(id, at)) => Some(self.fit_or_report(id, &param.ty, at, because())),
                Some(Given::Closure(closure)) => {
                    let message = format!("{what} takes values, and a closure is none");
                    let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, closure.span, message)
                        .note("closures are arguments of methods such as `filter` and `map`");
                    Some(self.fail(closure.span, diagnostic))
                }
            });
        }
        Some(ids)
    }

    /// Why a function, an action or a tool cannot be called here, if it cannot.
    fn call_not_here(
        &mut self,
        name: &Name,
        kind: Callable,
        function: FunctionId,
        world: Option<WorldName>,
    ) -> Option<Diagnostic> {
        let span = name.span;
        if kind == Callable::Fn {
            let reads = self.shared.outline(function).is_some_and(|outline| outline.uses_world);
            return match self.context {
                Context::Verifier if reads && world.is_none() => Some(
                    Diagnostic::error(
                        codes::names::STATE_WITHOUT_WORLD,
                        span,
                        format!("`{name}` reads state, and a verifier names the world it reads"),
                    )
                    .help(format!("call it on a world: `final.{name}(…)` or `initial.{name}(…)`")),
                ),
                Context::Solution if reads => Some(
                    Diagnostic::error(
                        codes::names::STATE_WITHOUT_WORLD,
                        span,
                        format!("`{name}` reads state, and a solution sees only what an agent sees"),
                    )
                    .help("get what it needs from a tool with `call`"),
                ),
                _ => None,
            };
        }
        if let (Context::Solution, Callable::Tool(_)) = (self.context, kind) {
            return Some(
                Diagnostic::error(
                    codes::effects::WRITES,
                    span,
                    format!("a solution calls a tool with `call {name}(…)`"),
                )
                .fix("write `call`", span.before(), "call "),
            );
        }
        None
    }

    /// `range(a, b)`, `date(y, m, d)`, or nothing that is known.
    fn builtin(&mut self, name: &Name, args: &Args, span: Span) -> ExprId {
        let (function, names, ty): (_, &[&str], _) = match name.as_str() {
            "range" => (Builtin::Range, &["from", "to"], Type::Int.list()),
            "date" => (Builtin::Date, &["year", "month", "day"], Type::Date),
            _ => {
                self.check_unknown_args(args);
                return match self.unknown_function(name, args) {
                    Some(diagnostic) => self.fail(span, diagnostic),
                    None => self.broken(span),
                };
            }
        };
        let params: Vec<ParamView> = names
            .iter()
            .map(|param| ParamView { name: Text::from(*param), ty: Type::Int, optional: false, span: name.span })
            .collect();
        let slots: Vec<Slot<'_>> = params.iter().map(|param| Slot { name: &param.name, optional: false }).collect();
        let Some(given) = self.bind(args, &slots, &format!("`{name}`"), span, None) else { return self.broken(span) };
        let ids: Vec<ExprId> = given
            .into_iter()
            .flatten()
            .map(|given| match given {
                Given::Expr(expr) => self.expect(expr, &Type::Int),
                Given::Member(id, at) => self.fit_or_report(id, &Type::Int, at, None),
                Given::Closure(closure) => self.broken(closure.span),
            })
            .collect();
        self.push(ExprKind::Builtin { function, args: ids }, ty, span)
    }

    fn unknown_function(&mut self, name: &Name, args: &Args) -> Option<Diagnostic> {
        let text = name.as_str();
        if self.shared.is_broken(text) {
            return None;
        }
        let error = |message: String| Diagnostic::error(codes::names::UNKNOWN_FUNCTION, name.span, message);
        if let Some(hint) = crate::check::foreign::function_hint(text) {
            return Some(hint.add_to(error(format!("there is no function `{text}`")), name.span));
        }
        if self.shared.verifiers.contains_key(text) {
            return Some(
                error(format!("`{text}` is a verifier"))
                    .help(format!("use it in a verifier or a task: `verify {text}(…)`")),
            );
        }
        if self.meaning(text).is_some() {
            return Some(error(format!("`{text}` is a value, not a function")));
        }
        if self.shared.type_kind(text).is_some() {
            return Some(
                error(format!("`{text}` is a type, not a function"))
                    .help("a record is written as `{ name: value }`, a row is added by `table.insert({ … })`"),
            );
        }
        let names = self.shared.declared.functions.iter().map(|f| &*f.name).chain(["range", "date"]);
        let diagnostic = error(format!("there is no function `{text}`"));
        let near = nearest(text, names).map(str::to_owned);
        if let Some(near) = near {
            return Some(diagnostic.label(format!("did you mean `{near}`?")).fix(
                format!("write `{near}`"),
                name.span,
                near,
            ));
        }
        // `len(xs)`, `lower(s)`: what is a method here.
        let method = crate::check::methods::Receiver::ALL
            .iter()
            .flat_map(|receiver| receiver.methods())
            .any(|method| method.name == text);
        if method {
            let first = args.items.first().map_or_else(|| "x".to_owned(), |arg| self.source(arg.span()));
            let rest = if args.items.len() > 1 { "…" } else { "" };
            return Some(diagnostic.help(format!("`{text}` is a method: `{first}.{text}({rest})`")));
        }
        Some(diagnostic)
    }

    /// `call tool(args)` in a solution.
    pub(crate) fn call_tool(&mut self, call: &CallTool, span: Span, alone: bool) -> ExprId {
        let name = &call.tool;
        if self.context != Context::Solution {
            self.check_unknown_args(&call.args);
            let message = format!("`call` is how a solution calls a tool, and this is {}", self.context.phrase());
            let diagnostic = Diagnostic::error(codes::effects::NOT_HERE, span, message);
            let diagnostic = if self.context.writes() {
                diagnostic.help(format!("a tool is called like an action: `{name}(…)`"))
            } else {
                diagnostic
            };
            return self.fail(span, diagnostic);
        }
        let function = self.shared.functions.get(name.as_str()).copied();
        let decl = function.and_then(|id| self.shared.declared.functions.get(id.0 as usize));
        let (Some(function), Some(decl)) = (function, decl) else {
            self.check_unknown_args(&call.args);
            if self.shared.is_broken(name.as_str()) {
                return self.broken(span);
            }
            let tools = self.shared.declared.functions.iter().filter(|f| matches!(f.kind, Callable::Tool(_)));
            let near = nearest(name.as_str(), tools.map(|f| &*f.name)).map(str::to_owned);
            let mut diagnostic =
                Diagnostic::error(codes::names::UNKNOWN_TOOL, name.span, format!("there is no tool `{name}`"));
            if let Some(near) = near {
                diagnostic =
                    diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near);
            }
            return self.fail(span, diagnostic);
        };
        let Callable::Tool(tool) = decl.kind else {
            let (word, declared) = (decl.kind.word(), decl.span);
            let diagnostic = Diagnostic::error(
                codes::names::UNKNOWN_TOOL,
                name.span,
                format!("`{name}` is no tool, so an agent cannot call it"),
            )
            .also(declared, format!("it is a {word}"));
            self.check_unknown_args(&call.args);
            return self.fail(span, diagnostic);
        };
        let declared = decl.span;
        let entities: Vec<Type> = decl.params.iter().map(|param| param.param.ty.clone()).collect();
        let mut params: Vec<ParamView> = decl.params.iter().map(ParamView::of).collect();
        for param in &mut params {
            param.ty = self.shared.as_written(&param.ty);
        }
        let Some(ids) = self.arguments(&call.args, &params, &format!("`{name}`"), name.span, Some(declared)) else {
            return self.broken(span);
        };
        let mut args = Vec::with_capacity(ids.len());
        for ((at, id), ty) in ids.into_iter().enumerate().zip(&entities) {
            let Some(id) = id else { continue };
            // A call that is expected to fail may well name what is not there.
            if call.expect.is_none() {
                self.warn_of_unknown_key(id, ty);
            }
            args.push((FieldId::from(at), id));
        }
        let seen = if call.expect.is_some() {
            Type::Null
        } else {
            let result =
                self.shared.outline(function).and_then(|outline| outline.result.clone()).unwrap_or(Type::Never);
            self.shared.seen(&result)
        };
        if let (Some(code), false) = (&call.expect, alone) {
            let message = "a call that must fail gives nothing that could be used";
            self.report(
                Diagnostic::error(codes::effects::NO_VALUE, code.span, message).help("write the call as a statement"),
            );
        }
        let by = call.by.as_ref().map(|name| name.text.clone());
        let expect = call.expect.as_ref().map(|name| name.text.clone());
        self.push(ExprKind::ToolCall { tool, args, by, expect }, seen, span)
    }

    /// A literal for a row that the seed data has not: the task may make it, so that is only worth a warning.
    fn warn_of_unknown_key(&mut self, id: ExprId, ty: &Type) {
        let Type::Entity(entity) = ty.required() else { return };
        self.warn_of_missing_row(id, *entity, "it is found only if the task makes it before this call");
    }

    /// A literal key in an index: of an entity without rows in the seed nothing can be said, they are all made later.
    pub(crate) fn warn_of_missing_index(&mut self, key: ExprId, entity: EntityId, note: &str) {
        if self.shared.declared.seed.keys(entity).next().is_some() {
            self.warn_of_missing_row(key, entity, note);
        }
    }

    /// A literal key of a row that the seed data has not.
    fn warn_of_missing_row(&mut self, id: ExprId, entity: EntityId, note: &str) {
        let Some(Value::Text(key)) = self.constant(id).cloned() else { return };
        if !self.shared.declared.seed.usable(entity) || self.shared.declared.seed.has(entity, &key) {
            return;
        }
        let span = self.span(id);
        let error = self.unknown_key(entity, &key, span);
        let mut warning = Diagnostic::warning(codes::warnings::UNKNOWN_KEY, span, error.message.clone());
        if let Some(label) = error.labels.first().filter(|label| !label.text.is_empty()) {
            warning = warning.label(label.text.clone());
        }
        for more in error.notes.into_iter().filter(|note| note.starts_with("near")) {
            warning = warning.note(more);
        }
        self.report(warning.note(note));
    }
}
