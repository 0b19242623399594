use super::super::collection::position;
use super::super::expr::entry;
use super::super::reader::{Reader, record};
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View};
use super::unknown;
use crate::ir::{Arg, Expr, ExprId, Method, Type};
use silo_runtime::schema::MapKey;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{RowRef, Value, WorldName};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A method of a map.
    pub(super) fn map_method<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &'a Expr,
        receiver: ExprId,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let Type::Map(kind, _) = self.expr(receiver)?.ty.required() else {
            return Err(Stop::broken("a map was expected"));
        };
        let map = self.view(scope, receiver)?;
        if let (Method::Get | Method::Contains, [Arg::Value(key)]) = (method, args) {
            let key = self.view(scope, *key)?;
            let found = if key.is_null() { None } else { entry(map, &self.key_text(&key)?) };
            return Ok(match method {
                Method::Get => found.unwrap_or(View::Own(Value::Null)),
                _ => View::Own(Value::Bool(found.is_some())),
            });
        }
        let Some(Value::Map(entries)) = map.value() else { return Err(Stop::broken("a map was expected")) };
        let made = match method {
            Method::Count => return Ok(View::Own(position(entries.len()))),
            Method::Any => return Ok(View::Own(Value::Bool(!entries.is_empty()))),
            Method::Keys => entries.keys().map(|key| self.map_key(*kind, key)).collect::<Eval<Vec<_>>>()?,
            Method::Values => entries.values().cloned().collect(),
            Method::Entries => {
                let shape = self.shape_of(&expr.ty)?;
                let entries = entries
                    .iter()
                    .map(|(key, value)| Ok(record(shape, vec![self.map_key(*kind, key)?, value.clone()])));
                entries.collect::<Eval<Vec<_>>>()?
            }
            _ => return Err(unknown()),
        };
        self.charge(made.len())?;
        Ok(View::Own(Value::List(Arc::new(made))))
    }

    /// A key of a map as a value of the keys' type.
    pub(in super::super) fn map_key(&self, kind: MapKey, key: &Text) -> Eval<Value> {
        match kind {
            MapKey::String => Ok(Value::Text(key.clone())),
            MapKey::Enum(of) => {
                let shape = self.env.program.model.enum_shape(of);
                let member = shape.and_then(|shape| shape.members.iter().position(|member| member == key));
                let member = member.and_then(|member| u16::try_from(member).ok());
                member
                    .map(|member| Value::Enum(of, member))
                    .ok_or_else(|| Stop::broken("a map has a key of another kind"))
            }
            MapKey::Entity(entity) => Ok(Value::Row(RowRef { world: WorldName::Initial, entity, key: key.clone() })),
        }
    }
}
