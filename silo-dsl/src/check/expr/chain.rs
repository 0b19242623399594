//! Members, methods and indexes read from left to right.

use super::name::WORLDS;
use crate::check::body::{Checker, Context};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, IndexKind, Slot, Type};
use crate::syntax::tree::{Expr, ExprKind as Tree, Link, LinkKind};
use silo_runtime::value::dynamic::{Value, WorldName};

impl Checker<'_, '_, '_> {
    pub(crate) fn chain(&mut self, atom: &Expr, links: &[Link], span: Span) -> ExprId {
        let alone = std::mem::take(&mut self.discard);
        let (base, used) = self.chain_head(atom, links);
        self.links(base, links, used, atom.span, alone, span)
    }

    /// What a chain begins with, and how many of its links that takes.
    fn chain_head(&mut self, atom: &Expr, links: &[Link]) -> (ExprId, usize) {
        if let Tree::Name(name) = &atom.kind
            && self.meaning(name.as_str()).is_none()
        {
            match (name.as_str(), self.context) {
                (word, Context::Verifier) if WORLDS.contains(&word) => {
                    let world = match word {
                        "initial" => WorldName::Initial,
                        "final" => WorldName::Final,
                        _ => WorldName::Reference,
                    };
                    return (self.world_member(world, name, links), 1);
                }
                ("answer", Context::Verifier) => return self.answer_head(name, links),
                ("calls", Context::Verifier | Context::Rule) => return self.calls_head(name, links),
                ("world", context) if context.has_world() => return (self.explicit_state(name, links), 1),
                _ => {}
            }
        }
        if let Some(found) = self.enum_path(atom, links) {
            return found;
        }
        (self.expr(atom, None), 0)
    }

    /// `Status.open`, a habit from other languages.
    fn enum_path(&mut self, atom: &Expr, links: &[Link]) -> Option<(ExprId, usize)> {
        let Tree::Name(name) = &atom.kind else { return None };
        let Some(crate::declare::TypeKind::Enum(id)) = self.shared.type_kind(name.as_str()) else { return None };
        let Link { kind: LinkKind::Field { name: member, .. }, span } = links.first()? else { return None };
        let shape = self.shared.declared.types.model.enum_shape(id)?;
        let known = shape.members.iter().any(|each| **each == *member.as_str());
        let whole = name.span.to(*span);
        let message = format!("`{name}` is an enum, not a value");
        let diagnostic = Diagnostic::error(codes::names::NOT_A_VALUE, whole, message)
            .note(format!("its members are written as strings: {}", self.members_list(id)));
        let diagnostic =
            if known { diagnostic.fix("write the member", whole, format!("\"{member}\"")) } else { diagnostic };
        Some((self.fail(whole, diagnostic), links.len()))
    }

    fn links(&mut self, mut base: ExprId, links: &[Link], used: usize, head: Span, alone: bool, whole: Span) -> ExprId {
        let mut open: Vec<(ExprId, Slot)> = Vec::new();
        let last = links.len().saturating_sub(1);
        for (at, link) in links.iter().enumerate().skip(used) {
            let span = head.to(link.span);
            let optional =
                matches!(link.kind, LinkKind::Field { optional: true, .. } | LinkKind::Method { optional: true, .. });
            if optional {
                base = self.open_optional(base, &mut open);
            }
            base = match &link.kind {
                LinkKind::Field { name, .. } => self.field(base, name, span),
                LinkKind::Method { name, args, .. } => self.method(base, name, args, span, alone && at == last),
                LinkKind::Index(index) => self.index(base, index, span),
                LinkKind::NonNull => {
                    base = self.close_optional(base, &mut open, span);
                    self.non_null(base, span)
                }
            };
        }
        self.close_optional(base, &mut open, whole)
    }

    /// `a?.`: the rest of the chain is read with `a` known not to be null.
    fn open_optional(&mut self, subject: ExprId, open: &mut Vec<(ExprId, Slot)>) -> ExprId {
        let ty = self.ty(subject);
        if !ty.is_optional() {
            return subject;
        }
        let span = self.span(subject);
        let slot = self.hidden(ty.required().clone(), span);
        self.stands_for.insert(slot, subject);
        open.push((subject, slot));
        let inner = if ty == Type::Null { Type::Never } else { ty.required().clone() };
        self.push(ExprKind::Local(slot), inner, span)
    }

    fn close_optional(&mut self, mut base: ExprId, open: &mut Vec<(ExprId, Slot)>, span: Span) -> ExprId {
        while let Some((subject, slot)) = open.pop() {
            let ty = self.ty(base).optional();
            base = self.push(ExprKind::Optional { subject, slot, rest: base }, ty, span);
            let path = self.path_of(base);
            base = self.narrowed(base, path);
        }
        base
    }

    /// `x!`
    pub(crate) fn non_null(&mut self, base: ExprId, span: Span) -> ExprId {
        match self.ty(base) {
            Type::Never => base,
            Type::Optional(inner) => self.push(ExprKind::NonNull(base), (*inner).clone(), span),
            Type::Null => {
                let diagnostic =
                    Diagnostic::error(codes::types::MAYBE_NULL, span, "this is always null, so `!` always fails");
                self.fail(span, diagnostic)
            }
            ty => {
                if !matches!(self.kind(base), Some(ExprKind::Narrowed(_) | ExprKind::NonNull(_))) {
                    let message = format!("`!` fails on null, but `{}` is never null", self.show(&ty));
                    let bang = Span { start: span.end.saturating_sub(1), ..span };
                    let diagnostic = Diagnostic::warning(codes::warnings::NEVER_NULL, bang, message);
                    self.report(diagnostic.fix("leave it out", bang, ""));
                }
                base
            }
        }
    }

    /// `base[index]`
    pub(crate) fn index(&mut self, base: ExprId, index: &Expr, span: Span) -> ExprId {
        let ty = self.ty(base);
        match &ty {
            Type::Never => {
                self.expr(index, None);
                self.broken(span)
            }
            Type::Table(entity) => {
                let key = self.expr(index, None);
                let key = self.key_value(key, Some(*entity), index.span);
                // Only tables of the state hold all rows of an entity; nested ones have keys of their own. What the agent has to
                // make is read from the final world by the key that it will have.
                if matches!(self.kind(base), Some(ExprKind::State(_) | ExprKind::WorldState(WorldName::Initial, _))) {
                    self.warn_of_missing_index(key, *entity, "it is found only if a task, a tool or an agent makes it");
                }
                let kind = ExprKind::Index { base, index: key, kind: IndexKind::Table };
                self.push(kind, Type::Entity(*entity), span)
            }
            Type::RecordTable(record, _) => {
                let key = self.expect(index, &Type::Text);
                let kind = ExprKind::Index { base, index: key, kind: IndexKind::RecordTable };
                self.push(kind, Type::Record(*record), span)
            }
            Type::Map(key, value) => {
                let key = self.expect(index, &Self::map_key_type(*key));
                let kind = ExprKind::Index { base, index: key, kind: IndexKind::Map };
                self.push(kind, (**value).clone(), span)
            }
            Type::List(item) => {
                let at = self.expect(index, &Type::Int);
                if let Some(Value::Int(value)) = self.constant(at)
                    && *value < 0
                {
                    let message = "positions count from 0, so there is none below";
                    let diagnostic = Diagnostic::error(codes::types::NOT_INDEXED, index.span, message)
                        .help(format!("for the last element write `{}.last()`", self.short(base)));
                    return self.fail(span, diagnostic);
                }
                let kind = ExprKind::Index { base, index: at, kind: IndexKind::List };
                self.push(kind, (**item).clone(), span)
            }
            _ => {
                let diagnostic = self.not_indexed(base, &ty, index, span);
                self.fail(span, diagnostic)
            }
        }
    }

    fn not_indexed(&mut self, base: ExprId, ty: &Type, index: &Expr, span: Span) -> Diagnostic {
        let key = self.expr(index, None);
        let source = self.short(base);
        if ty.is_optional() {
            let message = format!("`{source}` is indexed, but may be null");
            return Diagnostic::error(codes::types::MAYBE_NULL, self.span(base), message)
                .label(format!("this is `{}`", self.show(ty)))
                .help(format!("fail on null with `{source}![…]`, or test it before"));
        }
        let message = format!("`{}` cannot be indexed", self.show(ty));
        let diagnostic = Diagnostic::error(codes::types::NOT_INDEXED, span, message);
        match (ty, self.constant(key)) {
            (Type::Record(_) | Type::Entity(_), Some(Value::Text(name))) => {
                diagnostic.help(format!("a field is named: `{source}.{name}`"))
            }
            (Type::Record(_) | Type::Entity(_), _) => {
                diagnostic.help("fields are named in the source, never computed; for keys that are computed use a map")
            }
            (Type::Text, _) => diagnostic.help(format!("for a part of a string write `{source}.slice(i, j)`")),
            _ => diagnostic,
        }
    }
}
