//! Sorting, and the least and greatest.

use super::super::compare;
use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View};
use crate::ir::{Arg, Closure, ExprId};
use silo_runtime::methods::collection::{Direction, extreme_by, sort_by_key};
use std::cmp::Ordering;

impl<'a> Reader<'a> {
    /// `sort()`, `sort_by(f, ..)`.
    pub(super) fn sorted<'t>(&self, scope: Scoped<'a, 't>, receiver: ExprId, args: &'a [Arg]) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        let source = self.source(scope, receiver)?;
        match closures(args)?.as_slice() {
            [] => {
                let mut items: Vec<_> = source.collect();
                self.charge(items.len())?;
                items.sort_by(|a, b| order(Direction::Ascending, a, b));
                Ok(items)
            }
            [closure] => {
                let direction = direction(closure);
                sort_by_key(source, |item, at| self.apply(scope, closure, item, at), |a, b| order(direction, a, b))
            }
            closures => sort_by_key(
                source,
                |item, at| {
                    closures.iter().map(|closure| self.apply(scope, closure, item, at)).collect::<Eval<Vec<_>>>()
                },
                |a, b| {
                    let orders = closures.iter().zip(a.iter().zip(b));
                    let mut orders = orders.map(|(closure, (a, b))| order(direction(closure), a, b));
                    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                },
            ),
        }
    }

    /// `min_by(f)`, `max_by(f)`.
    pub(super) fn extreme_by<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        closure: &Closure,
        direction: Direction,
    ) -> Eval<Option<View<'a, 't>>>
    where
        'a: 't,
    {
        let source = self.source(scope, receiver)?;
        let key = |item: &View<'a, 't>, at: usize| {
            self.apply(scope, closure, item, at).map(|key| if key.is_null() { None } else { Some(key) })
        };
        extreme_by(source, direction, key, compared)
    }

    /// `min()`, `max()` of a list of values.
    pub(super) fn extreme<'t>(
        &self,
        scope: Scoped<'a, 't>,
        receiver: ExprId,
        direction: Direction,
    ) -> Eval<Option<View<'a, 't>>>
    where
        'a: 't,
    {
        let items = self.all(scope, receiver)?;
        extreme_by(items, direction, |item, _| Ok(Some(item.reborrow().kept())), compared)
    }
}

fn closures(args: &[Arg]) -> Eval<Vec<&Closure>> {
    let closures = args.iter().map(|arg| match arg {
        Arg::Closure(closure) => Ok(closure),
        Arg::Value(_) => Err(Stop::broken("a key of a sort is no closure")),
    });
    closures.collect()
}

fn direction(closure: &Closure) -> Direction {
    if closure.descending { Direction::Descending } else { Direction::Ascending }
}

/// The order of two keys that may be null.
fn order(direction: Direction, a: &View<'_, '_>, b: &View<'_, '_>) -> Ordering {
    let key = |view: &View<'_, '_>| !view.is_null();
    direction.order(key(a).then_some(&a.reborrow()), key(b).then_some(&b.reborrow()), |a, b| compared(a, b))
}

/// The order of two keys. Values that have none do not occur: the checker lets none of them through.
fn compared(a: &View<'_, '_>, b: &View<'_, '_>) -> Ordering {
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => compare::order(a, b).unwrap_or(Ordering::Equal),
        _ => a.row_key().cmp(&b.row_key()),
    }
}
