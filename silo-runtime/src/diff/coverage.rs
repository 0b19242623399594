//! Which differences a list of permissions covers: `changes only …`, `same world as reference ignoring …`.

use super::{ChangeKind, Diff, Difference, PathStep};
use crate::ids::{FieldId, StateId};
use crate::value::Text;

/// A permission: `path [added|removed|changed]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Only {
    /// The state field.
    pub state: StateId,
    /// The way into it.
    pub steps: Vec<OnlyStep>,
    /// What may happen at the path's end, to it or to its rows, entries and elements; anything where none is named. What
    /// changes further in is a change.
    pub kind: Option<ChangeKind>,
}

/// A step of a permission's path.
#[derive(Clone, Debug, PartialEq)]
pub enum OnlyStep {
    /// One of these fields, of any row, entry or element on the way.
    Fields(Vec<FieldId>),
    /// A row or an entry by its key, an element by its position.
    Key(Text),
}

impl Only {
    /// Whether a difference is one that this permits, its condition on the row aside.
    pub fn covers(&self, difference: &Difference) -> bool {
        if difference.state != self.state {
            return false;
        }
        let mut rest = difference.path.as_slice();
        for step in &self.steps {
            let next = match step {
                OnlyStep::Key(key) => enter(rest, key),
                OnlyStep::Fields(fields) => descend(rest, fields),
            };
            match next {
                Some(next) => rest = next,
                None => return false,
            }
        }
        match (self.kind, rest) {
            (None, _) => true,
            (Some(kind), [] | [PathStep::Key(_) | PathStep::Index(_)]) => difference.kind() == kind,
            (Some(kind), _) => kind == ChangeKind::Changed,
        }
    }
}

fn enter<'a>(path: &'a [PathStep], key: &str) -> Option<&'a [PathStep]> {
    let (first, rest) = path.split_first()?;
    match first {
        PathStep::Key(at) if **at == *key => Some(rest),
        PathStep::Index(at) if key.parse() == Ok(*at) => Some(rest),
        _ => None,
    }
}

/// Steps into a field, through any row, entry or element before it.
fn descend<'a>(path: &'a [PathStep], fields: &[FieldId]) -> Option<&'a [PathStep]> {
    let at = path.iter().position(|step| matches!(step, PathStep::Field(..)))?;
    match path.get(at)? {
        PathStep::Field(field, _) if fields.contains(field) => path.get(at + 1..),
        _ => None,
    }
}

/// The differences that no permission covers. `allows` judges the condition of the permission at a position, `where |row| …`,
/// for a difference that its path covers; see [`Difference::row_ref`] for the row that it is about.
///
/// # Errors
/// Whatever judging a condition fails with.
pub fn uncovered<'a, E>(
    diff: &'a Diff,
    only: &[Only],
    mut allows: impl FnMut(usize, &Difference) -> Result<bool, E>,
) -> Result<Vec<&'a Difference>, E> {
    let mut found = Vec::new();
    'differences: for difference in &diff.differences {
        for (index, _) in only.iter().enumerate().filter(|(_, only)| only.covers(difference)) {
            if allows(index, difference)? {
                continue 'differences;
            }
        }
        found.push(difference);
    }
    Ok(found)
}
