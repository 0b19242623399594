//! Rules and invariants.

use super::Interpreted;
use super::context::Context;
use super::frame::Frame;
use super::reader::Reader;
use super::rowwise::value;
use super::run::{Access, Flow, Hands, Machine};
use super::stop::{Eval, Stop};
use super::verify::told;
use super::view::{Scope, View};
use crate::ir::{ExprId, RuleHook, Slot};
use silo_runtime::calls::Calls;
use silo_runtime::diff::Touched;
use silo_runtime::environment::Fault;
use silo_runtime::ids::{RuleId, StateId, ToolId};
use silo_runtime::limits::Meter;
use silo_runtime::store::Store;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Record, Value, WorldName};
use std::sync::Arc;

/// An invariant that does not hold.
#[derive(Clone, Debug)]
pub(super) struct Broken {
    /// The position of the invariant in the program.
    pub invariant: usize,
    /// The row that breaks it, by the key that people see, where it is about single rows.
    pub row: Option<Text>,
    /// What was found, as a check would say it; empty where there is nothing to say.
    pub found: String,
}

impl Interpreted {
    /// The rules that a call breaks, and what they say.
    pub(super) fn broken_rules(
        &self,
        store: &Store,
        tool: ToolId,
        input: &Record,
        calls: &Calls,
    ) -> Eval<Vec<(RuleId, Text)>> {
        let mut broken = Vec::new();
        for (index, rule) in self.program.rules.iter().enumerate() {
            for hook in rule.on.iter().filter(|hook| hook.tool == tool) {
                if let Some(message) = self.rule(store, hook, input, calls)? {
                    broken.push((RuleId::from(index), message));
                }
            }
        }
        Ok(broken)
    }

    fn rule(&self, store: &Store, hook: &RuleHook, input: &Record, calls: &Calls) -> Eval<Option<Text>> {
        let declared = self.function(hook.function)?;
        let bound = hook.binds.iter().map(|field| {
            input.values.get(field.index()).cloned().ok_or_else(|| Stop::broken("a rule binds what the input lacks"))
        });
        let meter = Meter::new(self.steps());
        let context = Context { calls: Some(calls), judged: None };
        let mut machine = Machine {
            env: self,
            function: hook.function,
            body: &declared.body,
            frame: Frame::new(declared.body.locals.len(), bound.collect::<Eval<_>>()?),
            access: Access::Read(store),
            context: &context,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::Rule,
            done: Vec::new(),
        };
        match machine.block(None, &declared.body.block)? {
            Flow::Refused(message) => Ok(Some(message)),
            _ => Ok(None),
        }
    }

    /// The first invariant that does not hold, of those that read what was touched; of all, if nothing is said of that.
    pub(super) fn broken_invariant(&self, store: &Store, touched: Option<&Touched>) -> Eval<Option<Broken>> {
        for index in 0..self.program.invariants.len() {
            if let Some(broken) = self.invariant(store, index, touched)? {
                return Ok(Some(broken));
            }
        }
        Ok(None)
    }

    /// Whether an invariant is broken, and if so by what.
    pub(super) fn invariant(&self, store: &Store, index: usize, touched: Option<&Touched>) -> Eval<Option<Broken>> {
        let invariant = self.program.invariants.get(index).ok_or_else(|| Stop::broken("an invariant is missing"))?;
        let declared = self.function(invariant.function)?;
        let read: Option<Vec<&(StateId, Vec<Text>)>> =
            touched.map(|touched| touched.state.iter().filter(|(state, _)| declared.reads.contains(state)).collect());
        if read.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let meter = Meter::new(self.steps());
        let reader = Reader {
            env: self,
            function: invariant.function,
            body: &declared.body,
            frame: Frame::EMPTY,
            initial: store,
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            done: &[],
        };
        if let Some((state, slot, condition)) = self.rowwise.get(index).copied().flatten() {
            let entity =
                self.table_entity(state).ok_or_else(|| Stop::broken("an invariant is about rows of no table"))?;
            // Rows that were not written still hold, unless something else that the condition reads was written.
            let broken = match read.as_deref() {
                Some([(only, keys)]) if *only == state => {
                    let rows = keys.iter().filter_map(|key| store.row(entity, key));
                    first_broken(&reader, slot, condition, rows)?
                }
                _ => first_broken(&reader, slot, condition, store.table(state).iter())?,
            };
            return Ok(broken.map(|(row, found)| Broken { invariant: index, row: Some(row), found }));
        }
        let mut machine = Machine {
            env: self,
            function: invariant.function,
            body: &declared.body,
            frame: Frame::new(declared.body.locals.len(), Vec::new()),
            access: Access::Read(store),
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        let failed = match told(machine.block(None, &declared.body.block))? {
            Ok(Flow::Return(Some(Value::Bool(true)))) => return Ok(None),
            Ok(_) => String::new(),
            Err(error) => error.message.clone(),
        };
        let found = value(&declared.body).and_then(|condition| reader.finding(None, condition).ok());
        let found = found.map_or(failed, |found| found.detail());
        Ok(Some(Broken { invariant: index, row: None, found }))
    }

    /// That an invariant is broken, and by which row, for the author.
    pub(super) fn describe_broken(&self, broken: &Broken) -> String {
        let label = self.program.invariants.get(broken.invariant).map_or("", |invariant| &invariant.label);
        match &broken.row {
            Some(row) => format!("the invariant `{label}` does not hold for `{row}`"),
            None => format!("the invariant `{label}` does not hold"),
        }
    }

    /// The fault of an invariant that a call has broken: what was found, and where the invariant stands.
    pub(super) fn broken_fault(&self, broken: &Broken) -> Fault {
        let mut message = self.describe_broken(broken);
        if !broken.found.is_empty() {
            message = format!("{message}: {}", broken.found);
        }
        if let Some(invariant) = self.program.invariants.get(broken.invariant) {
            message = format!("{message}\n  at {}", self.place(invariant.span));
        }
        Fault { message }
    }
}

/// The first row for which a condition does not hold, and what was found of it.
fn first_broken<'a>(
    reader: &Reader<'a>,
    slot: Slot,
    condition: ExprId,
    rows: impl Iterator<Item = &'a Arc<DynRow>>,
) -> Eval<Option<(Text, String)>> {
    for row in rows {
        reader.charge(1)?;
        let view = View::Row(row, WorldName::Initial);
        let scope = Scope { first: slot, arguments: &[view], outer: None };
        let found = match told(reader.test(Some(&scope), condition))? {
            Ok(true) => continue,
            Ok(false) => reader.finding(Some(&scope), condition)?.detail(),
            Err(error) => error.message.clone(),
        };
        return Ok(Some((row.visible_key(), found)));
    }
    Ok(None)
}
