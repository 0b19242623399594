//! From types as they are written to types.

use super::{Member, Types, Wire};
use crate::declare::items::TypeKind;
use crate::declare::limits;
use crate::declare::messages::did_you_mean;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use crate::syntax::tree::{self, TypeExpr};
use silo_runtime::ids::EntityId;
use silo_runtime::schema::{MapKey, Schema};
use std::sync::Arc;

/// The types that every project has, for suggestions.
const BUILT_IN: [&str; 9] = ["bool", "string", "int", "decimal", "date", "datetime", "list", "map", "table"];

/// Types of other languages, and what they are called here.
const FOREIGN: [(&str, &str); 20] = [
    ("String", "string"),
    ("str", "string"),
    ("text", "string"),
    ("Text", "string"),
    ("Int", "int"),
    ("Integer", "int"),
    ("integer", "int"),
    ("number", "int` or `decimal"),
    ("Number", "int` or `decimal"),
    ("float", "decimal"),
    ("Float", "decimal"),
    ("double", "decimal"),
    ("Decimal", "decimal"),
    ("Bool", "bool"),
    ("Boolean", "bool"),
    ("Date", "date"),
    ("DateTime", "datetime"),
    ("Datetime", "datetime"),
    ("List", "list<…>"),
    ("Array", "list<…>"),
];

impl Types<'_> {
    /// The type and the schema of a type as it is written; nothing if it is wrong, which is reported.
    ///
    /// Tables are refused: they stand in state and in entities only.
    pub fn resolve(&mut self, ty: &TypeExpr, sink: &mut Vec<Diagnostic>) -> Option<(Type, Schema)> {
        if let tree::TypeKind::Table(entity) = &ty.kind {
            sink.push(
                Diagnostic::error(codes::declarations::TABLE_PLACE, ty.span, "a table may not stand here")
                    .label("tables stand in `state` and in entities only")
                    .help(format!("write `list<{entity}>`: a table given here is a list of its rows")),
            );
            return None;
        }
        self.resolve_place(ty, sink)
    }

    /// As [`Self::resolve`], of a state field or a field of an entity, where tables may stand.
    pub(crate) fn resolve_place(&mut self, ty: &TypeExpr, sink: &mut Vec<Diagnostic>) -> Option<(Type, Schema)> {
        let (base, schema) = self.resolve_base(ty, sink)?;
        let schema = limits::apply(&self.constants, schema, ty, sink)?;
        let Some(question) = ty.optional else { return Some((base, schema)) };
        if matches!(base, Type::Table(_)) {
            sink.push(
                Diagnostic::error(codes::declarations::TABLE_PLACE, question, "a table is never null")
                    .label("no `?` after a table")
                    .help("a table without rows is empty; take the `?` away")
                    .fix("take the `?` away", question, ""),
            );
            return None;
        }
        Some((base.optional(), schema.optional()))
    }

    fn resolve_base(&mut self, ty: &TypeExpr, sink: &mut Vec<Diagnostic>) -> Option<(Type, Schema)> {
        Some(match &ty.kind {
            tree::TypeKind::Bool => (Type::Bool, Schema::Bool),
            tree::TypeKind::String => (Type::Text, Schema::TEXT),
            tree::TypeKind::Int => (Type::Int, Schema::INT),
            tree::TypeKind::Decimal => (Type::Decimal, Schema::DECIMAL),
            tree::TypeKind::Date => (Type::Date, Schema::Date),
            tree::TypeKind::Datetime => (Type::DateTime, Schema::DateTime),
            tree::TypeKind::Named(name) => match self.resolve_name(name, sink)? {
                TypeKind::Enum(id) => (Type::Enum(id), Schema::Enum(id)),
                TypeKind::Record(id) => (Type::Record(id), Schema::Record(id)),
                TypeKind::Entity(id) => {
                    self.refuse_local(id, name.span, sink)?;
                    (Type::Entity(id), Schema::Entity(id))
                }
                TypeKind::Broken => return None,
            },
            tree::TypeKind::Table(name) => match self.resolve_name(name, sink)? {
                TypeKind::Entity(id) => {
                    (Type::Table(id), Schema::Table { entity: id, wire: silo_runtime::schema::TableWire::Array })
                }
                TypeKind::Broken => return None,
                TypeKind::Enum(_) | TypeKind::Record(_) => {
                    sink.push(
                        Diagnostic::error(
                            codes::declarations::TABLE_PLACE,
                            name.span,
                            format!("`{name}` is not an entity"),
                        )
                        .label("only entities have keys, so only they are kept in tables")
                        .help(format!("declare `{name}` as an `entity` with a `key`, or write `list<{name}>`")),
                    );
                    return None;
                }
            },
            tree::TypeKind::List(item) => {
                let (item, schema) = self.resolve(item, sink)?;
                let schema = Schema::List { item: Box::new(schema), min_items: None, max_items: None, unique: false };
                (item.list(), schema)
            }
            tree::TypeKind::Map { key, value } => {
                let key = match key {
                    Some(key) => self.resolve_key(key, sink),
                    None => Some(MapKey::String),
                };
                let (value, schema) = self.resolve(value, sink)?;
                let key = key?;
                (Type::Map(key, Arc::new(value)), Schema::Map { key, value: Box::new(schema) })
            }
            tree::TypeKind::Shape(fields) => return self.resolve_shape(fields, sink),
        })
    }

    fn resolve_key(&mut self, key: &TypeExpr, sink: &mut Vec<Diagnostic>) -> Option<MapKey> {
        match self.resolve(key, sink)?.0 {
            Type::Text => Some(MapKey::String),
            Type::Enum(id) => Some(MapKey::Enum(id)),
            Type::Entity(id) => Some(MapKey::Entity(id)),
            other => {
                let found = self.display(&other);
                sink.push(
                    Diagnostic::error(
                        codes::declarations::MAP_KEY,
                        key.span,
                        format!("a map cannot have keys of type `{found}`"),
                    )
                    .label("expected `string`, an enum or an entity")
                    .help("keys of a map stand as text in JSON; use a `list` of records for anything else"),
                );
                None
            }
        }
    }

    fn resolve_shape(&mut self, fields: &[tree::ShapeField], sink: &mut Vec<Diagnostic>) -> Option<(Type, Schema)> {
        let mut members: Vec<Member> = Vec::with_capacity(fields.len());
        let mut first: super::Names<Span> = super::Names::default();
        let mut complete = true;
        for field in fields {
            if let Some(span) = first.insert(Arc::clone(&field.name.text), field.name.span) {
                sink.push(crate::declare::messages::twice("member", &field.name, span));
                complete = false;
                continue;
            }
            match self.resolve(&field.ty, sink) {
                Some((ty, schema)) => members.push(Member {
                    name: Arc::clone(&field.name.text),
                    ty,
                    schema,
                    omit_null: false,
                    span: Some(field.name.span),
                }),
                None => complete = false,
            }
        }
        if !complete {
            return None;
        }
        let spans: Vec<_> = members.iter().map(|member| (Arc::clone(&member.name), member.span)).collect();
        let id = self.intern(members, Wire::Converted);
        for (a, b, wire) in self.wire_clashes(id) {
            if let (Some((_, Some(first))), Some((name, Some(second)))) = (spans.get(a), spans.get(b)) {
                sink.push(crate::declare::messages::wire_clash(name, &wire, *second, *first));
            }
        }
        Some((Type::Record(id), Schema::Record(id)))
    }

    fn resolve_name(&self, name: &tree::Name, sink: &mut Vec<Diagnostic>) -> Option<TypeKind> {
        if let Some(found) = self.find(name.as_str()) {
            return Some(found.kind);
        }
        let mut diagnostic =
            Diagnostic::error(codes::names::UNKNOWN_TYPE, name.span, format!("there is no type `{name}`"))
                .label("not declared");
        if let Some((_, own)) = FOREIGN.iter().find(|(foreign, _)| *name == **foreign) {
            diagnostic = diagnostic.help(format!("write `{own}`"));
        } else {
            let names = self.type_names().chain(BUILT_IN);
            diagnostic = did_you_mean(diagnostic, name, names, "declare it as an `enum`, a `record` or an `entity`");
        }
        sink.push(diagnostic);
        None
    }

    /// Rows with a `key local` are not referred to, since their key alone does not find them.
    fn refuse_local(&self, id: EntityId, span: Span, sink: &mut Vec<Diagnostic>) -> Option<()> {
        let Some((name, key)) = self.entity_decl(id).and_then(|decl| Some((&decl.name, decl.local?))) else {
            return Some(());
        };
        sink.push(
            Diagnostic::error(codes::declarations::LOCAL_REFERENCE, span, format!("`{name}` cannot be referred to"))
                .label("its keys are unique only within one owner")
                .also(key, "because the key is `local`")
                .help(format!("hold the rows of `{name}` in a `table<{name}>`, or take `local` away so that its keys are unique everywhere")),
        );
        None
    }
}
