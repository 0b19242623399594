//! Schemas as JSON Schema, draft 2020-12.

use super::{MapKey, Schema, TableWire};
use crate::ids::{EnumId, FieldId};
use crate::keys::KeyPattern;
use crate::model::{Field, Model};
use crate::value::Text;
use crate::value::dynamic::Value;
use crate::value::json::{Json, Object};
use crate::wire;

/// Which way a value goes: what may be left out on the way in is always present on the way out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the agent: an optional member may be left out, and null for it means left out; the schema describes the form
    /// without it.
    Input,
    /// To the agent: members are present, optional ones possibly null.
    Output,
}

/// The JSON Schema of a schema. Everything stands in place; there are no `$ref`s.
pub fn json_schema(schema: &Schema, direction: Direction, model: &Model) -> Json {
    Writer { model, direction }.schema(schema).into()
}

struct Writer<'a> {
    model: &'a Model,
    direction: Direction,
}

impl Writer<'_> {
    fn schema(&self, schema: &Schema) -> Object {
        match schema {
            Schema::Bool => typed("boolean"),
            Schema::True => object([("type", "boolean".into()), ("const", true.into())]),
            Schema::String { min_length, max_length, pattern } => {
                let mut object = typed("string");
                put(&mut object, "minLength", min_length.map(i64::from));
                put(&mut object, "maxLength", max_length.map(i64::from));
                put(&mut object, "pattern", pattern.as_ref().map(|pattern| pattern.published()));
                object
            }
            Schema::Int { min, max } => {
                let mut object = typed("integer");
                put(&mut object, "minimum", *min);
                put(&mut object, "maximum", *max);
                object
            }
            Schema::Decimal { min, max } => {
                let mut object = typed("number");
                put(&mut object, "minimum", *min);
                put(&mut object, "maximum", *max);
                object
            }
            Schema::Date => object([("type", "string".into()), ("format", "date".into())]),
            Schema::DateTime => object([("type", "string".into()), ("format", "date-time".into())]),
            Schema::Enum(of) => {
                let mut object = typed("string");
                object.insert("enum", self.members_of(*of));
                object
            }
            Schema::Entity(entity) => {
                let integer = self.model.entity(*entity).is_some_and(|shape| shape.pattern == KeyPattern::Integer);
                typed(if integer { "integer" } else { "string" })
            }
            Schema::AnyEntity(_) => typed("string"),
            Schema::Record(record) => match self.model.record(*record) {
                Some(shape) => self.members(&shape.fields, shape.tag),
                None => typed("object"),
            },
            Schema::List { item, min_items, max_items, unique } => {
                let mut object = typed("array");
                object.insert("items", self.schema(item).into());
                put(&mut object, "minItems", min_items.map(i64::from));
                put(&mut object, "maxItems", max_items.map(i64::from));
                put(&mut object, "uniqueItems", unique.then_some(true));
                object
            }
            Schema::Map { key, value } => {
                let mut object = typed("object");
                if let MapKey::Enum(of) = key {
                    let members = self.members_of(*of);
                    object.insert("propertyNames", Json::object([("enum", members)]));
                }
                object.insert("additionalProperties", self.schema(value).into());
                object
            }
            Schema::Table { entity, wire } => {
                let rows = match self.model.entity(*entity) {
                    Some(shape) => self.members(&shape.fields, shape.tag),
                    None => typed("object"),
                };
                match wire {
                    TableWire::Array => object([("type", "array".into()), ("items", rows.into())]),
                    TableWire::Object => object([("type", "object".into()), ("additionalProperties", rows.into())]),
                }
            }
            // The type of a bare null.
            Schema::Optional(inner) if matches!(&**inner, Schema::AnyOf(options) if options.is_empty()) => {
                typed("null")
            }
            Schema::Optional(inner) => nullable(self.schema(inner)),
            Schema::AnyOf(options) if options.is_empty() => Object::new(),
            Schema::AnyOf(options) => any_of(options.iter().map(|option| self.schema(option)).collect()),
        }
    }

    fn members_of(&self, of: EnumId) -> Json {
        let members = self.model.enum_shape(of).map(|shape| shape.members.clone()).unwrap_or_default();
        members.into_iter().map(Json::String).collect()
    }

    /// The members of a record or row: one closed object, or with cases one of several.
    fn members(&self, fields: &[Field], tag: Option<FieldId>) -> Object {
        let Some(tag) = tag.and_then(|tag| fields.get(tag.index())) else {
            return self.closed(fields, None);
        };
        let Schema::Enum(of) = &tag.schema else { return self.closed(fields, None) };
        let members = self.model.enum_shape(*of).map(|shape| shape.members.clone()).unwrap_or_default();
        let cases =
            members.iter().zip(0_u16..).map(|(member, index)| self.closed(fields, Some((&tag.name, member, index))));
        any_of(cases.collect())
    }

    fn closed(&self, fields: &[Field], case: Option<(&Text, &Text, u16)>) -> Object {
        let member = case.map(|(_, _, index)| index);
        let mut properties = Object::default();
        let mut required = Vec::new();
        for field in fields.iter().filter(|field| field.in_case(member)) {
            let schema = field.schema_in(member);
            let fixed = case.filter(|(tag, _, _)| *tag == &field.name).map(|(_, text, _)| text);
            let (optional, inner) = match (schema, self.direction) {
                (Schema::Optional(inner), Direction::Input) => (true, &**inner),
                (Schema::Optional(inner), Direction::Output) if field.omit_null => (true, &**inner),
                (other, Direction::Input) => (field.default.is_some(), other),
                (other, Direction::Output) => (false, other),
            };
            let mut property = match fixed {
                Some(text) => object([("type", "string".into()), ("enum", vec![Json::String(text.clone())].into())]),
                None => self.schema(inner),
            };
            if !field.docs.is_empty() {
                property.insert("description", Json::String(field.docs.clone()));
            }
            if self.direction == Direction::Input
                && let Some(default) = field.default.as_ref().filter(|default| !matches!(default, Value::Null))
                && (fixed.is_none() || is_default(field, member))
            {
                property.insert("default", wire::to_json(default, self.model));
            }
            // A tag with a default must still be given by all cases but the default's.
            if !optional || (fixed.is_some() && !is_default(field, member)) {
                required.push(Json::String(field.wire.clone()));
            }
            properties.insert(field.wire.clone(), property.into());
        }
        let mut object = typed("object");
        object.insert("properties", properties.into());
        put(&mut object, "required", (!required.is_empty()).then_some(required));
        object.insert("additionalProperties", false.into());
        object
    }
}

fn nullable(mut object: Object) -> Object {
    match object.get("type") {
        Some(Json::String(name)) if object.get("enum").is_none() && object.get("const").is_none() => {
            let types = vec![Json::String(name.clone()), Json::from("null")];
            object.insert("type", types.into());
            object
        }
        _ => any_of(vec![object, typed("null")]),
    }
}

fn is_default(field: &Field, member: Option<u16>) -> bool {
    matches!((&field.default, member), (Some(Value::Enum(_, default)), Some(member)) if *default == member)
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Object {
    members.into_iter().map(|(name, value)| (Text::from(name), value)).collect()
}

fn typed(name: &str) -> Object {
    object([("type", name.into())])
}

fn any_of(options: Vec<Object>) -> Object {
    let options: Vec<Json> = options.into_iter().map(Json::from).collect();
    object([("anyOf", options.into())])
}

fn put(object: &mut Object, name: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        object.insert(name, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(schema: &Schema) -> String {
        json_schema(schema, Direction::Output, &Model::default()).to_string()
    }

    #[test]
    fn a_bare_null_and_an_empty_list_have_valid_schemas() {
        let null = Schema::AnyOf(Vec::new()).optional();
        assert_eq!(published(&null), r#"{"type":"null"}"#);
        let list = Schema::List { item: Box::new(null), min_items: None, max_items: None, unique: false };
        assert_eq!(published(&list), r#"{"type":"array","items":{"type":"null"}}"#);
    }

    #[test]
    fn optional_outputs_may_be_null() {
        assert_eq!(published(&Schema::INT.optional()), r#"{"type":["integer","null"]}"#);
    }
}
