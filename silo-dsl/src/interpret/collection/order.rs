//! Sorting, and the least and greatest.

use super::super::compare;
use super::super::expr::order;
use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View};
use crate::ir::{Arg, Closure, ExprId};
use silo_runtime::value::dynamic::Value;
use std::cmp::Ordering;

impl<'a> Reader<'a> {
    /// `sort()`, `sort_by(f, ..)`: stable, nulls last both ways.
    pub(super) fn sorted<'t>(&self, scope: Scoped<'a, 't>, receiver: ExprId, args: &'a [Arg]) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        if args.is_empty() {
            let mut items = self.all(scope, receiver)?;
            items.sort_by(|a, b| nulls_last(a, b, false));
            return Ok(items);
        }
        let closures = closures(args)?;
        let mut keyed = Vec::new();
        for (index, item) in self.source(scope, receiver)?.enumerate() {
            let key = match closures.as_slice() {
                [closure] => Keys::One(self.apply(scope, closure, &item, index)?),
                closures => {
                    let keys = closures.iter().map(|closure| self.apply(scope, closure, &item, index));
                    Keys::Many(keys.collect::<Eval<_>>()?)
                }
            };
            keyed.push((key, item));
        }
        keyed.sort_by(|(a, _), (b, _)| a.order(b, &closures));
        Ok(keyed.into_iter().map(|(_, item)| item).collect())
    }

    /// `min_by(f)`, `max_by(f)`: the first of equals; elements without a key are passed over.
    pub(super) fn extreme_by<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        closure: &Closure,
        wanted: Ordering,
    ) -> Eval<Option<View<'a, 't>>>
    where
        'a: 't,
    {
        let mut best: Option<(View<'a, 'static>, View<'a, 't>)> = None;
        for (index, item) in self.source(scope, receiver)?.enumerate() {
            let key = self.apply(scope, closure, &item, index)?;
            if key.is_null() {
                continue;
            }
            let better = match &best {
                Some((so_far, _)) => order(&key, so_far)? == wanted,
                None => true,
            };
            if better {
                best = Some((key, item));
            }
        }
        Ok(best.map(|(_, item)| item))
    }

    /// `min()`, `max()` of a list of values.
    pub(super) fn extreme<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        wanted: Ordering,
    ) -> Eval<Option<View<'a, 't>>>
    where
        'a: 't,
    {
        let mut best: Option<View<'a, 't>> = None;
        for item in self.source(scope, receiver)? {
            self.charge(1)?;
            if item.is_null() {
                continue;
            }
            let better = match &best {
                Some(so_far) => order(&item, so_far)? == wanted,
                None => true,
            };
            if better {
                best = Some(item);
            }
        }
        Ok(best)
    }
}

/// The keys of an element.
enum Keys<'a> {
    One(View<'a, 'static>),
    Many(Vec<View<'a, 'static>>),
}

impl Keys<'_> {
    fn order(&self, other: &Self, closures: &[&Closure]) -> Ordering {
        let descending = |at: usize| closures.get(at).is_some_and(|closure| closure.descending);
        match (self, other) {
            (Self::One(a), Self::One(b)) => nulls_last(a, b, descending(0)),
            (Self::Many(a), Self::Many(b)) => {
                let orders = a.iter().zip(b).enumerate().map(|(at, (a, b))| nulls_last(a, b, descending(at)));
                orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            }
            _ => Ordering::Equal,
        }
    }
}

fn closures(args: &[Arg]) -> Eval<Vec<&Closure>> {
    let closures = args.iter().map(|arg| match arg {
        Arg::Closure(closure) => Ok(closure),
        Arg::Value(_) => Err(Stop::broken("a key of a sort is no closure")),
    });
    closures.collect()
}

/// The order of two keys. Values that have no order do not occur: the checker lets none of them through.
fn nulls_last(left: &View<'_, '_>, right: &View<'_, '_>, descending: bool) -> Ordering {
    match (left.value(), right.value()) {
        (Some(Value::Null), Some(Value::Null)) => Ordering::Equal,
        (Some(Value::Null), _) => Ordering::Greater,
        (_, Some(Value::Null)) => Ordering::Less,
        (Some(left), Some(right)) => {
            let order = compare::order(left, right).unwrap_or(Ordering::Equal);
            if descending { order.reverse() } else { order }
        }
        _ => {
            let order = left.row_key().cmp(&right.row_key());
            if descending { order.reverse() } else { order }
        }
    }
}
