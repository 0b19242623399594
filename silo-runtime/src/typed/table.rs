//! Tables of typed rows: the seed's part, one world's part, and the two read as one.

use super::{Entity, Key};
use crate::keys::{Frame, KeyPattern, faults, may_be_key};
use crate::rows::Rows;
use crate::table::{Base, Delta, Slot, TableRef};
use crate::value::{Text, ToolError, ToolResult};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The rows of a table that every world shares.
#[derive(Debug)]
pub struct SeedTable<E> {
    base: Base<E>,
    slots: FxHashMap<Text, Slot>,
    highest: FxHashMap<Text, i64>,
}

/// What one world changed of a table: nothing, at first, which takes no memory of its own.
#[derive(Debug)]
pub struct Changes<E>(Option<Box<Written<E>>>);

#[derive(Debug)]
struct Written<E> {
    delta: Delta<E>,
    /// Where the rows are that were inserted.
    slots: FxHashMap<Text, Slot>,
    /// The highest number used in keys, by what stands before it, where it is above the seed's.
    highest: FxHashMap<Text, i64>,
}

impl<E: Entity> SeedTable<E> {
    /// A table of these rows, in order.
    ///
    /// # Errors
    /// As [`TableMut::insert`], of the first row that cannot stand in the table.
    pub fn new(rows: impl IntoIterator<Item = E>) -> ToolResult<Self> {
        let empty = Self { base: Base::default(), slots: FxHashMap::default(), highest: FxHashMap::default() };
        let mut changes = Changes::default();
        let mut table = TableMut::new(&empty, &mut changes);
        for row in rows {
            table.insert(row)?;
        }
        let Some(written) = changes.0 else { return Ok(empty) };
        Ok(Self { base: written.delta.into_base(), slots: written.slots, highest: written.highest })
    }
}

impl<E> Clone for Changes<E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<E> Clone for Written<E> {
    fn clone(&self) -> Self {
        Self { delta: self.delta.clone(), slots: self.slots.clone(), highest: self.highest.clone() }
    }
}

impl<E> Default for Changes<E> {
    fn default() -> Self {
        Self(None)
    }
}

/// A table of one world.
#[derive(Debug)]
pub struct Table<'w, E> {
    seed: &'w SeedTable<E>,
    changes: &'w Changes<E>,
}

impl<E> Clone for Table<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Table<'_, E> {}

impl<'w, E: Entity> Table<'w, E> {
    /// A world's table.
    pub fn new(seed: &'w SeedTable<E>, changes: &'w Changes<E>) -> Self {
        Self { seed, changes }
    }

    /// The row with this key, if there is one.
    pub fn find(self, key: &str) -> Option<&'w E> {
        let slot = slot_of(self.seed, self.changes, key)?;
        self.slots().get(slot).map(|row| &**row)
    }

    /// The row that a reference leads to.
    ///
    /// # Errors
    /// `invalid_state`, if it was removed.
    pub fn get(self, key: &Key<E>) -> ToolResult<&'w E> {
        self.find(key.text()).ok_or_else(|| ToolError::dangling(key.text()))
    }

    /// The row with a key that may be anything: `t[k]`.
    ///
    /// # Errors
    /// `not_found`, if no row has it.
    pub fn at(self, key: &str) -> ToolResult<&'w E> {
        self.find(key).ok_or_else(|| ToolError::no_row(E::NAME, key))
    }

    /// All rows, in the order of their insertion.
    pub fn rows(self) -> Rows<&'w E> {
        self.iter().collect()
    }

    /// All rows, in the order of their insertion, without gathering them.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'w E> {
        self.slots().iter().map(|row| &**row)
    }

    /// The rows that a condition holds of.
    ///
    /// # Errors
    /// Those of the condition.
    pub fn keep(self, mut condition: impl FnMut(&E) -> ToolResult<bool>) -> ToolResult<Rows<&'w E>> {
        let mut kept = Vec::new();
        for row in self.iter() {
            if condition(row)? {
                kept.push(row);
            }
        }
        Ok(kept.into())
    }

    /// How many rows there are.
    pub fn len(self) -> usize {
        self.slots().len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub(super) fn slots(self) -> TableRef<'w, E> {
        TableRef::new(&self.seed.base, self.changes.0.as_ref().map(|written| &written.delta))
    }
}

/// A table of one world, to change.
#[derive(Debug)]
pub struct TableMut<'w, E> {
    seed: &'w SeedTable<E>,
    changes: &'w mut Changes<E>,
}

impl<'w, E: Entity> TableMut<'w, E> {
    /// A world's table.
    pub fn new(seed: &'w SeedTable<E>, changes: &'w mut Changes<E>) -> Self {
        Self { seed, changes }
    }

    /// The table, to read.
    pub fn read(&self) -> Table<'_, E> {
        Table { seed: self.seed, changes: self.changes }
    }

    /// Inserts a row; its key is made where it is [`Key::generated`] and the pattern makes keys.
    ///
    /// # Errors
    /// `conflict`, if a row has the key; `invalid_input`, if the key is missing or cannot be one; `invalid_state`, if the row's
    /// fields make another.
    pub fn insert(&mut self, mut row: E) -> ToolResult<Key<E>> {
        let frame = match E::pattern() {
            KeyPattern::Given => None,
            KeyPattern::Integer => Some(Frame { before: Text::default(), width: Some(0), after: Text::default() }),
            KeyPattern::Text(parts) => {
                let part = |field: crate::ids::FieldId| E::FIELDS.get(field.index()).copied().unwrap_or("key");
                let frame = Frame::with(&parts, "", |field| row.key_part(field));
                Some(frame.map_err(|field| faults::part_missing(E::NAME, part(field)))?)
            }
        };
        let given = Some(row.key().text()).filter(|text| !text.is_empty()).cloned();
        let key = match (given, &frame) {
            (Some(found), Some(frame)) if frame.width.is_none() && found != frame.before => {
                return Err(faults::mismatch(E::NAME, &frame.before, &found));
            }
            (Some(key), _) => key,
            (None, Some(frame)) if frame.width.is_none() => frame.before.clone(),
            (None, Some(frame)) => self.next_key(frame)?,
            (None, None) => return Err(faults::missing(E::NAME, E::FIELDS.first().copied().unwrap_or("key"))),
        };
        if !may_be_key(&key) {
            return Err(faults::no_key(E::NAME, &key));
        }
        if self.read().find(&key).is_some() {
            return Err(faults::taken(E::NAME, &key));
        }
        let counted = frame.and_then(|frame| Some((frame.number(&key)?, frame.before)));
        row.set_key(Key::new(key.clone()));
        let known = counted.as_ref().and_then(|(_, before)| self.highest(before));
        let written = self.written();
        if let Some((number, before)) = counted.filter(|(number, _)| known.is_none_or(|known| known < *number)) {
            written.highest.insert(before, number);
        }
        let slot = written.delta.push(Arc::new(row))?;
        written.slots.insert(key.clone(), slot);
        Ok(Key::new(key))
    }

    /// A row to change. Its key must stay as it is.
    ///
    /// # Errors
    /// `invalid_state`, if it was removed.
    pub fn get_mut(&mut self, key: &Key<E>) -> ToolResult<&mut E> {
        let slot = self.slot(key)?;
        let base = &self.seed.base;
        let row = self.written().delta.get_mut(base, slot);
        row.map(Arc::make_mut).ok_or_else(|| ToolError::dangling(key.text()))
    }

    /// Removes a row. References to it dangle from now on.
    ///
    /// # Errors
    /// `invalid_state`, if it was removed already.
    pub fn remove(&mut self, key: &Key<E>) -> ToolResult<()> {
        let slot = self.slot(key)?;
        let base = &self.seed.base;
        let written = self.written();
        written.delta.remove(base, slot);
        written.slots.remove(&**key.text());
        Ok(())
    }

    /// Where a row is, if it is there.
    fn slot(&self, key: &Key<E>) -> ToolResult<Slot> {
        self.read().get(key)?;
        slot_of(self.seed, self.changes, key.text()).ok_or_else(|| ToolError::dangling(key.text()))
    }

    fn next_key(&self, frame: &Frame) -> ToolResult<Text> {
        let mut number = self.highest(&frame.before).unwrap_or(0);
        loop {
            number = number.checked_add(1).ok_or_else(|| faults::used_up(E::NAME))?;
            let key = frame.key(number);
            if self.read().find(&key).is_none() {
                return Ok(key);
            }
        }
    }

    fn highest(&self, before: &str) -> Option<i64> {
        let written = self.changes.0.as_ref().and_then(|written| written.highest.get(before));
        written.or_else(|| self.seed.highest.get(before)).copied()
    }

    fn written(&mut self) -> &mut Written<E> {
        let seed = self.seed;
        self.changes.0.get_or_insert_with(|| {
            Box::new(Written {
                delta: Delta::new(&seed.base),
                slots: FxHashMap::default(),
                highest: FxHashMap::default(),
            })
        })
    }
}

/// Where the row with this key was last put. It may have been removed since.
fn slot_of<E>(seed: &SeedTable<E>, changes: &Changes<E>, key: &str) -> Option<Slot> {
    let inserted = changes.0.as_ref().and_then(|written| written.slots.get(key));
    inserted.or_else(|| seed.slots.get(key)).copied()
}
