//! What a call wrote.

use crate::ids::StateId;
use crate::store::Store;
use crate::table::{Pair, pairs};
use crate::value::Text;

/// Which state a call wrote, for the invariants that read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched {
    /// The state fields written; for a table, with the identities of the rows added, removed or changed. A row that was
    /// written as it was may be among them.
    pub state: Vec<(StateId, Vec<Text>)>,
}

/// What was written from one store to another of the same seed.
pub fn touched(before: &Store, after: &Store) -> Touched {
    let fields = before.written_with(after).into_iter().filter_map(|state| {
        let keys: Vec<Text> = pairs(before.table(state), after.table(state), |row| &row.key)
            .into_iter()
            .map(|pair| match pair {
                Pair::Removed(row) | Pair::Added(row) | Pair::Kept(_, row) | Pair::Anew { after: row, .. } => {
                    row.key.clone()
                }
            })
            .collect();
        let written = !keys.is_empty() || !super::same(before.scalar(state), after.scalar(state));
        written.then_some((state, keys))
    });
    Touched { state: fields.collect() }
}
