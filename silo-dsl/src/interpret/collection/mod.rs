//! Methods of lists and tables. They run one after the other, each over all elements in order; what passes from one to the
//! next are views, so that a chain over a table reads its rows where they are and looks none of them up again.

mod aggregate;
mod order;
mod page;
mod source;
mod stage;

pub(super) use source::{Source, entity_of, is_stored_table};
pub(super) use stage::is_stage;

use super::expr::entry;
use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::{Scope, Scoped, View};
use crate::ir::{Arg, Closure, Expr, ExprId, Method, Slot, Type};
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// The list that an expression gives, its elements for keeping.
    pub(super) fn list(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Value> {
        let items = self.source(scope, id)?.map(View::into_value).collect();
        Ok(Value::List(Arc::new(items)))
    }

    /// A method of a list or table that gives something else than a list.
    pub(super) fn conclude<'t>(
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
        let null = || View::Own(Value::Null);
        match (method, args) {
            (Method::Any, []) => self.count(scope, receiver).map(|count| View::Own(Value::Bool(count > 0))),
            (Method::Any, [Arg::Closure(closure)]) => {
                let found = self.first_where(scope, receiver, closure, true)?;
                Ok(View::Own(Value::Bool(found.is_some())))
            }
            (Method::All, [Arg::Closure(closure)]) => {
                let found = self.first_where(scope, receiver, closure, false)?;
                Ok(View::Own(Value::Bool(found.is_none())))
            }
            (Method::Find, [Arg::Closure(closure)]) => {
                Ok(self.first_where(scope, receiver, closure, true)?.map_or_else(null, |(_, item)| item))
            }
            (Method::FindIndex, [Arg::Closure(closure)]) => {
                let found = self.first_where(scope, receiver, closure, true)?;
                Ok(found.map_or_else(null, |(index, _)| View::Own(position(index))))
            }
            (Method::IndexOf, [Arg::Value(item)]) => {
                let found = self.position_of(scope, receiver, *item)?;
                Ok(found.map_or_else(null, |index| View::Own(position(index))))
            }
            (Method::Contains, [Arg::Value(item)]) => {
                self.contains(scope, receiver, *item).map(|found| View::Own(Value::Bool(found)))
            }
            (Method::First, []) => Ok(self.source(scope, receiver)?.next().unwrap_or_else(null)),
            (Method::Last, []) => Ok(self.source(scope, receiver)?.last().unwrap_or_else(null)),
            (Method::Count, []) => self.count(scope, receiver).map(|count| View::Own(position(count))),
            (Method::Count, [Arg::Closure(closure)]) => {
                let mut count = 0;
                for (index, item) in self.source(scope, receiver)?.enumerate() {
                    count += usize::from(self.decide_for(scope, closure, &item, index)?);
                }
                Ok(View::Own(position(count)))
            }
            (Method::Page, [Arg::Value(limit), Arg::Value(offset)]) => {
                self.page(scope, expr, receiver, *limit, *offset).map(View::Own)
            }
            (Method::Get, [Arg::Value(key)]) if matches!(self.expr(receiver)?.ty.required(), Type::RecordTable(..)) => {
                let key = self.view(scope, *key)?;
                if key.is_null() {
                    return Ok(null());
                }
                Ok(self.seen_row(scope, receiver, &self.key_text(&key)?)?.unwrap_or_else(null))
            }
            (Method::Get, [Arg::Value(key)]) => {
                let table = self.table(scope, receiver)?;
                let key = self.view(scope, *key)?;
                if key.is_null() {
                    return Ok(null());
                }
                let key = self.key_text(&key)?;
                Ok(table.get(self, &key)?.unwrap_or_else(null))
            }
            _ => self.aggregate(scope, expr, receiver, method, args),
        }
    }

    /// The first element for which a closure says `wanted`, and its position.
    fn first_where<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        closure: &Closure,
        wanted: bool,
    ) -> Eval<Option<(usize, View<'a, 't>)>>
    where
        'a: 't,
    {
        for (index, item) in self.source(scope, receiver)?.enumerate() {
            if self.decide_for(scope, closure, &item, index)? == wanted {
                return Ok(Some((index, item)));
            }
        }
        Ok(None)
    }

    /// The position of the first element equal to a value.
    fn position_of(&self, scope: Scoped<'a, '_>, receiver: ExprId, item: ExprId) -> Eval<Option<usize>> {
        let source = self.source(scope, receiver)?;
        let wanted = self.view(scope, item)?;
        for (index, item) in source.enumerate() {
            self.charge(1)?;
            if self.equal(&item, &wanted) {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// `x in xs`: an element of a list, a row of a table, a key of a map.
    pub(super) fn contains(&self, scope: Scoped<'a, '_>, receiver: ExprId, item: ExprId) -> Eval<bool> {
        if is_stored_table(self.expr(receiver)?) {
            let table = self.table(scope, receiver)?;
            let wanted = self.view(scope, item)?;
            return if wanted.is_null() { Ok(false) } else { Ok(table.get(self, &self.key_text(&wanted)?)?.is_some()) };
        }
        if matches!(self.expr(receiver)?.ty.required(), Type::Map(..)) {
            let map = self.view(scope, receiver)?;
            let key = self.view(scope, item)?;
            return if key.is_null() { Ok(false) } else { Ok(entry(map, &self.key_text(&key)?).is_some()) };
        }
        Ok(self.position_of(scope, receiver, item)?.is_some())
    }

    /// How many elements there are.
    fn count(&self, scope: Scoped<'a, '_>, receiver: ExprId) -> Eval<usize> {
        Ok(self.source(scope, receiver)?.count())
    }

    /// Whether a closure says yes to an element.
    pub(super) fn decide_for(
        &self,
        scope: Scoped<'a, '_>,
        closure: &Closure,
        item: &View<'a, '_>,
        index: usize,
    ) -> Eval<bool> {
        self.within(scope, closure, item, index, |reader, scope| reader.test(scope, closure.body))
    }

    /// What a closure makes of an element.
    pub(super) fn apply(
        &self,
        scope: Scoped<'a, '_>,
        closure: &Closure,
        item: &View<'a, '_>,
        index: usize,
    ) -> Eval<View<'a, 'static>> {
        self.within(scope, closure, item, index, |reader, scope| reader.view(scope, closure.body).map(View::kept))
    }

    /// Calls a closure with an element and, where it takes one, its position.
    #[inline]
    pub(super) fn within<R>(
        &self,
        scope: Scoped<'a, '_>,
        closure: &Closure,
        item: &View<'a, '_>,
        index: usize,
        call: impl for<'u> FnOnce(&Self, Scoped<'a, 'u>) -> Eval<R>,
    ) -> Eval<R> {
        self.within_params(scope, &closure.params, item, index, call)
    }

    /// The same, for parameters of their own.
    #[inline]
    pub(super) fn within_params<R>(
        &self,
        scope: Scoped<'a, '_>,
        params: &[Slot],
        item: &View<'a, '_>,
        index: usize,
        call: impl for<'u> FnOnce(&Self, Scoped<'a, 'u>) -> Eval<R>,
    ) -> Eval<R> {
        self.charge(1)?;
        match params {
            [param] => call(self, Some(&Scope { first: *param, arguments: &[item.reborrow()], outer: scope })),
            [param, second] => {
                let item = Scope { first: *param, arguments: &[item.reborrow()], outer: scope };
                let index = View::Own(position(index));
                call(self, Some(&Scope { first: *second, arguments: &[index], outer: Some(&item) }))
            }
            _ => Err(Stop::broken("a closure takes another number of values")),
        }
    }
}

/// A position or a count as a value.
pub(super) fn position(index: usize) -> Value {
    Value::Int(i64::try_from(index).unwrap_or(i64::MAX))
}
