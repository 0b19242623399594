//! Types as an author writes them.

use super::Types;
use crate::ir::Type;
use silo_runtime::ids::{EntityId, EnumId, RecordId};
use silo_runtime::schema::MapKey;

/// How many members of an anonymous record are shown, and how deep.
const SHOWN: usize = 6;
const DEPTH: u32 = 2;

pub(super) fn display(types: &Types<'_>, ty: &Type) -> String {
    let mut out = String::new();
    write(types, ty, 0, &mut out);
    out
}

fn write(types: &Types<'_>, ty: &Type, depth: u32, out: &mut String) {
    match ty {
        Type::Never => out.push_str("nothing"),
        Type::Null => out.push_str("null"),
        Type::Bool => out.push_str("bool"),
        Type::Text => out.push_str("string"),
        Type::Int => out.push_str("int"),
        Type::Decimal => out.push_str("decimal"),
        Type::Date => out.push_str("date"),
        Type::DateTime => out.push_str("datetime"),
        Type::Enum(id) => out.push_str(enum_name(types, *id)),
        Type::Record(id) => write_record(types, *id, depth, out),
        Type::Entity(id) => out.push_str(entity_name(types, *id)),
        Type::AnyEntity => out.push_str("a reference to one of several entities"),
        Type::List(item) => generic("list<", item, types, depth, out),
        Type::Map(MapKey::String, value) => generic("map<", value, types, depth, out),
        Type::Map(MapKey::Enum(id), value) => {
            generic(&format!("map<{}, ", enum_name(types, *id)), value, types, depth, out);
        }
        Type::Map(MapKey::Entity(id), value) => {
            generic(&format!("map<{}, ", entity_name(types, *id)), value, types, depth, out);
        }
        Type::Table(id) => out.extend(["table<", entity_name(types, *id), ">"]),
        Type::RecordTable(id, _) => {
            out.push_str("table of ");
            write_record(types, *id, depth, out);
        }
        Type::Optional(inner) => {
            write(types, inner, depth, out);
            out.push('?');
        }
    }
}

fn generic(open: &str, inner: &Type, types: &Types<'_>, depth: u32, out: &mut String) {
    out.push_str(open);
    write(types, inner, depth, out);
    out.push('>');
}

fn write_record(types: &Types<'_>, id: RecordId, depth: u32, out: &mut String) {
    if let Some(name) = types.model.record(id).and_then(|shape| shape.name.as_ref()) {
        out.push_str(name);
        return;
    }
    let fields = types.record_decl(id).map_or(&[][..], |decl| decl.fields.as_slice());
    if fields.is_empty() {
        out.push_str("{}");
        return;
    }
    if depth >= DEPTH {
        out.push_str("{ … }");
        return;
    }
    out.push_str("{ ");
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if at == SHOWN {
            out.push('…');
            break;
        }
        out.push_str(&field.name);
        out.push_str(": ");
        write(types, &field.ty, depth + 1, out);
    }
    out.push_str(" }");
}

fn enum_name<'a>(types: &'a Types<'_>, id: EnumId) -> &'a str {
    types.model.enum_shape(id).map_or("an enum", |shape| &shape.name)
}

fn entity_name<'a>(types: &'a Types<'_>, id: EntityId) -> &'a str {
    types.model.entity(id).map_or("an entity", |shape| &shape.name)
}
