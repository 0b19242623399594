//! Records and entities: their fields, keys, labels, and which entity holds the tables of which.

use super::collect::Items;
use super::defaults::{Owner, Waiting};
use super::fields::{self, Fields};
use super::items::{DerivedDecl, TypeKind};
use super::messages::did_you_mean;
use super::{Declared, function_id, keys};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use crate::syntax::tree;
use silo_runtime::ids::{EntityId, FieldId};
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::model::{EntityShape, RecordShape};
use silo_runtime::value::Text;
use std::sync::Arc;

/// Where a table of an entity stands.
struct Holder {
    /// The entity whose field it is; none for a state field.
    entity: Option<EntityId>,
    span: Span,
}

/// Reads all records and entities; their defaults are still to be evaluated.
pub(super) fn read<'t>(declared: &mut Declared<'t>, items: &Items<'t>, sink: &mut Vec<Diagnostic>) -> Vec<Waiting<'t>> {
    let mut waiting = Vec::new();
    for (id, item, record) in &items.records {
        let read = fields::read(&mut declared.types, TypeKind::Record(*id), &record.members, sink);
        let name = Some(Arc::clone(&record.name.text));
        let shape = RecordShape::new(name, read.model, read.tag, fields::docs(&item.docs));
        if let Some(slot) = declared.types.model.records.get_mut(id.index()) {
            *slot = Arc::new(shape);
        }
        if let Some(decl) = declared.types.records.get_mut(id.index()) {
            decl.fields = read.decls;
        }
        waiting.push(Waiting { owner: Owner::Record(*id), defaults: read.defaults });
    }
    let mut entities: Vec<(EntityId, &'t tree::Entity, Fields<'t>)> = Vec::with_capacity(items.entities.len());
    for (id, _, entity) in &items.entities {
        let read = fields::read(&mut declared.types, TypeKind::Entity(*id), &entity.members, sink);
        if let Some(decl) = declared.types.entities.get_mut(id.index()) {
            decl.fields.clone_from(&read.decls);
        }
        entities.push((*id, entity, read));
    }
    let holders = holders(declared, items, &entities);
    for (id, entity, read) in entities {
        let held = holders.get(id.index()).map_or(&[][..], Vec::as_slice);
        waiting.push(finish(declared, id, entity, read, held, sink));
    }
    waiting
}

/// For each entity, where its tables stand.
fn holders(
    declared: &Declared<'_>,
    items: &Items<'_>,
    entities: &[(EntityId, &tree::Entity, Fields<'_>)],
) -> Vec<Vec<Holder>> {
    let mut holders: Vec<Vec<Holder>> = Vec::new();
    holders.resize_with(declared.types.entities.len(), Vec::new);
    for (owner, _, fields) in entities {
        for field in &fields.decls {
            if let (Type::Table(held), Some(span)) = (&field.ty, field.span)
                && let Some(holders) = holders.get_mut(held.index())
            {
                holders.push(Holder { entity: Some(*owner), span });
            }
        }
    }
    for field in items.states.iter().flat_map(|state| &state.fields) {
        if let tree::TypeKind::Table(name) = &field.ty.kind
            && let Some(TypeKind::Entity(held)) = declared.types.find(name.as_str()).map(|def| def.kind)
            && let Some(holders) = holders.get_mut(held.index())
        {
            holders.push(Holder { entity: None, span: field.name.span });
        }
    }
    holders
}

/// The one entity whose rows hold this one's tables; tables in different kinds of places are reported.
///
/// `broken`: other holders could not be read, so nothing is said of what there is.
fn parent(name: &tree::Name, holders: &[Holder], broken: bool, sink: &mut Vec<Diagnostic>) -> Option<EntityId> {
    let first = holders.first()?;
    if !broken && let Some(other) = holders.iter().find(|holder| holder.entity != first.entity) {
        sink.push(
            Diagnostic::error(codes::declarations::PARENT, other.span, format!("tables of `{name}` stand in two kinds of places"))
                .label("one here")
                .also(first.span, "and one here")
                .why("`row.parent` would be a row of one entity here and of another, or none, there")
                .help("hold them either in the state or in one other entity; for the other place declare an entity of its own"),
        );
    }
    first.entity
}

fn finish<'t>(
    declared: &mut Declared<'t>,
    id: EntityId,
    entity: &'t tree::Entity,
    read: Fields<'t>,
    holders: &[Holder],
    sink: &mut Vec<Diagnostic>,
) -> Waiting<'t> {
    let parent = parent(&entity.name, holders, declared.broken_data, sink);
    let (key, pattern) = match read.key {
        Some((field, key)) => {
            if let Some((tree::KeyKind::Local, span)) = key.kind
                && parent.is_none()
                && !declared.broken_data
            {
                sink.push(
                    Diagnostic::error(codes::declarations::KEY, span, "a local key needs an owner")
                        .label("rows of this entity stand in no other row")
                        .help(format!(
                            "take `local` away, or hold the rows in a `table<{}>` of another entity",
                            entity.name
                        )),
                );
            }
            (field, keys::pattern(key, &read, parent.is_some() || declared.broken_data, sink))
        }
        None => {
            sink.push(
                Diagnostic::error(
                    codes::declarations::KEY,
                    entity.name.span,
                    format!("the entity `{}` has no key", entity.name),
                )
                .label("rows need a key")
                .help("add a field such as `id: key \"USR-000\"`; if its values have no identity, declare a `record`"),
            );
            (FieldId(0), KeyPattern::Given)
        }
    };
    if parent.is_some()
        && let Some(field) = read.decls.iter().find(|field| *field.name == *"parent")
        && let Some(span) = field.span
    {
        sink.push(
            Diagnostic::error(codes::names::RESERVED, span, "a row of a nested table cannot have a field `parent`")
                .label("`row.parent` is the row that holds it")
                .help("give the field another name"),
        );
    }
    let label = read.label.and_then(|label| label_field(&label.field, &read, sink));
    let derived = add_derived(declared, id, &read);
    let key_fields = match &pattern {
        KeyPattern::Text(parts) => {
            parts.iter().filter_map(|part| if let KeyPart::Field(field) = part { Some(*field) } else { None }).collect()
        }
        KeyPattern::Given | KeyPattern::Integer => Vec::new(),
    };
    if let Some(decl) = declared.types.entities.get_mut(id.index()) {
        decl.fields = read.decls;
        decl.derived = derived;
        decl.key_fields = key_fields;
    }
    if let Some(slot) = declared.types.model.entities.get_mut(id.index()) {
        let shape =
            EntityShape { fields: read.model, tag: read.tag, key, pattern, label, parent, ..EntityShape::clone(slot) };
        *slot = Arc::new(shape);
    }
    Waiting { owner: Owner::Entity(id), defaults: read.defaults }
}

fn label_field(name: &tree::Name, fields: &Fields<'_>, sink: &mut Vec<Diagnostic>) -> Option<FieldId> {
    let Some(at) = fields.decls.iter().position(|field| field.name == name.text) else {
        let diagnostic =
            Diagnostic::error(codes::declarations::LABEL, name.span, format!("there is no stored field `{name}`"))
                .label("not a stored field of this entity");
        let names = fields.decls.iter().map(|field| &*field.name);
        sink.push(did_you_mean(diagnostic, name, names, "name a field that holds text"));
        return None;
    };
    let decl = fields.decls.get(at)?;
    if matches!(decl.ty.required(), Type::Text | Type::Never) && decl.cases.is_empty() {
        return Some(FieldId::from(at));
    }
    let mut diagnostic =
        Diagnostic::error(codes::declarations::LABEL, name.span, format!("`{name}` cannot be the label"))
            .label("people call a row by text that every row can have")
            .help("name a field of type `string`");
    if let Some(span) = decl.span {
        diagnostic = diagnostic.also(span, "declared here");
    }
    sink.push(diagnostic);
    None
}

/// Numbers are given once all functions are known: until then they count from the first derived field.
fn add_derived<'t>(declared: &mut Declared<'t>, entity: EntityId, read: &Fields<'t>) -> Vec<(Text, usize)> {
    let mut names = Vec::with_capacity(read.derived.len());
    for field in &read.derived {
        names.push((Arc::clone(&field.tree.name.text), declared.derived.len()));
        declared.derived.push(DerivedDecl {
            entity,
            name: Arc::clone(&field.tree.name.text),
            wire: Arc::clone(&field.wire),
            ty: field.ty.clone(),
            schema: field.schema.clone(),
            function: function_id(declared.derived.len()),
            after: field.after,
            case: field.case,
            docs: fields::docs(&field.tree.docs),
            span: field.tree.name.span,
            value: &field.tree.value,
        });
    }
    names
}

/// Gives the derived fields their function numbers, which follow those of `functions`.
pub(super) fn number_derived(declared: &mut Declared<'_>) {
    let first = declared.functions.len();
    for (at, derived) in declared.derived.iter_mut().enumerate() {
        derived.function = function_id(first + at);
    }
}
