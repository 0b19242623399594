//! Methods that change the world, or a `var`.

use super::Own;
use super::apply::Call;
use crate::check::body::{Checker, Effects};
use crate::check::expr::{Given, as_literal};
use crate::check::shared::Written;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, Insertion, MutateOp, PlaceRoot, Type};
use crate::syntax::tree::{Arg as TreeArg, Expr};
use silo_runtime::ids::EntityId;

impl Checker<'_, '_, '_> {
    pub(super) fn changing(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        let id = match own {
            Own::Insert => return self.insert(call),
            Own::RemoveRow => self.remove(call),
            Own::Update => self.update(call),
            _ => self.mutate(call, own),
        };
        if !call.alone && !self.is_broken(id) {
            let message = format!("`{}` gives nothing that could be used", call.name);
            let diagnostic =
                Diagnostic::error(codes::effects::NO_VALUE, call.name.span, message).help("write it as a statement");
            return self.fail(call.span, diagnostic);
        }
        id
    }

    /// Reports a change of the world where there may be none; true if there may.
    pub(crate) fn may_write(&mut self, span: Span, what: &str) -> bool {
        let diagnostic = match self.effects {
            Effects::Allowed if self.context.writes() => return true,
            Effects::Closure => Diagnostic::error(codes::effects::WRITES, span, format!("{what} in a closure"))
                .note("a closure is one expression that changes nothing")
                .help("use a `for` loop"),
            Effects::Allowed | Effects::Context => {
                let diagnostic =
                    Diagnostic::error(codes::effects::WRITES, span, format!("{what} in {}", self.context.phrase()));
                match self.context {
                    crate::check::body::Context::Fn => {
                        diagnostic.note("a `fn` may fail, but changes nothing").help("make it an `action`")
                    }
                    crate::check::body::Context::Solution => {
                        diagnostic.note("a solution changes the world by `call` only, as an agent does")
                    }
                    _ => diagnostic.note("only tools, actions and `setup` change the world"),
                }
            }
        };
        self.report(diagnostic);
        false
    }

    /// The table that a row is put in or taken out of: in state or nested in a row, in the world that the code may change.
    fn stored_table(&mut self, call: &Call<'_>) -> Option<EntityId> {
        let Type::Table(entity) = call.ty else {
            let message = format!("`{}` changes a table of the world, and this is what an agent saw of one", call.name);
            self.report(Diagnostic::error(codes::effects::WRITES, call.name.span, message));
            return None;
        };
        let stored = match self.kind(call.receiver) {
            Some(ExprKind::State(state)) => Some((Some(*state), None)),
            Some(ExprKind::Field { base, .. }) => match self.ty(*base) {
                Type::Entity(owner) => Some((None, Some(owner))),
                _ => None,
            },
            _ => None,
        };
        let verb = if call.spec.name == "insert" { "a row is inserted" } else { "a row is removed" };
        if !self.may_write(call.name.span, verb) {
            return None;
        }
        let Some((state, owner)) = stored else {
            let message =
                format!("`{}` needs a table that is stored: a state field, or a nested table of a row", call.name);
            self.report(Diagnostic::error(codes::effects::COPY, call.name.span, message));
            return None;
        };
        if let Some(state) = state {
            self.outline.writes.insert(state);
        }
        if let Some(owner) = owner {
            self.write_row(owner);
        }
        Some(entity)
    }

    fn insert(&mut self, call: &Call<'_>) -> ExprId {
        let argument = Self::only_expr(call);
        let Some(entity) = self.stored_table(call) else {
            self.check_unknown_args(call.args);
            return self.broken(call.span);
        };
        let Some(value) = argument else {
            let diagnostic =
                Diagnostic::error(codes::types::BAD_ARGUMENTS, call.args.span, "`insert` takes the new row")
                    .help("write `.insert({ name: … })`");
            return self.fail(call.span, diagnostic);
        };
        let members = self.insertion(value, entity);
        let insertion = Insertion { table: call.receiver, entity, members };
        self.push(ExprKind::Insert(insertion), Type::Entity(entity), call.span)
    }

    fn only_expr<'a>(call: &Call<'a>) -> Option<&'a Expr> {
        match call.args.items.as_slice() {
            [TreeArg::Positional(expr)] => Some(expr),
            _ => None,
        }
    }

    fn remove(&mut self, call: &Call<'_>) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let Some(entity) = self.stored_table(call) else {
            self.check_for_mistakes(&given);
            return self.broken(call.span);
        };
        let Some(row) = given.first().copied().flatten() else { return self.broken(call.span) };
        let row = self.value_argument(call, row, &Type::Entity(entity));
        // A row of the same key may be put in after this: what was shown of the old one and of the rows in it says nothing of
        // the new one.
        for removed in self.shared.removed_with(entity) {
            self.note_written(Written::Row(removed, Vec::new()));
        }
        self.push(ExprKind::Remove(row), Type::Null, call.span)
    }

    fn update(&mut self, call: &Call<'_>) -> ExprId {
        let Type::Entity(entity) = call.ty else {
            let message = "`update` changes a row, and this is a record";
            let diagnostic = Diagnostic::error(codes::effects::COPY, call.name.span, message)
                .help("a changed copy is written as `{ ...x, name: … }`");
            self.check_unknown_args(call.args);
            return self.fail(call.span, diagnostic);
        };
        let literal = Self::only_expr(call).and_then(as_literal).filter(|braced| !braced.is_map());
        let Some(braced) = literal else {
            self.check_unknown_args(call.args);
            let diagnostic = Diagnostic::error(
                codes::types::BAD_ARGUMENTS,
                call.args.span,
                "`update` takes a literal of the fields to set",
            )
            .help("write `.update({ name, phone?: new_phone })`; `name?` sets it only where the value is not null");
            return self.fail(call.span, diagnostic);
        };
        if !self.may_write(call.name.span, "a row is changed") {
            self.check_unknown_args(call.args);
            return self.broken(call.span);
        }
        if let Some(member) =
            braced.members.iter().find(|m| matches!(m.kind, crate::syntax::tree::MemberKind::Spread(_)))
        {
            let diagnostic =
                Diagnostic::error(codes::types::BAD_ARGUMENTS, member.span, "`update` names each field it sets")
                    .help("write the fields one by one; `name?` sets one only where its value is not null");
            return self.fail(call.span, diagnostic);
        }
        let target = self.update_target(call.receiver, entity);
        let filled = self.fill(braced, &target);
        self.write_row(entity);
        let mut fields = Vec::with_capacity(filled.members.len());
        for member in filled.members {
            self.note_written(Written::Row(entity, vec![member.field]));
            fields.push((member.field, member.value, member.omit));
        }
        let row = call.receiver;
        self.push(ExprKind::Update { row, fields }, Type::Null, call.span)
    }

    /// `push`, `remove_at`, `clear` and a map's `remove`.
    fn mutate(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let first: Option<Given<'_>> = given.first().copied().flatten();
        let Some(place) = self.place(call.receiver, call.span) else {
            self.check_for_mistakes(&given);
            return self.broken(call.span);
        };
        let local = matches!(place.root, PlaceRoot::Local(_));
        if !local || self.effects == Effects::Closure {
            let verb = if matches!(call.ty, Type::Map(..)) { "a map is changed" } else { "a list is changed" };
            if !self.may_write(call.name.span, verb) {
                self.check_for_mistakes(&given);
                return self.broken(call.span);
            }
        }
        let op = match (own, first) {
            (Own::Push, Some(value)) => {
                let element = Self::element(&place.ty);
                let span = value.span();
                // `var xs = []` is an error where it stands; where a list in it has no type, it is one here.
                if element == Type::Never && local {
                    let id = self.free_argument(call, value, None);
                    self.untyped_push(&place, span);
                    MutateOp::Push(id)
                } else {
                    MutateOp::Push(self.value_argument(call, value, &element))
                }
            }
            (Own::RemoveAt, Some(at)) => MutateOp::RemoveAt(self.value_argument(call, at, &Type::Int)),
            (Own::RemoveKey, Some(key)) => {
                let want = match &place.ty {
                    Type::Map(key, _) => Self::map_key_type(*key),
                    _ => Type::Never,
                };
                MutateOp::RemoveKey(self.value_argument(call, key, &want))
            }
            _ => MutateOp::Clear,
        };
        self.write_place(&place);
        self.push(ExprKind::Mutate { place, op }, Type::Null, call.span)
    }

    fn untyped_push(&mut self, place: &crate::ir::Place, span: Span) {
        let message = "the type of this list is not known".to_owned();
        let mut diagnostic = Diagnostic::error(codes::types::UNTYPED, span, message);
        if let PlaceRoot::Local(slot) = place.root
            && let Some(local) = self.body.locals.get(slot.0 as usize)
            && local.ty != Type::Never
        {
            let name = local.name.clone().unwrap_or_else(|| "xs".into());
            diagnostic = diagnostic
                .also(local.span, "it is declared here")
                .help(format!("say what it holds: `var {name}: list<…> = []`"));
            self.report(diagnostic);
        }
    }
}
