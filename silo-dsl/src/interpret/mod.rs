//! The interpreter: an [`Environment`](silo_runtime::environment::Environment) over the typed intermediate representation.
//!
//! Code is a tree in an arena, walked where it lies. Three evaluators share the work: one borrows what stands somewhere, one
//! keeps, one decides. Code that changes nothing is evaluated by a `Reader`, for which everything is
//! borrowed; a `Machine` runs statements and what changes the world. Chains of methods over a table read its
//! rows where they are.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod call;
mod changes;
mod children;
mod coerce;
mod collection;
mod compare;
mod condition;
mod context;
mod effect;
mod environment;
mod explain;
mod expr;
mod facts;
mod frame;
mod history;
mod link;
mod methods;
mod number;
mod place;
mod reader;
mod record;
mod rowwise;
mod rules;
mod run;
mod solution;
mod stop;
mod tasks;
#[cfg(test)]
mod tests;
mod text;
mod untouched;
mod verify;
mod view;

pub use link::link;

use crate::diagnostics::{Source, Sources, Span};
use crate::ir::{ExprId, Function, FunctionId, Program, Slot, Type};
use facts::Facts;
use silo_runtime::environment::{Fault, Manifest};
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::limits::Limits;
use silo_runtime::store::Seed;
use std::fmt::Write;
use std::sync::Arc;
use stop::{Eval, Stop};
use tasks::LinkedTask;

/// An environment whose code is interpreted. Made by [`link`].
pub struct Interpreted {
    program: Program,
    facts: Vec<Facts>,
    /// For each state field the entity whose rows it holds, if it is a table.
    tables: Vec<Option<EntityId>>,
    /// The types of the members of every record.
    member_types: Vec<Vec<Type>>,
    /// For each invariant about single rows its table, the row's slot and the condition.
    rowwise: Vec<Option<(StateId, Slot, ExprId)>>,
    /// The tasks, families expanded, in the manifest's order.
    tasks: Vec<LinkedTask>,
    manifest: Manifest,
    seed: Arc<Seed>,
    sources: Arc<Sources>,
}

impl Interpreted {
    /// The program that is interpreted.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn function(&self, id: FunctionId) -> Eval<&Function> {
        self.program.functions.get(id.0 as usize).ok_or_else(|| Stop::broken("a function is missing"))
    }

    fn facts(&self, id: FunctionId) -> Eval<&Facts> {
        self.facts.get(id.0 as usize).ok_or_else(|| Stop::broken("a function is missing"))
    }

    fn is_pure(&self, function: FunctionId, expr: ExprId) -> bool {
        self.facts.get(function.0 as usize).is_some_and(|facts| facts.is_pure(expr))
    }

    fn table_entity(&self, state: StateId) -> Option<EntityId> {
        self.tables.get(state.index()).copied().flatten()
    }

    /// The step budget of a call.
    fn steps(&self) -> u64 {
        self.program.environment.steps.unwrap_or(Limits::default().steps)
    }

    /// The step budget of what runs once a rollout: setup, verifiers, solution.
    fn many_steps(&self) -> u64 {
        self.steps().saturating_mul(10)
    }

    /// What went wrong and where, for the author.
    fn explain(&self, what: &str, stop: &Stop) -> String {
        let mut text = format!("{what}: {}", stop.message());
        for place in stop.trail() {
            let name = self.function(place.function).map_or("", |function| &function.name);
            // Writing to a string does not fail.
            let _ = write!(text, "\n  at {} in `{name}`", self.place(place.span));
        }
        text
    }

    /// A place in the source: `tools.silo:12:5`.
    fn place(&self, span: Span) -> String {
        let file = self.sources.get(span.file).map_or("?", Source::name);
        format!("{file}:{}", self.sources.position(span))
    }

    fn fault(&self, what: &str, stop: &Stop) -> Fault {
        Fault { message: self.explain(what, stop) }
    }
}
