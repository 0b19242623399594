//! Literals of records and maps, and the members of records and rows.

use super::reader::{Reader, record};
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Expr, ExprId, ExprKind, MapMember, Member, RowMember};
use silo_runtime::ids::FieldId;
use silo_runtime::model::Field;
use silo_runtime::value::dynamic::{DynRow, Record, Value, ValueMap, WorldName};
use silo_runtime::wire;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A record literal.
    pub(super) fn record(&self, scope: Scoped<'a, '_>, expr: &'a Expr, members: &'a [Member]) -> Eval<Value> {
        let shape = self.shape_of(&expr.ty)?;
        let mut values = Values::new(&shape.fields);
        self.fill(scope, expr, members, &mut values)?;
        let values = values.finish(shape.tag);
        Ok(record(shape, values))
    }

    /// Puts the members of a literal into the fields of a record or row.
    pub(super) fn fill(
        &self,
        scope: Scoped<'a, '_>,
        expr: &'a Expr,
        members: &'a [Member],
        values: &mut Values<'_>,
    ) -> Eval<()> {
        for member in members {
            match member {
                Member::Set(field, value, optional) => {
                    let value = self.eval(scope, *value)?;
                    if !(*optional && matches!(value, Value::Null)) {
                        values.put(*field, value)?;
                    }
                }
                Member::Spread(base, map) => self.spread(scope, expr, *base, map, values)?,
            }
        }
        Ok(())
    }

    /// `...base`: a picked part is spread without being made a record first.
    fn spread(
        &self,
        scope: Scoped<'a, '_>,
        expr: &'a Expr,
        base: ExprId,
        map: &[(RowMember, FieldId)],
        values: &mut Values<'_>,
    ) -> Eval<()> {
        if let ExprKind::Pick { base, members } = &self.expr(base)?.kind
            && self.done.is_empty()
        {
            let base = self.view(scope, *base)?;
            let parts = self.parts_of(&base)?;
            for (from, to) in map {
                let member = match from {
                    RowMember::Field(picked) => members.get(picked.index()),
                    RowMember::Derived(_) => None,
                };
                let member = member.ok_or_else(|| Stop::broken("a part of a row lacks a member"))?;
                values.put(*to, parts.member(*member, expr)?.into_value())?;
            }
            return Ok(());
        }
        let base = self.view(scope, base)?;
        let parts = self.parts_of(&base)?;
        for (from, to) in map {
            values.put(*to, parts.member(*from, expr)?.into_value())?;
        }
        Ok(())
    }

    /// A record or a row, to read several of its members.
    pub(super) fn parts_of<'v>(&self, base: &'v View<'a, '_>) -> Eval<Parts<'_, 'a, 'v>> {
        match base.value() {
            Some(Value::Record(record)) => Ok(Parts::Record(record)),
            _ => self.row_of(base).map(|(row, world)| Parts::Row(self, row, world)),
        }
    }

    /// A map literal.
    pub(super) fn map_literal(&self, scope: Scoped<'a, '_>, members: &[MapMember]) -> Eval<Value> {
        let mut map = ValueMap::default();
        for member in members {
            match member {
                MapMember::Entry(key, value) => {
                    let key = self.view(scope, *key)?;
                    map.insert(self.key_text(&key)?, self.eval(scope, *value)?);
                }
                MapMember::Spread(base) => match self.view(scope, *base)?.value() {
                    Some(Value::Map(base)) => {
                        self.charge(base.len())?;
                        map.extend(base.iter().map(|(key, value)| (key.clone(), value.clone())));
                    }
                    _ => return Err(Stop::broken("a map was expected")),
                },
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }
}

/// A record or a row whose members are read.
pub(super) enum Parts<'r, 'a, 'v> {
    Record(&'v Record),
    Row(&'r Reader<'a>, &'a Arc<DynRow>, WorldName),
}

impl<'a, 'v> Parts<'_, 'a, 'v> {
    pub(super) fn member(&self, member: RowMember, expr: &Expr) -> Eval<View<'a, 'v>>
    where
        'a: 'v,
    {
        match (self, member) {
            (Self::Record(record), RowMember::Field(field)) => {
                record.values.get(field.index()).map(View::Ref).ok_or_else(|| Stop::broken("a record lacks a field"))
            }
            (Self::Record(_), RowMember::Derived(_)) => Err(Stop::broken("a record has no derived fields")),
            (Self::Row(reader, row, world), member) => reader.member_of_row(row, *world, member, expr),
        }
    }
}

/// The values of a record or row in the making. They mostly come in the order of the fields, and then nothing is written twice.
pub(super) struct Values<'f> {
    fields: &'f [Field],
    values: Vec<Value>,
}

impl<'f> Values<'f> {
    /// No values yet, for these fields.
    pub(super) fn new(fields: &'f [Field]) -> Self {
        Self { fields, values: Vec::with_capacity(fields.len()) }
    }

    /// The value of a field. What is passed over takes its default.
    fn put(&mut self, field: FieldId, value: Value) -> Eval<()> {
        let at = field.index();
        if at < self.values.len() {
            if let Some(place) = self.values.get_mut(at) {
                *place = value;
            }
            return Ok(());
        }
        if at >= self.fields.len() {
            return Err(Stop::broken("a record has no place for a member"));
        }
        self.fill_up(at);
        self.values.push(value);
        Ok(())
    }

    /// All values; those that were not given take their default, but for those of another case than the tag chooses.
    pub(super) fn finish(mut self, tag: Option<FieldId>) -> Vec<Value> {
        self.fill_up(self.fields.len());
        if tag.is_some() {
            let member = wire::chosen_case(tag, &self.values);
            for (field, value) in self.fields.iter().zip(&mut self.values) {
                if field.default.is_some() && !field.in_case(member) {
                    *value = Value::Null;
                }
            }
        }
        self.values
    }

    fn fill_up(&mut self, to: usize) {
        while self.values.len() < to {
            let default = self.fields.get(self.values.len()).and_then(|field| field.default.clone());
            self.values.push(default.unwrap_or_default());
        }
    }
}
