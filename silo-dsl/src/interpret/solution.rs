//! Solutions: code that sees only what an agent sees. Its calls go through the session as JSON, and come back as JSON.

use super::Interpreted;
use super::reader::{Reader, record};
use super::run::{Hands, Machine};
use super::stop::{Eval, Reason, Stop};
use super::view::{Scoped, View};
use crate::ir::{Expr, ExprId, Type};
use silo_runtime::environment::Caller;
use silo_runtime::ids::{FieldId, RecordId, ToolId};
use silo_runtime::keys::KeyPattern;
use silo_runtime::model::Model;
use silo_runtime::schema::Schema;
use silo_runtime::value::dynamic::{Value, ValueMap};
use silo_runtime::value::{Date, DateTime, Json, Object, Text};
use silo_runtime::wire;
use std::sync::Arc;

/// What a solution plays with.
pub(super) struct Player<'p> {
    /// Where its calls go.
    pub caller: &'p mut dyn Caller,
    /// The schema of the answer, where the task's is typed.
    pub schema: Option<&'p Schema>,
    /// Its answer so far.
    pub answer: Option<Json>,
}

impl<'m> Machine<'m> {
    /// `call t(..)`.
    pub(super) fn call_tool(
        &mut self,
        scope: Scoped<'m, '_>,
        at: &Expr,
        tool: ToolId,
        args: &[(FieldId, ExprId)],
        expect: Option<&Text>,
    ) -> Eval<Value> {
        let program = &self.env.program;
        let declared = program.tools.get(tool.index()).ok_or_else(|| Stop::broken("a tool is missing"))?;
        let name = &self.env.function(declared.function)?.name;
        let shape = program.model.record(declared.input).ok_or_else(|| Stop::broken("a tool has no parameters"))?;
        let mut members = Vec::with_capacity(args.len());
        for (field, value) in args {
            let value = self.eval(scope, *value)?;
            let field = shape.fields.get(field.index()).ok_or_else(|| Stop::broken("a tool lacks a parameter"))?;
            members.push((field.wire.clone(), to_wire(&value, &field.schema, &program.model)));
        }
        let Hands::Solution(player) = &mut self.hands else {
            return Err(Stop::broken("a tool is called outside of solutions"));
        };
        let result = player.caller.call(name, Json::object(members));
        let code = result.output.get("code").and_then(Json::as_str);
        match (result.is_error, expect) {
            (false, None) => self.env.read_wire(&result.output, &at.ty).ok_or_else(|| unlike(name)),
            (true, Some(expected)) if code == Some(expected) => Ok(Value::Null),
            (true, _) => {
                let message = result.output.get("message").and_then(Json::as_str).unwrap_or_default();
                Err(refused(format!("`{name}` failed: {}: {message}", code.unwrap_or("error"))))
            }
            (false, Some(expected)) => {
                Err(refused(format!("`{name}` was expected to fail with `{expected}`, but it succeeded")))
            }
        }
    }

    /// `answer e`.
    pub(super) fn answered(&mut self, scope: Scoped<'m, '_>, answer: ExprId) -> Eval<()> {
        let value = self.eval(scope, answer)?;
        let model = &self.env.program.model;
        let Hands::Solution(player) = &mut self.hands else {
            return Err(Stop::broken("an answer is given outside of solutions"));
        };
        player.answer = Some(match player.schema {
            Some(schema) => to_wire(&value, schema, model),
            None => wire::to_json(&value, model),
        });
        Ok(())
    }
}

#[cold]
fn refused(message: String) -> Stop {
    Stop::new(Reason::Solution(message))
}

#[cold]
fn unlike(tool: &str) -> Stop {
    Stop::broken(format!("the output of `{tool}` is not of the type that was inferred"))
}

impl<'a> Reader<'a> {
    /// The record of a table, as an agent sees it, with a key.
    pub(super) fn seen_row<'t>(&self, scope: Scoped<'a, 't>, base: ExprId, key: &Text) -> Eval<Option<View<'a, 't>>>
    where
        'a: 't,
    {
        let Type::RecordTable(_, field) = self.expr(base)?.ty.required() else {
            return Err(Stop::broken("a table of records was expected"));
        };
        for item in self.source(scope, base)? {
            let found = self.field(item.reborrow(), *field)?;
            if self.key_text(&found)? == *key {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }
}

/// A value of a solution as JSON of a schema: members by name, references as the keys they are.
fn to_wire(value: &Value, schema: &Schema, model: &Model) -> Json {
    match (value, schema) {
        (_, Schema::Optional(inner)) => to_wire(value, inner, model),
        (Value::Text(key), Schema::Entity(entity)) => {
            let integer = model.entity(*entity).is_some_and(|shape| shape.pattern == KeyPattern::Integer);
            match key.parse::<i64>() {
                Ok(number) if integer => Json::from(number),
                _ => Json::from(key),
            }
        }
        (Value::List(items), Schema::List { item, .. }) => {
            Json::array(items.iter().map(|value| to_wire(value, item, model)))
        }
        (Value::Map(entries), Schema::Map { value: item, .. }) => {
            Json::object(entries.iter().map(|(key, value)| (key.clone(), to_wire(value, item, model))))
        }
        (Value::Record(from), Schema::Record(to)) => match model.record(*to) {
            Some(shape) => {
                let members = from.shape.fields.iter().zip(&from.values).map(|(member, value)| {
                    let field = shape.fields.iter().find(|field| field.name == member.name);
                    match field {
                        Some(field) => (field.wire.clone(), to_wire(value, &field.schema, model)),
                        None => (member.wire.clone(), wire::to_json(value, model)),
                    }
                });
                Json::object(members)
            }
            None => wire::to_json(value, model),
        },
        _ => wire::to_json(value, model),
    }
}

impl Interpreted {
    /// The output of a tool as a value of the type that a solution sees: references are text.
    pub(super) fn read_wire(&self, json: &Json, ty: &Type) -> Option<Value> {
        match (ty, json) {
            (_, Json::Null) => Some(Value::Null),
            (Type::Optional(inner), _) => self.read_wire(json, inner),
            (Type::Bool, Json::Bool(truth)) => Some(Value::Bool(*truth)),
            (Type::Int, Json::Number(number)) => number.as_int().map(Value::Int),
            (Type::Decimal, Json::Number(number)) => number.as_decimal().map(Value::Decimal),
            (Type::Text, Json::String(text)) => Some(Value::Text(text.clone())),
            // The key of an entity whose keys are integers.
            (Type::Text, Json::Number(number)) => Some(Value::Text(number.to_string().into())),
            (Type::Date, Json::String(text)) => text.parse::<Date>().ok().map(Value::Date),
            (Type::DateTime, Json::String(text)) => text.parse::<DateTime>().ok().map(Value::DateTime),
            (Type::Enum(of), Json::String(text)) => {
                let members = &self.program.model.enum_shape(*of)?.members;
                let position = members.iter().position(|member| member == text)?;
                Some(Value::Enum(*of, u16::try_from(position).ok()?))
            }
            (Type::List(item), Json::Array(items)) => {
                let items = items.iter().map(|json| self.read_wire(json, item)).collect::<Option<_>>()?;
                Some(Value::List(Arc::new(items)))
            }
            (Type::RecordTable(row, _), Json::Array(items)) => {
                let rows = items.iter().map(|json| self.record_read(json.as_object()?, *row));
                Some(Value::List(Arc::new(rows.collect::<Option<_>>()?)))
            }
            (Type::RecordTable(row, _), Json::Object(rows)) => {
                let rows = rows.iter().map(|(_, json)| self.record_read(json.as_object()?, *row));
                Some(Value::List(Arc::new(rows.collect::<Option<_>>()?)))
            }
            (Type::Map(_, item), Json::Object(members)) => {
                let entries = members.iter().map(|(key, json)| Some((key.clone(), self.read_wire(json, item)?)));
                Some(Value::Map(Arc::new(entries.collect::<Option<ValueMap>>()?)))
            }
            (Type::Record(id), Json::Object(members)) => self.record_read(members, *id),
            _ => None,
        }
    }

    fn record_read(&self, members: &Object, id: RecordId) -> Option<Value> {
        let shape = self.program.model.record(id)?;
        let types = self.member_types.get(id.index())?;
        // Outputs have their members mostly in the order of the shape.
        let mut expected = members.iter().peekable();
        let mut values = Vec::with_capacity(types.len());
        for (field, ty) in shape.fields.iter().zip(types) {
            let next = expected.next_if(|(name, _)| Arc::ptr_eq(name, &field.wire) || **name == field.wire);
            let found = next.map(|(_, json)| json).or_else(|| members.get(&field.wire));
            values.push(match found {
                Some(json) => self.read_wire(json, ty)?,
                None => Value::Null,
            });
        }
        Some(record(shape, values))
    }
}
