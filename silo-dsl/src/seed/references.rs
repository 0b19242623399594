//! References of the seed data and of constants: each is to a row that there is, in whatever table.

use super::faults::{Faults, Of};
use super::source::Source;
use super::{Placed, SeedData};
use crate::declare::Declared;
use crate::diagnostics::Diagnostic;
use silo_runtime::ids::EntityId;
use silo_runtime::input::{InputFault, PathSegment, Problem};
use silo_runtime::model::Field;
use silo_runtime::schema::{MapKey, Schema};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Value};
use silo_runtime::value::error::UnknownKey;
use silo_runtime::value::json::Json;
use silo_runtime::value::text::shorten;

/// Looks up every reference, and reports those to no row.
pub(super) fn check(
    declared: &Declared<'_>,
    data: &SeedData,
    placed: &[Placed],
    sources: &[Source<'_>],
    sink: &mut Vec<Diagnostic>,
) {
    for one in placed {
        match one {
            Placed::Table { table, entity, source, rows } => {
                let (Some((_, table)), Some(source)) = (data.tables.get(*table), sources.get(*source)) else {
                    continue;
                };
                let mut faults = Faults::new(declared, source, Of::Rows(*entity));
                for (row, position) in table.iter().zip(rows) {
                    let mut walk = Walk::new(declared);
                    walk.row(row);
                    walk.into_faults(Some(*position), &mut faults);
                }
                faults.report(sink);
            }
            Placed::Value { schema, value, source } => {
                let Some(source) = sources.get(*source) else { continue };
                value_of(declared, schema, value, source, sink);
            }
        }
    }
    for pending in &declared.pending {
        let source = Source::literal(Json::Null, pending.places.clone());
        value_of(declared, &pending.schema, &pending.value, &source, sink);
    }
}

fn value_of(declared: &Declared<'_>, schema: &Schema, value: &Value, source: &Source<'_>, sink: &mut Vec<Diagnostic>) {
    let mut walk = Walk::new(declared);
    walk.value(schema, value);
    let mut faults = Faults::new(declared, source, Of::Value(schema));
    walk.into_faults(None, &mut faults);
    faults.report(sink);
}

/// A walk over the references of a value.
struct Walk<'a> {
    declared: &'a Declared<'a>,
    at: Vec<PathSegment>,
    problems: Vec<Problem>,
}

impl<'a> Walk<'a> {
    fn new(declared: &'a Declared<'a>) -> Self {
        Self { declared, at: Vec::new(), problems: Vec::new() }
    }

    fn into_faults(self, row: Option<usize>, faults: &mut Faults<'_>) {
        if !self.problems.is_empty() {
            faults.add(row, InputFault { problems: self.problems, more: 0 });
        }
    }

    fn row(&mut self, row: &DynRow) {
        self.fields(&row.shape.fields, &row.values);
    }

    fn fields(&mut self, fields: &[Field], values: &[Value]) {
        for (field, value) in fields.iter().zip(values) {
            match value {
                // Most values have no references in them; they need no path.
                Value::Row(row) if self.exists(row.entity, &row.key) => {}
                Value::Row(_) | Value::List(_) | Value::Map(_) | Value::Record(_) | Value::Rows(_) => {
                    self.at.push(PathSegment::Name(field.wire.clone()));
                    let schema = field.cases.first().map_or(&field.schema, |(_, schema)| schema);
                    self.value(schema, value);
                    self.at.pop();
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, schema: &Schema, value: &Value) {
        let schema = if let Schema::Optional(inner) = schema { inner } else { schema };
        match (value, schema) {
            (Value::Row(row), _) => self.reference(row.entity, &row.key),
            (Value::List(items), Schema::List { item, .. }) => {
                for (index, value) in items.iter().enumerate() {
                    self.at.push(PathSegment::Index(index));
                    self.value(item, value);
                    self.at.pop();
                }
            }
            (Value::Map(entries), Schema::Map { key, value: schema }) => {
                for (name, value) in entries.iter() {
                    self.at.push(PathSegment::Name(name.clone()));
                    if let MapKey::Entity(entity) = key {
                        self.reference(*entity, name);
                    }
                    self.value(schema, value);
                    self.at.pop();
                }
            }
            (Value::Record(record), _) => self.fields(&record.shape.fields, &record.values),
            (Value::Rows(rows), _) => {
                for (index, row) in rows.values().enumerate() {
                    self.at.push(PathSegment::Index(index));
                    self.row(row);
                    self.at.pop();
                }
            }
            _ => {}
        }
    }

    /// Whether a row is there, or may be, since rows of its entity could not be read.
    fn exists(&self, entity: EntityId, key: &str) -> bool {
        let keys = &self.declared.seed;
        keys.has(entity, key) || !keys.usable(entity)
    }

    fn reference(&mut self, entity: EntityId, key: &Text) {
        if self.exists(entity, key) {
            return;
        }
        let Some(shape) = self.declared.types.model.entity(entity) else { return };
        self.problems.push(Problem {
            at: self.at.clone(),
            expected: Schema::Entity(entity).describe(&self.declared.types.model),
            received: Json::from(shorten(key, 60)).to_string(),
            message: String::new(),
            unknown_key: Some(UnknownKey { entity: shape.name.clone(), key: key.clone() }),
        });
    }
}
