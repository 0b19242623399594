//! Values compared part by part.

use super::{Held, PathStep};
use crate::ids::FieldId;
use crate::model::Field;
use crate::table::moved;
use crate::value::Text;
use crate::value::dynamic::{DynRow, NestedRows, Record, Value, ValueMap};
use crate::wire;
use std::sync::Arc;

/// Whether two values are the same in every part, the order of maps and tables included.
pub fn same(one: &Value, other: &Value) -> bool {
    let mut any = Any(false);
    Comparison::new(super::Order::Counts, &mut any).values(one, other);
    !any.0
}

/// Takes the differences that a comparison finds.
pub(super) trait Report {
    fn report(&mut self, path: &[Step<'_>], from: Option<Held>, to: Option<Held>);
}

/// Whether there is any difference.
struct Any(bool);

impl Report for &mut Any {
    fn report(&mut self, _: &[Step<'_>], _: Option<Held>, _: Option<Held>) {
        self.0 = true;
    }
}

/// A step of a path that is copied only where a difference is found.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Field(FieldId, &'a Text),
    Row(&'a DynRow),
    Key(&'a Text),
    Index(usize),
}

impl Step<'_> {
    pub(super) fn to_path(self) -> PathStep {
        match self {
            Self::Field(field, name) => PathStep::Field(field, name.clone()),
            Self::Row(row) => PathStep::Key(row.visible_key()),
            Self::Key(key) => PathStep::Key(key.clone()),
            Self::Index(index) => PathStep::Index(u32::try_from(index).unwrap_or(u32::MAX)),
        }
    }
}

/// Compares values and reports where they differ.
pub(super) struct Comparison<'a, R> {
    order: super::Order,
    at: Vec<Step<'a>>,
    found: R,
}

impl<'a, R: Report> Comparison<'a, R> {
    pub(super) fn new(order: super::Order, found: R) -> Self {
        Self { order, at: Vec::new(), found }
    }

    /// Reports what stands whole at a step from here.
    pub(super) fn whole(&mut self, step: Step<'a>, from: Option<Held>, to: Option<Held>) {
        self.under(step, |it| it.found.report(&it.at, from, to));
    }

    pub(super) fn under(&mut self, step: Step<'a>, compare: impl FnOnce(&mut Self)) {
        self.at.push(step);
        compare(self);
        self.at.pop();
    }

    pub(super) fn rows(&mut self, before: &'a DynRow, after: &'a DynRow) {
        self.fields(&before.shape.fields, &before.values, &after.values);
    }

    fn fields(&mut self, fields: &'a [Field], before: &'a [Value], after: &'a [Value]) {
        for (index, (field, (before, after))) in fields.iter().zip(before.iter().zip(after)).enumerate() {
            if !is_quickly_same(before, after) {
                self.under(Step::Field(FieldId::from(index), &field.wire), |it| it.values(before, after));
            }
        }
    }

    pub(super) fn values(&mut self, before: &'a Value, after: &'a Value) {
        match (before, after) {
            _ if is_quickly_same(before, after) => {}
            (Value::List(before), Value::List(after)) => self.lists(before, after),
            (Value::Map(before), Value::Map(after)) => self.maps(before, after),
            (Value::Record(was), Value::Record(is)) if are_alike(was, is) => {
                self.fields(&was.shape.fields, &was.values, &is.values);
            }
            (Value::Rows(before), Value::Rows(after)) => self.tables(before, after),
            _ => self.found.report(&self.at, Some(Held::Value(before.clone())), Some(Held::Value(after.clone()))),
        }
    }

    /// By position.
    fn lists(&mut self, before: &'a [Value], after: &'a [Value]) {
        for index in 0..before.len().max(after.len()) {
            let step = Step::Index(index);
            match (before.get(index), after.get(index)) {
                (Some(before), Some(after)) if is_quickly_same(before, after) => {}
                (Some(before), Some(after)) => self.under(step, |it| it.values(before, after)),
                (before, after) => {
                    let held = |value: Option<&Value>| value.cloned().map(Held::Value);
                    self.whole(step, held(before), held(after));
                }
            }
        }
    }

    /// By key; an entry that was removed and set again stands elsewhere.
    fn maps(&mut self, before: &'a ValueMap, after: &'a ValueMap) {
        let moved = match self.order {
            super::Order::Counts => {
                let places: Vec<_> = before
                    .keys()
                    .enumerate()
                    .filter_map(|(place, key)| Some((place, after.get_index_of(key)?)))
                    .collect();
                moved_entries(&places, |_| 0, |_| 0)
            }
            super::Order::Ignored => Vec::new(),
        };
        for (place, (key, was)) in before.iter().enumerate() {
            let is = after.get(key);
            let step = Step::Key(key);
            match is {
                Some(is) if moved.binary_search(&place).is_err() => self.under(step, |it| it.values(was, is)),
                is => self.under(step, |it| it.replaced(Held::Value(was.clone()), is.cloned().map(Held::Value))),
            }
        }
        for (key, is) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
            self.whole(Step::Key(key), None, Some(Held::Value(is.clone())));
        }
    }

    /// By key, as a table of the state.
    fn tables(&mut self, before: &'a NestedRows, after: &'a NestedRows) {
        let births = |row: &DynRow| row.owner.as_ref().map(|owner| owner.birth);
        let is_anew = |was: &DynRow, is: &DynRow| births(was) != births(is);
        let moved = match self.order {
            super::Order::Counts => moved_rows(before, after, is_anew),
            super::Order::Ignored => Vec::new(),
        };
        for (place, (key, was)) in before.iter().enumerate() {
            let step = Step::Key(key);
            match after.get(key) {
                Some(is) if Arc::ptr_eq(was, is) => {}
                Some(is) if self.order == super::Order::Ignored || !is_anew(was, is) => {
                    self.under(step, |it| it.rows(was, is));
                }
                Some(is) if moved.binary_search(&place).is_err() && same_rows(was, is) => {}
                is => self.under(step, |it| it.replaced(Held::Row(was.clone()), is.cloned().map(Held::Row))),
            }
        }
        for (key, is) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
            self.whole(Step::Key(key), None, Some(Held::Row(is.clone())));
        }
    }

    /// What was removed, and what was inserted again in its place, if anything was.
    fn replaced(&mut self, was: Held, is: Option<Held>) {
        self.found.report(&self.at, Some(was), None);
        if is.is_some() {
            self.found.report(&self.at, None, is);
        }
    }
}

/// Whether two rows have the same content.
pub(super) fn same_rows(before: &DynRow, after: &DynRow) -> bool {
    let mut any = Any(false);
    Comparison::new(super::Order::Counts, &mut any).rows(before, after);
    !any.0
}

/// The places before of the rows that were inserted anew and stand elsewhere.
fn moved_rows(before: &NestedRows, after: &NestedRows, is_anew: impl Fn(&DynRow, &DynRow) -> bool) -> Vec<usize> {
    let (mut anew, mut fixed_before, mut fixed_after) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (key, was)) in before.iter().enumerate() {
        match after.get_full(key) {
            Some((now, _, is)) if is_anew(was, is) => anew.push((place, now)),
            Some((now, _, _)) => {
                fixed_before.push(place);
                fixed_after.push(now);
            }
            None => {}
        }
    }
    fixed_after.sort_unstable();
    let count = |fixed: &[usize], place: usize| fixed.partition_point(|fixed| *fixed < place);
    moved_entries(&anew, |place| count(&fixed_before, place), |place| count(&fixed_after, place))
}

fn moved_entries(
    places: &[(usize, usize)],
    fixed_before: impl Fn(usize) -> usize,
    fixed_after: impl Fn(usize) -> usize,
) -> Vec<usize> {
    let moved = moved(places, fixed_before, fixed_after);
    places.iter().zip(moved).filter(|(_, moved)| *moved).map(|((before, _), _)| *before).collect()
}

/// Whether two values are seen to be the same without looking into lists, maps, records and tables.
#[inline]
fn is_quickly_same(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(before), Value::Bool(after)) => before == after,
        (Value::Int(before), Value::Int(after)) => before == after,
        (Value::Decimal(before), Value::Decimal(after)) => before == after,
        (Value::Date(before), Value::Date(after)) => before == after,
        (Value::DateTime(before), Value::DateTime(after)) => before == after,
        (Value::Text(before), Value::Text(after)) => Arc::ptr_eq(before, after) || before == after,
        (Value::Enum(of, before), Value::Enum(also, after)) => of == also && before == after,
        (Value::Row(before), Value::Row(after)) => before == after,
        (Value::List(before), Value::List(after)) => Arc::ptr_eq(before, after),
        (Value::Map(before), Value::Map(after)) => Arc::ptr_eq(before, after),
        (Value::Record(before), Value::Record(after)) => Arc::ptr_eq(before, after),
        (Value::Rows(before), Value::Rows(after)) => Arc::ptr_eq(before, after),
        _ => false,
    }
}

/// Whether two records have the same members and case, so that they can be compared member by member.
fn are_alike(before: &Record, after: &Record) -> bool {
    (Arc::ptr_eq(&before.shape, &after.shape) || before.shape.wire_names() == after.shape.wire_names())
        && wire::chosen_case(before.shape.tag, &before.values) == wire::chosen_case(after.shape.tag, &after.values)
}
