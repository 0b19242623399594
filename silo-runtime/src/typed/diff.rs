//! The diff of typed tables.

use super::{Entity, Table};
use crate::diff::{Diff, Difference, Held, Order, PathStep};
use crate::ids::{FieldId, StateId};
use crate::table::{Pair, pairs};
use crate::value::Text;
use crate::value::json::Json;

/// Adds to a diff what differs between two tables of one seed. Fields are compared whole. Costs what the two changed.
pub fn compare<E: Entity>(diff: &mut Diff, state: StateId, before: Table<'_, E>, after: Table<'_, E>, order: Order) {
    for pair in pairs(before.slots(), after.slots(), |row: &E| row.key().text()) {
        match pair {
            Pair::Removed(row) => whole(diff, state, Some(&**row), None),
            Pair::Added(row) => whole(diff, state, None, Some(&**row)),
            Pair::Anew { before, after, moved } if order == Order::Counts => {
                if moved || before.to_values() != after.to_values() {
                    whole(diff, state, Some(&**before), None);
                    whole(diff, state, None, Some(&**after));
                }
            }
            Pair::Kept(before, after) | Pair::Anew { before, after, .. } => fields(diff, state, &**before, &**after),
        }
    }
}

/// Adds to a diff a state field that is no table, if it differs.
pub fn compare_scalar(diff: &mut Diff, state: StateId, before: impl Into<Json>, after: impl Into<Json>) {
    let (before, after) = (before.into(), after.into());
    if before != after {
        let (from, to) = (Some(Held::Json(before)), Some(Held::Json(after)));
        diff.differences.push(Difference { state, path: Vec::new(), from, to });
    }
}

/// The keys of the rows that were written from one table to another of the same seed.
pub fn touched<E: Entity>(before: Table<'_, E>, after: Table<'_, E>) -> Vec<Text> {
    let pairs = pairs(before.slots(), after.slots(), |row: &E| row.key().text());
    let row = |pair: Pair<'_, E>| match pair {
        Pair::Removed(row) | Pair::Added(row) | Pair::Kept(_, row) | Pair::Anew { after: row, .. } => {
            row.key().text().clone()
        }
    };
    pairs.into_iter().map(row).collect()
}

fn whole<E: Entity>(diff: &mut Diff, state: StateId, from: Option<&E>, to: Option<&E>) {
    let key = from.or(to).map(|row| PathStep::Key(row.key().text().clone()));
    let held = |row: Option<&E>| row.map(|row| Held::Json(row.to_json()));
    diff.differences.push(Difference { state, path: key.into_iter().collect(), from: held(from), to: held(to) });
}

fn fields<E: Entity>(diff: &mut Diff, state: StateId, before: &E, after: &E) {
    let values = before.to_values().into_iter().zip(after.to_values());
    for (index, ((was, is), name)) in values.zip(E::FIELDS).enumerate() {
        if was != is {
            let field = PathStep::Field(FieldId::from(index), Text::from(*name));
            let path = vec![PathStep::Key(after.key().text().clone()), field];
            diff.differences.push(Difference { state, path, from: Some(Held::Json(was)), to: Some(Held::Json(is)) });
        }
    }
}
