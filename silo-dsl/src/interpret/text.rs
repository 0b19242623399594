//! Values as text: holes of strings.

use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::View;
use crate::ir::NumberFormat;
use silo_runtime::keys;
use silo_runtime::methods;
use silo_runtime::value::Decimal;
use silo_runtime::value::dynamic::Value;
use std::fmt::Write;

impl<'a> Reader<'a> {
    /// Writes a value into a text.
    pub(super) fn write(&self, text: &mut String, view: &View<'a, '_>, format: Option<NumberFormat>) -> Eval<()> {
        if let Some(format) = format {
            return write_number(text, view, format);
        }
        if let Some(key) = view.row_key() {
            text.push_str(&keys::visible(key));
            return Ok(());
        }
        let written = match view.value() {
            Some(Value::Text(part)) => {
                text.push_str(part);
                Ok(())
            }
            Some(Value::Int(number)) => write!(text, "{number}"),
            Some(Value::Decimal(number)) => write!(text, "{number}"),
            Some(Value::Bool(truth)) => write!(text, "{truth}"),
            Some(Value::Date(date)) => write!(text, "{date}"),
            Some(Value::DateTime(instant)) => write!(text, "{instant}"),
            Some(Value::Enum(of, member)) => match self.env.program.model.member(*of, *member) {
                Some(member) => {
                    text.push_str(&member);
                    Ok(())
                }
                None => return Err(Stop::broken("an enum lacks a member")),
            },
            _ => return Err(Stop::broken("a hole holds what cannot be written as text")),
        };
        written.map_err(|_| Stop::broken("a value cannot be written"))
    }
}

fn write_number(text: &mut String, view: &View<'_, '_>, format: NumberFormat) -> Eval<()> {
    let number = match view.value() {
        Some(Value::Int(number)) => Decimal::from(*number),
        Some(Value::Decimal(number)) => *number,
        _ => return Err(Stop::broken("a number was expected")),
    };
    text.push_str(&methods::number::format(number, format.thousands, format.places)?);
    Ok(())
}
