//! The first line: which column is which field.

use super::has_int_key;
use crate::declare::types::{Names, Types};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use silo_runtime::ids::EntityId;
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::methods::nearest::nearest;
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::text::shorten;
use std::sync::Arc;

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    /// The name on the wire.
    pub(super) wire: Text,
    /// What its cells are read as, null aside.
    pub(super) schema: Schema,
    /// Whether a cell may be null.
    pub(super) optional: bool,
    /// Whether the field exists in some cases only.
    pub(super) in_case: bool,
    /// Whether it holds references to rows whose keys are integers.
    pub(super) int_key: bool,
}

/// Reads the header; nothing if a column is unknown, double or missing, which is reported.
#[expect(clippy::too_many_arguments, reason = "the parts of one declaration, used nowhere else together")]
pub(super) fn read(
    types: &Types<'_>,
    header: &csv::StringRecord,
    places: &[Span],
    fields: &[Field],
    key: Option<EntityId>,
    declared_at: Span,
    separator: u8,
    sink: &mut Vec<Diagnostic>,
) -> Option<Vec<Column>> {
    if let (Some(name), Some(span), 1) = (header.get(0), places.first(), header.len())
        && let Some(other) = other_separator(name, separator)
    {
        wrong_separator(*span, other, sink);
        return None;
    }
    let before = sink.len();
    let mut columns = Vec::with_capacity(header.len());
    let mut seen: Names<Span> = Names::default();
    // Columns that are there under a name that is nearly theirs.
    let mut misspelt: Vec<Text> = Vec::new();
    for (at, name) in header.iter().enumerate() {
        let Some(span) = places.get(at).copied() else { continue };
        let Some(field) = fields.iter().find(|field| *field.wire == *name) else {
            let free = fields.iter().filter(|field| !header.iter().any(|name| *name == *field.wire));
            let near = nearest(name, free.map(|field| &*field.wire)).map(Text::from);
            if near.is_none() && is_derived(types, key, name) {
                derived(name, span, sink);
            } else {
                unknown(name, span, near.as_deref(), sink);
            }
            misspelt.extend(near);
            continue;
        };
        if let Some(first) = seen.insert(Arc::clone(&field.wire), span) {
            sink.push(
                Diagnostic::error(codes::seed::COLUMNS, span, format!("the column `{name}` is there twice"))
                    .label("again here")
                    .also(first, "first here")
                    .help("take one of them away"),
            );
            continue;
        }
        columns.push(column(types, field));
    }
    let line = places.first().zip(places.last()).map_or(declared_at, |(first, last)| first.to(*last));
    for field in fields.iter().filter(|field| !seen.contains_key(&field.wire)) {
        let is_table = matches!(field.schema, Schema::Table { .. });
        let optional =
            matches!(field.schema, Schema::Optional(_)) || field.default.is_some() || !field.cases.is_empty();
        if optional || is_table || misspelt.contains(&field.wire) || is_composed(types, key, field) {
            continue;
        }
        sink.push(
            Diagnostic::error(codes::seed::COLUMNS, line, format!("the column `{}` is missing", field.wire))
                .label(format!("expected a column of {}", plural(&field.schema.describe(&types.model))))
                .also(declared_at, "read for what is declared here")
                .help("add the column, or make the field optional, or give it a default"),
        );
    }
    (sink.len() == before).then_some(columns)
}

fn plural(description: &str) -> String {
    format!("values, each {description}")
}

fn column(types: &Types<'_>, field: &Field) -> Column {
    let declared = field.cases.first().map_or(&field.schema, |(_, schema)| schema);
    let (schema, null) = match declared {
        Schema::Optional(inner) => ((**inner).clone(), true),
        other => (other.clone(), false),
    };
    let optional = null || field.default.is_some();
    Column {
        wire: Arc::clone(&field.wire),
        int_key: has_int_key(types, &schema),
        in_case: !field.cases.is_empty(),
        schema,
        optional,
    }
}

/// Whether a field is a key that the other fields make.
fn is_composed(types: &Types<'_>, key: Option<EntityId>, field: &Field) -> bool {
    let Some(shape) = key.and_then(|entity| types.model.entity(entity)) else { return false };
    let is_key = shape.fields.get(shape.key.index()).is_some_and(|key| key.wire == field.wire);
    let counts = match &shape.pattern {
        KeyPattern::Text(parts) => parts.iter().any(|part| matches!(part, KeyPart::Counter(_))),
        KeyPattern::Given | KeyPattern::Integer => true,
    };
    is_key && !counts
}

/// Whether a column is called like a derived field, in the source or on the wire.
fn is_derived(types: &Types<'_>, entity: Option<EntityId>, name: &str) -> bool {
    let derived = entity.and_then(|entity| types.entity_decl(entity)).map_or(&[][..], |decl| &decl.derived);
    derived.iter().any(|(field, _)| **field == *name || *types.wire(field, &Type::Text) == *name)
}

fn derived(name: &str, span: Span, sink: &mut Vec<Diagnostic>) {
    sink.push(
        Diagnostic::error(codes::seed::COLUMNS, span, format!("`{name}` is derived, so it never stands in data"))
            .label("computed when it is read")
            .help("take the column away"),
    );
}

fn unknown(name: &str, span: Span, near: Option<&str>, sink: &mut Vec<Diagnostic>) {
    let shown = shorten(name, 60);
    let diagnostic =
        Diagnostic::error(codes::seed::COLUMNS, span, format!("no field is called `{}`", shown.escape_debug()))
            .label("not declared");
    sink.push(match near {
        Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), span, near),
        None => diagnostic.help("declare a field for it, or take the column away"),
    });
}

/// Another usual separator that stands in the name of a column.
fn other_separator(name: &str, separator: u8) -> Option<char> {
    [',', ';', '\t', '|'].into_iter().find(|other| u32::from(*other) != u32::from(separator) && name.contains(*other))
}

fn wrong_separator(span: Span, other: char, sink: &mut Vec<Diagnostic>) {
    let other = other.escape_debug();
    sink.push(
        Diagnostic::error(codes::seed::COLUMNS, span, format!("the file has one column, with `{other}` in its name"))
            .label("these look like several names")
            .help(format!("say what separates the fields: `from \"….csv\"(separator: \"{other}\")`")),
    );
}
