//! The locals of a function that is being run.

use super::stop::{Eval, Stop};
use crate::ir::{ExprId, Slot};
use silo_runtime::value::dynamic::Value;
use std::cell::OnceCell;

/// The locals of a function, one place a slot. What closures bind is not here but in [`Scope`](super::view::Scope).
#[derive(Debug, Default)]
pub(super) struct Frame {
    values: Vec<Value>,
    /// In a verifier, the bindings that are evaluated when first read; elsewhere empty.
    lazy: Vec<Option<Lazy>>,
}

/// A binding of a verifier: its code and, once read, its value or why it has none.
#[derive(Debug)]
pub(super) struct Lazy {
    /// The code.
    pub code: ExprId,
    /// What it gave.
    pub result: OnceCell<Eval<Value>>,
}

impl Frame {
    /// A frame without locals.
    pub(super) const EMPTY: &'static Self = &Self { values: Vec::new(), lazy: Vec::new() };

    /// A frame of so many slots with the arguments in the first ones.
    pub(super) fn new(slots: usize, mut arguments: Vec<Value>) -> Self {
        arguments.resize(slots.max(arguments.len()), Value::Null);
        Self { values: arguments, lazy: Vec::new() }
    }

    /// What stands in a slot.
    pub(super) fn get(&self, slot: Slot) -> Eval<&Value> {
        self.values.get(slot.0 as usize).ok_or_else(|| Stop::broken("a local has no slot"))
    }

    /// What stands in a slot, to be changed.
    pub(super) fn get_mut(&mut self, slot: Slot) -> Eval<&mut Value> {
        self.values.get_mut(slot.0 as usize).ok_or_else(|| Stop::broken("a local has no slot"))
    }

    /// Puts a value into a slot.
    pub(super) fn set(&mut self, slot: Slot, value: Value) -> Eval<()> {
        *self.get_mut(slot)? = value;
        Ok(())
    }

    /// Binds a slot to code that is evaluated when first read.
    pub(super) fn bind(&mut self, slot: Slot, code: ExprId) -> Eval<()> {
        let slots = self.values.len();
        if self.lazy.is_empty() {
            self.lazy.resize_with(slots, || None);
        }
        let place = self.lazy.get_mut(slot.0 as usize).ok_or_else(|| Stop::broken("a binding has no slot"))?;
        *place = Some(Lazy { code, result: OnceCell::new() });
        Ok(())
    }

    /// The binding of a slot that is evaluated when read, if it has one.
    pub(super) fn lazy(&self, slot: Slot) -> Option<&Lazy> {
        self.lazy.get(slot.0 as usize)?.as_ref()
    }
}
