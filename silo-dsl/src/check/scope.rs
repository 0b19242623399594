//! The locals that can be named at a point of the code. No name is ever hidden by another, so one slot a name is enough.

use crate::ir::Slot;
use rustc_hash::FxHashMap;
use silo_runtime::value::Text;

/// The names of locals in scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    slots: FxHashMap<Text, Slot>,
    order: Vec<Text>,
}

/// The start of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeMark(usize);

impl Scope {
    /// The slot of a name.
    pub(crate) fn find(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// Makes a name known up to the end of the block. A name that is taken (an error) keeps its first meaning.
    pub(crate) fn declare(&mut self, name: Text, slot: Slot) {
        if !self.slots.contains_key(&name) {
            self.slots.insert(name.clone(), slot);
            self.order.push(name);
        }
    }

    pub(crate) fn enter(&self) -> ScopeMark {
        ScopeMark(self.order.len())
    }

    /// Forgets the names declared since.
    pub(crate) fn leave(&mut self, mark: ScopeMark) {
        for name in self.order.drain(mark.0.min(self.order.len())..) {
            self.slots.remove(&name);
        }
    }

    /// The names in scope, in the order of their declaration.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|name| &**name)
    }
}
