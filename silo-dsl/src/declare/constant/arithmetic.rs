//! Arithmetic of constants, as in code: ints stay ints but for `/`, which is decimal.

use super::Constant;
use crate::syntax::tree::ArithOp;
use silo_runtime::value::{Checked, Decimal, ToolResult};

/// `left op right`.
///
/// # Errors
/// What is wrong: the operands, or the result.
pub(super) fn apply(op: ArithOp, left: &Constant, right: &Constant) -> Result<Constant, String> {
    match (left, right) {
        (Constant::Int(left), Constant::Int(right)) => ints(op, *left, *right).map_err(|error| error.message.clone()),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => decimals(op, left, right).map_err(|error| error.message.clone()),
            _ => Err(format!(
                "`{}` computes with numbers, but these are {} and {}",
                op.symbol(),
                left.kind(),
                right.kind()
            )),
        },
    }
}

fn number(constant: &Constant) -> Option<Decimal> {
    match constant {
        Constant::Int(value) => Some(Decimal::from(*value)),
        Constant::Decimal(value) => Some(*value),
        _ => None,
    }
}

fn ints(op: ArithOp, left: i64, right: i64) -> ToolResult<Constant> {
    Ok(match op {
        ArithOp::Add => Constant::Int(left.plus(right)?),
        ArithOp::Subtract => Constant::Int(left.minus(right)?),
        ArithOp::Multiply => Constant::Int(left.times(right)?),
        ArithOp::Divide => Constant::Decimal(left.over(right)?),
        ArithOp::Remainder => Constant::Int(left.modulo(right)?),
        ArithOp::FloorDivide => Constant::Int(left.div(right)?),
    })
}

fn decimals(op: ArithOp, left: Decimal, right: Decimal) -> ToolResult<Constant> {
    Ok(Constant::Decimal(match op {
        ArithOp::Add => left.plus(right)?,
        ArithOp::Subtract => left.minus(right)?,
        ArithOp::Multiply => left.times(right)?,
        ArithOp::Divide => left.over(right)?,
        ArithOp::Remainder => left.modulo(right)?,
        ArithOp::FloorDivide => left.div(right)?,
    }))
}
