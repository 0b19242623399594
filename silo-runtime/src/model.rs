//! What an environment declares about its data: enums, records, entities and state, with their names in the source and on
//! the wire. Both back ends hand the same model to the engine.

use crate::ids::{EntityId, EnumId, FieldId, RecordId, StateId};
use crate::keys::KeyPattern;
use crate::schema::Schema;
use crate::value::Text;
use crate::value::dynamic::Value;
use std::sync::Arc;

/// Every declared type of an environment. Ids index these vectors.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Enums, as declared.
    pub enums: Vec<Arc<EnumShape>>,
    /// Records: the named ones first, then the anonymous shapes of literals, outputs and answers.
    pub records: Vec<Arc<RecordShape>>,
    /// Entities, as declared.
    pub entities: Vec<Arc<EntityShape>>,
    /// State fields, as declared.
    pub state: Vec<StateField>,
}

/// An enum and its members, ordered as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumShape {
    /// The name in the source.
    pub name: Text,
    /// The members: their text in code and on the wire.
    pub members: Vec<Text>,
    /// Documentation, empty if none.
    pub docs: Text,
}

/// The members of a record.
#[derive(Clone, Debug)]
pub struct RecordShape {
    /// The declared name; anonymous shapes have none.
    pub name: Option<Text>,
    /// The fields in declared order; those of all cases are included, each once.
    pub fields: Vec<Field>,
    /// The enum field that chooses the case, where the record has cases.
    pub tag: Option<FieldId>,
    /// Documentation, empty if none.
    pub docs: Text,
    wire_names: Arc<[Text]>,
    uniform: bool,
}

impl RecordShape {
    /// A record with these fields; `tag` is the enum field that chooses the case.
    pub fn new(name: Option<Text>, fields: Vec<Field>, tag: Option<FieldId>, docs: Text) -> Self {
        let wire_names = fields.iter().map(|field| field.wire.clone()).collect();
        let uniform = fields.iter().all(Field::is_always_written);
        Self { name, fields, tag, docs, wire_names, uniform }
    }

    /// The names on the wire, in the fields' order, to be shared by all values of the shape.
    pub fn wire_names(&self) -> &Arc<[Text]> {
        &self.wire_names
    }

    /// Whether every value of the shape has every member on the wire: no cases, nothing dropped when null.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }
}

/// One stored field of a record or an entity.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in the source.
    pub name: Text,
    /// The name on the wire.
    pub wire: Text,
    /// What it may hold.
    pub schema: Schema,
    /// The constant taken where the field is left out.
    pub default: Option<Value>,
    /// Documentation: for an input, what the agent reads.
    pub docs: Text,
    /// The members of the tag's enum for which the field exists, each with the schema it has there; empty: always, with `schema`.
    pub cases: Vec<(u16, Schema)>,
    /// Whether the member is dropped on the wire when null (`name?` in a record literal).
    pub omit_null: bool,
}

/// An entity: rows with a unique key.
#[derive(Clone, Debug)]
pub struct EntityShape {
    /// This entity's id.
    pub id: EntityId,
    /// The name in the source.
    pub name: Text,
    /// The stored fields, the key's included, in declared order.
    pub fields: Vec<Field>,
    /// The enum field that chooses the case, where the entity has cases.
    pub tag: Option<FieldId>,
    /// Which field is the key.
    pub key: FieldId,
    /// How keys are made and what they look like.
    pub pattern: KeyPattern,
    /// Whether keys are unique only within the owner row (`key local`); such rows are never referred to.
    pub local: bool,
    /// The field by which people call a row.
    pub label: Option<FieldId>,
    /// The entity whose rows hold this entity's tables, if one does.
    pub parent: Option<EntityId>,
    /// Documentation, empty if none.
    pub docs: Text,
}

/// One field of the state.
#[derive(Clone, Debug)]
pub struct StateField {
    /// The name in the source.
    pub name: Text,
    /// The name on the wire.
    pub wire: Text,
    /// What it may hold; a table is [`Schema::Table`].
    pub schema: Schema,
    /// Documentation, empty if none.
    pub docs: Text,
}

impl Field {
    /// Whether the field stands on the wire whatever the others hold and whatever it holds itself.
    pub fn is_always_written(&self) -> bool {
        self.cases.is_empty() && !self.omit_null
    }

    /// Whether the field exists in the case that the tag's member chooses.
    pub fn in_case(&self, member: Option<u16>) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|(case, _)| Some(*case) == member)
    }

    /// Whether it need not be given: it is optional, or has a default.
    pub fn may_be_left_out(&self) -> bool {
        self.default.is_some() || matches!(self.schema, Schema::Optional(_))
    }

    /// The schema in the case that the tag's member chooses.
    pub fn schema_in(&self, member: Option<u16>) -> &Schema {
        self.cases.iter().find(|(case, _)| Some(*case) == member).map_or(&self.schema, |(_, schema)| schema)
    }
}

impl Model {
    /// The enum with this id, if the model has it.
    pub fn enum_shape(&self, id: EnumId) -> Option<&Arc<EnumShape>> {
        self.enums.get(id.index())
    }

    /// The text of an enum's member.
    pub fn member(&self, id: EnumId, member: u16) -> Option<Text> {
        self.enum_shape(id)?.members.get(usize::from(member)).cloned()
    }

    /// The record with this id, if the model has it.
    pub fn record(&self, id: RecordId) -> Option<&Arc<RecordShape>> {
        self.records.get(id.index())
    }

    /// The entity with this id, if the model has it.
    pub fn entity(&self, id: EntityId) -> Option<&Arc<EntityShape>> {
        self.entities.get(id.index())
    }

    /// The state field with this id, if the model has it.
    pub fn state_field(&self, id: StateId) -> Option<&StateField> {
        self.state.get(id.index())
    }
}
