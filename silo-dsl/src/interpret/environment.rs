//! The interpreter as the engine sees it.

use super::Interpreted;
use super::context::{Context, Judged};
use super::frame::Frame;
use super::run::{Access, Flow, Hands, Machine};
use super::solution::Player;
use super::stop::{Eval, Reason, Stop};
use super::verify::Verdicts;
use silo_runtime::calls::Calls;
use silo_runtime::diff::Touched;
use silo_runtime::environment::{
    CallError, Caller, Environment, Fault, Input, Manifest, Output, SolutionError, Violation,
};
use silo_runtime::grade::{Check, Grading};
use silo_runtime::ids::{EntityId, TaskId, ToolId};
use silo_runtime::input::{Decoder, InputFault, Keys};
use silo_runtime::limits::Meter;
use silo_runtime::schema::Schema;
use silo_runtime::store::Store;
use silo_runtime::value::dynamic::{Record, Value, WorldName};
use silo_runtime::value::{Json, Text};
use silo_runtime::world::World;
use silo_runtime::{keys, wire};
use std::cell::OnceCell;
use std::sync::Arc;

impl Environment for Interpreted {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn seed(&self) -> World {
        World::new(Store::new(self.seed.clone()))
    }

    fn world(&self, task: TaskId) -> Result<World, Fault> {
        match self.tasks.get(task.index()) {
            Some(task) => Ok(task.world.clone()),
            None => Err(no_such("task")),
        }
    }

    fn decode(&self, world: &World, tool: ToolId, input: &Json) -> Result<Input, InputFault> {
        let keys = InWorlds { first: world.state(), last: None };
        let decoder = Decoder::new(&self.program.model, &keys);
        // A tool that is not there has no parameters, and the session has found out before.
        let record = self.program.tools.get(tool.index()).map(|tool| tool.input);
        let value = match record {
            Some(record) => decoder.record(record, input)?,
            None => Value::Null,
        };
        Ok(Input { data: Arc::new(value) })
    }

    fn call(&self, world: &mut World, tool: ToolId, input: &Input, meter: &mut Meter) -> Result<Output, CallError> {
        self.call_tool(world, tool, input, meter).map_err(|stop| {
            let what = self.manifest.tools.get(tool.index()).map_or("a tool", |tool| &tool.name);
            match stop.reason() {
                Reason::Tool(error) => CallError::Tool(error.clone()),
                Reason::Spent => CallError::Tool(Meter::spent()),
                Reason::Broken(_) | Reason::Solution(_) => CallError::Fault(self.fault(&format!("`{what}`"), &stop)),
            }
        })
    }

    fn rules(&self, world: &World, tool: ToolId, input: &Input, calls: &Calls) -> Result<Vec<Violation>, Fault> {
        let store = store_of(world).map_err(|stop| self.fault("a rule", &stop))?;
        let broken = record_of(input).and_then(|input| self.broken_rules(store, tool, input, calls));
        match broken {
            Ok(broken) => {
                let broken = broken.into_iter();
                Ok(broken.map(|(rule, message)| Violation { rule, message: message.to_string() }).collect())
            }
            Err(stop) => {
                let rule = stop.trail().last().and_then(|place| self.function(place.function).ok());
                let what = rule.map_or_else(|| "a rule".to_owned(), |rule| format!("the rule `{}` failed", rule.name));
                Err(self.fault(&what, &stop))
            }
        }
    }

    fn invariants(&self, world: &World, touched: &Touched) -> Result<(), Fault> {
        match store_of(world).and_then(|store| self.broken_invariant(store, Some(touched))) {
            Ok(None) => Ok(()),
            Ok(Some(broken)) => Err(self.broken_fault(&broken)),
            Err(stop) => Err(self.fault("an invariant failed", &stop)),
        }
    }

    fn grade(&self, grading: &Grading<'_>) -> Result<Vec<Check>, Fault> {
        let id = self.manifest.tasks.get(grading.task.index()).map_or("a task", |task| &task.id);
        self.judge(grading).map_err(|stop| self.fault(&format!("the verifier of `{id}`"), &stop))
    }

    fn solve(&self, task: TaskId, caller: &mut dyn Caller) -> Option<Result<Json, SolutionError>> {
        let linked = self.tasks.get(task.index())?;
        let declared = self.program.tasks.get(linked.task)?;
        let solution = declared.solution?;
        let schema = declared.answer.as_ref().map(|(_, schema)| schema);
        let arguments = linked.seen.clone().into_iter().collect();
        Some(match self.play(solution, arguments, &linked.world, caller, schema) {
            Ok(answer) => Ok(answer),
            Err(stop) => {
                let id = self.manifest.tasks.get(task.index()).map_or("a task", |task| &task.id);
                Err(SolutionError { message: self.explain(&format!("the solution of `{id}`"), &stop) })
            }
        })
    }

    fn decode_answer(&self, task: TaskId, initial: &World, last: &World, answer: &Json) -> Result<Input, InputFault> {
        let keys = InWorlds { first: initial.state(), last: last.state() };
        let decoder = Decoder::new(&self.program.model, &keys);
        let declared = self.tasks.get(task.index()).and_then(|task| self.program.tasks.get(task.task));
        let value = match declared.and_then(|task| task.answer.as_ref()) {
            Some((_, schema)) => decoder.value(schema, answer)?,
            None => Value::Null,
        };
        Ok(Input { data: Arc::new(value) })
    }

    fn keys(&self, world: &World, entity: &str) -> Vec<Text> {
        let shape = self.program.model.entities.iter().find(|shape| &*shape.name == entity);
        match (world.state::<Store>(), shape) {
            (Some(store), Some(shape)) => store.keys(shape.id).iter().map(keys::visible).collect(),
            _ => Vec::new(),
        }
    }
}

impl Interpreted {
    fn call_tool(&self, world: &mut World, tool: ToolId, input: &Input, meter: &Meter) -> Eval<Output> {
        let declared = self.program.tools.get(tool.index()).ok_or_else(|| Stop::broken("a tool is missing"))?;
        let function = self.function(declared.function)?;
        let input = record_of(input)?;
        let access = if self.facts(declared.function)?.writes {
            Access::Write(world.state_mut().ok_or_else(other_kind)?)
        } else {
            Access::Read(store_of(world)?)
        };
        let mut machine = Machine {
            env: self,
            function: declared.function,
            body: &function.body,
            frame: Frame::new(function.body.locals.len(), input.values.clone()),
            access,
            context: Context::NONE,
            here: WorldName::Initial,
            meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        let (json, value) = match machine.block(None, &function.body.block)? {
            Flow::Return(Some(value)) => {
                wire::bearable(&value)?;
                (wire::to_json(&value, &self.program.model), value)
            }
            _ => (Json::object([("ok", true)]), Value::Null),
        };
        Ok(Output { json, data: Arc::new(value) })
    }

    fn judge(&self, grading: &Grading<'_>) -> Eval<Vec<Check>> {
        let linked = self.tasks.get(grading.task.index()).ok_or_else(|| Stop::broken("a task is missing"))?;
        let task = self.program.tasks.get(linked.task).ok_or_else(|| Stop::broken("a task is missing"))?;
        let judged = Judged {
            last: store_of(grading.last)?,
            reference: grading.reference,
            cached: OnceCell::new(),
            diff: OnceCell::new(),
            answer: grading.answer,
            text: OnceCell::new(),
        };
        let context = Context { calls: Some(grading.calls), judged: Some(&judged) };
        let meter = Meter::new(self.many_steps());
        let mut verdicts = Verdicts::default();
        let head = self.function(task.head)?;
        let mut machine = Machine {
            env: self,
            function: task.head,
            body: &head.body,
            frame: Frame::new(head.body.locals.len(), linked.item.clone().into_iter().collect()),
            access: Access::Read(store_of(grading.initial)?),
            context: &context,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::Verifier(&mut verdicts),
            done: Vec::new(),
        };
        for (function, args) in &task.verify {
            machine.verify_task(*function, args)?;
        }
        Ok(verdicts.checks)
    }

    fn play(
        &self,
        solution: crate::ir::FunctionId,
        arguments: Vec<Value>,
        world: &World,
        caller: &mut dyn Caller,
        schema: Option<&Schema>,
    ) -> Eval<Json> {
        let function = self.function(solution)?;
        let meter = Meter::new(self.many_steps());
        let mut machine = Machine {
            env: self,
            function: solution,
            body: &function.body,
            frame: Frame::new(function.body.locals.len(), arguments),
            access: Access::Read(store_of(world)?),
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::Solution(Player { caller, schema, answer: None }),
            done: Vec::new(),
        };
        machine.block(None, &function.body.block)?;
        match machine.hands {
            Hands::Solution(player) => Ok(player.answer.unwrap_or_else(|| Json::from(""))),
            _ => Err(Stop::broken("a solution lost its answer")),
        }
    }
}

/// Where the keys of inputs and answers are looked up.
struct InWorlds<'a> {
    first: Option<&'a Store>,
    last: Option<&'a Store>,
}

impl Keys for InWorlds<'_> {
    fn find(&self, entity: EntityId, key: &str) -> Option<WorldName> {
        let holds = |store: Option<&Store>| store.is_some_and(|store| store.row(entity, key).is_some());
        if holds(self.first) { Some(WorldName::Initial) } else { holds(self.last).then_some(WorldName::Final) }
    }
}

/// The store that is a world's state.
pub(super) fn store_of(world: &World) -> Eval<&Store> {
    world.state().ok_or_else(other_kind)
}

fn record_of(input: &Input) -> Eval<&Record> {
    match input.data.downcast_ref() {
        Some(Value::Record(record)) => Ok(record),
        _ => Err(Stop::broken("an input holds data of another kind")),
    }
}

#[cold]
fn other_kind() -> Stop {
    Stop::broken("a world is of another kind")
}

#[cold]
fn no_such(what: &str) -> Fault {
    Fault { message: format!("the environment has no such {what}") }
}
