//! Worlds: cheap to copy, changed by tools alone.

use crate::diff::{Diff, Order, Touched};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The state of an environment of some kind: a shared seed and what changed since.
pub trait State: Any + Send + Sync {
    /// Itself, for the environment that knows its type.
    fn as_any(&self) -> &dyn Any;

    /// Itself, for the environment that knows its type.
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// A copy, at the cost of what changed.
    fn fork(&self) -> Arc<dyn State>;

    /// What differs from an earlier state, or one that went another way, of the same seed. Costs what the two changed.
    fn diff(&self, before: &dyn State, order: Order) -> Diff;

    /// What was written since an earlier state of the same seed. Costs what the two changed.
    fn touched(&self, before: &dyn State) -> Touched;
}

/// A world. Cloning takes a snapshot: it costs a pointer, and the next change costs what had changed before.
#[derive(Clone)]
pub struct World(Arc<dyn State>);

impl World {
    /// A world with this state.
    pub fn new(state: impl State) -> Self {
        Self(Arc::new(state))
    }

    /// The state, if it is of this type.
    pub fn state<S: State>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }

    /// The state to change, if it is of this type; a snapshot of it stays as it was.
    pub fn state_mut<S: State>(&mut self) -> Option<&mut S> {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = self.0.fork();
        }
        Arc::get_mut(&mut self.0)?.as_any_mut().downcast_mut()
    }

    /// What changed since an earlier world of the same seed, the order of rows included.
    pub fn diff(&self, before: &Self) -> Diff {
        self.compare(before, Order::Counts)
    }

    /// What differs from another world of the same seed.
    pub fn compare(&self, other: &Self, order: Order) -> Diff {
        if self.is_snapshot_of(other) { Diff::default() } else { self.0.diff(&*other.0, order) }
    }

    /// What was written since an earlier world of the same seed.
    pub fn touched(&self, before: &Self) -> Touched {
        if self.is_snapshot_of(before) { Touched::default() } else { self.0.touched(&*before.0) }
    }

    /// Whether nothing was written since one was copied from the other.
    pub fn is_snapshot_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}
