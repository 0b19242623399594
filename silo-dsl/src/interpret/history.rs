//! What an agent did and said, as rules and verifiers see it: the calls so far and the typed answer.

use super::reader::{Reader, record};
use super::stop::{Eval, Stop};
use crate::ir::Type;
use silo_runtime::ids::{EntityId, ToolId};
use silo_runtime::schema::Schema;
use silo_runtime::value::ToolError;
use silo_runtime::value::dynamic::{RowRef, Value, WorldName};
use std::any::Any;
use std::sync::Arc;

impl Reader<'_> {
    /// The calls so far: records in the shape that the checker gave them.
    pub(super) fn calls(&self, ty: &Type, tool: Option<ToolId>) -> Eval<Value> {
        let shape = self.shape_of(ty)?;
        let calls = self.context.calls()?;
        let mut records = Vec::new();
        for call in &calls.all {
            self.charge(1)?;
            if let Some(tool) = tool
                && (call.tool != Some(tool) || call.input.is_none())
            {
                continue;
            }
            let data = |data: &Arc<dyn Any + Send + Sync>| {
                let value =
                    data.downcast_ref::<Value>().ok_or_else(|| Stop::broken("a call holds data of another kind"))?;
                Ok::<_, Stop>(self.at_home(value))
            };
            let values = shape.fields.iter().map(|field| match &*field.name {
                "tool" => Ok(Value::Text(call.name.clone())),
                "by" => Ok(Value::Text(call.by.clone())),
                "failed" => Ok(Value::Bool(call.failed)),
                "input" => call.input.as_ref().map_or(Ok(Value::Null), |input| data(&input.data)),
                "output" => call.output.as_ref().map_or(Ok(Value::Null), |output| match data(&output.data)? {
                    // A tool that returns nothing has told the agent that it succeeded.
                    Value::Null if !output.json.is_null() => self.succeeded(&field.schema),
                    value => Ok(value),
                }),
                _ => Err(Stop::broken("a call was asked for what it does not hold")),
            });
            records.push(record(shape, values.collect::<Eval<_>>()?));
        }
        Ok(Value::List(Arc::new(records)))
    }

    /// `{ ok: true }`, in the shape that the checker gave it.
    fn succeeded(&self, schema: &Schema) -> Eval<Value> {
        match schema {
            Schema::Optional(inner) => self.succeeded(inner),
            Schema::Record(id) => Ok(record(self.shape(*id)?, vec![Value::Bool(true)])),
            _ => Ok(Value::Null),
        }
    }

    /// A value of a call or an answer, its rows in the initial world if they exist there, else in the final one.
    pub(super) fn at_home(&self, value: &Value) -> Value {
        match self.context.judged {
            Some(judged) => at_home(value, &|entity, key| {
                let found = self.initial.row(entity, key).is_some() || judged.last.row(entity, key).is_none();
                if found { WorldName::Initial } else { WorldName::Final }
            }),
            None => value.clone(),
        }
    }

    /// The typed answer.
    pub(super) fn answer(&self) -> Eval<Value> {
        let judged = self.context.judged()?;
        match &judged.answer.typed {
            Some(typed) => {
                let value = typed.data.downcast_ref::<Value>();
                value
                    .map(|value| self.at_home(value))
                    .ok_or_else(|| Stop::broken("an answer holds data of another kind"))
            }
            None if judged.answer.text.trim().is_empty() => Err(ToolError::invalid_input("there is no answer").into()),
            None => Err(ToolError::invalid_input("the answer is not of the type that the task declares").into()),
        }
    }
}

fn at_home(value: &Value, home: &dyn Fn(EntityId, &str) -> WorldName) -> Value {
    match value {
        Value::Row(row) => {
            let world = home(row.entity, &row.key);
            Value::Row(RowRef { world, ..row.clone() })
        }
        Value::List(items) => Value::List(Arc::new(items.iter().map(|item| at_home(item, home)).collect())),
        Value::Map(entries) => {
            Value::Map(Arc::new(entries.iter().map(|(key, value)| (key.clone(), at_home(value, home))).collect()))
        }
        Value::Record(parts) => record(&parts.shape, parts.values.iter().map(|value| at_home(value, home)).collect()),
        other => other.clone(),
    }
}
