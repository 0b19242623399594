//! The diff of two stores.

use super::value::{Comparison, Report, Step, same_rows};
use super::{Diff, Difference, Held, Order};
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
    let mut found = Differences { state, found: &mut diff.differences };
    Comparison::new(order, &mut found).values(before.scalar(state), after.scalar(state));
}

fn tables(diff: &mut Diff, state: StateId, before: &Store, after: &Store, order: Order) {
    let mut found = Differences { state, found: &mut diff.differences };
    let pairs = pairs(before.table(state), after.table(state), |row| &row.key);
    found.found.reserve(pairs.len());
    let mut comparison = Comparison::new(order, &mut found);
    let held = |row: &Arc<DynRow>| Some(Held::Row(row.clone()));
    for pair in pairs {
        match pair {
            Pair::Removed(row) => comparison.whole(Step::Row(row), held(row), None),
            Pair::Added(row) => comparison.whole(Step::Row(row), None, held(row)),
            Pair::Anew { before, after, moved } if order == Order::Counts => {
                if moved || !same_rows(before, after) {
                    comparison.whole(Step::Row(before), held(before), None);
                    comparison.whole(Step::Row(after), None, held(after));
                }
            }
            Pair::Kept(before, after) | Pair::Anew { before, after, .. } => {
                comparison.under(Step::Row(before), |it| it.rows(before, after));
            }
        }
    }
}

/// Gathers the differences of a state field.
struct Differences<'a> {
    state: StateId,
    found: &'a mut Vec<Difference>,
}

impl Report for &mut Differences<'_> {
    fn report(&mut self, path: &[Step<'_>], from: Option<Held>, to: Option<Held>) {
        let path = path.iter().map(|step| step.to_path()).collect();
        self.found.push(Difference { state: self.state, path, from, to });
    }
}
