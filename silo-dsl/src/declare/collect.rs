//! The items of all files by kind, and the names of types, which may be used before they are declared.

use super::Declared;
use super::items::{EntityDecl, EnumDecl, RecordDecl, TypeDef, TypeKind};
use super::messages::{duplicate, twice};
use super::types::Types;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::{self, Item, ItemKind, ItemWord, Name};
use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use silo_runtime::keys::KeyPattern;
use silo_runtime::model::{EntityShape, EnumShape, RecordShape};
use silo_runtime::value::Text;
use std::sync::Arc;

/// How many enums, entities, state fields or fields of one record a project may have.
pub(super) const MOST: usize = 10_000;

/// The items of a project by kind, in the order of the files.
#[derive(Debug, Default)]
pub(super) struct Items<'t> {
    pub(super) environments: Vec<(&'t Item, &'t tree::Environment)>,
    pub(super) records: Vec<(RecordId, &'t Item, &'t tree::Record)>,
    pub(super) entities: Vec<(EntityId, &'t Item, &'t tree::Entity)>,
    pub(super) consts: Vec<(&'t Item, &'t tree::Const)>,
    pub(super) states: Vec<&'t tree::State>,
    pub(super) functions: Vec<&'t Item>,
    pub(super) verifiers: Vec<&'t tree::Verifier>,
    pub(super) rules: Vec<(&'t Item, &'t tree::Rule)>,
    pub(super) invariants: Vec<&'t tree::Invariant>,
    pub(super) tasks: Vec<&'t tree::Task>,
    /// Whether an `environment` item could not be read.
    pub(super) broken_environment: bool,
}

/// Sorts the items and gives every type its id.
pub(super) fn collect<'t>(
    declared: &mut Declared<'t>,
    files: &'t [tree::File],
    sink: &mut Vec<Diagnostic>,
) -> Items<'t> {
    let mut items = Items::default();
    for file in files {
        for item in &file.items {
            match &item.kind {
                ItemKind::Use(_) => {}
                ItemKind::Environment(environment) => items.environments.push((item, environment)),
                ItemKind::Enum(declaration) => add_enum(declared, item, declaration, sink),
                ItemKind::Record(record) => {
                    if let Some(id) = add_record(declared, item, record, sink) {
                        items.records.push((id, item, record));
                    }
                }
                ItemKind::Entity(entity) => {
                    if let Some(id) = add_entity(declared, item, entity, sink) {
                        items.entities.push((id, item, entity));
                    }
                }
                ItemKind::Const(constant) => items.consts.push((item, constant)),
                ItemKind::State(state) => items.states.push(state),
                ItemKind::Function(_) | ItemKind::Action(_) | ItemKind::Tool(_) => items.functions.push(item),
                ItemKind::Rule(rule) => items.rules.push((item, rule)),
                ItemKind::Invariant(invariant) => items.invariants.push(invariant),
                ItemKind::Verifier(verifier) => items.verifiers.push(verifier),
                ItemKind::Task(task) => items.tasks.push(task),
            }
        }
        for broken in &file.broken {
            items.broken_environment |= broken.word == Some(ItemWord::Environment);
            declared.broken_state |= broken.word == Some(ItemWord::State);
            declared.broken_data |=
                matches!(broken.word, Some(ItemWord::Environment | ItemWord::State | ItemWord::Entity));
            add_broken(declared, broken);
        }
    }
    for (_, constant) in &items.consts {
        declared.types.constants.add(constant);
    }
    items
}

fn add_broken(declared: &mut Declared<'_>, broken: &tree::BrokenItem) {
    declared.broken.extend(broken.fields.iter().map(|field| Arc::clone(&field.text)));
    let Some(name) = &broken.name else { return };
    match broken.word {
        Some(ItemWord::Enum | ItemWord::Record | ItemWord::Entity) => {
            let def = TypeDef { kind: TypeKind::Broken, span: name.span };
            declared.types.names.entry(Arc::clone(&name.text)).or_insert(def);
        }
        _ => _ = declared.broken.insert(Arc::clone(&name.text)),
    }
}

/// Whether the name of a type is free; otherwise that is reported.
fn is_free(declared: &Declared<'_>, what: &str, name: &Name, sink: &mut Vec<Diagnostic>) -> bool {
    match declared.types.find(name.as_str()) {
        // A broken item of the same name may be another try at this one.
        None | Some(TypeDef { kind: TypeKind::Broken, .. }) => true,
        Some(first) => {
            sink.push(duplicate(what, name.as_str(), name.span, first.span));
            false
        }
    }
}

/// Whether there is room for one more; otherwise that is reported, once for each sort of thing.
pub(super) fn has_room(
    types: &mut Types<'_>,
    count: usize,
    what: &'static str,
    span: Span,
    sink: &mut Vec<Diagnostic>,
) -> bool {
    if count < MOST {
        return true;
    }
    if !types.full.contains(&what) {
        types.full.push(what);
        sink.push(
            Diagnostic::error(codes::declarations::TOO_MANY, span, format!("more than {MOST} {what}"))
                .label("one too many")
                .help("is this file generated? put what repeats into data, a list or a map"),
        );
    }
    false
}

fn add_enum<'t>(declared: &mut Declared<'t>, item: &'t Item, declaration: &'t tree::Enum, sink: &mut Vec<Diagnostic>) {
    let name = &declaration.name;
    let mut members: Vec<Text> = Vec::with_capacity(declaration.members.len());
    let mut places: Vec<(Span, Text)> = Vec::with_capacity(declaration.members.len());
    let mut seen = super::types::Names::default();
    for member in &declaration.members {
        if let Some(first) = seen.get(&member.value.text) {
            sink.push(duplicate("member", member.value.as_str(), member.value.span, *first));
            continue;
        }
        if !has_room(&mut declared.types, members.len(), "members in one enum", member.value.span, sink) {
            break;
        }
        seen.insert(Arc::clone(&member.value.text), member.value.span);
        members.push(Arc::clone(&member.value.text));
        places.push((member.value.span, super::fields::docs(&member.docs)));
    }
    if members.is_empty() {
        sink.push(
            Diagnostic::error(codes::declarations::EMPTY_ENUM, name.span, format!("the enum `{name}` has no members"))
                .label("nothing could ever have this type")
                .help(format!("write its members in quotes: `enum {name} {{ \"a\", \"b\" }}`")),
        );
    }
    let count = declared.types.enums.len();
    if !is_free(declared, "type", name, sink) || !has_room(&mut declared.types, count, "enums", name.span, sink) {
        return;
    }
    let types = &mut declared.types;
    let id = EnumId::from(types.enums.len());
    types.names.insert(Arc::clone(&name.text), TypeDef { kind: TypeKind::Enum(id), span: name.span });
    types.enums.push(EnumDecl { span: name.span, members: places });
    types.model.enums.push(Arc::new(EnumShape {
        name: Arc::clone(&name.text),
        members,
        docs: super::fields::docs(&item.docs),
    }));
}

fn add_record<'t>(
    declared: &mut Declared<'t>,
    item: &'t Item,
    record: &'t tree::Record,
    sink: &mut Vec<Diagnostic>,
) -> Option<RecordId> {
    let name = &record.name;
    let count = declared.types.records.len();
    if !is_free(declared, "type", name, sink) || !has_room(&mut declared.types, count, "records", name.span, sink) {
        return None;
    }
    // Its fields are read once all types have their names.
    let docs = super::fields::docs(&item.docs);
    let shape = RecordShape::new(Some(Arc::clone(&name.text)), Vec::new(), None, docs);
    let id = declared.types.push_record(shape, RecordDecl { span: Some(name.span), fields: Vec::new() });
    declared.types.names.insert(Arc::clone(&name.text), TypeDef { kind: TypeKind::Record(id), span: name.span });
    Some(id)
}

fn add_entity<'t>(
    declared: &mut Declared<'t>,
    item: &'t Item,
    entity: &'t tree::Entity,
    sink: &mut Vec<Diagnostic>,
) -> Option<EntityId> {
    let name = &entity.name;
    let count = declared.types.entities.len();
    if !is_free(declared, "type", name, sink) || !has_room(&mut declared.types, count, "entities", name.span, sink) {
        return None;
    }
    let id = EntityId::from(declared.types.entities.len());
    let types = &mut declared.types;
    types.names.insert(Arc::clone(&name.text), TypeDef { kind: TypeKind::Entity(id), span: name.span });
    let local = entity.members.iter().find_map(|member| match member {
        tree::FieldMember::Field(tree::Field { ty: tree::FieldType::Key(key), .. }) => match key.kind {
            Some((tree::KeyKind::Local, span)) => Some(span),
            _ => None,
        },
        _ => None,
    });
    types.entities.push(EntityDecl {
        name: Arc::clone(&name.text),
        local,
        span: name.span,
        fields: Vec::new(),
        derived: Vec::new(),
        key_fields: Vec::new(),
    });
    types.model.entities.push(Arc::new(EntityShape {
        id,
        name: Arc::clone(&name.text),
        fields: Vec::new(),
        tag: None,
        key: FieldId(0),
        pattern: KeyPattern::Given,
        local: local.is_some(),
        label: None,
        parent: None,
        docs: super::fields::docs(&item.docs),
    }));
    Some(id)
}

/// Names of one namespace with their places: the first of two counts, the second is reported.
#[derive(Debug, Default)]
pub(super) struct Namespace {
    names: super::types::Names<Span>,
}

impl Namespace {
    /// Declares a name; false, and reported, if it is declared already.
    pub(super) fn add(&mut self, what: &str, name: &Name, sink: &mut Vec<Diagnostic>) -> bool {
        if let Some(first) = self.names.get(&name.text) {
            sink.push(twice(what, name, *first));
            return false;
        }
        self.names.insert(Arc::clone(&name.text), name.span);
        true
    }
}
