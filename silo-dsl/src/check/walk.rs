//! Looking at all of a piece of syntax, or of checked code.

use crate::ir::{Arg, ExprId, ExprKind, MapMember, Member, MutateOp, Place, PlaceRoot, PlaceStep, TextPart};
use crate::syntax::tree::{
    self, Block, Braced, Changes, Expr, ExprKind as Tree, LinkKind, MemberKind, PathStep, Piece, Refusal, Statement,
    StatementKind, Text,
};

/// A part of the syntax.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Expr(&'a Expr),
    Statement(&'a Statement),
}

/// Visits every statement and expression of a block, from the outside in.
pub(crate) fn block<'a>(block: &'a Block, visit: &mut dyn FnMut(Node<'a>)) {
    for each in &block.statements {
        statement(each, visit);
    }
}

fn statement<'a>(each: &'a Statement, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Statement(each));
    match &each.kind {
        StatementKind::Let(let_) => {
            expr(&let_.value, visit);
            if let Some(otherwise) = &let_.otherwise {
                refusal(otherwise, visit);
            }
        }
        StatementKind::Assign(assign) => {
            for step in &assign.place.steps {
                if let tree::PlaceStep::Index(index) = step {
                    expr(index, visit);
                }
            }
            expr(&assign.value, visit);
        }
        StatementKind::Run(value) | StatementKind::Answer(value) | StatementKind::Return(Some(value)) => {
            expr(value, visit);
        }
        StatementKind::If(if_) => {
            for arm in &if_.arms {
                expr(&arm.condition, visit);
                block(&arm.body, visit);
            }
            if let Some(otherwise) = &if_.otherwise {
                block(otherwise, visit);
            }
        }
        StatementKind::For(for_) => {
            expr(&for_.source, visit);
            block(&for_.body, visit);
        }
        StatementKind::Match(match_) => {
            expr(&match_.subject, visit);
            for arm in &match_.arms {
                block(&arm.body, visit);
            }
        }
        StatementKind::Require(require) => {
            expr(&require.condition, visit);
            refusal(&require.refusal, visit);
        }
        StatementKind::Fail(fail) => refusal(fail, visit),
        StatementKind::Check(check) => {
            text(&check.label, visit);
            expr(&check.condition, visit);
        }
        StatementKind::Changes(Changes::Only(changes)) => {
            for change in changes {
                path(&change.path, visit);
                if let Some(condition) = &change.condition {
                    expr(&condition.body, visit);
                }
            }
        }
        StatementKind::SameWorld(same) => same.ignoring.iter().for_each(|each| path(each, visit)),
        StatementKind::Verify(verify) => args(&verify.args, visit),
        StatementKind::Return(None)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Changes(Changes::Nothing) => {}
    }
}

fn path<'a>(path: &'a tree::StatePath, visit: &mut dyn FnMut(Node<'a>)) {
    for step in &path.steps {
        if let PathStep::Index(index) = step {
            expr(index, visit);
        }
    }
}

fn refusal<'a>(refusal: &'a Refusal, visit: &mut dyn FnMut(Node<'a>)) {
    text(&refusal.message, visit);
    if let Some(details) = &refusal.details {
        braced(details, visit);
    }
}

fn text<'a>(text: &'a Text, visit: &mut dyn FnMut(Node<'a>)) {
    for piece in &text.pieces {
        if let Piece::Hole { value, .. } = piece {
            expr(value, visit);
        }
    }
}

fn args<'a>(args: &'a tree::Args, visit: &mut dyn FnMut(Node<'a>)) {
    for arg in &args.items {
        match arg {
            tree::Arg::Positional(value) | tree::Arg::Named { value, .. } | tree::Arg::Spread { value, .. } => {
                expr(value, visit);
            }
            tree::Arg::Closure(closure) => expr(&closure.body, visit),
        }
    }
}

fn braced<'a>(braced: &'a Braced, visit: &mut dyn FnMut(Node<'a>)) {
    for member in &braced.members {
        match &member.kind {
            MemberKind::Spread(value) | MemberKind::Quoted { value, .. } => expr(value, visit),
            MemberKind::Named { value, .. } => {
                if let Some(value) = value {
                    expr(value, visit);
                }
            }
            MemberKind::Computed { key, value } => {
                expr(key, visit);
                expr(value, visit);
            }
        }
    }
}

/// Visits an expression and all in it, from the outside in.
pub(crate) fn expr<'a>(each: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Expr(each));
    match &each.kind {
        Tree::Null
        | Tree::Bool(_)
        | Tree::Int(_)
        | Tree::Decimal(_)
        | Tree::Date(_)
        | Tree::Datetime(_)
        | Tree::Name(_) => {}
        Tree::Text(inner) => text(inner, visit),
        Tree::List(items) | Tree::Or(items) | Tree::And(items) | Tree::Coalesce(items) => {
            for item in items {
                expr(item, visit);
            }
        }
        Tree::Braced(inner) => braced(inner, visit),
        Tree::Paren(inner) | Tree::Not { operand: inner, .. } | Tree::Negate { operand: inner, .. } => {
            expr(inner, visit);
        }
        Tree::Function(call) => args(&call.args, visit),
        Tree::CallTool(call) => args(&call.args, visit),
        Tree::Chain { atom, links } => {
            expr(atom, visit);
            for link in links {
                match &link.kind {
                    LinkKind::Method { args: inner, .. } => args(inner, visit),
                    LinkKind::Index(index) => expr(index, visit),
                    LinkKind::Field { .. } | LinkKind::NonNull => {}
                }
            }
        }
        Tree::Compare { left, right, .. } => {
            expr(left, visit);
            expr(right, visit);
        }
        Tree::Arith(arith) => {
            expr(&arith.first, visit);
            arith.rest.iter().for_each(|(_, _, operand)| expr(operand, visit));
        }
        Tree::If(if_) => {
            for (condition, value) in &if_.arms {
                expr(condition, visit);
                expr(value, visit);
            }
            expr(&if_.otherwise, visit);
        }
        Tree::Match(match_) => {
            expr(&match_.subject, visit);
            match_.arms.iter().for_each(|arm| expr(&arm.value, visit));
        }
    }
}

/// The expressions that an expression of checked code is made of.
pub(crate) fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::State(_)
        | ExprKind::WorldState(..)
        | ExprKind::Answer
        | ExprKind::AnswerText
        | ExprKind::Calls(_) => Vec::new(),
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
        | ExprKind::Remove(base) => vec![*base],
        ExprKind::Text(parts) => parts
            .iter()
            .filter_map(|part| match part {
                TextPart::Hole(id, _) => Some(*id),
                TextPart::Literal(_) => None,
            })
            .collect(),
        ExprKind::Optional { subject, rest, .. } => vec![*subject, *rest],
        ExprKind::Index { base, index, .. } => vec![*base, *index],
        ExprKind::Method { receiver, args, .. } => {
            let args = args.iter().map(|arg| match arg {
                Arg::Value(id) => *id,
                Arg::Closure(closure) => closure.body,
            });
            std::iter::once(*receiver).chain(args).collect()
        }
        ExprKind::Where { receiver, fields } => {
            std::iter::once(*receiver).chain(fields.iter().map(|(_, id)| *id)).collect()
        }
        ExprKind::Call { args, .. } => args.iter().flatten().copied().collect(),
        ExprKind::Builtin { args, .. } => args.clone(),
        ExprKind::ToolCall { args, .. } => args.iter().map(|(_, id)| *id).collect(),
        ExprKind::List(items) | ExprKind::Coalesce(items) | ExprKind::Logic { terms: items, .. } => items.clone(),
        ExprKind::Record(members) => members.iter().map(member).collect(),
        ExprKind::Insert(insertion) => {
            std::iter::once(insertion.table).chain(insertion.members.iter().map(member)).collect()
        }
        ExprKind::Map(members) => members
            .iter()
            .flat_map(|member| match member {
                MapMember::Entry(key, value) => vec![*key, *value],
                MapMember::Spread(id) => vec![*id],
            })
            .collect(),
        ExprKind::If { branches, otherwise } => {
            branches.iter().flat_map(|(when, then)| [*when, *then]).chain(std::iter::once(*otherwise)).collect()
        }
        ExprKind::Match { subject, arms } => {
            std::iter::once(*subject).chain(arms.iter().map(|arm| arm.value)).collect()
        }
        ExprKind::Compare { left, right, .. } => vec![*left, *right],
        ExprKind::In { item, source, .. } => vec![*item, *source],
        ExprKind::Arith { first, rest } => std::iter::once(*first).chain(rest.iter().map(|(_, _, id)| *id)).collect(),
        ExprKind::Update { row, fields } => std::iter::once(*row).chain(fields.iter().map(|(_, id, _)| *id)).collect(),
        ExprKind::Mutate { place, op } => {
            let value = match op {
                MutateOp::Push(id) | MutateOp::RemoveAt(id) | MutateOp::RemoveKey(id) => Some(*id),
                MutateOp::Clear => None,
            };
            place_parts(place).into_iter().chain(value).collect()
        }
    }
}

fn member(member: &Member) -> ExprId {
    match member {
        Member::Set(_, id, _) | Member::Spread(id, _) => *id,
    }
}

fn place_parts(place: &Place) -> Vec<ExprId> {
    let root = match place.root {
        PlaceRoot::Row(id, _) => Some(id),
        PlaceRoot::Local(_) | PlaceRoot::State(_) => None,
    };
    let steps = place.steps.iter().filter_map(|step| match step {
        PlaceStep::Field(..) => None,
        PlaceStep::Index(id) | PlaceStep::Key(id) => Some(*id),
    });
    root.into_iter().chain(steps).collect()
}
