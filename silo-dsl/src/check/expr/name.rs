//! Names.

use crate::check::body::{Checker, Context};
use crate::check::facts::{Path, Root};
use crate::check::fields::Found;
use crate::check::suggest::nearest;
use crate::declare::TypeKind;
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{ConstId, ExprId, ExprKind, Slot, Type};
use crate::syntax::tree::Name;
use silo_runtime::ids::{EnumId, StateId};

/// What a name stands for.
pub(crate) enum Meaning {
    Local(Slot),
    /// A field of `self`.
    Own(Found),
    SelfRow,
    Const(ConstId),
    State(StateId),
}

/// Words that mean something in some code and stand before a dot there.
pub(crate) const WORLDS: [&str; 3] = ["initial", "final", "reference"];

impl Checker<'_, '_, '_> {
    /// What a name stands for here, if it is known.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(slot) = self.scope.find(name) {
            return Some(Meaning::Local(slot));
        }
        if let Context::Derived(entity) = self.context {
            if name == "self" {
                return Some(Meaning::SelfRow);
            }
            if let Some(found) = self.row_field(entity, name) {
                return Some(Meaning::Own(found));
            }
        }
        if let Some(id) = self.shared.consts.get(name) {
            return Some(Meaning::Const(*id));
        }
        self.shared.state.get(name).map(|id| Meaning::State(*id))
    }

    /// A name that stands for a value.
    pub(crate) fn name(&mut self, name: &Name, expected: Option<&Type>) -> ExprId {
        let span = name.span;
        match self.meaning(name.as_str()) {
            Some(Meaning::Local(slot)) => self.local_value(slot, span),
            Some(Meaning::SelfRow) => self.self_row(span),
            Some(Meaning::Own(_)) => {
                let row = self.self_row(span);
                self.field(row, name, span)
            }
            Some(Meaning::Const(id)) => {
                let ty = self.shared.declared.consts.get(id.0 as usize);
                let ty = ty.filter(|decl| decl.value.is_some()).and_then(|decl| decl.ty.clone()).unwrap_or(Type::Never);
                self.push(ExprKind::Const(id), ty, span)
            }
            Some(Meaning::State(id)) => self.bare_state(id, name),
            None => {
                if let Some(id) = self.special(name) {
                    return id;
                }
                let diagnostic = self.unknown_name(name, expected);
                match diagnostic {
                    Some(diagnostic) => self.fail(span, diagnostic),
                    None => self.broken(span),
                }
            }
        }
    }

    /// The value of a local, with what is known of it.
    pub(crate) fn local_value(&mut self, slot: Slot, span: crate::diagnostics::Span) -> ExprId {
        self.read_local(slot);
        let ty = self.local_type(slot);
        let id = self.push(ExprKind::Local(slot), ty, span);
        if self.facts.is_empty() {
            return id;
        }
        self.narrowed(id, Some(Path { root: Root::Local(slot), steps: Vec::new() }))
    }

    /// The row of a derived field.
    pub(crate) fn self_row(&mut self, span: crate::diagnostics::Span) -> ExprId {
        self.local_value(Slot(0), span)
    }

    fn bare_state(&mut self, id: StateId, name: &Name) -> ExprId {
        if self.context.has_world() {
            return self.state(id, name.span);
        }
        let diagnostic = Diagnostic::error(
            codes::names::STATE_WITHOUT_WORLD,
            name.span,
            format!("`{name}` is state, and {} names the world it reads", self.context.phrase()),
        );
        let diagnostic = if self.context == Context::Solution {
            Diagnostic::error(
                codes::names::STATE_WITHOUT_WORLD,
                name.span,
                format!("`{name}` is state, and a solution sees only what an agent sees"),
            )
            .help("get it from a tool: `let rows = call list_…()`")
        } else {
            diagnostic.help(format!(
                "write `final.{name}` for the world as the agent left it, `initial.{name}` for the one before"
            ))
        };
        self.fail(name.span, diagnostic)
    }

    /// A state field of the one world there is.
    pub(crate) fn state(&mut self, id: StateId, span: crate::diagnostics::Span) -> ExprId {
        let ty = self.shared.declared.state.get(id.index()).map_or(Type::Never, |decl| decl.ty.clone());
        self.read_state(id);
        self.outline.uses_world = true;
        let id_expr = self.push(ExprKind::State(id), ty, span);
        if self.facts.is_empty() {
            return id_expr;
        }
        self.narrowed(id_expr, Some(Path { root: Root::State(id), steps: Vec::new() }))
    }

    /// Words that stand for something without a dot: `answer`, `calls`.
    fn special(&mut self, name: &Name) -> Option<ExprId> {
        match (name.as_str(), self.context) {
            ("answer", Context::Verifier) => Some(self.bare_answer(name.span)),
            ("calls", Context::Verifier | Context::Rule) => Some(self.all_calls(name.span)),
            _ => None,
        }
    }

    /// The diagnostic for a name that stands for nothing; none if its item could not be read.
    pub(crate) fn unknown_name(&mut self, name: &Name, expected: Option<&Type>) -> Option<Diagnostic> {
        let text = name.as_str();
        if self.shared.is_broken_value(text) {
            return None;
        }
        let span = name.span;
        // `status == open`: a member written without quotes.
        let enum_id = expected.and_then(crate::check::fields::enum_of);
        if let Some(diagnostic) = enum_id.and_then(|id| self.enum_word(id, name)) {
            return Some(diagnostic);
        }
        if let Some(hint) = crate::check::foreign::name_hint(text) {
            let diagnostic = Diagnostic::error(codes::names::UNKNOWN_NAME, span, format!("there is no `{text}`"));
            return Some(hint.add_to(diagnostic, span));
        }
        if let Some(diagnostic) = self.out_of_place(name) {
            return Some(diagnostic);
        }
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_NAME, span, format!("there is no `{text}` here"));
        if matches!(self.context, Context::Derived(_)) && matches!(text, "parent" | "key") {
            return Some(diagnostic.fix(format!("write `self.{text}`"), span, format!("self.{text}")));
        }
        if let Some(id) = enum_id {
            diagnostic = diagnostic.note(format!("expected one of {}", self.members_list(id)));
        }
        let names = self.known_names();
        if let Some(near) = nearest(text, names.iter().map(String::as_str)) {
            let (shown, replacement) = match self.context {
                Context::Verifier if self.shared.state.contains_key(near) && self.scope.find(near).is_none() => {
                    (format!("did you mean `final.{near}` or `initial.{near}`?"), None)
                }
                _ => (format!("did you mean `{near}`?"), Some(near.to_owned())),
            };
            diagnostic = diagnostic.label(shown);
            if let Some(replacement) = replacement {
                diagnostic = diagnostic.fix(format!("write `{replacement}`"), span, replacement);
            }
        } else if let Some(other) = self.enum_with(text) {
            diagnostic = diagnostic.help(format!("members of `{other}` are written in quotes: `\"{text}\"`"));
        }
        Some(diagnostic)
    }

    fn enum_word(&self, id: EnumId, name: &Name) -> Option<Diagnostic> {
        let shape = self.shared.declared.types.model.enum_shape(id)?;
        let members = shape.members.iter().map(|member| &**member);
        let exact = shape.members.iter().any(|member| **member == *name.as_str());
        let member = if exact { name.as_str() } else { nearest(name.as_str(), members)? };
        let message = format!("there is no `{name}` here");
        let label = format!("did you mean the member `\"{member}\"` of `{}`?", shape.name);
        Some(
            Diagnostic::error(codes::names::UNKNOWN_NAME, name.span, message)
                .label(label)
                .note("members of an enum are written in quotes")
                .fix("write it in quotes", name.span, format!("\"{member}\"")),
        )
    }

    /// Names that exist, but not as a value at this place.
    fn out_of_place(&self, name: &Name) -> Option<Diagnostic> {
        let (text, span) = (name.as_str(), name.span);
        let error = |message: String| Diagnostic::error(codes::names::NOT_A_VALUE, span, message);
        if let Some(id) = self.shared.functions.get(text) {
            let word = self.shared.declared.functions.get(id.0 as usize).map_or("function", |f| f.kind.word());
            return Some(error(format!("`{text}` is a {word}, not a value")).help(format!("call it: `{text}(…)`")));
        }
        match self.shared.type_kind(text) {
            Some(TypeKind::Enum(id)) => {
                let members = self.members_list(id);
                return Some(
                    error(format!("`{text}` is an enum, not a value"))
                        .help(format!("its members are written as strings: {members}")),
                );
            }
            Some(TypeKind::Entity(id)) => {
                let home =
                    self.shared.homes(id).first().and_then(|id| self.shared.declared.types.model.state_field(*id));
                let error = error(format!("`{text}` is an entity, not a value"));
                return Some(match home {
                    Some(table) => error.help(format!("its rows are in the table `{}`", table.name)),
                    None => error,
                });
            }
            Some(TypeKind::Record(_)) => {
                return Some(
                    error(format!("`{text}` is a record type, not a value"))
                        .help("a record is written as `{ name: value }`, without its type's name"),
                );
            }
            _ => {}
        }
        match text {
            "self" => Some(error("there is no `self` here".to_owned()).note("`self` is the row of a derived field")),
            "world" => Some(error("`world` stands before a dot: `world.users`".to_owned())),
            "initial" | "final" | "reference" if self.context == Context::Verifier => Some(
                error(format!("`{text}` is a world, not a value"))
                    .help(format!("name what you read of it: `{text}.…`")),
            ),
            "initial" | "final" | "reference" => {
                Some(error(format!("`{text}` is a world of a verifier; {} has only one", self.context.phrase())))
            }
            "answer" => Some(error("`answer` is what the agent answered: only a verifier sees it".to_owned())),
            "calls" => Some(error("`calls` are seen by rules and verifiers only".to_owned())),
            _ => None,
        }
    }

    /// All names that stand for a value here.
    fn known_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.scope.names().map(str::to_owned).collect();
        if let Context::Derived(entity) = self.context {
            names.extend(self.field_names(&Type::Entity(entity)));
        }
        names.extend(self.shared.declared.consts.iter().map(|decl| decl.name.to_string()));
        if self.context != Context::Solution {
            names.extend(self.shared.declared.state.iter().map(|decl| decl.name.to_string()));
        }
        names
    }

    /// Reports a name that is taken; the local it would make is made all the same.
    pub(crate) fn no_shadowing(&mut self, name: &Name) {
        let text = name.as_str();
        let taken = match self.meaning(text) {
            Some(Meaning::Local(slot)) => {
                let span = self.body.locals.get(slot.0 as usize).map(|local| local.span);
                Some((format!("`{text}` is already the name of a local"), span))
            }
            // `self` is reserved for the row, and its fields are bare names too.
            Some(Meaning::SelfRow) => Some(("`self` is the row of the derived field".to_owned(), None)),
            Some(Meaning::Own(found)) => {
                let span = match found {
                    Found::Stored(field) => field.span,
                    Found::Derived { .. } => None,
                };
                Some((format!("`{text}` is already the name of a field of the row"), span))
            }
            Some(Meaning::Const(id)) => {
                let span = self.shared.declared.consts.get(id.0 as usize).map(|decl| decl.span);
                Some((format!("`{text}` is already the name of a constant"), span))
            }
            // A solution knows no state, so its locals may be called after what they hold.
            Some(Meaning::State(_)) if self.context == Context::Solution => None,
            Some(Meaning::State(id)) => {
                let span = self.shared.declared.state.get(id.index()).map(|decl| decl.span);
                Some((format!("`{text}` is already the name of a state field"), span))
            }
            None => self.reserved_here(text).map(|message| (message, None)),
        };
        let Some((message, span)) = taken else { return };
        let mut diagnostic = Diagnostic::error(codes::names::SHADOWS, name.span, message)
            .label("a second meaning of the name")
            .help("choose another name: a name means one thing, wherever it is read");
        if let Some(span) = span {
            diagnostic = diagnostic.also(span, "the first meaning");
        }
        self.report(diagnostic);
    }

    fn reserved_here(&self, name: &str) -> Option<String> {
        let verifier = self.context == Context::Verifier;
        match name {
            "initial" | "final" | "reference" | "answer" if verifier => {
                Some(format!("`{name}` has a meaning of its own in a verifier"))
            }
            "calls" if verifier || self.context == Context::Rule => {
                Some("`calls` are the calls of the agent".to_owned())
            }
            "world" if self.context.has_world() => Some("`world` is the world".to_owned()),
            "self" => Some("`self` is the row of a derived field".to_owned()),
            _ => None,
        }
    }
}
