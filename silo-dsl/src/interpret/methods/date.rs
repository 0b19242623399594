use super::super::stop::{Eval, Stop};
use super::{Arguments, unknown};
use crate::ir::Method;
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Date, DateTime};

/// A method of a date.
pub(super) fn of_date(date: Date, method: Method, args: &Arguments<'_, '_, '_>) -> Eval<Value> {
    Ok(match method {
        Method::AddDays => Value::Date(date.add_days(args.int(0)?)?),
        Method::AddMonths => Value::Date(date.add_months(args.int(0)?)?),
        Method::StartOfMonth => Value::Date(date.start_of_month()),
        Method::EndOfMonth => Value::Date(date.end_of_month()),
        Method::DaysUntil => Value::Int(date.days_until(match args.value(0)? {
            Value::Date(other) => other,
            Value::DateTime(other) => other.date(),
            _ => return Err(Stop::broken("a date was expected")),
        })),
        Method::Year => Value::Int(date.year()),
        Method::Month => Value::Int(date.month()),
        Method::Day => Value::Int(date.day()),
        Method::Weekday => Value::Int(date.weekday()),
        Method::Format => Value::Text(date.format(&args.text(0)?)?.into()),
        _ => return Err(unknown()),
    })
}

/// A method of an instant.
pub(super) fn of_instant(instant: DateTime, method: Method, args: &Arguments<'_, '_, '_>) -> Eval<Value> {
    let other = || match args.value(0)? {
        Value::DateTime(other) => Ok(other),
        Value::Date(other) => Ok(other.into()),
        _ => Err(Stop::broken("an instant was expected")),
    };
    Ok(match method {
        Method::AddDays => Value::DateTime(instant.add_days(args.int(0)?)?),
        Method::AddMonths => Value::DateTime(instant.add_months(args.int(0)?)?),
        Method::AddMinutes => Value::DateTime(instant.add_minutes(args.int(0)?)?),
        Method::StartOfMonth => Value::DateTime(instant.start_of_month()),
        Method::EndOfMonth => Value::DateTime(instant.end_of_month()),
        Method::DaysUntil => Value::Int(instant.days_until(other()?)),
        Method::MinutesUntil => Value::Int(instant.minutes_until(other()?)),
        Method::DateOf => Value::Date(instant.date()),
        Method::Year => Value::Int(instant.year()),
        Method::Month => Value::Int(instant.month()),
        Method::Day => Value::Int(instant.day()),
        Method::Weekday => Value::Int(instant.weekday()),
        Method::Format => Value::Text(instant.format(&args.text(0)?)?.into()),
        _ => return Err(unknown()),
    })
}
