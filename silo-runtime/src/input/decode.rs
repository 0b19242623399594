//! The decoder.

mod rows;

use super::problem::{InputFault, PathSegment, Problem, TOLD, path_text};
use crate::ids::{EntityId, FieldId, RecordId};
use crate::keys::KeyPattern;
use crate::methods::nearest::nearest;
use crate::model::{Field, Model, RecordShape};
use crate::schema::{MapKey, Schema};
use crate::value::dynamic::{DynRow, Record, RowRef, Value, ValueMap, WorldName};
use crate::value::error::UnknownKey;
use crate::value::json::{Json, Object};
use crate::value::text::shorten;
use crate::value::{Date, DateTime, Text};
use crate::wire;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Longest text of a received value in a problem.
const RECEIVED: usize = 60;

/// Where references are looked up.
pub trait Keys {
    /// The world that has a row of the entity with this key, if one has.
    fn find(&self, entity: EntityId, key: &str) -> Option<WorldName>;
}

/// Decodes JSON into values, gathering problems.
pub struct Decoder<'a> {
    model: &'a Model,
    keys: &'a dyn Keys,
    zone_optional: bool,
    told: usize,
    at: Vec<PathSegment>,
    problems: Vec<Problem>,
    more: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder for values of a model.
    pub fn new(model: &'a Model, keys: &'a dyn Keys) -> Self {
        Self { model, keys, zone_optional: false, told: TOLD, at: Vec::new(), problems: Vec::new(), more: 0 }
    }

    /// A decoder for seed data: a datetime without a zone is in UTC, and up to `told` problems are kept.
    #[must_use]
    pub fn for_seed(mut self, told: usize) -> Self {
        self.zone_optional = true;
        self.told = told;
        self
    }

    /// Decodes a value.
    ///
    /// # Errors
    /// All its problems.
    pub fn value(mut self, schema: &Schema, json: &Json) -> Result<Value, InputFault> {
        let value = self.decode(schema, json);
        self.finish(value)
    }

    /// Decodes the parameters of a tool: the members of a record.
    ///
    /// # Errors
    /// All their problems.
    pub fn record(mut self, record: RecordId, json: &Json) -> Result<Value, InputFault> {
        let value = self.decode(&Schema::Record(record), json);
        self.finish(value)
    }

    /// Decodes a seed row. Nested tables come as rows of their own without an owner; whoever stores the row gives them one.
    ///
    /// # Errors
    /// All its problems.
    pub fn row(mut self, entity: EntityId, json: &Json) -> Result<DynRow, InputFault> {
        let row = match self.model.entity(entity).cloned() {
            Some(shape) => self.decode_row(&shape, json, None),
            None => None,
        };
        self.finish(row)
    }

    fn finish<T>(self, value: Option<T>) -> Result<T, InputFault> {
        match value {
            Some(value) if self.problems.is_empty() => Ok(value),
            _ => Err(InputFault { problems: self.problems, more: self.more }),
        }
    }

    fn decode(&mut self, schema: &Schema, json: &Json) -> Option<Value> {
        match (schema, json) {
            (Schema::Optional(_), Json::Null) => Some(Value::Null),
            (Schema::Optional(inner), _) => self.decode(inner, json),
            (Schema::Bool, Json::Bool(value)) => Some(Value::Bool(*value)),
            (Schema::True, Json::Bool(true)) => Some(Value::Bool(true)),
            (Schema::String { min_length, max_length, pattern }, Json::String(text)) => {
                let fits = |limit: &Option<u32>, within: fn(usize, usize) -> bool| {
                    limit.is_none_or(|limit| within(text.chars().count(), limit as usize))
                };
                let matches = pattern.as_ref().is_none_or(|pattern| pattern.matches(text));
                if fits(min_length, |length, min| length >= min)
                    && fits(max_length, |length, max| length <= max)
                    && matches
                {
                    Some(Value::Text(text.clone()))
                } else {
                    self.mismatch(schema, json)
                }
            }
            (Schema::Int { min, max }, Json::Number(number)) => match number.as_int() {
                Some(value) if min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max) => {
                    Some(Value::Int(value))
                }
                _ => self.mismatch(schema, json),
            },
            (Schema::Decimal { min, max }, Json::Number(number)) => match number.as_decimal() {
                Some(value) if min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max) => {
                    Some(Value::Decimal(value))
                }
                _ => self.mismatch(schema, json),
            },
            (Schema::Date, Json::String(text)) => match text.parse::<Date>() {
                Ok(date) => Some(Value::Date(date)),
                Err(reason) => self.mismatch_because(schema, json, &format!("; {reason}")),
            },
            (Schema::DateTime, Json::String(text)) => {
                let parsed = if self.zone_optional { DateTime::parse_seed(text) } else { text.parse() };
                match parsed {
                    Ok(instant) => Some(Value::DateTime(instant)),
                    Err(reason) => self.mismatch_because(schema, json, &format!("; {reason}")),
                }
            }
            (Schema::Enum(of), Json::String(text)) => {
                let shape = self.model.enum_shape(*of)?;
                if let Some(member) = shape.members.iter().position(|member| member == text) {
                    return Some(Value::Enum(*of, u16::try_from(member).ok()?));
                }
                let near = nearest(text, shape.members.iter().map(|member| &**member)).map(str::to_owned);
                match near {
                    Some(near) => self.mismatch_because(schema, json, &format!(" (did you mean `{near}`?)")),
                    None => self.mismatch(schema, json),
                }
            }
            (Schema::Entity(entity), _) => self.reference(&[*entity], schema, json),
            (Schema::AnyEntity(entities), _) => self.reference(entities, schema, json),
            (Schema::Record(record), Json::Object(members)) => {
                let shape = self.model.record(*record)?.clone();
                self.decode_record(&shape, members)
            }
            (Schema::List { item, min_items, max_items, unique }, Json::Array(items)) => {
                let too_few = min_items.is_some_and(|min| items.len() < min as usize);
                let too_many = max_items.is_some_and(|max| items.len() > max as usize);
                if too_few || too_many {
                    return self.mismatch(schema, json);
                }
                let values = self.each(items, |decoder, json| decoder.decode(item, json));
                let values = values?;
                if *unique && !self.all_different(&values) {
                    return self.mismatch(schema, json);
                }
                Some(Value::List(Arc::new(values)))
            }
            (Schema::Map { key, value }, Json::Object(entries)) => self.decode_map(*key, value, entries),
            (Schema::Table { entity, wire }, _) => self.decode_table(*entity, *wire, json, None),
            (Schema::AnyOf(schemas), _) => self.decode_any_of(schemas, schema, json),
            _ => self.mismatch(schema, json),
        }
    }

    /// Decodes every element, so that the problems of all are found.
    fn each<T>(&mut self, items: &[Json], mut decode: impl FnMut(&mut Self, &Json) -> Option<T>) -> Option<Vec<T>> {
        let mut values = Vec::with_capacity(items.len());
        let mut complete = true;
        for (index, item) in items.iter().enumerate() {
            self.at.push(PathSegment::Index(index));
            match decode(self, item) {
                Some(value) => values.push(value),
                None => complete = false,
            }
            self.at.pop();
        }
        complete.then_some(values)
    }

    fn all_different(&self, values: &[Value]) -> bool {
        let mut seen = FxHashSet::default();
        values.iter().all(|value| seen.insert(wire::to_json(value, self.model).to_string()))
    }

    fn reference(&mut self, entities: &[EntityId], schema: &Schema, json: &Json) -> Option<Value> {
        let integer = entities
            .iter()
            .all(|entity| self.model.entity(*entity).is_some_and(|shape| shape.pattern == KeyPattern::Integer));
        let key: Text = match json {
            Json::String(text) if !integer => text.clone(),
            Json::Number(number) if integer => match number.as_int() {
                Some(number) => number.to_string().into(),
                None => return self.mismatch(schema, json),
            },
            _ => return self.mismatch(schema, json),
        };
        for entity in entities {
            if let Some(world) = self.keys.find(*entity, &key) {
                return Some(Value::Row(RowRef { world, entity: *entity, key }));
            }
        }
        let name = self.entity_name(entities);
        let message = format!("{}no {name} has the key `{}`", self.prefix(), shorten(&key, RECEIVED));
        let unknown = UnknownKey { entity: name, key };
        self.report(schema, json, message, Some(unknown));
        None
    }

    fn entity_name(&self, entities: &[EntityId]) -> Text {
        let names: Vec<&str> =
            entities.iter().filter_map(|entity| self.model.entity(*entity)).map(|shape| &*shape.name).collect();
        names.join(" or ").into()
    }

    fn decode_record(&mut self, shape: &Arc<RecordShape>, members: &Object) -> Option<Value> {
        let values = self.decode_members(&shape.fields, shape.tag, members, None, |_| true)?;
        Some(Value::Record(Arc::new(Record { shape: shape.clone(), values })))
    }

    /// Decodes the members of a record or row. `keep` says which fields are decoded here at all; the others stay null.
    fn decode_members(
        &mut self,
        fields: &[Field],
        tag: Option<FieldId>,
        members: &Object,
        key: Option<FieldId>,
        keep: impl Fn(&Field) -> bool,
    ) -> Option<Vec<Value>> {
        let before = self.problems.len() + self.more;
        // The tag comes first: it says which other members there are. Its own problems are told in its turn.
        let member = tag.and_then(|tag| self.peek_case(fields.get(tag.index())?, members));
        let case_known = tag.is_none() || member.is_some();
        for (name, value) in members {
            let known = fields.iter().find(|field| field.wire == *name);
            match known {
                Some(field) if !case_known || field.in_case(member) => {}
                // Null says that it is absent, which is true of a field of another case.
                Some(field) if value.is_null() && field.may_be_left_out() => {}
                other => self.unknown_property(name, value, other, fields, tag, member),
            }
        }
        let mut values = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let schema = field.schema_in(member);
            let given = members.get(&field.wire);
            let value = match given {
                _ if !keep(field) || !field.in_case(member) => Some(Value::Null),
                Some(Json::Null) | None if field.default.is_some() || matches!(schema, Schema::Optional(_)) => {
                    Some(field.default.clone().unwrap_or_default())
                }
                Some(json) => {
                    self.at.push(PathSegment::Name(field.wire.clone()));
                    let value = self.decode(schema, json);
                    self.at.pop();
                    value
                }
                None if key.is_some_and(|key| key.index() == index) => Some(Value::Null),
                None => {
                    self.at.push(PathSegment::Name(field.wire.clone()));
                    self.missing(schema);
                    self.at.pop();
                    None
                }
            };
            values.push(value.unwrap_or_default());
        }
        (self.problems.len() + self.more == before).then_some(values)
    }

    fn peek_case(&self, tag: &Field, members: &Object) -> Option<u16> {
        let Schema::Enum(of) = &tag.schema else { return None };
        match members.get(&tag.wire).filter(|json| **json != Json::Null) {
            Some(Json::String(text)) => {
                let members = &self.model.enum_shape(*of)?.members;
                u16::try_from(members.iter().position(|member| member == text)?).ok()
            }
            Some(_) => None,
            None => match &tag.default {
                Some(Value::Enum(_, member)) => Some(*member),
                _ => None,
            },
        }
    }

    fn decode_map(&mut self, key: MapKey, value: &Schema, entries: &Object) -> Option<Value> {
        let mut map = ValueMap::default();
        let mut complete = true;
        for (name, json) in entries {
            self.at.push(PathSegment::Name(name.clone()));
            let key = match key {
                MapKey::String => Some(()),
                MapKey::Enum(of) => self.decode(&Schema::Enum(of), &Json::String(name.clone())).map(drop),
                MapKey::Entity(entity) => self.map_reference(entity, name),
            };
            let value = self.decode(value, json);
            self.at.pop();
            match (key, value) {
                (Some(()), Some(value)) => _ = map.insert(name.clone(), value),
                _ => complete = false,
            }
        }
        complete.then(|| Value::Map(Arc::new(map)))
    }

    /// A key of a map is text even where the entity's keys are integers elsewhere.
    fn map_reference(&mut self, entity: EntityId, key: &Text) -> Option<()> {
        if self.keys.find(entity, key).is_some() {
            return Some(());
        }
        let name = self.entity_name(&[entity]);
        let message = format!("{}no {name} has the key `{}`", self.prefix(), shorten(key, RECEIVED));
        let unknown = UnknownKey { entity: name, key: key.clone() };
        self.report(&Schema::Entity(entity), &Json::String(key.clone()), message, Some(unknown));
        None
    }

    fn decode_any_of(&mut self, schemas: &[Schema], schema: &Schema, json: &Json) -> Option<Value> {
        for option in schemas {
            let probe = Decoder { at: Vec::new(), problems: Vec::new(), more: 0, ..*self };
            if let Ok(value) = probe.value(option, json) {
                return Some(value);
            }
        }
        self.mismatch(schema, json)
    }

    fn unknown_property(
        &mut self,
        name: &Text,
        value: &Json,
        other_case: Option<&Field>,
        fields: &[Field],
        tag: Option<FieldId>,
        member: Option<u16>,
    ) {
        self.at.push(PathSegment::Name(name.clone()));
        let path = path_text(&self.at);
        let tag = tag.and_then(|tag| fields.get(tag.index()));
        let message = match (other_case, tag) {
            (Some(_), Some(tag)) => format!("`{path}` does not exist for this `{}`", tag.wire),
            _ => {
                let known = fields.iter().filter(|field| field.in_case(member)).map(|field| &*field.wire);
                match nearest(name, known) {
                    Some(near) => format!("`{path}` is not known (did you mean `{near}`?)"),
                    None => format!("`{path}` is not known"),
                }
            }
        };
        let problem = Problem {
            at: self.at.clone(),
            expected: "no such property".to_owned(),
            received: received(value),
            message,
            unknown_key: None,
        };
        self.push(problem);
        self.at.pop();
    }

    fn missing(&mut self, schema: &Schema) {
        let expected = schema.describe(self.model);
        let message = format!("`{}` is missing: expected {expected}", path_text(&self.at));
        let problem =
            Problem { at: self.at.clone(), expected, received: "nothing".to_owned(), message, unknown_key: None };
        self.push(problem);
    }

    fn mismatch<T>(&mut self, schema: &Schema, json: &Json) -> Option<T> {
        let expected = schema.describe(self.model);
        let message = format!("{}expected {expected}, received {}", self.prefix(), received(json));
        self.report(schema, json, message, None);
        None
    }

    fn mismatch_because<T>(&mut self, schema: &Schema, json: &Json, reason: &str) -> Option<T> {
        let expected = schema.describe(self.model);
        let message = format!("{}expected {expected}, received {}{reason}", self.prefix(), received(json));
        self.report(schema, json, message, None);
        None
    }

    fn prefix(&self) -> String {
        if self.at.is_empty() { String::new() } else { format!("`{}`: ", path_text(&self.at)) }
    }

    fn report(&mut self, schema: &Schema, json: &Json, message: String, unknown_key: Option<UnknownKey>) {
        let problem = Problem {
            at: self.at.clone(),
            expected: schema.describe(self.model),
            received: received(json),
            message,
            unknown_key,
        };
        self.push(problem);
    }

    fn push(&mut self, problem: Problem) {
        if self.problems.len() < self.told {
            self.problems.push(problem);
        } else {
            self.more += 1;
        }
    }
}

/// A received value as a message shows it: its JSON, cut; long ones by kind.
fn received(json: &Json) -> String {
    match json {
        Json::Array(items) if items.len() > 3 => format!("a list of {}", items.len()),
        Json::Object(members) if members.len() > 3 => format!("an object of {} members", members.len()),
        Json::String(text) => Json::from(shorten(text, RECEIVED)).to_string(),
        other => shorten(&other.to_string(), RECEIVED),
    }
}
