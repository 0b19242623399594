//! Two tables of one base, row by row, at the cost of what either changed.

use super::delta::{Slot, TableRef};
use super::moves::moved;
use crate::value::Text;
use rustc_hash::FxHashMap;
use std::iter::Peekable;
use std::sync::Arc;

/// A row that may differ between two tables of one base.
#[derive(Debug)]
pub enum Pair<'a, R> {
    /// Only the table before has it.
    Removed(&'a Arc<R>),
    /// Only the table after has it.
    Added(&'a Arc<R>),
    /// Both have it, perhaps with other content.
    Kept(&'a Arc<R>, &'a Arc<R>),
    /// Both have a row of that key, inserted anew on one side, perhaps with the same content.
    Anew {
        /// The row before.
        before: &'a Arc<R>,
        /// The row after.
        after: &'a Arc<R>,
        /// Whether it stands elsewhere among the rows that both tables have.
        moved: bool,
    },
}

/// The rows that may differ between two tables of one base, in the tables' order. Rows that both share are not among them.
/// Costs what the two tables changed.
pub fn pairs<'a, R>(before: TableRef<'a, R>, after: TableRef<'a, R>, key: impl Fn(&R) -> &Text) -> Vec<Pair<'a, R>> {
    let mut sides = Sides::default();
    sides.compare_base(before, after);
    sides.compare_added(before, after, &key);
    let base = before.base().len();
    let Sides { gone, fresh, mut found, absent, kept } = sides;

    // Counts the rows of both tables, not inserted anew, that stand before a slot.
    let fixed_before = |slot: usize| {
        let of_base = slot.min(base) - absent.partition_point(|absent| absent.index() < slot);
        of_base + kept.partition_point(|kept| kept.index() < slot)
    };
    let fresh_by_key: FxHashMap<&Text, usize> = if gone.is_empty() {
        FxHashMap::default()
    } else {
        fresh.iter().enumerate().map(|(at, (_, row))| (key(row), at)).collect()
    };
    let mut matched = vec![false; fresh.len()];
    let mut anew = Vec::new();
    for (slot, row) in gone {
        let counterpart = fresh_by_key.get(key(row)).and_then(|at| Some((*at, fresh.get(*at)?)));
        match counterpart {
            Some((at, (now, after))) => {
                if let Some(matched) = matched.get_mut(at) {
                    *matched = true;
                }
                anew.push((slot, *now, row, *after));
            }
            None => found.push((slot, Pair::Removed(row))),
        }
    }
    let places: Vec<_> = anew.iter().map(|(slot, now, _, _)| (slot.index(), now.index())).collect();
    let moved = moved(&places, fixed_before, fixed_before);
    found.extend(
        anew.into_iter()
            .zip(moved)
            .map(|((slot, _, before, after), moved)| (slot, Pair::Anew { before, after, moved })),
    );
    let added = fresh.into_iter().zip(matched).filter(|(_, matched)| !matched);
    found.extend(added.map(|((slot, row), _)| (slot, Pair::Added(row))));
    found.sort_by_key(|(slot, _)| *slot);
    found.into_iter().map(|(_, pair)| pair).collect()
}

/// What two tables do not share.
struct Sides<'a, R> {
    /// Rows that only the table before has in their slot, in order.
    gone: Vec<(Slot, &'a Arc<R>)>,
    /// Rows that only the table after has in their slot, in order.
    fresh: Vec<(Slot, &'a Arc<R>)>,
    /// Rows that both have in one slot and that may differ.
    found: Vec<(Slot, Pair<'a, R>)>,
    /// Slots of the base that one of the two no longer has, in order.
    absent: Vec<Slot>,
    /// Slots beyond the base in which both have the same row, in order.
    kept: Vec<Slot>,
}

impl<R> Default for Sides<'_, R> {
    fn default() -> Self {
        Self { gone: Vec::new(), fresh: Vec::new(), found: Vec::new(), absent: Vec::new(), kept: Vec::new() }
    }
}

impl<'a, R> Sides<'a, R> {
    fn compare_base(&mut self, before: TableRef<'a, R>, after: TableRef<'a, R>) {
        for (slot, was, is) in merge(before.changed(), after.changed()) {
            let of_base = before.base().get(slot);
            let was = was.map_or(of_base, |(_, row)| row.as_ref());
            let is = is.map_or(of_base, |(_, row)| row.as_ref());
            match (was, is) {
                (Some(was), Some(is)) if Arc::ptr_eq(was, is) => {}
                (Some(was), Some(is)) => self.found.push((slot, Pair::Kept(was, is))),
                (was, is) => {
                    self.absent.push(slot);
                    self.gone.extend(was.map(|row| (slot, row)));
                    self.fresh.extend(is.map(|row| (slot, row)));
                }
            }
        }
    }

    fn compare_added(&mut self, before: TableRef<'a, R>, after: TableRef<'a, R>, key: impl Fn(&R) -> &Text) {
        for (slot, was, is) in merge(before.added(), after.added()) {
            match (was, is) {
                (Some((_, was)), Some((_, is))) if Arc::ptr_eq(was, is) => self.kept.push(slot),
                (Some((_, was)), Some((_, is))) if key(was) == key(is) => {
                    self.kept.push(slot);
                    self.found.push((slot, Pair::Kept(was, is)));
                }
                (was, is) => {
                    self.gone.extend(was.map(|(slot, row)| (*slot, row)));
                    self.fresh.extend(is.map(|(slot, row)| (*slot, row)));
                }
            }
        }
    }
}

/// What a list has in a slot, if anything.
type Entry<'a, T> = Option<&'a (Slot, T)>;

/// Two lists in the order of their slots as one, with what each has in a slot.
fn merge<'a, T>(
    before: &'a [(Slot, T)],
    after: &'a [(Slot, T)],
) -> impl Iterator<Item = (Slot, Entry<'a, T>, Entry<'a, T>)> {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    std::iter::from_fn(move || {
        let slot = match (before.peek(), after.peek()) {
            (Some((was, _)), Some((is, _))) => *was.min(is),
            (Some((slot, _)), None) | (None, Some((slot, _))) => *slot,
            (None, None) => return None,
        };
        Some((slot, take(&mut before, slot), take(&mut after, slot)))
    })
}

fn take<'a, T>(list: &mut Peekable<impl Iterator<Item = &'a (Slot, T)>>, slot: Slot) -> Entry<'a, T>
where
    T: 'a,
{
    list.next_if(|(at, _)| *at == slot)
}
