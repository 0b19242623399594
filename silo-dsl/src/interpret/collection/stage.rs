//! Methods that make a list of a list.

use super::super::compare::{self, Keyed};
use super::super::number;
use super::super::reader::{Reader, record};
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View};
use super::Source;
use crate::ir::{Arg, Closure, Expr, ExprId, Method, RowMember};
use silo_runtime::methods::collection;
use silo_runtime::methods::text::Needle;
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

/// Whether a method of a list or table gives a list.
pub(in super::super) fn is_stage(method: Method) -> bool {
    matches!(
        method,
        Method::Filter
            | Method::Map
            | Method::FlatMap
            | Method::Sort
            | Method::SortBy
            | Method::GroupBy
            | Method::Take
            | Method::Skip
            | Method::Reverse
            | Method::Distinct
            | Method::Concat
            | Method::Search
            | Method::Added
            | Method::Removed
            | Method::Changed
    )
}

impl<'a> Reader<'a> {
    /// The elements that a method makes.
    pub(in super::super) fn stage<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &'a Expr,
        receiver: ExprId,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        match (method, args) {
            (Method::Filter, [Arg::Closure(closure)]) => {
                let mut kept = Vec::new();
                for (index, item) in self.source(scope, receiver)?.enumerate() {
                    if self.decide_for(scope, closure, &item, index)? {
                        kept.push(item);
                    }
                }
                Ok(kept)
            }
            (Method::Map, [Arg::Closure(closure)]) => {
                let source = self.source(scope, receiver)?;
                let mut made = Vec::with_capacity(source.size_hint().0);
                for (index, item) in source.enumerate() {
                    made.push(self.apply(scope, closure, &item, index)?);
                }
                Ok(made)
            }
            (Method::FlatMap, [Arg::Closure(closure)]) => {
                let mut made = Vec::new();
                for (index, item) in self.source(scope, receiver)?.enumerate() {
                    self.within(scope, closure, &item, index, |reader, scope| {
                        let items = reader.source(scope, closure.body)?;
                        reader.charge(items.size_hint().0)?;
                        made.extend(items.map(View::kept));
                        Ok(())
                    })?;
                }
                Ok(made)
            }
            (Method::Take | Method::Skip, [Arg::Value(count)]) => {
                let source = self.source(scope, receiver)?;
                let count = number::int(&self.view(scope, *count)?)?;
                let most = usize::MAX;
                let items: Vec<_> = match method {
                    Method::Take => source.take(collection::take(most, count)).collect(),
                    _ => source.skip(collection::skip(most, count)).collect(),
                };
                self.charge(items.len())?;
                Ok(items)
            }
            (Method::Reverse, []) => {
                let mut items = self.all(scope, receiver)?;
                items.reverse();
                Ok(items)
            }
            (Method::Distinct, []) => {
                let items = self.all(scope, receiver)?.into_iter().map(|item| Keyed(item.into_value()));
                Ok(collection::distinct(items).into_iter().map(|item| View::Own(item.0)).collect())
            }
            (Method::Concat, [Arg::Value(other)]) => {
                let mut items = self.all(scope, receiver)?;
                items.extend(self.all(scope, *other)?);
                Ok(items)
            }
            (Method::Search, [Arg::Value(text), Arg::Closure(closure)]) => self.search(scope, receiver, *text, closure),
            (Method::GroupBy, [Arg::Closure(closure)]) => self.group_by(scope, expr, receiver, closure),
            (Method::Sort | Method::SortBy, _) => self.sorted(scope, receiver, args),
            (Method::Added | Method::Removed | Method::Changed, []) => self.changed_rows(receiver, method),
            _ => Err(Stop::broken("a method of a list has other arguments")),
        }
    }

    /// All elements, each charged for.
    pub(super) fn all<'t>(&self, scope: Scoped<'a, 't>, receiver: ExprId) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        let items = match self.source(scope, receiver)? {
            Source::Views(items) => items.collect(),
            source => source.collect::<Vec<_>>(),
        };
        self.charge(items.len())?;
        Ok(items)
    }

    /// `where({ field: value })`: a null value means any.
    pub(super) fn matching<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &Expr,
        receiver: ExprId,
        fields: &'a [(RowMember, ExprId)],
    ) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        let source = self.source(scope, receiver)?;
        let mut wanted = Vec::with_capacity(fields.len());
        for (member, value) in fields {
            let value = self.view(scope, *value)?;
            if !value.is_null() {
                wanted.push((*member, value));
            }
        }
        let mut kept = Vec::new();
        'items: for item in source {
            self.charge(1)?;
            for (member, value) in &wanted {
                let same = match (&item, member, value.value()) {
                    // A stored field of a row at hand is compared where it stands.
                    (View::Row(row, _), RowMember::Field(field), Some(value)) if !matches!(value, Value::Rows(_)) => {
                        let stored = row.values.get(field.index());
                        stored.is_some_and(|stored| compare::equal(&self.env.program.model, stored, value))
                    }
                    _ => self.equal(&self.parts_of(&item)?.member(*member, expr)?, value),
                };
                if !same {
                    continue 'items;
                }
            }
            kept.push(item);
        }
        Ok(kept)
    }

    /// `search(text, |x| [texts])`: blank or null text keeps all.
    fn search<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        text: ExprId,
        closure: &Closure,
    ) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        let source = self.source(scope, receiver)?;
        let text = self.eval(scope, text)?;
        let Some(needle) = needle(&text) else { return self.all(scope, receiver) };
        let mut kept = Vec::new();
        for (index, item) in source.enumerate() {
            let found = self.within(scope, closure, &item, index, |reader, scope| {
                Ok(reader.source(scope, closure.body)?.any(|text| match text.value() {
                    Some(Value::Text(text)) => needle.is_in(text),
                    _ => false,
                }))
            })?;
            if found {
                kept.push(item);
            }
        }
        Ok(kept)
    }

    /// `group_by(f)`: groups in order of first appearance.
    fn group_by<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &Expr,
        receiver: ExprId,
        closure: &Closure,
    ) -> Eval<Vec<View<'a, 't>>> {
        let source = self.source(scope, receiver)?;
        let key =
            |item: &View<'a, 't>, at: usize| self.apply(scope, closure, item, at).map(|key| Keyed(key.into_value()));
        let groups = collection::group_by(source, key)?;
        let shape = self.shape_of(&expr.ty)?;
        let group = |(key, items): (Keyed, Vec<View<'a, 't>>)| {
            let items = items.into_iter().map(View::into_value).collect();
            View::Own(record(shape, vec![key.0, Value::List(Arc::new(items))]))
        };
        Ok(groups.into_iter().map(group).collect())
    }
}

/// What is searched for, unless everything is kept.
fn needle(text: &Value) -> Option<Needle> {
    match text {
        Value::Text(text) => Needle::new(text),
        _ => None,
    }
}
