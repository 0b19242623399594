//! The diff of two stores.

use super::value::{Comparison, same_rows};
use super::{Diff, Difference, Held, Order, PathStep};
use crate::ids::StateId;
use crate::store::Store;
use crate::table::{Pair, pairs};
use crate::value::dynamic::DynRow;
use std::sync::Arc;

/// What differs from one store to another of the same seed. Costs what the two changed.
pub fn between(before: &Store, after: &Store, order: Order) -> Diff {
    let mut diff = Diff::default();
    for state in before.written_with(after) {
        tables(&mut diff, state, before, after, order);
        scalars(&mut diff, state, before, after, order);
    }
    diff
}

fn scalars(diff: &mut Diff, state: StateId, before: &Store, after: &Store, order: Order) {
    let differences = &mut diff.differences;
    let report = |path: &[PathStep], from, to| differences.push(Difference { state, path: path.to_vec(), from, to });
    Comparison::new(order, report).values(before.scalar(state), after.scalar(state));
}

fn tables(diff: &mut Diff, state: StateId, before: &Store, after: &Store, order: Order) {
    let differences = &mut diff.differences;
    let whole = |row: &Arc<DynRow>, from: Option<&Arc<DynRow>>, to: Option<&Arc<DynRow>>| {
        let held = |row: Option<&Arc<DynRow>>| row.cloned().map(Held::Row);
        Difference { state, path: vec![PathStep::Key(row.visible_key())], from: held(from), to: held(to) }
    };
    for pair in pairs(before.table(state), after.table(state), |row| &row.key) {
        match pair {
            Pair::Removed(row) => differences.push(whole(row, Some(row), None)),
            Pair::Added(row) => differences.push(whole(row, None, Some(row))),
            Pair::Anew { before, after, moved } if order == Order::Counts => {
                if moved || !same_rows(before, after) {
                    differences.push(whole(before, Some(before), None));
                    differences.push(whole(after, None, Some(after)));
                }
            }
            Pair::Kept(before, after) | Pair::Anew { before, after, .. } => {
                let report =
                    |path: &[PathStep], from, to| differences.push(Difference { state, path: path.to_vec(), from, to });
                let mut comparison = Comparison::new(order, report);
                comparison.under(PathStep::Key(before.visible_key()), |it| it.rows(before, after));
            }
        }
    }
}
