//! Decisions: conditions, comparisons, patterns.

use super::compare;
use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Arm, Compare, Expr, ExprId, ExprKind, Logic, Pattern};
use silo_runtime::value::dynamic::Value;
use std::cmp::Ordering;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// Whether an expression of type bool is true.
    pub(super) fn test(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<bool> {
        if !self.done.is_empty() {
            return truth(&self.view(scope, id)?);
        }
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::Not(inner) => Ok(!self.test(scope, *inner)?),
            ExprKind::Logic { op, terms } => self.logic(scope, *op, terms),
            ExprKind::Compare { op, left, right } => self.compare(scope, *op, *left, *right),
            ExprKind::In { item, source, negated } => Ok(self.contains(scope, *source, *item)? != *negated),
            ExprKind::Derived { base, function } => {
                let (row, world) = self.row(scope, *base)?;
                self.derived_truth(row, world, *function, expr)
            }
            _ => truth(&self.view(scope, id)?),
        }
    }

    fn logic(&self, scope: Scoped<'a, '_>, op: Logic, terms: &[ExprId]) -> Eval<bool> {
        let decisive = op == Logic::Or;
        for term in terms {
            if self.test(scope, *term)? == decisive {
                return Ok(decisive);
            }
        }
        Ok(!decisive)
    }

    pub(super) fn decide(&self, scope: Scoped<'a, '_>, expr: &Expr) -> Eval<bool> {
        match &expr.kind {
            ExprKind::Not(inner) => Ok(!self.test(scope, *inner)?),
            ExprKind::Logic { op, terms } => self.logic(scope, *op, terms),
            ExprKind::Compare { op, left, right } => self.compare(scope, *op, *left, *right),
            ExprKind::In { item, source, negated } => Ok(self.contains(scope, *source, *item)? != *negated),
            _ => Err(Stop::broken("a decision was expected")),
        }
    }

    fn compare(&self, scope: Scoped<'a, '_>, op: Compare, left: ExprId, right: ExprId) -> Eval<bool> {
        let left = self.view(scope, left)?;
        let right = self.view(scope, right)?;
        if let (Some(Value::List(left)), Some(Value::List(right))) = (left.value(), right.value()) {
            self.charge(left.len().min(right.len()))?;
        }
        match op {
            Compare::Equal => Ok(self.equal(&left, &right)),
            Compare::NotEqual => Ok(!self.equal(&left, &right)),
            Compare::Less => Ok(order(&left, &right)?.is_lt()),
            Compare::LessOrEqual => Ok(order(&left, &right)?.is_le()),
            Compare::Greater => Ok(order(&left, &right)?.is_gt()),
            Compare::GreaterOrEqual => Ok(order(&left, &right)?.is_ge()),
        }
    }

    /// Whether two values are equal; rows by entity and key.
    pub(super) fn equal(&self, left: &View<'a, '_>, right: &View<'a, '_>) -> bool {
        match (left.value(), right.value()) {
            (Some(left), Some(right)) => compare::equal(&self.env.program.model, left, right),
            _ => same_row(left, right),
        }
    }

    /// The value of the arm that takes a value.
    pub(super) fn arm(&self, subject: &View<'a, '_>, arms: &[Arm]) -> Option<ExprId> {
        arms.iter().find(|arm| self.takes(&arm.pattern, subject)).map(|arm| arm.value)
    }

    /// Whether a pattern takes a value.
    pub(super) fn takes(&self, pattern: &Pattern, subject: &View<'a, '_>) -> bool {
        match pattern {
            Pattern::Else => true,
            Pattern::Values(values) => values.iter().any(|value| self.equal(&View::Ref(value), subject)),
        }
    }
}

/// How two values are ordered.
pub(super) fn order(left: &View<'_, '_>, right: &View<'_, '_>) -> Eval<Ordering> {
    let ordered = left.value().zip(right.value()).and_then(|(left, right)| compare::order(left, right));
    ordered.ok_or_else(|| Stop::broken("two values that have no order were compared"))
}

/// A bool.
pub(super) fn truth(view: &View<'_, '_>) -> Eval<bool> {
    match view.value() {
        Some(Value::Bool(truth)) => Ok(*truth),
        _ => Err(Stop::broken("a bool was expected")),
    }
}

/// Whether two values, one of them a row at hand, are the same row.
fn same_row(left: &View<'_, '_>, right: &View<'_, '_>) -> bool {
    let entity = |view: &View<'_, '_>| match view {
        View::Row(row, _) => Some(row.shape.id),
        View::Ref(Value::Row(row)) | View::Own(Value::Row(row)) => Some(row.entity),
        _ => None,
    };
    match (left.row_key(), right.row_key()) {
        (Some(a), Some(b)) => entity(left) == entity(right) && (Arc::ptr_eq(a, b) || a == b),
        _ => false,
    }
}
