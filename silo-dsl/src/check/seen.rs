//! What an agent sees of values: references as keys, rows of nested tables as records.

use super::shapes::ShapeMember;
use super::shared::Shared;
use crate::ir::{RowMember, Type};
use crate::syntax::tree;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use silo_runtime::ids::{EntityId, FieldId, RecordId};
use silo_runtime::keys::KeyPattern;
use silo_runtime::schema::{MapKey, Schema};
use silo_runtime::value::Text;

/// Tables nest no deeper than this in what a solution sees.
const DEEPEST: u32 = 16;

impl Shared<'_, '_> {
    /// A type as it is written in code.
    pub(crate) fn resolve(&mut self, tree: &tree::TypeExpr) -> Option<(Type, Schema)> {
        self.declared.types.resolve(tree, &mut self.diagnostics)
    }

    /// The type that a `call` in a solution gives for a result of this type.
    pub(crate) fn seen(&mut self, ty: &Type) -> Type {
        self.seen_to(ty, DEEPEST)
    }

    /// The type that an argument of a `call` has, or a typed answer: what is written for rows are their keys.
    pub(crate) fn as_written(&mut self, ty: &Type) -> Type {
        self.seen(ty)
    }

    fn seen_to(&mut self, ty: &Type, deep: u32) -> Type {
        match ty {
            Type::Entity(entity) => self.key_as_seen(*entity),
            Type::AnyEntity => Type::Text,
            // A tool without a result gives `{ ok: true }`.
            Type::Null if deep == DEEPEST => Type::Record(self.plain_shape(&[("ok", Type::Bool)])),
            Type::List(item) => self.seen_to(item, deep.saturating_sub(1)).list(),
            Type::Map(key, value) => {
                let key = if matches!(key, MapKey::Entity(_)) { MapKey::String } else { *key };
                Type::Map(key, self.seen_to(value, deep.saturating_sub(1)).into())
            }
            Type::Optional(inner) => self.seen_to(inner, deep.saturating_sub(1)).optional(),
            Type::Table(entity) if deep > 1 => self.seen_table(*entity, deep.saturating_sub(1)),
            Type::Record(record) if deep > 1 => Type::Record(self.seen_record(*record, deep.saturating_sub(1))),
            other => other.clone(),
        }
    }

    fn key_as_seen(&self, entity: EntityId) -> Type {
        let shape = self.declared.types.model.entity(entity);
        if shape.is_some_and(|shape| shape.pattern == KeyPattern::Integer) { Type::Int } else { Type::Text }
    }

    fn seen_table(&mut self, entity: EntityId, deep: u32) -> Type {
        // Rows inside a row are written as they are stored; what is derived of them is shown by those who spread them.
        let stored = self.row_members(entity).into_iter().filter(|(of, _)| matches!(of, RowMember::Field(_)));
        let members: Vec<ShapeMember> = stored.map(|(_, member)| member).collect();
        let shape = self.declared.types.model.entity(entity);
        let key = shape.and_then(|shape| shape.fields.get(shape.key.index())).map(|field| field.name.clone());
        let at = members.iter().position(|member| Some(&member.name) == key.as_ref()).unwrap_or_default();
        let members = members.into_iter().map(|member| self.seen_member(member, deep)).collect();
        Type::RecordTable(self.shape(members), FieldId::from(at))
    }

    fn seen_record(&mut self, record: RecordId, deep: u32) -> RecordId {
        let members = self.record_members(record);
        let seen: Vec<ShapeMember> = members.iter().cloned().map(|member| self.seen_member(member, deep)).collect();
        // A record that is the same for an agent keeps its name.
        if seen.iter().zip(&members).all(|(seen, member)| seen.ty == member.ty) && !members.iter().any(|m| m.tag) {
            return record;
        }
        self.shape(seen)
    }

    fn seen_member(&mut self, mut member: ShapeMember, deep: u32) -> ShapeMember {
        member.ty = self.seen_to(&member.ty, deep);
        member.schema = member.ty.schema();
        // Which case a record is of is not known to a solution: its members may be missing.
        member.cases.clear();
        member.tag = false;
        member
    }

    /// The type of results of several shapes: the members of all, null where one of them lacks it. [`Type::Never`] where the
    /// results are no records.
    pub(crate) fn merged(&mut self, types: &[Type]) -> Type {
        let mut members: IndexMap<Text, (ShapeMember, usize), FxBuildHasher> = IndexMap::default();
        for ty in types {
            let Type::Record(record) = ty else { return Type::Never };
            for member in self.record_members(*record) {
                match members.get(&member.name).map(|(known, count)| (known.ty.clone(), *count)) {
                    None => {
                        members.insert(member.name.clone(), (member, 1));
                    }
                    Some((known, count)) => {
                        let unified = self.unify(&known, &member.ty).unwrap_or(Type::Never);
                        if let Some((known, seen)) = members.get_mut(&member.name) {
                            known.schema = unified.schema();
                            known.ty = unified;
                            *seen = count + 1;
                        }
                    }
                }
            }
        }
        // What has one name and no common type can be read by nobody.
        members.retain(|_, (member, _)| member.ty != Type::Never);
        let members = members.into_values().map(|(mut member, count)| {
            if count < types.len() {
                member.ty = member.ty.optional();
                member.schema = member.ty.schema();
            }
            member.cases.clear();
            member.tag = false;
            member
        });
        let members = members.collect();
        Type::Record(self.shape(members))
    }
}
