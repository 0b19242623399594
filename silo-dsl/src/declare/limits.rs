//! Limits of types: `int(min: 0)`, `string(pattern: "…")`, `list<T>(unique: true)`.

use super::constant::{Constant, Constants, Located};
use super::messages::{did_you_mean, duplicate};
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::tree::{Limit, TypeExpr};
use silo_runtime::methods::pattern::Pattern;
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::value::Decimal;
use std::sync::Arc;

/// The schema with the limits that are written after its type; nothing if one is wrong, which is reported.
pub(crate) fn apply(
    constants: &Constants<'_>,
    schema: Schema,
    ty: &TypeExpr,
    sink: &mut Vec<Diagnostic>,
) -> Option<Schema> {
    let mut schema = schema;
    let mut complete = true;
    for (at, limit) in ty.limits.iter().enumerate() {
        let first = ty.limits.iter().take(at).find(|before| before.name.text == limit.name.text);
        if let Some(first) = first {
            sink.push(duplicate("limit", limit.name.as_str(), limit.name.span, first.name.span));
            complete = false;
            continue;
        }
        complete &= set(constants, &mut schema, limit, sink).is_some();
    }
    if complete { in_order(&schema, ty, sink).then_some(schema) } else { None }
}

/// The limits that a schema can have.
fn known(schema: &Schema) -> &'static [&'static str] {
    match schema {
        Schema::String { .. } => &["min_length", "max_length", "pattern"],
        Schema::Int { .. } | Schema::Decimal { .. } => &["min", "max"],
        Schema::List { .. } => &["min_items", "max_items", "unique"],
        Schema::Table { .. } => &["wire"],
        _ => &[],
    }
}

fn set(constants: &Constants<'_>, schema: &mut Schema, limit: &Limit, sink: &mut Vec<Diagnostic>) -> Option<()> {
    let names = known(schema);
    if !names.contains(&limit.name.as_str()) {
        let mut diagnostic = Diagnostic::error(
            codes::declarations::LIMIT,
            limit.name.span,
            format!("this type has no limit `{}`", limit.name),
        );
        diagnostic = if names.is_empty() {
            diagnostic
                .label("takes no limits")
                .help("take the limit away; strings, numbers, lists and tables have limits")
        } else {
            let all = format!(
                "its limits are {}",
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            );
            did_you_mean(
                diagnostic.label("not one of its limits").note(all),
                &limit.name,
                names.iter().copied(),
                "use one of those",
            )
        };
        sink.push(diagnostic);
        return None;
    }
    let value = constants.evaluate(&limit.value, sink)?;
    match (&mut *schema, limit.name.as_str()) {
        (Schema::String { min_length, .. }, "min_length") => *min_length = Some(count(&value, limit, sink)?),
        (Schema::String { max_length, .. }, "max_length") => *max_length = Some(count(&value, limit, sink)?),
        (Schema::String { pattern, .. }, _) => {
            let Constant::Text(text) = &value.value else {
                return wrong(limit, &value, "a string, a regular expression", sink);
            };
            match Pattern::new(text) {
                Ok(compiled) => *pattern = Some(Arc::new(compiled)),
                Err(error) => {
                    let message = format!("the pattern cannot be used: {error}");
                    sink.push(Diagnostic::error(codes::declarations::LIMIT, value.span, message).help(
                        "use characters, classes such as `[A-Z]`, groups, `|`, `?`, `*`, `+` and `{m,n}`; a pattern always matches the whole text",
                    ));
                    return None;
                }
            }
        }
        (Schema::Int { min, .. }, "min") => *min = Some(int(&value, limit, sink)?),
        (Schema::Int { max, .. }, _) => *max = Some(int(&value, limit, sink)?),
        (Schema::Decimal { min, .. }, "min") => *min = Some(decimal(&value, limit, sink)?),
        (Schema::Decimal { max, .. }, _) => *max = Some(decimal(&value, limit, sink)?),
        (Schema::List { min_items, .. }, "min_items") => *min_items = Some(count(&value, limit, sink)?),
        (Schema::List { max_items, .. }, "max_items") => *max_items = Some(count(&value, limit, sink)?),
        (Schema::List { unique, .. }, _) => match value.value {
            Constant::Bool(on) => *unique = on,
            _ => return wrong(limit, &value, "`true` or `false`", sink),
        },
        (Schema::Table { wire, .. }, _) => match &value.value {
            Constant::Text(text) if **text == *"array" => *wire = TableWire::Array,
            Constant::Text(text) if **text == *"object" => *wire = TableWire::Object,
            _ => return wrong(limit, &value, "`\"array\"` or `\"object\"`", sink),
        },
        _ => return None,
    }
    Some(())
}

fn wrong<T>(limit: &Limit, value: &Located, expected: &str, sink: &mut Vec<Diagnostic>) -> Option<T> {
    let message = format!("the limit `{}` needs {expected}", limit.name);
    sink.push(
        Diagnostic::error(codes::declarations::LIMIT, value.span, message)
            .label(format!("this is {}", value.value.kind())),
    );
    None
}

fn count(value: &Located, limit: &Limit, sink: &mut Vec<Diagnostic>) -> Option<u32> {
    match value.value {
        Constant::Int(number) if u32::try_from(number).is_ok() => u32::try_from(number).ok(),
        _ => wrong(limit, value, "a whole number from 0 to 4294967295", sink),
    }
}

fn int(value: &Located, limit: &Limit, sink: &mut Vec<Diagnostic>) -> Option<i64> {
    match value.value {
        Constant::Int(number) => Some(number),
        _ => wrong(limit, value, "a whole number", sink),
    }
}

fn decimal(value: &Located, limit: &Limit, sink: &mut Vec<Diagnostic>) -> Option<Decimal> {
    match value.value {
        Constant::Int(number) => Some(Decimal::from(number)),
        Constant::Decimal(number) => Some(number),
        _ => wrong(limit, value, "a number", sink),
    }
}

/// Whether the lower limit is not above the upper one.
fn in_order(schema: &Schema, ty: &TypeExpr, sink: &mut Vec<Diagnostic>) -> bool {
    fn bounds<N: PartialOrd>(min: Option<&N>, max: Option<&N>) -> bool {
        min.zip(max).is_none_or(|(min, max)| min <= max)
    }
    let fits = match schema {
        Schema::String { min_length, max_length, .. } => bounds(min_length.as_ref(), max_length.as_ref()),
        Schema::Int { min, max } => bounds(min.as_ref(), max.as_ref()),
        Schema::Decimal { min, max } => bounds(min.as_ref(), max.as_ref()),
        Schema::List { min_items, max_items, .. } => bounds(min_items.as_ref(), max_items.as_ref()),
        _ => true,
    };
    if !fits {
        let limits = ty.limits.iter().map(|limit| limit.span).reduce(crate::diagnostics::Span::to).unwrap_or(ty.span);
        sink.push(
            Diagnostic::error(codes::declarations::LIMIT, limits, "the lower limit is above the upper one")
                .label("no value can be within both")
                .help("swap the two, or mend one"),
        );
    }
    fits
}
