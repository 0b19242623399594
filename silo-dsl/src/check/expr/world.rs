//! What verifiers and rules see: worlds by name, the answer, the calls.

use crate::check::body::Checker;
use crate::check::facts::{Path, Root};
use crate::check::methods::{self, Receiver};
use crate::check::suggest::nearest;
use crate::declare::Callable;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, Method, Type};
use crate::syntax::tree::{Arg, ExprKind as Tree, Link, LinkKind, Name};
use silo_runtime::ids::StateId;
use silo_runtime::value::dynamic::WorldName;

impl Checker<'_, '_, '_> {
    /// `final.users`, `initial.pipeline()`.
    pub(crate) fn world_member(&mut self, world: WorldName, word: &Name, links: &[Link]) -> ExprId {
        let Some(link) = links.first() else { return self.broken(word.span) };
        let span = word.span.to(link.span);
        if world == WorldName::Reference {
            self.outline.uses_reference = self.outline.uses_reference.or(Some(word.span));
        }
        match &link.kind {
            LinkKind::Field { name, .. } => {
                if let Some(id) = self.shared.state.get(name.as_str()).copied() {
                    self.world_state(world, id, span)
                } else {
                    let diagnostic = self.unknown_state(name, word.as_str());
                    match diagnostic {
                        Some(diagnostic) => self.fail(span, diagnostic),
                        None => self.broken(span),
                    }
                }
            }
            LinkKind::Method { name, args, .. } => self.call(name, args, Some(world), span, false),
            LinkKind::Index(_) | LinkKind::NonNull => {
                let message = format!("`{word}` is a world: name what you read of it");
                let diagnostic = Diagnostic::error(codes::names::NOT_A_VALUE, word.span, message);
                self.fail(span, diagnostic)
            }
        }
    }

    fn world_state(&mut self, world: WorldName, id: StateId, span: Span) -> ExprId {
        let ty = self.shared.declared.state.get(id.index()).map_or(Type::Never, |decl| decl.ty.clone());
        self.read_state(id);
        let expr = self.push(ExprKind::WorldState(world, id), ty, span);
        self.narrowed(expr, Some(Path { root: Root::World(world, id), steps: Vec::new() }))
    }

    /// `world.users`: state by name, where a field of `self` has the same.
    pub(crate) fn explicit_state(&mut self, word: &Name, links: &[Link]) -> ExprId {
        let Some(link) = links.first() else { return self.broken(word.span) };
        let span = word.span.to(link.span);
        let LinkKind::Field { name, .. } = &link.kind else {
            let diagnostic = Diagnostic::error(
                codes::names::NOT_A_VALUE,
                word.span,
                "`world` stands before the name of a state field",
            );
            return self.fail(span, diagnostic);
        };
        match self.shared.state.get(name.as_str()).copied() {
            Some(id) => self.state(id, span),
            None => match self.unknown_state(name, "world") {
                Some(diagnostic) => self.fail(span, diagnostic),
                None => self.broken(span),
            },
        }
    }

    fn unknown_state(&mut self, name: &Name, world: &str) -> Option<Diagnostic> {
        if self.shared.is_broken_value(name.as_str()) {
            return None;
        }
        let mut diagnostic =
            Diagnostic::error(codes::names::UNKNOWN_NAME, name.span, format!("there is no state field `{name}`"));
        if self.shared.functions.contains_key(name.as_str()) {
            return Some(diagnostic.help(format!("`{name}` is a function: call it as `{world}.{name}(…)`")));
        }
        let names: Vec<String> = self.shared.declared.state.iter().map(|decl| decl.name.to_string()).collect();
        match nearest(name.as_str(), names.iter().map(String::as_str)) {
            Some(near) => {
                diagnostic =
                    diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near);
            }
            None => diagnostic = diagnostic.note(format!("the state has {}", crate::check::fields::list(&names))),
        }
        Some(diagnostic)
    }

    /// `answer.text`, `answer.names(row)`, `answer.rep`.
    pub(crate) fn answer_head(&mut self, word: &Name, links: &[Link]) -> (ExprId, usize) {
        let Some(link) = links.first() else { return (self.bare_answer(word.span), 0) };
        if self.answer == Some(Type::Never) {
            return (self.typed_answer(word.span), 0);
        }
        let span = word.span.to(link.span);
        match &link.kind {
            LinkKind::Field { name, .. } => {
                if let Some(Type::Record(record)) = self.answer
                    && self.record_field(record, name.as_str()).is_some()
                {
                    return (self.typed_answer(word.span), 0);
                }
                let text = self.push(ExprKind::AnswerText, Type::Text, word.span);
                let (method, ty) = match name.as_str() {
                    "text" => return (text, 1),
                    "number" => (Method::AnswerNumber, Type::Decimal.optional()),
                    "numbers" => (Method::AnswerNumbers, Type::Decimal.list()),
                    _ if self.answer == Some(Type::Never) => return (self.broken(span), 1),
                    _ => {
                        let diagnostic = self.unknown_answer_member(name);
                        return (self.fail(span, diagnostic), 1);
                    }
                };
                (self.push(ExprKind::Method { receiver: text, method, args: Vec::new() }, ty, span), 1)
            }
            LinkKind::Method { name, args, .. } => {
                let Some(spec) = Receiver::Answer.methods().iter().find(|spec| spec.name == name.as_str()) else {
                    if self.answer.is_some() {
                        return (self.typed_answer(word.span), 0);
                    }
                    self.check_unknown_args(args);
                    let diagnostic = self.unknown_answer_member(name);
                    return (self.fail(span, diagnostic), 1);
                };
                let receiver = self.push(ExprKind::AnswerText, Type::Text, word.span);
                let call = methods::Call { receiver, ty: Type::Text, name, args, span, alone: false, spec };
                let id = match spec.name {
                    "names" | "names_only" => self.answer_names(&call),
                    _ => self.apply(&call),
                };
                (id, 1)
            }
            LinkKind::Index(_) | LinkKind::NonNull => (self.bare_answer(word.span), 0),
        }
    }

    /// `names(row)`, `names_only(rows)`.
    fn answer_names(&mut self, call: &methods::Call<'_>) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let Some(given) = given.first().copied().flatten() else { return self.broken(call.span) };
        let span = given.span();
        let only = call.spec.name == "names_only";
        let id = self.free_argument(call, given, None);
        let ty = self.ty(id);
        let (wanted, fits) = if only {
            ("the rows that may be named", matches!(Self::element_type(&ty), Some(Type::Entity(_) | Type::Never)))
        } else {
            ("a row", matches!(ty, Type::Entity(_) | Type::Never))
        };
        if !fits {
            let message = format!("`{}` takes {wanted}, and this is `{}`", call.name, self.show(&ty));
            let diagnostic = if ty.is_optional() {
                self.maybe_null(id, &ty, span, &format!("`{}` takes {wanted}", call.name))
            } else {
                Diagnostic::error(codes::types::MISMATCH, span, message)
            };
            let diagnostic = match ty {
                Type::Text => diagnostic.help(format!("for a text write `answer.mentions({})`", self.short(id))),
                _ => diagnostic,
            };
            return self.fail(call.span, diagnostic);
        }
        if let Some(Type::Entity(entity)) = Self::element_type(&ty).or(Some(ty)) {
            self.read_row(entity);
        }
        let method = if only { Method::NamesOnly } else { Method::Names };
        self.method_node(call, method, vec![crate::ir::Arg::Value(id)], Type::Bool)
    }

    fn typed_answer(&mut self, span: Span) -> ExprId {
        let ty = self.answer.clone().unwrap_or(Type::Never);
        self.push(ExprKind::Answer, ty, span)
    }

    /// `answer` without a dot: the value of a typed answer.
    pub(crate) fn bare_answer(&mut self, span: Span) -> ExprId {
        if self.answer.is_some() {
            return self.typed_answer(span);
        }
        let diagnostic = Diagnostic::error(codes::tasks::ANSWER, span, "the answer is text: name what you read of it")
            .help("`answer.text` is the text, `answer.number` its last number; or declare `answer: TYPE` in the task");
        self.fail(span, diagnostic)
    }

    fn unknown_answer_member(&self, name: &Name) -> Diagnostic {
        let mut names: Vec<String> = vec!["text".to_owned(), "number".to_owned(), "numbers".to_owned()];
        names.extend(Receiver::Answer.methods().iter().map(|method| method.name.to_owned()));
        if let Some(answer) = &self.answer {
            names.extend(self.field_names(answer));
        }
        let diagnostic = Diagnostic::error(codes::tasks::ANSWER, name.span, format!("the answer has no `{name}`"));
        let diagnostic = match nearest(name.as_str(), names.iter().map(String::as_str)) {
            Some(near) => diagnostic.label(format!("did you mean `{near}`?")),
            None => diagnostic.note(format!("it has {}", crate::check::fields::list(&names))),
        };
        match (&self.answer, self.shared_verifier) {
            (None, true) => {
                diagnostic.note("a shared verifier sees the answer as text: its tasks may declare different types")
            }
            (None, false) => diagnostic.help(format!("declare it in the task: `answer: {{ {name}: … }}`")),
            _ => diagnostic,
        }
    }

    /// `calls`: every call so far.
    pub(crate) fn all_calls(&mut self, span: Span) -> ExprId {
        let call = self.shared.plain_shape(&[("tool", Type::Text), ("by", Type::Text), ("failed", Type::Bool)]);
        self.push(ExprKind::Calls(None), Type::Record(call).list(), span)
    }

    /// `calls.of(tool)`, and what is asked of all calls.
    pub(crate) fn calls_head(&mut self, word: &Name, links: &[Link]) -> (ExprId, usize) {
        let Some(Link { kind: LinkKind::Method { name, args, .. }, span }) = links.first() else {
            return (self.all_calls(word.span), 0);
        };
        if *name != "of" {
            return (self.all_calls(word.span), 0);
        }
        let span = word.span.to(*span);
        let wanted = match args.items.as_slice() {
            [Arg::Positional(expr)] => match &expr.kind {
                Tree::Name(tool) => Some(tool.clone()),
                Tree::Text(text) => text.as_plain().map(|plain| Name { text: plain.into(), span: text.span }),
                _ => None,
            },
            _ => None,
        };
        let Some(wanted) = wanted else {
            let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, args.span, "`of` takes the name of a tool")
                .help("write `calls.of(list_users)`");
            return (self.fail(span, diagnostic), 1);
        };
        let function = self.shared.functions.get(wanted.as_str()).copied();
        let decl = function.and_then(|id| self.shared.declared.functions.get(id.0 as usize));
        let found = decl.and_then(|decl| match (decl.kind, decl.input) {
            (Callable::Tool(tool), Some(input)) => Some((tool, input)),
            _ => None,
        });
        let (Some(function), Some((tool, input))) = (function, found) else {
            if self.shared.is_broken(wanted.as_str()) {
                return (self.broken(span), 1);
            }
            let tools = self.shared.declared.functions.iter().filter(|f| matches!(f.kind, Callable::Tool(_)));
            let near = nearest(wanted.as_str(), tools.map(|f| &*f.name)).map(str::to_owned);
            let mut diagnostic =
                Diagnostic::error(codes::names::UNKNOWN_TOOL, wanted.span, format!("there is no tool `{wanted}`"));
            if let Some(near) = near {
                diagnostic = diagnostic.label(format!("did you mean `{near}`?")).fix(
                    format!("write `{near}`"),
                    wanted.span,
                    near,
                );
            }
            return (self.fail(span, diagnostic), 1);
        };
        let output = self.shared.outline(function).and_then(|outline| outline.result.clone()).unwrap_or(Type::Never);
        // What an agent is given by a tool that returns nothing.
        let silent = self.shared.returned.get(&function).is_some_and(Vec::is_empty);
        let output = match output {
            Type::Null if silent => Type::Record(self.shared.plain_shape(&[("ok", Type::Bool)])),
            other => other,
        };
        let members =
            [("input", Type::Record(input)), ("output", output.optional()), ("failed", Type::Bool), ("by", Type::Text)];
        let call = self.shared.plain_shape(&members);
        (self.push(ExprKind::Calls(Some(tool)), Type::Record(call).list(), span), 1)
    }
}
