//! Fields of records and entities, those of cases among them.

mod cases;

use super::collect::has_room;
use super::items::TypeKind;
use super::messages::{duplicate, twice, wire_clash};
use super::names;
use super::types::{FieldDecl, Types, clashes};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use crate::syntax::tree::{self, FieldMember, FieldType};
use silo_runtime::ids::FieldId;
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use std::sync::Arc;

/// What the braces of a record or an entity declare.
#[derive(Debug, Default)]
pub(crate) struct Fields<'t> {
    /// The fields for the model, without their defaults.
    pub(crate) model: Vec<Field>,
    /// The same fields, with their types and places.
    pub(crate) decls: Vec<FieldDecl>,
    /// Their defaults, as written.
    pub(crate) defaults: Vec<Option<&'t tree::Expr>>,
    /// The enum field that chooses the case.
    pub(crate) tag: Option<FieldId>,
    /// The field that is the key, and how it is written.
    pub(crate) key: Option<(FieldId, &'t tree::KeyType)>,
    /// The field by which people call a row.
    pub(crate) label: Option<&'t tree::LabelField>,
    /// Derived fields.
    pub(crate) derived: Vec<DerivedField<'t>>,
}

/// A derived field.
#[derive(Debug)]
pub(crate) struct DerivedField<'t> {
    pub(crate) tree: &'t tree::Derived,
    pub(crate) ty: Type,
    pub(crate) schema: Schema,
    pub(crate) wire: Text,
    pub(crate) after: usize,
    pub(crate) case: Option<u16>,
}

/// One field as it is declared, in a case or outside.
struct Declared<'t> {
    tree: &'t tree::Field,
    ty: Type,
    schema: Schema,
    wire: Text,
    docs: Text,
    key: Option<&'t tree::KeyType>,
}

/// Reads the fields of a record or an entity.
pub(crate) fn read<'t>(
    types: &mut Types<'t>,
    owner: TypeKind,
    members: &'t [FieldMember],
    sink: &mut Vec<Diagnostic>,
) -> Fields<'t> {
    let mut reading = Reading { types, owner, fields: Fields::default(), sink };
    for member in members {
        match member {
            FieldMember::Field(field) => reading.field(field),
            FieldMember::Derived(derived) => reading.derived(derived, None),
            FieldMember::Label(label) => reading.label(label),
            FieldMember::Case(_) => {}
        }
    }
    let cases: Vec<&tree::Case> = members
        .iter()
        .filter_map(|member| match member {
            FieldMember::Case(case) => Some(case),
            _ => None,
        })
        .collect();
    if !cases.is_empty() {
        reading.cases(&cases);
    }
    reading.check_wire_names();
    reading.fields
}

struct Reading<'a, 't> {
    types: &'a mut Types<'t>,
    owner: TypeKind,
    fields: Fields<'t>,
    sink: &'a mut Vec<Diagnostic>,
}

impl<'t> Reading<'_, 't> {
    fn is_entity(&self) -> bool {
        matches!(self.owner, TypeKind::Entity(_))
    }

    fn field(&mut self, field: &'t tree::Field) {
        let Some(declared) = self.declare(field, false) else { return };
        if let Some(first) = self.place_of(field.name.as_str()) {
            self.sink.push(twice("field", &field.name, first));
            return;
        }
        let count = self.fields.model.len();
        if !has_room(self.types, count, "fields in one place", field.name.span, self.sink) {
            return;
        }
        let id = FieldId::from(count);
        if let Some(key) = declared.key {
            match self.fields.key {
                Some((_, first)) => self.sink.push(
                    Diagnostic::error(codes::declarations::KEY, key.span, "an entity has one key")
                        .label("a second key")
                        .also(first.span, "the first one")
                        .help("make it an ordinary field, or make the key of both: `key \"{a}-{b}\"`"),
                ),
                None => self.fields.key = Some((id, key)),
            }
        }
        self.fields.model.push(Field {
            name: Arc::clone(&field.name.text),
            wire: declared.wire,
            schema: declared.schema,
            default: None,
            docs: declared.docs,
            cases: Vec::new(),
            omit_null: false,
        });
        self.fields.decls.push(FieldDecl {
            name: Arc::clone(&field.name.text),
            ty: declared.ty,
            cases: Vec::new(),
            span: Some(field.name.span),
        });
        self.fields.defaults.push(field.default.as_ref());
    }

    /// The types of one field; nothing if they are wrong, which is reported.
    fn declare(&mut self, field: &'t tree::Field, in_case: bool) -> Option<Declared<'t>> {
        if field.name == "key" {
            self.sink.push(
                Diagnostic::error(codes::names::RESERVED, field.name.span, "a field cannot be called `key`")
                    .label("`row.key` is the key of every row")
                    .help("call it what it is the key of, or `id`"),
            );
            return None;
        }
        let (ty, schema, key) = match &field.ty {
            FieldType::Type(ty) => {
                let resolved = if self.is_entity() && !in_case {
                    self.types.resolve_place(ty, self.sink)
                } else {
                    self.types.resolve(ty, self.sink)
                };
                let (ty, schema) = resolved.unwrap_or_else(unknown);
                (ty, schema, None)
            }
            FieldType::Key(key) => {
                if !self.is_entity() || in_case {
                    let place = if in_case { "a case" } else { "a record" };
                    self.sink.push(
                        Diagnostic::error(codes::declarations::KEY, key.span, format!("{place} has no key of its own"))
                            .label("only entities have keys")
                            .help("declare an `entity`, or make it an ordinary field"),
                    );
                    return None;
                }
                if let Some(default) = &field.default {
                    self.sink.push(
                        Diagnostic::error(codes::declarations::KEY, default.span, "a key has no default")
                            .label("two rows would get the same key")
                            .help("give the key a pattern such as `key \"USR-000\"`, and it is made when left out"),
                    );
                }
                let int = matches!(key.kind, Some((tree::KeyKind::Int, _)));
                if int { (Type::Int, Schema::INT, Some(key)) } else { (Type::Text, Schema::TEXT, Some(key)) }
            }
        };
        let wire = self.wire_of(&field.name, &ty, field.wire.as_ref());
        let docs = docs(&field.docs);
        Some(Declared { tree: field, ty, schema, wire, docs, key })
    }

    fn wire_of(&mut self, name: &tree::Name, ty: &Type, given: Option<&tree::Quoted>) -> Text {
        match given {
            Some(given) => {
                names::check_wire_name(&given.text, given.span, self.sink);
                Arc::clone(&given.text)
            }
            None => {
                let wire = self.types.wire(name.as_str(), ty);
                names::check_wire_name(&wire, name.span, self.sink);
                wire
            }
        }
    }

    fn derived(&mut self, derived: &'t tree::Derived, case: Option<u16>) {
        if !self.is_entity() {
            self.sink.push(
                Diagnostic::error(codes::declarations::DERIVED, derived.span, "a record has no derived fields")
                    .label("only entities have them")
                    .help(format!("write a function that takes the record: `fn {}(…) = …`", derived.name)),
            );
            return;
        }
        if let Some(first) = self.place_of(derived.name.as_str()) {
            self.sink.push(twice("field", &derived.name, first));
            return;
        }
        let (ty, schema) = self.types.resolve(&derived.ty, self.sink).unwrap_or_else(unknown);
        let wire = self.wire_of(&derived.name, &ty, derived.wire.as_ref());
        let after = self.fields.model.len();
        self.fields.derived.push(DerivedField { tree: derived, ty, schema, wire, after, case });
    }

    fn label(&mut self, label: &'t tree::LabelField) {
        if !self.is_entity() {
            self.sink.push(
                Diagnostic::error(codes::declarations::LABEL, label.span, "a record has no label")
                    .label("only rows of entities are called by a label"),
            );
            return;
        }
        match self.fields.label {
            Some(first) => self.sink.push(duplicate("label", label.field.as_str(), label.span, first.span)),
            None => self.fields.label = Some(label),
        }
    }

    /// Where a field with this name is declared already, stored or derived.
    fn place_of(&self, name: &str) -> Option<Span> {
        let stored = self.fields.decls.iter().find(|field| *field.name == *name).and_then(|field| field.span);
        stored.or_else(|| {
            self.fields.derived.iter().find(|field| field.tree.name == *name).map(|field| field.tree.name.span)
        })
    }

    fn check_wire_names(&mut self) {
        let places: Vec<(&Text, Text, Option<Span>)> = self
            .fields
            .model
            .iter()
            .zip(&self.fields.decls)
            .map(|(field, decl)| (&field.wire, Arc::clone(&decl.name), decl.span))
            .chain(
                self.fields
                    .derived
                    .iter()
                    .map(|field| (&field.wire, Arc::clone(&field.tree.name.text), Some(field.tree.name.span))),
            )
            .collect();
        for (a, b, wire) in clashes(places.iter().map(|(wire, _, _)| *wire)) {
            if let (Some((_, _, Some(first))), Some((_, name, Some(second)))) = (places.get(a), places.get(b)) {
                self.sink.push(wire_clash(name, &wire, *second, *first));
            }
        }
    }
}

/// The type of what could not be read, which has a diagnostic already: nothing else is said of it.
pub(crate) fn unknown() -> (Type, Schema) {
    (Type::Never, Type::Never.schema())
}

/// Documentation as the model keeps it.
pub(crate) fn docs(docs: &tree::Docs) -> Text {
    Text::from(docs.text().unwrap_or_default())
}
