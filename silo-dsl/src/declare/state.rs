//! State fields and constants: their names and types. What they begin with is read with the seed data.

use super::collect::{Items, Namespace, has_room};
use super::items::{ConstDecl, StateDecl};
use super::messages::wire_clash;
use super::types::clashes;
use super::{Declared, fields, names};
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::tree;
use silo_runtime::ids::StateId;
use silo_runtime::model::StateField;
use silo_runtime::schema::Schema;
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

/// Reads all state fields and constants.
pub(super) fn read<'t>(declared: &mut Declared<'t>, items: &Items<'t>, sink: &mut Vec<Diagnostic>) {
    let mut values = Namespace::default();
    for (_, item) in &items.consts {
        let new = values.add("constant", &item.name, sink);
        let resolved = declared.types.resolve(&item.ty, sink);
        if new {
            add_const(declared, item, resolved);
        }
    }
    for field in items.states.iter().flat_map(|state| &state.fields) {
        names::check_reserved("state field", &field.name, &names::EVERYWHERE, sink);
        names::check_reserved("state field", &field.name, &names::IN_VERIFIERS, sink);
        let count = declared.state.len();
        if !values.add("state field", &field.name, sink)
            || !has_room(&mut declared.types, count, "state fields", field.name.span, sink)
        {
            continue;
        }
        add_state(declared, field, sink);
    }
    let wires = declared.types.model.state.iter().map(|field| &field.wire);
    for (a, b, wire) in clashes(wires) {
        if let (Some(first), Some(second)) = (declared.state.get(a), declared.state.get(b)) {
            sink.push(wire_clash(&second.name, &wire, second.span, first.span));
        }
    }
}

fn add_const<'t>(declared: &mut Declared<'t>, item: &'t tree::Const, resolved: Option<(crate::ir::Type, Schema)>) {
    let (ty, schema) = resolved.map_or((None, Schema::TEXT), |(ty, schema)| (Some(ty), schema));
    declared.consts.push(ConstDecl {
        name: Arc::clone(&item.name.text),
        ty,
        schema,
        span: item.name.span,
        value: None,
        tree: item,
    });
}

fn add_state<'t>(declared: &mut Declared<'t>, field: &'t tree::StateField, sink: &mut Vec<Diagnostic>) {
    let Some((ty, schema)) = declared.types.resolve_place(&field.ty, sink) else {
        // Its name is no unknown name.
        declared.broken.insert(Arc::clone(&field.name.text));
        return;
    };
    let wire = match &field.wire {
        Some(wire) => {
            names::check_wire_name(&wire.text, wire.span, sink);
            Arc::clone(&wire.text)
        }
        None => declared.types.wire(field.name.as_str(), &ty),
    };
    if field.init.is_none() && !matches!(schema, Schema::Optional(_) | Schema::Table { .. }) {
        sink.push(
            Diagnostic::error(codes::declarations::NO_VALUE, field.span, format!("the state field `{}` begins with nothing", field.name))
                .label("no value")
                .help("give it one with `= …`, or read it with `from \"data/….json\"`; only tables and optional fields need none"),
        );
    }
    let name = Arc::clone(&field.name.text);
    declared.types.model.state.push(StateField {
        name: Arc::clone(&name),
        wire,
        schema,
        docs: fields::docs(&field.docs),
    });
    declared.state.push(StateDecl {
        id: StateId::from(declared.state.len()),
        name,
        ty,
        span: field.name.span,
        initial: Value::Null,
        tree: field,
    });
}
