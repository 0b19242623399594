//! The value of interpreted code. Cloning never copies more than a pointer.

use super::{Date, DateTime, Decimal, Text};
use crate::ids::{EntityId, EnumId, FieldId};
use crate::keys::visible;
use crate::model::{EntityShape, RecordShape};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A value of the language.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Null, for an optional that is absent.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An exact decimal.
    Decimal(Decimal),
    /// A calendar date.
    Date(Date),
    /// An instant in UTC.
    DateTime(DateTime),
    /// Text.
    Text(Text),
    /// A member of an enum, by its position.
    Enum(EnumId, u16),
    /// A reference to a row, in a world.
    Row(RowRef),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A map, in insertion order. Keys of enum and entity maps are their text.
    Map(Arc<ValueMap>),
    /// A record.
    Record(Arc<Record>),
    /// A nested table, stored in its owner's row.
    Rows(Arc<NestedRows>),
}

/// A map with text keys, in insertion order.
pub type ValueMap = IndexMap<Text, Value, FxBuildHasher>;

/// The rows of a nested table by key, in insertion order.
pub type NestedRows = IndexMap<Text, Arc<DynRow>, FxBuildHasher>;

/// Which world a row is read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum WorldName {
    /// The only world there is, in a tool, an action, a rule; `initial` in a verifier.
    #[default]
    Initial,
    /// The world as the agent left it.
    Final,
    /// The world after the reference solution.
    Reference,
}

/// A row, identified by entity and key; the world says where its fields are read. Two are equal when entity and key are.
#[derive(Clone, Debug)]
pub struct RowRef {
    /// The world in which it is read.
    pub world: WorldName,
    /// Its entity.
    pub entity: EntityId,
    /// Its identity among all rows of the entity: the key's text, or for `key local` the owner's identity, the table's field and the key.
    pub key: Text,
}

impl PartialEq for RowRef {
    fn eq(&self, other: &Self) -> bool {
        self.entity == other.entity && self.key == other.key
    }
}

/// A record value: the shape is shared by all values of one type.
#[derive(Clone, Debug)]
pub struct Record {
    /// The members' names and schemas.
    pub shape: Arc<RecordShape>,
    /// One value a field of the shape; null where absent.
    pub values: Vec<Value>,
}

/// A stored row of an interpreted environment.
#[derive(Clone, Debug)]
pub struct DynRow {
    /// The entity.
    pub shape: Arc<EntityShape>,
    /// The identity, as in [`RowRef::key`].
    pub key: Text,
    /// The owner row, for a row of a nested table: its entity and identity, and the field that holds the table.
    pub owner: Option<Arc<Owner>>,
    /// One value a field of the shape; null where absent.
    pub values: Vec<Value>,
    /// What code has computed of the values before.
    pub memo: Memo,
}

impl DynRow {
    /// The key that people see.
    pub fn visible_key(&self) -> Text {
        if self.shape.local { visible(&self.key) } else { self.key.clone() }
    }
}

/// What was computed of a row's own values, rows of its tables included, and of nothing else: good for as long as the row is not
/// changed, in every world that has it. Whoever changes a row gives it an empty memo; a copy, which is made to be changed, has
/// one.
#[derive(Default)]
pub struct Memo(OnceLock<Box<[OnceLock<Computed>]>>);

/// A value and what computing it took.
#[derive(Clone, Debug)]
pub struct Computed {
    /// The value. It holds no reference, which would have to know its world.
    pub value: Value,
    /// The steps that computing it took, and that reading it takes again, so that a budget does not depend on what was
    /// computed before.
    pub steps: u64,
}

impl Memo {
    /// What was computed under a number.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&Computed> {
        self.0.get()?.get(number)?.get()
    }

    /// Keeps what was computed under a number, of so many. Gives back what cannot be kept.
    pub fn keep(&self, number: usize, of: usize, computed: Computed) -> Option<Computed> {
        let kept = self.0.get_or_init(|| (0..of).map(|_| OnceLock::new()).collect());
        match kept.get(number) {
            Some(place) => place.set(computed).err(),
            None => Some(computed),
        }
    }
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

/// Where a nested row lives.
#[derive(Clone, Debug, PartialEq)]
pub struct Owner {
    /// The owner's entity.
    pub entity: EntityId,
    /// The owner's identity.
    pub key: Text,
    /// The field of the owner that holds the table.
    pub field: FieldId,
    /// Which insertion of the world's history put the row there: a row removed and inserted again has another one.
    pub birth: u32,
}
