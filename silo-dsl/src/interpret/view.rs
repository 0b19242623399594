//! What an expression evaluates to without copying: a borrowed value where one stands somewhere, an owned one otherwise, and
//! rows at hand, whose fields are read without a look-up.

use crate::ir::Slot;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, RowRef, Value, WorldName};
use std::sync::Arc;

/// The value of an expression. `'a` is the life of the worlds, the code and the frame, `'t` that of the closure's arguments.
#[derive(Clone, Debug)]
pub(super) enum View<'a, 't> {
    /// A row of a world, at hand.
    Row(&'a Arc<DynRow>, WorldName),
    /// A value where it stands.
    Ref(&'t Value),
    /// A value that was made.
    Own(Value),
}

impl<'a> View<'a, '_> {
    /// The value, for keeping.
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Row(row, world) => reference(row, world),
            Self::Ref(value) => value.clone(),
            Self::Own(value) => value,
        }
    }

    /// The value, for use after the arguments of the closure are gone.
    pub(super) fn kept(self) -> View<'a, 'static> {
        match self {
            Self::Row(row, world) => View::Row(row, world),
            Self::Ref(value) => View::Own(value.clone()),
            Self::Own(value) => View::Own(value),
        }
    }

    /// The same, borrowed.
    pub(super) fn reborrow(&self) -> View<'a, '_> {
        match self {
            Self::Row(row, world) => View::Row(row, *world),
            Self::Ref(value) => View::Ref(value),
            Self::Own(value) => View::Ref(value),
        }
    }

    /// The value, unless it is a row at hand.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Row(..) => None,
            Self::Ref(value) => Some(value),
            Self::Own(value) => Some(value),
        }
    }

    /// Whether it is null.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.value(), Some(Value::Null))
    }

    /// The identity of the row it is or refers to.
    pub(super) fn row_key(&self) -> Option<&Text> {
        match self {
            Self::Row(row, _) => Some(&row.key),
            Self::Ref(Value::Row(row)) | Self::Own(Value::Row(row)) => Some(&row.key),
            _ => None,
        }
    }
}

/// A reference to a row.
pub(super) fn reference(row: &DynRow, world: WorldName) -> Value {
    Value::Row(RowRef { world, entity: row.shape.id, key: row.key.clone() })
}

/// The arguments of the closures around an expression, innermost first, and of a function that is evaluated without a frame.
/// They live on the stack: closures share the frame of their body and change nothing in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a, 't> {
    /// The slot of the first argument; the others follow.
    pub first: Slot,
    /// The arguments.
    pub arguments: &'t [View<'a, 't>],
    /// The closure around it.
    pub outer: Scoped<'a, 't>,
}

/// No closure, or the innermost one.
pub(super) type Scoped<'a, 't> = Option<&'t Scope<'a, 't>>;

impl<'a, 't> Scope<'a, 't> {
    /// The argument in a slot, if the slot is one of these closures'.
    pub(super) fn find(&'t self, slot: Slot) -> Option<&'t View<'a, 't>> {
        let mut scope = self;
        loop {
            if let Some(offset) = slot.0.checked_sub(scope.first.0)
                && let Some(view) = scope.arguments.get(offset as usize)
            {
                return Some(view);
            }
            scope = scope.outer?;
        }
    }
}
