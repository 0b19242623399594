//! Keys that are made of fields: a row may give its key or leave it out, but not give another one.

use silo_runtime::input::{InputFault, PathSegment, Problem};
use silo_runtime::keys::composed;
use silo_runtime::model::Model;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Value};
use silo_runtime::value::json::Json;
use silo_runtime::value::text::shorten;

/// The rows, of this one and those in its tables, whose key is another than their fields make.
pub(super) fn check(row: &DynRow, model: &Model) -> Option<InputFault> {
    let mut problems = Vec::new();
    walk(row, None, model, &mut Vec::new(), &mut problems);
    (!problems.is_empty()).then_some(InputFault { problems, more: 0 })
}

fn walk(row: &DynRow, parent: Option<&Text>, model: &Model, at: &mut Vec<PathSegment>, problems: &mut Vec<Problem>) {
    if let Some(made) = composed(&row.shape.pattern, &row.values, parent, model)
        && made != row.key
    {
        at.extend(row.shape.fields.get(row.shape.key.index()).map(|field| PathSegment::Name(field.wire.clone())));
        problems.push(key_problem(at.clone(), "which its fields make", &made, &row.key));
        at.pop();
    }
    for (field, value) in row.shape.fields.iter().zip(&row.values) {
        let Value::Rows(rows) = value else { continue };
        at.push(PathSegment::Name(field.wire.clone()));
        for (index, nested) in rows.values().enumerate() {
            at.push(PathSegment::Index(index));
            walk(nested, Some(&row.key), model, at, problems);
            at.pop();
        }
        at.pop();
    }
}

/// A key that is another than it must be.
pub(super) fn key_problem(at: Vec<PathSegment>, because: &str, expected: &str, found: &str) -> Problem {
    let shown = |text: &str| Json::from(shorten(text, 60)).to_string();
    Problem {
        at,
        expected: format!("{}, {because}", shown(expected)),
        received: shown(found),
        message: String::new(),
        unknown_key: None,
    }
}
