//! Values as explanations show them: as they read in code, without the quotes of keys, names of enums and dates.

use super::super::reader::Reader;
use super::super::view::View;
use silo_runtime::keys;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::json::Json;
use std::fmt::Write;

/// So many bytes are written, and then what is being written is ended. An explanation shows less.
const ENOUGH: usize = 256;

impl<'a> Reader<'a> {
    /// A value as people read it: a row is its key, a member of an enum its name, a date unquoted.
    pub(super) fn shown(&self, view: &View<'a, '_>) -> String {
        if let Some(key) = view.row_key() {
            return keys::visible(key).to_string();
        }
        let mut text = String::new();
        if let Some(value) = view.value() {
            self.show(&mut text, value);
        }
        text
    }

    /// Elements as a list.
    pub(super) fn shown_elements<'t>(&self, elements: impl Iterator<Item = View<'a, 't>>) -> String
    where
        'a: 't,
    {
        let mut text = String::from("[");
        series(&mut text, elements, |text, element| text.push_str(&self.shown(&element)));
        text.push(']');
        text
    }

    fn show(&self, text: &mut String, value: &Value) {
        let model = &self.env.program.model;
        // Writing to a string does not fail.
        let _ = match value {
            Value::Null => write!(text, "null"),
            Value::Bool(value) => write!(text, "{value}"),
            Value::Int(value) => write!(text, "{value}"),
            Value::Decimal(value) => write!(text, "{value}"),
            Value::Date(value) => write!(text, "{value}"),
            Value::DateTime(value) => write!(text, "{value}"),
            Value::Text(value) => write!(text, "{}", quoted(value)),
            Value::Enum(of, member) => write!(text, "{}", model.member(*of, *member).unwrap_or_default()),
            Value::Row(row) => write!(text, "{}", keys::visible(&row.key)),
            Value::List(items) => {
                text.push('[');
                series(text, items.iter(), |text, item| self.show(text, item));
                write!(text, "]")
            }
            Value::Rows(rows) => {
                text.push('[');
                series(text, rows.values(), |text, row| text.push_str(&row.visible_key()));
                write!(text, "]")
            }
            Value::Map(entries) => {
                text.push('{');
                series(text, entries.iter(), |text, (key, value)| {
                    text.push_str(&quoted(key));
                    text.push_str(": ");
                    self.show(text, value);
                });
                write!(text, "}}")
            }
            Value::Record(record) => {
                text.push_str("{ ");
                series(text, record.shape.fields.iter().zip(&record.values), |text, (field, value)| {
                    text.push_str(&field.name);
                    text.push_str(": ");
                    self.show(text, value);
                });
                write!(text, " }}")
            }
        };
    }
}

/// Items, one after the other, as many as are shown.
fn series<T>(text: &mut String, items: impl Iterator<Item = T>, mut show: impl FnMut(&mut String, T)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        if text.len() > ENOUGH {
            text.push('…');
            return;
        }
        show(text, item);
    }
}

/// A text in quotes; of a long one the beginning.
fn quoted(text: &Text) -> String {
    let beginning: String = text.chars().take(ENOUGH).collect();
    Json::from(beginning.as_str()).to_string()
}
