//! The locals that can be named at a point of the code.

use crate::ir::Slot;
use rustc_hash::FxHashMap;
use silo_runtime::value::Text;

/// The names of locals in scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    slots: FxHashMap<Text, Slot>,
    /// What was declared, in order, and what each name stood for before. That is something only where a name is taken, which
    /// is an error; code after it then means the later one, as its author does.
    order: Vec<(Text, Option<Slot>)>,
}

/// The start of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeMark(usize);

impl Scope {
    /// The slot of a name.
    pub(crate) fn find(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// Makes a name known up to the end of the block.
    pub(crate) fn declare(&mut self, name: Text, slot: Slot) {
        let before = self.slots.insert(name.clone(), slot);
        self.order.push((name, before));
    }

    pub(crate) fn enter(&self) -> ScopeMark {
        ScopeMark(self.order.len())
    }

    /// Forgets the names declared since.
    pub(crate) fn leave(&mut self, mark: ScopeMark) {
        while self.order.len() > mark.0 {
            let Some((name, before)) = self.order.pop() else { break };
            match before {
                Some(slot) => self.slots.insert(name, slot),
                None => self.slots.remove(&name),
            };
        }
    }

    /// The names in scope, the latest first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().rev().map(|(name, _)| &**name)
    }
}
