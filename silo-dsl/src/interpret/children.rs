//! The parts of an expression that are always evaluated with it, in order.

use crate::ir::{Arg, ExprId, ExprKind, MapMember, Member, TextPart};

/// The parts of an expression that are evaluated whenever it is, in the order of their evaluation. Those of lazy expressions
/// (`if`, `match`, `and`, `or`, `??`, `?.`) and the bodies of closures are not among them; see [`lazy_children`].
pub(super) fn children(kind: &ExprKind) -> Vec<ExprId> {
    let mut parts = Vec::new();
    match kind {
        ExprKind::Text(holes) => parts.extend(holes.iter().filter_map(|part| match part {
            TextPart::Hole(hole, _) => Some(*hole),
            TextPart::Literal(_) => None,
        })),
        ExprKind::Field { base, .. }
        | ExprKind::Derived { base, .. }
        | ExprKind::Key(base)
        | ExprKind::Parent(base)
        | ExprKind::NonNull(base)
        | ExprKind::Narrowed(base)
        | ExprKind::Pick { base, .. }
        | ExprKind::Not(base)
        | ExprKind::Negate(base)
        | ExprKind::Coerce(base)
        | ExprKind::Remove(base) => parts.push(*base),
        ExprKind::Index { base, index, .. } => parts.extend([*base, *index]),
        ExprKind::Compare { left, right, .. } => parts.extend([*left, *right]),
        ExprKind::In { item, source, .. } => parts.extend([*source, *item]),
        ExprKind::Method { receiver, args, .. } => {
            parts.push(*receiver);
            parts.extend(args.iter().filter_map(|arg| match arg {
                Arg::Value(value) => Some(*value),
                Arg::Closure(_) => None,
            }));
        }
        ExprKind::Where { receiver, fields } => {
            parts.push(*receiver);
            parts.extend(fields.iter().map(|(_, value)| *value));
        }
        ExprKind::Call { args, .. } => parts.extend(args.iter().flatten()),
        ExprKind::Builtin { args, .. } | ExprKind::List(args) => parts.extend(args),
        ExprKind::ToolCall { args, .. } => parts.extend(args.iter().map(|(_, value)| *value)),
        ExprKind::Record(members) => members_of(members, &mut parts),
        ExprKind::Map(members) => {
            for member in members {
                match member {
                    MapMember::Entry(key, value) => parts.extend([*key, *value]),
                    MapMember::Spread(base) => parts.push(*base),
                }
            }
        }
        ExprKind::Arith { first, rest } => {
            parts.push(*first);
            parts.extend(rest.iter().map(|(_, _, term)| *term));
        }
        ExprKind::Insert(insertion) => {
            parts.push(insertion.table);
            members_of(&insertion.members, &mut parts);
        }
        ExprKind::Update { row, fields } => {
            parts.push(*row);
            parts.extend(fields.iter().map(|(_, value, _)| *value));
        }
        ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::State(_)
        | ExprKind::WorldState(..)
        | ExprKind::Answer
        | ExprKind::AnswerText
        | ExprKind::Calls(_)
        | ExprKind::Mutate { .. }
        | ExprKind::Optional { .. }
        | ExprKind::If { .. }
        | ExprKind::Match { .. }
        | ExprKind::Logic { .. }
        | ExprKind::Coalesce(_) => {}
    }
    parts
}

fn members_of(members: &[Member], parts: &mut Vec<ExprId>) {
    parts.extend(members.iter().map(|member| match member {
        Member::Set(_, value, _) | Member::Spread(value, _) => *value,
    }));
}

/// The parts of a lazy expression, whether they come to be evaluated or not.
pub(super) fn lazy_children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Optional { subject, rest, .. } => vec![*subject, *rest],
        ExprKind::If { branches, otherwise } => {
            branches.iter().flat_map(|(when, value)| [*when, *value]).chain([*otherwise]).collect()
        }
        ExprKind::Match { subject, arms } => {
            std::iter::once(*subject).chain(arms.iter().map(|arm| arm.value)).collect()
        }
        ExprKind::Logic { terms, .. } | ExprKind::Coalesce(terms) => terms.clone(),
        _ => Vec::new(),
    }
}
