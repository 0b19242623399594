//! Checked code as a person reads it: the types of all that has a name.

use silo_dsl::ir::{Function, Program, Type};
use silo_runtime::ids::{RecordId, StateId};
use silo_runtime::model::Model;
use silo_runtime::schema::MapKey;

/// Every function with its locals, its result, and the state it reads and writes.
pub(crate) fn describe(program: &Program) -> String {
    let described: Vec<String> = program.functions.iter().map(|function| one(function, &program.model)).collect();
    described.join("\n")
}

fn one(function: &Function, model: &Model) -> String {
    let state = |ids: &[StateId]| {
        let names: Vec<&str> = ids.iter().filter_map(|id| model.state_field(*id)).map(|field| &*field.name).collect();
        names.join(", ")
    };
    let mut lines = vec![format!("{}: {}", function.name, show(&function.result, model))];
    if !function.reads.is_empty() {
        lines.push(format!("  reads {}", state(&function.reads)));
    }
    if !function.writes.is_empty() {
        lines.push(format!("  writes {}", state(&function.writes)));
    }
    for local in &function.body.locals {
        let Some(name) = &local.name else { continue };
        let word = if local.mutable { "var " } else { "" };
        lines.push(format!("  {word}{name}: {}", show(&local.ty, model)));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A type as an author writes it.
pub(crate) fn show(ty: &Type, model: &Model) -> String {
    let entity = |id| model.entity(id).map_or("?".to_owned(), |shape| shape.name.to_string());
    match ty {
        Type::Never => "nothing".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Decimal => "decimal".to_owned(),
        Type::Date => "date".to_owned(),
        Type::DateTime => "datetime".to_owned(),
        Type::Enum(id) => model.enum_shape(*id).map_or("?".to_owned(), |shape| shape.name.to_string()),
        Type::Record(id) => record(*id, model),
        Type::Entity(id) => entity(*id),
        Type::AnyEntity => "any row".to_owned(),
        Type::List(item) => format!("list<{}>", show(item, model)),
        Type::Map(MapKey::String, value) => format!("map<{}>", show(value, model)),
        Type::Map(MapKey::Enum(id), value) => format!("map<{}, {}>", show(&Type::Enum(*id), model), show(value, model)),
        Type::Map(MapKey::Entity(id), value) => format!("map<{}, {}>", entity(*id), show(value, model)),
        Type::Table(id) => format!("table<{}>", entity(*id)),
        Type::RecordTable(id, _) => format!("seen table of {}", record(*id, model)),
        Type::Optional(inner) => format!("{}?", show(inner, model)),
    }
}

fn record(id: RecordId, model: &Model) -> String {
    let Some(shape) = model.record(id) else { return "?".to_owned() };
    if let Some(name) = &shape.name {
        return name.to_string();
    }
    let members = shape.fields.iter().map(|field| {
        let omit = if field.omit_null { "?" } else { "" };
        let wire = if field.wire == field.name { String::new() } else { format!(" as {}", field.wire) };
        format!("{}{omit}{wire}: {}", field.name, show(&Type::of(&field.schema), model))
    });
    format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
}
