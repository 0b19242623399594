//! Arithmetic.

use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Arith, ExprId, ExprKind, NumberKind, Type};
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Checked, Decimal};

/// A number so far in a chain of operators.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// 64-bit, checked.
    Int(i64),
    /// Exact.
    Decimal(Decimal),
}

impl Number {
    /// The value.
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Int(number) => Value::Int(number),
            Self::Decimal(number) => Value::Decimal(number),
        }
    }

    /// The number, widened.
    pub(super) fn decimal(self) -> Decimal {
        match self {
            Self::Int(number) => number.into(),
            Self::Decimal(number) => number,
        }
    }
}

/// The number that a value is.
pub(super) fn number(view: &View<'_, '_>) -> Eval<Number> {
    match view.value() {
        Some(Value::Int(number)) => Ok(Number::Int(*number)),
        Some(Value::Decimal(number)) => Ok(Number::Decimal(*number)),
        _ => Err(Stop::broken("a number was expected")),
    }
}

/// The int that a value is.
pub(super) fn int(view: &View<'_, '_>) -> Eval<i64> {
    match view.value() {
        Some(Value::Int(number)) => Ok(*number),
        _ => Err(Stop::broken("an int was expected")),
    }
}

/// `-x`.
pub(super) fn negate(view: &View<'_, '_>) -> Eval<Value> {
    Ok(match number(view)? {
        Number::Int(number) => Value::Int(number.negated()?),
        Number::Decimal(number) => Value::Decimal(number.negated()?),
    })
}

/// One step of arithmetic.
pub(super) fn step(op: Arith, kind: NumberKind, left: Number, right: Number) -> Eval<Number> {
    if let (NumberKind::Int, Number::Int(left), Number::Int(right)) = (kind, left, right) {
        return Ok(match op {
            Arith::Divide => Number::Decimal(left.over(right)?),
            _ => Number::Int(exact(op, left, right)?),
        });
    }
    let (left, right) = (left.decimal(), right.decimal());
    Ok(Number::Decimal(if op == Arith::Divide { left.over(right)? } else { exact(op, left, right)? }))
}

fn exact<N: Checked>(op: Arith, left: N, right: N) -> Eval<N> {
    Ok(match op {
        Arith::Add => left.plus(right)?,
        Arith::Subtract => left.minus(right)?,
        Arith::Multiply => left.times(right)?,
        Arith::FloorDivide => left.div(right)?,
        Arith::Modulo => left.modulo(right)?,
        Arith::Divide => return Err(Stop::broken("a quotient was computed as something else")),
    })
}

impl<'a> Reader<'a> {
    /// The number that an expression is: arithmetic goes from one to the next without a value in between.
    pub(super) fn number(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Number> {
        if !self.done.is_empty() {
            return number(&self.view(scope, id)?);
        }
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::Arith { first, rest } => self.chain(scope, *first, rest),
            ExprKind::Coerce(inner) if expr.ty == Type::Decimal => {
                self.number(scope, *inner).map(|number| Number::Decimal(number.decimal()))
            }
            ExprKind::Derived { base, function } => {
                let (row, world) = self.row(scope, *base)?;
                self.derived_number(row, world, *function, expr)
            }
            _ => number(&self.view(scope, id)?),
        }
    }

    /// A chain of operators, from left to right. Text is joined by holes, never by `+`, so that numbers are all there is.
    pub(super) fn chain(
        &self,
        scope: Scoped<'a, '_>,
        first: ExprId,
        rest: &[(Arith, NumberKind, ExprId)],
    ) -> Eval<Number> {
        let mut so_far = self.number(scope, first)?;
        for (op, kind, term) in rest {
            so_far = step(*op, *kind, so_far, self.number(scope, *term)?)?;
        }
        Ok(so_far)
    }
}
