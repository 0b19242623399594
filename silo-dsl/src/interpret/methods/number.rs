use super::super::number::{Number, number};
use super::super::stop::Eval;
use super::super::view::View;
use super::{Arguments, unknown};
use crate::ir::Method;
use silo_runtime::methods::number as of;
use silo_runtime::value::Decimal;
use silo_runtime::value::dynamic::Value;

/// A method of a number.
pub(super) fn method(value: &Value, method: Method, args: &Arguments<'_, '_, '_>) -> Eval<Value> {
    match number(&View::Ref(value))? {
        Number::Int(value) => of_int(value, method, args),
        Number::Decimal(value) => of_decimal(value, method, args),
    }
}

fn of_int(value: i64, method: Method, args: &Arguments<'_, '_, '_>) -> Eval<Value> {
    Ok(match method {
        Method::Round | Method::Floor | Method::Ceil => Value::Int(value),
        Method::Abs => Value::Int(of::abs(value)?),
        Method::NumberMin | Method::NumberMax | Method::Clamp => {
            let bounds =
                (0..args.args.len()).map(|at| number(&View::Own(args.value(at)?))).collect::<Eval<Vec<_>>>()?;
            match (method, bounds.as_slice()) {
                (Method::NumberMin, [Number::Int(other)]) => Value::Int(of::min(value, *other)),
                (Method::NumberMax, [Number::Int(other)]) => Value::Int(of::max(value, *other)),
                (Method::Clamp, [Number::Int(low), Number::Int(high)]) => Value::Int(of::clamp(value, *low, *high)),
                // One of the bounds is a decimal, and so is the result.
                _ => return of_decimal(value.into(), method, args),
            }
        }
        _ => return of_decimal(value.into(), method, args),
    })
}

fn of_decimal(value: Decimal, method: Method, args: &Arguments<'_, '_, '_>) -> Eval<Value> {
    let decimal = |position: usize| number(&View::Own(args.value(position)?)).map(Number::decimal);
    let result: Eval<Decimal> = match method {
        Method::Round => return Ok(Value::Int(of::round(value)?)),
        Method::Floor => return Ok(Value::Int(of::floor(value)?)),
        Method::Ceil => return Ok(Value::Int(of::ceil(value)?)),
        Method::RoundTo => Ok(of::round_to(value, args.int(0)?)?),
        Method::Abs => Ok(of::abs(value)?),
        Method::NumberMin => Ok(of::min(value, decimal(0)?)),
        Method::NumberMax => Ok(of::max(value, decimal(0)?)),
        Method::Clamp => Ok(of::clamp(value, decimal(0)?, decimal(1)?)),
        _ => Err(unknown()),
    };
    result.map(Value::Decimal)
}
