//! Anonymous records: those with the same members are one.

use super::{FieldDecl, Types};
use crate::declare::items::RecordDecl;
use crate::diagnostics::Span;
use crate::ir::Type;
use silo_runtime::ids::RecordId;
use silo_runtime::model::{Field, RecordShape};
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use std::sync::Arc;

/// A member of an anonymous record.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name in the source.
    pub name: Text,
    /// Its type.
    pub ty: Type,
    /// What it may hold.
    pub schema: Schema,
    /// Whether it is dropped on the wire when null (`name?` in a record literal).
    pub omit_null: bool,
    /// Where it is written, for messages; does not count for sameness.
    pub span: Option<Span>,
}

/// How the members of an anonymous record are named on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// By the environment's naming.
    Converted,
    /// As they are in the source: the records of `page`, `group_by`, `entries`.
    AsWritten,
}

impl Types<'_> {
    /// The anonymous record with these members in this order: the same one for the same members, limits included.
    pub fn intern(&mut self, members: Vec<Member>, wire: Wire) -> RecordId {
        let key: Vec<(Text, Type, bool)> =
            members.iter().map(|member| (Arc::clone(&member.name), member.ty.clone(), member.omit_null)).collect();
        let fields: Vec<Field> = members
            .iter()
            .map(|member| Field {
                name: Arc::clone(&member.name),
                wire: match wire {
                    Wire::Converted => self.wire(&member.name, &member.ty),
                    Wire::AsWritten => Arc::clone(&member.name),
                },
                schema: member.schema.clone(),
                default: None,
                docs: Text::from(""),
                cases: Vec::new(),
                omit_null: member.omit_null,
            })
            .collect();
        let same = |id: &&RecordId| {
            self.model.record(**id).is_some_and(|shape| {
                shape.fields.len() == fields.len()
                    && shape.fields.iter().zip(&fields).all(|(a, b)| a.wire == b.wire && a.schema == b.schema)
            })
        };
        if let Some(id) = self.shapes.get(&key).and_then(|ids| ids.iter().find(same)) {
            return *id;
        }
        let decls = members
            .into_iter()
            .map(|member| FieldDecl { name: member.name, ty: member.ty, cases: Vec::new(), span: member.span })
            .collect();
        let id = self.push_record(
            RecordShape::new(None, fields, None, Text::from("")),
            RecordDecl { span: None, fields: decls },
        );
        self.shapes.entry(key).or_default().push(id);
        id
    }

    /// Adds a record that nothing else is the same as.
    pub(crate) fn push_record(&mut self, shape: RecordShape, decl: RecordDecl) -> RecordId {
        let id = RecordId::from(self.model.records.len());
        self.model.records.push(Arc::new(shape));
        self.records.push(decl);
        id
    }

    /// Members of a record that have one name on the wire: the ids of two each, and that name.
    pub fn wire_clashes(&self, id: RecordId) -> Vec<(usize, usize, Text)> {
        self.model.record(id).map_or_else(Vec::new, |shape| clashes(shape.fields.iter().map(|field| &field.wire)))
    }
}

/// Equal wire names among some: the position of the first, that of another, and the name.
pub(crate) fn clashes<'a>(names: impl Iterator<Item = &'a Text>) -> Vec<(usize, usize, Text)> {
    let mut seen = super::Names::default();
    let mut clashes = Vec::new();
    for (at, name) in names.enumerate() {
        match seen.get(name) {
            Some(first) => clashes.push((*first, at, Arc::clone(name))),
            None => _ = seen.insert(Arc::clone(name), at),
        }
    }
    clashes
}
