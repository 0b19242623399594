//! Which expressions can fail when they are evaluated.

use super::body::Checker;
use crate::ir::{Arg, ExprId, ExprKind, MapMember, Member, Method, TextPart, Type};

impl Checker<'_, '_, '_> {
    /// Whether evaluating an expression of this kind, its parts included, can fail.
    pub(crate) fn can_fail(&self, kind: &ExprKind) -> bool {
        let fails = |id: &ExprId| self.body.expr(*id).is_some_and(|expr| expr.can_fail);
        match kind {
            ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::State(_)
            | ExprKind::WorldState(..)
            | ExprKind::AnswerText
            | ExprKind::Calls(_) => false,
            // Reading through a reference whose row was removed fails, and so does all that computes or looks up.
            ExprKind::Field { base, .. } => fails(base) || matches!(self.ty(*base).required(), Type::Entity(_)),
            ExprKind::Pick { base, .. } => fails(base) || matches!(self.ty(*base), Type::Entity(_)),
            ExprKind::Derived { .. }
            | ExprKind::Parent(_)
            | ExprKind::Index { .. }
            | ExprKind::NonNull(_)
            | ExprKind::Answer
            | ExprKind::Negate(_)
            | ExprKind::ToolCall { .. }
            | ExprKind::Insert(_)
            | ExprKind::Remove(_)
            | ExprKind::Update { .. }
            | ExprKind::Mutate { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::Arith { .. } => true,
            ExprKind::Text(parts) => parts.iter().any(|part| matches!(part, TextPart::Hole(id, _) if fails(id))),
            ExprKind::Key(base) | ExprKind::Narrowed(base) | ExprKind::Not(base) | ExprKind::Coerce(base) => {
                fails(base)
            }
            ExprKind::Optional { subject, rest, .. } => fails(subject) || fails(rest),
            ExprKind::Method { receiver, method, args } => {
                fails(receiver)
                    || method_fails(*method)
                    || args.iter().any(|arg| match arg {
                        Arg::Value(id) => fails(id),
                        Arg::Closure(closure) => fails(&closure.body),
                    })
            }
            ExprKind::Where { receiver, fields } => {
                fails(receiver)
                    || fields.iter().any(|(_, id)| fails(id))
                    || matches!(self.ty(*receiver), Type::Table(_))
                    || matches!(self.ty(*receiver), Type::List(item) if matches!(*item, Type::Entity(_)))
            }
            ExprKind::Call { function, args, .. } => {
                args.iter().flatten().any(fails) || self.shared.outline(*function).is_none_or(|outline| outline.fails)
            }
            ExprKind::List(items) | ExprKind::Coalesce(items) | ExprKind::Logic { terms: items, .. } => {
                items.iter().any(fails)
            }
            ExprKind::Record(members) => members.iter().any(|member| match member {
                Member::Set(_, id, _) => fails(id),
                Member::Spread(id, _) => fails(id) || matches!(self.ty(*id), Type::Entity(_)),
            }),
            ExprKind::Map(members) => members.iter().any(|member| match member {
                MapMember::Entry(key, value) => fails(key) || fails(value),
                MapMember::Spread(id) => fails(id),
            }),
            ExprKind::If { branches, otherwise } => {
                fails(otherwise) || branches.iter().any(|(c, v)| fails(c) || fails(v))
            }
            ExprKind::Match { subject, arms } => fails(subject) || arms.iter().any(|arm| fails(&arm.value)),
            ExprKind::Compare { left, right, .. } => fails(left) || fails(right),
            ExprKind::In { item, source, .. } => fails(item) || fails(source),
        }
    }
}

/// Methods that can fail whatever their arguments are.
fn method_fails(method: Method) -> bool {
    matches!(
        method,
        Method::Sum
            | Method::Average
            | Method::RoundTo
            | Method::Calculate
            | Method::Abs
            | Method::Round
            | Method::Floor
            | Method::Ceil
            | Method::AddDays
            | Method::AddMonths
            | Method::AddMinutes
            | Method::Clamp
            | Method::PadStart
            | Method::Replace
            | Method::Names
            | Method::NamesOnly
            | Method::Page
            | Method::Take
            | Method::Skip
    )
}
