//! The types of a project while it is being compiled: their names, the model that the engine will get, and the places of
//! everything in the source.

mod display;
mod intern;
mod resolve;

use super::constant::Constants;
use super::items::{EntityDecl, EnumDecl, RecordDecl, TypeDef};
use super::naming::Naming;
use crate::diagnostics::Span;
use crate::ir::Type;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use silo_runtime::model::Model;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;

pub(crate) use intern::clashes;
pub use intern::{Member, Wire};

/// A map that keeps the order of the source.
pub(crate) type Names<T> = IndexMap<Text, T, FxBuildHasher>;

/// All types of a project.
#[derive(Debug, Default)]
pub struct Types<'t> {
    /// The model as far as it is known: complete when bodies are checked, but for the anonymous records they add.
    pub model: Model,
    /// How names in the source become names on the wire.
    pub naming: Naming,
    pub(crate) names: Names<TypeDef>,
    pub(crate) enums: Vec<EnumDecl>,
    pub(crate) records: Vec<RecordDecl>,
    pub(crate) entities: Vec<EntityDecl>,
    pub(crate) constants: Constants<'t>,
    /// What there are too many of, so that it is reported once.
    pub(crate) full: Vec<&'static str>,
    /// Anonymous records by their members' names, types and whether null drops them.
    pub(crate) shapes: IndexMap<Vec<(Text, Type, bool)>, Vec<RecordId>, FxBuildHasher>,
}

/// Whether the type of something could not be read.
pub(crate) fn is_unknown(schema: &Schema) -> bool {
    match schema {
        Schema::AnyOf(shapes) => shapes.is_empty(),
        Schema::Optional(inner) => is_unknown(inner),
        _ => false,
    }
}

/// A field of a record or an entity: its types and its place. The schemas, the default and the wire name are in the model.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// The name in the source.
    pub name: Text,
    /// Its type where nothing is known about the case: optional unless every case declares it.
    pub ty: Type,
    /// The members of the tag's enum for which it exists, and its type there; empty for a field outside cases.
    pub cases: Vec<(u16, Type)>,
    /// The name in its declaration (of the first case that declares it), where it is declared at all.
    pub span: Option<Span>,
}

/// What a name stands for in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowField {
    /// A stored field.
    Stored(FieldId),
    /// A derived field: its position in [`Declared::derived`](super::Declared::derived).
    Derived(usize),
}

impl RecordDecl {
    /// The field with this name.
    pub fn find(&self, name: &str) -> Option<FieldId> {
        find(&self.fields, name)
    }

    /// The field with this id.
    pub fn field(&self, id: FieldId) -> Option<&FieldDecl> {
        self.fields.get(id.index())
    }
}

impl EntityDecl {
    /// The stored or derived field with this name.
    pub fn find(&self, name: &str) -> Option<RowField> {
        let derived =
            || self.derived.iter().find(|(derived, _)| **derived == *name).map(|(_, at)| RowField::Derived(*at));
        find(&self.fields, name).map(RowField::Stored).or_else(derived)
    }

    /// The stored field with this id.
    pub fn field(&self, id: FieldId) -> Option<&FieldDecl> {
        self.fields.get(id.index())
    }
}

fn find(fields: &[FieldDecl], name: &str) -> Option<FieldId> {
    fields.iter().position(|field| *field.name == *name).map(FieldId::from)
}

impl Types<'_> {
    /// What the name of a type stands for.
    pub fn find(&self, name: &str) -> Option<TypeDef> {
        self.names.get(name).copied()
    }

    /// The names of all types, as declared.
    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// Places of an enum.
    pub fn enum_decl(&self, id: EnumId) -> Option<&EnumDecl> {
        self.enums.get(id.index())
    }

    /// Fields and places of a record, named or anonymous.
    pub fn record_decl(&self, id: RecordId) -> Option<&RecordDecl> {
        self.records.get(id.index())
    }

    /// Fields and places of an entity.
    pub fn entity_decl(&self, id: EntityId) -> Option<&EntityDecl> {
        self.entities.get(id.index())
    }

    /// Whether all types in a schema could be read, those of records and of rows in tables too, so that values of it can be
    /// checked.
    pub(crate) fn is_known(&self, schema: &Schema) -> bool {
        let all = |fields: &[silo_runtime::model::Field]| {
            fields.iter().all(|field| {
                self.is_known(&field.schema) && field.cases.iter().all(|(_, schema)| self.is_known(schema))
            })
        };
        match schema {
            Schema::Record(id) => self.model.record(*id).is_some_and(|shape| all(&shape.fields)),
            Schema::Table { entity, .. } => self.model.entity(*entity).is_some_and(|shape| all(&shape.fields)),
            Schema::List { item, .. } => self.is_known(item),
            Schema::Map { value, .. } => self.is_known(value),
            Schema::Optional(inner) => self.is_known(inner),
            other => !is_unknown(other),
        }
    }

    /// The name on the wire of a field, a member, a parameter or a state field.
    pub fn wire(&self, name: &str, ty: &Type) -> Text {
        self.naming.wire(name, ty)
    }

    /// A type as an author writes it; shapes deep in shapes are cut short.
    pub fn display(&self, ty: &Type) -> String {
        display::display(self, ty)
    }

    /// The schema of a value of a type, without limits.
    pub fn schema(&self, ty: &Type) -> Schema {
        ty.schema()
    }
}
