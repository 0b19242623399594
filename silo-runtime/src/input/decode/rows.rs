//! Rows of seed data: tables as lists or objects, keys given or made of fields, tables inside rows.

use super::{Decoder, RECEIVED, received};
use crate::ids::EntityId;
use crate::input::problem::PathSegment;
use crate::keys::{self, KeyPattern};
use crate::model::{EntityShape, Field};
use crate::schema::{Schema, TableWire};
use crate::value::Text;
use crate::value::dynamic::{DynRow, Memo, NestedRows, Value};
use crate::value::json::{Json, Object};
use crate::value::text::shorten;
use std::sync::Arc;

impl Decoder<'_> {
    pub(super) fn decode_table(
        &mut self,
        entity: EntityId,
        wire: TableWire,
        json: &Json,
        parent: Option<&Text>,
    ) -> Option<Value> {
        let shape = self.model.entity(entity)?.clone();
        let schema = Schema::Table { entity, wire };
        let drafts: Vec<Option<DynRow>> = match (wire, json) {
            (TableWire::Array, Json::Array(items)) => {
                self.each(items, |decoder, json| Some(decoder.decode_row(&shape, json, parent)))?
            }
            (TableWire::Object, Json::Object(entries)) => {
                let mut drafts = Vec::with_capacity(entries.len());
                for (key, json) in entries.iter() {
                    self.at.push(PathSegment::Name(key.clone()));
                    let draft = self.decode_row(&shape, &with_key(&shape, key, json), parent);
                    let draft = draft.filter(|row| row.key == *key || self.wrong_entry(&shape, key, row));
                    drafts.push(draft);
                    self.at.pop();
                }
                drafts
            }
            _ => return self.mismatch(&schema, json),
        };
        let mut rows = NestedRows::default();
        let mut complete = true;
        for (index, draft) in drafts.into_iter().enumerate() {
            let Some(row) = draft else {
                complete = false;
                continue;
            };
            let key = row.key.clone();
            if rows.insert(key.clone(), Arc::new(row)).is_some() {
                complete = false;
                let message = format!("{}the key `{}` stands twice", self.prefix(), shorten(&key, RECEIVED));
                self.at.push(PathSegment::Index(index));
                self.report(&schema, &Json::String(key), message, None);
                self.at.pop();
            }
        }
        complete.then(|| Value::Rows(Arc::new(rows)))
    }

    fn wrong_entry(&mut self, shape: &EntityShape, key: &Text, row: &DynRow) -> bool {
        let message = format!("{}the row under `{key}` says that its key is `{}`", self.prefix(), row.key);
        self.report(&Schema::Entity(shape.id), &Json::String(row.key.clone()), message, None);
        false
    }

    pub(super) fn decode_row(
        &mut self,
        shape: &Arc<EntityShape>,
        json: &Json,
        parent: Option<&Text>,
    ) -> Option<DynRow> {
        let Json::Object(members) = json else {
            let message =
                format!("{}expected a {} as an object, received {}", self.prefix(), shape.name, received(json));
            self.report(&Schema::Entity(shape.id), json, message, None);
            return None;
        };
        let is_table = |field: &Field| matches!(field.schema, Schema::Table { .. });
        let plain = |field: &Field| !is_table(field);
        let mut values = self.decode_members(&shape.fields, shape.tag, members, Some(shape.key), plain)?;
        let key = self.row_key(shape, &mut values, parent)?;
        for (index, field) in shape.fields.iter().enumerate().filter(|(_, field)| is_table(field)) {
            let Schema::Table { entity, wire } = field.schema else { continue };
            let empty = match wire {
                TableWire::Array => Json::from(Vec::<Json>::new()),
                TableWire::Object => Json::from(Object::default()),
            };
            let json = members.get(&field.wire).filter(|json| **json != Json::Null).unwrap_or(&empty);
            self.at.push(PathSegment::Name(field.wire.clone()));
            let rows = self.decode_table(entity, wire, json, Some(&key));
            self.at.pop();
            if let Some(slot) = values.get_mut(index) {
                *slot = rows?;
            }
        }
        Some(DynRow { shape: shape.clone(), key, owner: None, values, memo: Memo::default() })
    }

    /// The visible key of a row: given, or made of its fields where the pattern has no counter.
    fn row_key(&mut self, shape: &EntityShape, values: &mut [Value], parent: Option<&Text>) -> Option<Text> {
        let composed = keys::composed(&shape.pattern, values, parent, self.model);
        let slot = values.get_mut(shape.key.index())?;
        let key: Text = match slot {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string().into(),
            _ => match composed {
                Some(key) => {
                    *slot = Value::Text(key.clone());
                    key
                }
                None => {
                    let field = shape.fields.get(shape.key.index())?;
                    self.at.push(PathSegment::Name(field.wire.clone()));
                    self.missing(&field.schema);
                    self.at.pop();
                    return None;
                }
            },
        };
        if key.is_empty() || key.chars().any(char::is_control) {
            let message = format!("{}a key is text without control characters, not empty", self.prefix());
            self.report(&Schema::TEXT, &Json::String(key), message, None);
            return None;
        }
        Some(key)
    }
}

/// A row under its key: the row itself need not say it again.
fn with_key(shape: &EntityShape, key: &Text, json: &Json) -> Json {
    let (Json::Object(members), Some(field)) = (json, shape.fields.get(shape.key.index())) else { return json.clone() };
    if members.get(&field.wire).is_some_and(|json| !json.is_null()) {
        return json.clone();
    }
    let key = match key.parse::<i64>() {
        Ok(number) if shape.pattern == KeyPattern::Integer => Json::from(number),
        _ => Json::from(key),
    };
    let others = members.iter().filter(|(name, _)| **name != field.wire);
    let all = std::iter::once((field.wire.clone(), key)).chain(others.map(|(name, json)| (name.clone(), json.clone())));
    all.collect::<Object>().into()
}
