//! Shapes of records that no declaration names: literals, spreads, rows as an agent sees them.

use super::shared::Shared;
use crate::declare::{FieldDecl, RecordDecl};
use crate::diagnostics::Span;
use crate::ir::{RowMember, Type};
use rustc_hash::FxHashMap;
use silo_runtime::ids::{EntityId, FieldId, RecordId};
use silo_runtime::model::{Field, RecordShape};
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;

/// A member of a shape.
#[derive(Clone, Debug)]
pub(crate) struct ShapeMember {
    pub(crate) name: Text,
    pub(crate) wire: Text,
    /// The type where nothing is known about the case.
    pub(crate) ty: Type,
    pub(crate) schema: Schema,
    /// Whether null drops it on the wire.
    pub(crate) omit_null: bool,
    /// The members of the tag's enum for which it exists; empty: always.
    pub(crate) cases: Vec<(u16, Type, Schema)>,
    /// Whether it is the field that chooses the case.
    pub(crate) tag: bool,
    pub(crate) span: Option<Span>,
}

/// The shapes made so far, by their members' names, wire names, types and whether null drops them.
pub(crate) type Shapes = FxHashMap<Vec<(Text, Text, Type, bool)>, Vec<RecordId>>;

impl Shared<'_, '_> {
    /// The record with these members in this order: the same one for the same members.
    pub(crate) fn shape(&mut self, mut members: Vec<ShapeMember>) -> RecordId {
        let tag = members.iter().position(|member| member.tag).map(FieldId::from);
        if tag.is_none() {
            for member in &mut members {
                member.cases.clear();
            }
        }
        let key: Vec<_> = members.iter().map(|m| (m.name.clone(), m.wire.clone(), m.ty.clone(), m.omit_null)).collect();
        let same = |id: &&RecordId| {
            self.declared.types.model.record(**id).is_some_and(|shape| {
                shape.tag == tag
                    && shape.fields.iter().zip(&members).all(|(field, member)| {
                        field.schema == member.schema
                            && field.cases.iter().map(|(case, _)| case).eq(member.cases.iter().map(|(case, ..)| case))
                    })
            })
        };
        if let Some(id) = self.shapes.get(&key).and_then(|ids| ids.iter().find(same)) {
            return *id;
        }
        let fields = members.iter().map(|member| Field {
            name: member.name.clone(),
            wire: member.wire.clone(),
            schema: member.schema.clone(),
            default: None,
            docs: Text::from(""),
            cases: member.cases.iter().map(|(case, _, schema)| (*case, schema.clone())).collect(),
            omit_null: member.omit_null,
        });
        let shape = RecordShape::new(None, fields.collect(), tag, Text::from(""));
        let decls = members.iter().map(|member| FieldDecl {
            name: member.name.clone(),
            ty: member.ty.clone(),
            cases: member.cases.iter().map(|(case, ty, _)| (*case, ty.clone())).collect(),
            span: member.span,
        });
        let decl = RecordDecl { span: None, fields: decls.collect() };
        let id = self.declared.types.push_record(shape, decl);
        self.shapes.entry(key).or_default().push(id);
        id
    }

    /// A member as a literal writes it, named on the wire by the environment's rules.
    pub(crate) fn member(&self, name: &Text, ty: &Type, span: Option<Span>) -> ShapeMember {
        let wire = self.declared.types.wire(name, ty);
        Self::member_as(name, wire, ty, span)
    }

    /// A member with a wire name of its own.
    pub(crate) fn member_as(name: &Text, wire: Text, ty: &Type, span: Option<Span>) -> ShapeMember {
        let (schema, cases) = (ty.schema(), Vec::new());
        ShapeMember { name: name.clone(), wire, ty: ty.clone(), schema, omit_null: false, cases, tag: false, span }
    }

    /// The members of a record that the language makes, `{ key, items }`: never renamed on the wire.
    pub(crate) fn plain_shape(&mut self, members: &[(&str, Type)]) -> RecordId {
        let members = members.iter().map(|(name, ty)| {
            let name = Text::from(*name);
            Self::member_as(&name, name.clone(), ty, None)
        });
        let members = members.collect();
        self.shape(members)
    }

    /// The members of a record, without their limits.
    pub(crate) fn record_members(&self, id: RecordId) -> Vec<ShapeMember> {
        let types = &self.declared.types;
        let (Some(decl), Some(shape)) = (types.record_decl(id), types.model.record(id)) else { return Vec::new() };
        let fields = decl.fields.iter().zip(&shape.fields).enumerate();
        fields.map(|(at, (decl, field))| stored_member(decl, field, shape.tag == Some(FieldId::from(at)))).collect()
    }

    /// The members of a row as `{ ...row }` shows them: all fields in the order declared, derived ones in their places.
    pub(crate) fn row_members(&self, id: EntityId) -> Vec<(RowMember, ShapeMember)> {
        let types = &self.declared.types;
        let (Some(decl), Some(shape)) = (types.entity_decl(id), types.model.entity(id)) else { return Vec::new() };
        let derived: Vec<_> = decl.derived.iter().filter_map(|(_, at)| self.declared.derived.get(*at)).collect();
        let mut members = Vec::new();
        let add_derived = |members: &mut Vec<(RowMember, ShapeMember)>, after: usize| {
            for field in derived.iter().filter(|field| field.after == after) {
                let cases = field.case.map(|case| (case, field.ty.clone(), loose(&field.schema)));
                let ty = if cases.is_some() { field.ty.clone().optional() } else { field.ty.clone() };
                members.push((
                    RowMember::Derived(field.function),
                    ShapeMember {
                        name: field.name.clone(),
                        wire: field.wire.clone(),
                        schema: ty.schema(),
                        ty,
                        omit_null: false,
                        cases: cases.into_iter().collect(),
                        tag: false,
                        span: Some(field.span),
                    },
                ));
            }
        };
        add_derived(&mut members, 0);
        for (at, (decl, field)) in decl.fields.iter().zip(&shape.fields).enumerate() {
            let id = FieldId::from(at);
            members.push((RowMember::Field(id), stored_member(decl, field, shape.tag == Some(id))));
            add_derived(&mut members, at + 1);
        }
        members
    }

    /// The members of a record with other types.
    pub(crate) fn members_like(&self, id: RecordId, types: Vec<(Text, Type)>) -> Vec<ShapeMember> {
        let mut members = self.record_members(id);
        for (member, (_, ty)) in members.iter_mut().zip(types) {
            if member.ty != ty {
                member.schema = ty.schema();
                member.ty = ty;
            }
        }
        members
    }
}

fn stored_member(decl: &FieldDecl, field: &Field, tag: bool) -> ShapeMember {
    let cases = decl.cases.iter().zip(&field.cases);
    ShapeMember {
        name: decl.name.clone(),
        wire: field.wire.clone(),
        ty: decl.ty.clone(),
        schema: loose_as(&decl.ty, &field.schema),
        omit_null: field.omit_null,
        cases: cases.map(|((case, ty), (_, schema))| (*case, ty.clone(), loose(schema))).collect(),
        tag,
        span: decl.span,
    }
}

/// The schema of a field without its limits, optional where the field's type is.
fn loose_as(ty: &Type, schema: &Schema) -> Schema {
    let schema = loose(schema);
    if ty.is_optional() { schema.optional() } else { schema }
}

/// A schema without its limits: what is computed from a field need not keep them.
pub(crate) fn loose(schema: &Schema) -> Schema {
    match schema {
        Schema::String { .. } => Schema::TEXT,
        Schema::Int { .. } => Schema::INT,
        Schema::Decimal { .. } => Schema::DECIMAL,
        Schema::List { item, .. } => {
            Schema::List { item: Box::new(loose(item)), min_items: None, max_items: None, unique: false }
        }
        Schema::Map { key, value } => Schema::Map { key: *key, value: Box::new(loose(value)) },
        Schema::Optional(inner) => loose(inner).optional(),
        Schema::AnyOf(shapes) => Schema::AnyOf(shapes.iter().map(loose).collect()),
        other => other.clone(),
    }
}
