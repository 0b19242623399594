//! The base of a table and the delta over it.

use crate::value::{ToolError, ToolResult};
use std::iter::{FusedIterator, Peekable};
use std::slice;
use std::sync::Arc;

/// The place of a row in its table: rows iterate in the order of their slots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slot(u32);

impl Slot {
    /// The position among the rows of the base, for a row that may be one of them.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The rows of a table that every world of a seed shares, in order.
#[derive(Debug)]
pub struct Base<R> {
    rows: Box<[Arc<R>]>,
}

impl<R> Base<R> {
    /// A base of these rows.
    ///
    /// # Errors
    /// `limit_exceeded`, for more rows than there are slots.
    pub fn new(rows: Vec<Arc<R>>) -> ToolResult<Self> {
        if u32::try_from(rows.len()).is_err() {
            return Err(too_many());
        }
        Ok(Self { rows: rows.into() })
    }

    /// The rows with their slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Arc<R>)> {
        (0..).map(Slot).zip(&self.rows)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Arc<R>> {
        self.rows.get(slot.index())
    }
}

impl<R> Default for Base<R> {
    fn default() -> Self {
        Self { rows: Box::default() }
    }
}

fn too_many() -> ToolError {
    ToolError::limit_exceeded("a table has no place left for another row")
}

/// What one world changed of a table. It belongs to one base; every method must be given that one.
#[derive(Debug)]
pub struct Delta<R> {
    /// Rows of the base that differ, by slot; nothing for one that was removed.
    changed: Vec<(Slot, Option<Arc<R>>)>,
    /// Rows that the base does not have, by slot.
    added: Vec<(Slot, Arc<R>)>,
    /// How many rows of the base were removed.
    removed: u32,
    /// The slot of the next insertion.
    next: u32,
}

impl<R> Delta<R> {
    /// No change of this base.
    pub fn new(base: &Base<R>) -> Self {
        let next = u32::try_from(base.len()).unwrap_or(u32::MAX);
        Self { changed: Vec::new(), added: Vec::new(), removed: 0, next }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// `limit_exceeded`, once every slot has been used.
    pub fn push(&mut self, row: Arc<R>) -> ToolResult<Slot> {
        let slot = Slot(self.next);
        self.next = self.next.checked_add(1).ok_or_else(too_many)?;
        self.added.push((slot, row));
        Ok(slot)
    }

    /// A row to change. A row of the base is copied when the caller first writes through the `Arc`, not before.
    pub fn get_mut(&mut self, base: &Base<R>, slot: Slot) -> Option<&mut Arc<R>> {
        let Some(of_base) = base.get(slot) else {
            let at = self.added.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
            return self.added.get_mut(at).map(|(_, row)| row);
        };
        let at = match self.changed.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => at,
            Err(at) => {
                self.changed.insert(at, (slot, Some(of_base.clone())));
                at
            }
        };
        self.changed.get_mut(at)?.1.as_mut()
    }

    /// Removes a row and gives it back.
    pub fn remove(&mut self, base: &Base<R>, slot: Slot) -> Option<Arc<R>> {
        let Some(of_base) = base.get(slot) else {
            let at = self.added.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
            return Some(self.added.remove(at).1);
        };
        let row = match self.changed.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.changed.get_mut(at)?.1.take()?,
            Err(at) => {
                self.changed.insert(at, (slot, None));
                of_base.clone()
            }
        };
        self.removed += 1;
        Some(row)
    }

    /// A base of the rows that were added, in order. Rows of the base that this was a change of are left out.
    pub fn into_base(self) -> Base<R> {
        Base { rows: self.added.into_iter().map(|(_, row)| row).collect() }
    }

    /// The rows of the base that differ, by slot; nothing for one that was removed.
    pub(super) fn changed(&self) -> &[(Slot, Option<Arc<R>>)] {
        &self.changed
    }

    /// The rows that the base does not have, by slot.
    pub(super) fn added(&self) -> &[(Slot, Arc<R>)] {
        &self.added
    }
}

impl<R> Clone for Delta<R> {
    fn clone(&self) -> Self {
        Self { changed: self.changed.clone(), added: self.added.clone(), removed: self.removed, next: self.next }
    }
}

/// A table of one world.
#[derive(Debug)]
pub struct TableRef<'a, R> {
    base: &'a Base<R>,
    delta: Option<&'a Delta<R>>,
}

impl<R> Clone for TableRef<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for TableRef<'_, R> {}

impl<'a, R> TableRef<'a, R> {
    /// The table of this base with this delta over it.
    pub fn new(base: &'a Base<R>, delta: Option<&'a Delta<R>>) -> Self {
        Self { base, delta }
    }

    /// The row in a slot, if it is there.
    pub fn get(self, slot: Slot) -> Option<&'a Arc<R>> {
        let of_base = self.base.get(slot);
        let Some(delta) = self.delta else { return of_base };
        if of_base.is_none() {
            let at = delta.added.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
            return delta.added.get(at).map(|(_, row)| row);
        }
        match delta.changed.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => delta.changed.get(at)?.1.as_ref(),
            Err(_) => of_base,
        }
    }

    /// How many rows there are.
    pub fn len(self) -> usize {
        let (added, removed) = self.delta.map_or((0, 0), |delta| (delta.added.len(), delta.removed as usize));
        self.base.len().saturating_sub(removed) + added
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The rows in the order of their insertion. They are read where they are, one at a time.
    pub fn iter(self) -> Iter<'a, R> {
        let (changed, added) = self.delta.map_or((&[][..], &[][..]), |delta| (delta.changed(), delta.added()));
        Iter {
            base: self.base.rows.iter(),
            next: 0,
            changed: changed.iter().peekable(),
            added: added.iter(),
            left: self.len(),
        }
    }

    pub(super) fn base(self) -> &'a Base<R> {
        self.base
    }

    pub(super) fn changed(self) -> &'a [(Slot, Option<Arc<R>>)] {
        self.delta.map_or(&[], Delta::changed)
    }

    pub(super) fn added(self) -> &'a [(Slot, Arc<R>)] {
        self.delta.map_or(&[], Delta::added)
    }
}

impl<'a, R> IntoIterator for TableRef<'a, R> {
    type Item = &'a Arc<R>;
    type IntoIter = Iter<'a, R>;

    fn into_iter(self) -> Iter<'a, R> {
        self.iter()
    }
}

/// The rows of a table in the order of their insertion.
#[derive(Debug)]
pub struct Iter<'a, R> {
    base: slice::Iter<'a, Arc<R>>,
    /// The slot of the base's next row.
    next: u32,
    changed: Peekable<slice::Iter<'a, (Slot, Option<Arc<R>>)>>,
    added: slice::Iter<'a, (Slot, Arc<R>)>,
    left: usize,
}

impl<'a, R> Iterator for Iter<'a, R> {
    type Item = &'a Arc<R>;

    #[inline]
    fn next(&mut self) -> Option<&'a Arc<R>> {
        for row in self.base.by_ref() {
            let slot = Slot(self.next);
            self.next += 1;
            let row = match self.changed.next_if(|(changed, _)| *changed == slot) {
                Some((_, row)) => row.as_ref(),
                None => Some(row),
            };
            if let Some(row) = row {
                self.left -= 1;
                return Some(row);
            }
        }
        let (_, row) = self.added.next()?;
        self.left -= 1;
        Some(row)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<R> ExactSizeIterator for Iter<'_, R> {}
impl<R> FusedIterator for Iter<'_, R> {}
