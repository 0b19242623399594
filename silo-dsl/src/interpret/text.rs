//! Values as text: holes of strings.

use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::View;
use crate::ir::NumberFormat;
use silo_runtime::keys;
use silo_runtime::methods;
use silo_runtime::methods::text::LONGEST;
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Decimal, Text, ToolError};
use std::fmt::Write;

/// How many bytes of text a step pays for, so that the step budget bounds the time that texts take too.
const BYTES_A_STEP: usize = 256;

impl<'a> Reader<'a> {
    /// Takes the steps for going through a text.
    #[inline]
    pub(super) fn charge_text(&self, text: &str) -> Eval<()> {
        match text.len() / BYTES_A_STEP {
            0 => Ok(()),
            steps => self.charge(steps),
        }
    }

    /// A text that was put together.
    pub(super) fn finished(&self, text: String) -> Eval<Text> {
        if text.len() > LONGEST {
            return Err(ToolError::limit_exceeded(format!("a text of {} bytes is too long", text.len())).into());
        }
        self.charge_text(&text)?;
        Ok(text.into())
    }

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
