//! The code of items: functions, derived fields, rules, invariants, verifiers, tasks.

mod functions;
mod invariants;
mod rules;
mod tasks;

use super::body::{Binding, Checker};
use super::shared::{Outline, Shared};
use crate::ir::{Function, FunctionId, Param};

impl Shared<'_, '_> {
    /// Keeps the checked code of a function.
    pub(crate) fn keep(&mut self, id: FunctionId, function: Function, outline: Outline) {
        let at = id.0 as usize;
        if let Some(place) = self.code.get_mut(at) {
            *place = Some(function);
        }
        if let Some(place) = self.outlines.get_mut(at) {
            *place = outline;
        }
    }
}

impl Checker<'_, '_, '_> {
    /// The parameters of a function: the first locals of its body.
    pub(crate) fn params<'a>(&mut self, params: impl IntoIterator<Item = &'a Param>) {
        for param in params {
            self.local(&param.name, param.ty.clone(), param.span, Binding::Param);
        }
    }
}
