//! Tasks: families expanded over the seed world, texts with holes filled in, setups run once.

use super::Interpreted;
use super::context::Context;
use super::environment::store_of;
use super::frame::Frame;
use super::reader::{Reader, record};
use super::run::{Access, Hands, Machine};
use super::stop::{Eval, Stop};
use super::view::{Scope, View};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{ExprId, FunctionId, Slot, Task, Type};
use indexmap::IndexMap;
use silo_runtime::environment::TaskSpec;
use silo_runtime::limits::{Limits, Meter};
use silo_runtime::store::Store;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{Value, WorldName};
use silo_runtime::wire;
use silo_runtime::world::World;

/// A task, or one of a family.
pub(super) struct LinkedTask {
    /// Its position in the program.
    pub task: usize,
    /// The family's variable, as a row of the task's world.
    pub item: Option<Value>,
    /// The family's variable, as a solution sees it.
    pub seen: Option<Value>,
    /// Its world after setup.
    pub world: World,
}

/// The texts of a task.
struct Texts {
    id: Text,
    title: Option<Text>,
    instruction: Text,
}

impl Interpreted {
    /// Expands, describes and prepares every task.
    pub(super) fn link_tasks(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut specs: IndexMap<Text, TaskSpec> = IndexMap::new();
        let mut linked = Vec::new();
        for (index, task) in self.program.tasks.iter().enumerate() {
            let items = match self.family(task) {
                Ok(items) => items,
                Err(stop) => {
                    let said = self.explain("the family cannot be made", &stop);
                    diagnostics.push(Diagnostic::error(codes::running::TASK_TEXT, task.span, said));
                    continue;
                }
            };
            for item in items {
                match self.link_task(index, task, item) {
                    Ok((spec, unit)) => {
                        if specs.contains_key(&spec.id) {
                            let said = format!("the task id `{}` is used twice", spec.id);
                            let found = Diagnostic::error(codes::running::TASK_ID, task.span, said);
                            diagnostics.push(found.help("write something into the id that differs from task to task"));
                            continue;
                        }
                        specs.insert(spec.id.clone(), spec);
                        linked.push(unit);
                    }
                    Err(diagnostic) => diagnostics.push(*diagnostic),
                }
            }
        }
        self.manifest.tasks = specs.into_values().collect();
        self.tasks = linked;
    }

    /// The values of a family's variable; one nothing for a task that is no family.
    fn family(&self, task: &Task) -> Eval<Vec<Option<Value>>> {
        let Some(family) = &task.family else { return Ok(vec![None]) };
        let store = Store::new(self.seed.clone());
        let meter = Meter::new(self.many_steps());
        let function = self.function(family.source)?;
        let mut machine = Machine {
            env: self,
            function: family.source,
            body: &function.body,
            frame: Frame::new(function.body.locals.len(), Vec::new()),
            access: Access::Read(&store),
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        match super::call::finish(machine.block(None, &function.body.block))? {
            Value::List(items) => Ok(items.iter().cloned().map(Some).collect()),
            _ => Err(Stop::broken("the source of a family is no list")),
        }
    }

    fn link_task(
        &self,
        index: usize,
        task: &Task,
        item: Option<Value>,
    ) -> Result<(TaskSpec, LinkedTask), Box<Diagnostic>> {
        let world = World::new(Store::new(self.seed.clone()));
        let texts = self.texts(task, item.as_ref(), &world).map_err(|stop| {
            let said = self.explain("the id, title or instruction cannot be written", &stop);
            Box::new(Diagnostic::error(codes::running::TASK_TEXT, task.span, said))
        })?;
        if texts.id.trim().is_empty() {
            let found = Diagnostic::error(codes::running::TASK_ID, task.span, "the id of a task is empty");
            return Err(Box::new(found.help("tasks are chosen by their id: write one")));
        }
        let world = self.prepared(task, &texts.id, item.as_ref(), world)?;
        let seen = match (&item, &task.family) {
            (Some(item), Some(family)) => Some(self.seen(item, &family.seen, &world).map_err(|stop| {
                let said = self.explain("the family's variable cannot be shown to the solution", &stop);
                Box::new(Diagnostic::error(codes::running::TASK_TEXT, task.span, said))
            })?),
            _ => None,
        };
        let defaults = Limits::default();
        let environment = &self.program.environment;
        let limits = Limits {
            max_calls: task.max_calls.or(environment.max_calls).unwrap_or(defaults.max_calls),
            timeout_ms: task.timeout_ms.or(environment.timeout_ms).unwrap_or(defaults.timeout_ms),
            steps: self.steps(),
            ..defaults
        };
        let spec = TaskSpec {
            id: texts.id,
            title: texts.title,
            difficulty: task.difficulty.clone(),
            tags: task.tags.clone(),
            instruction: texts.instruction,
            answer: task.answer.as_ref().map(|(_, schema)| schema.clone()),
            reward: task.reward.unwrap_or(environment.reward),
            limits,
            has_solution: task.solution.is_some(),
            rules: task.rules,
        };
        Ok((spec, LinkedTask { task: index, item, seen, world }))
    }

    fn texts(&self, task: &Task, item: Option<&Value>, world: &World) -> Eval<Texts> {
        let head = self.function(task.head)?;
        let meter = Meter::new(self.many_steps());
        let reader = Reader {
            env: self,
            function: task.head,
            body: &head.body,
            frame: Frame::EMPTY,
            initial: store_of(world)?,
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            done: &[],
        };
        let arguments: Vec<View<'_, '_>> = item.map(View::Ref).into_iter().collect();
        let scope = Scope { first: Slot(0), arguments: &arguments, outer: None };
        let text = |expr: ExprId| match reader.eval(Some(&scope), expr)? {
            Value::Text(text) => Ok(text),
            _ => Err(Stop::broken("a setting of a task is no text")),
        };
        Ok(Texts { id: text(task.id)?, title: task.title.map(text).transpose()?, instruction: text(task.instruction)? })
    }

    /// The world of a task: the seed after its setup.
    fn prepared(
        &self,
        task: &Task,
        id: &str,
        item: Option<&Value>,
        mut world: World,
    ) -> Result<World, Box<Diagnostic>> {
        let Some(setup) = task.setup else { return Ok(world) };
        self.set_up(setup, item, &mut world).map_err(|stop| {
            let said = self.explain(&format!("the setup of `{id}` failed"), &stop);
            Box::new(Diagnostic::error(codes::running::SETUP, task.span, said))
        })?;
        let broken = store_of(&world).and_then(|store| self.broken_invariant(store, None));
        match broken {
            Ok(None) => Ok(world),
            Ok(Some(broken)) => {
                let said = format!("after the setup of `{id}` {}", self.describe_broken(&broken));
                let diagnostic = Diagnostic::error(codes::running::SETUP, task.span, said);
                let diagnostic = match self.program.invariants.get(broken.invariant) {
                    Some(invariant) => diagnostic.also(invariant.span, broken.found),
                    None => diagnostic,
                };
                Err(Box::new(diagnostic))
            }
            Err(stop) => {
                let said = self.explain(&format!("after the setup of `{id}` an invariant failed"), &stop);
                Err(Box::new(Diagnostic::error(codes::running::SETUP, task.span, said)))
            }
        }
    }

    fn set_up(&self, setup: FunctionId, item: Option<&Value>, world: &mut World) -> Eval<()> {
        let function = self.function(setup)?;
        let meter = Meter::new(self.many_steps());
        let store = world.state_mut::<Store>().ok_or_else(|| Stop::broken("a world is of another kind"))?;
        let mut machine = Machine {
            env: self,
            function: setup,
            body: &function.body,
            frame: Frame::new(function.body.locals.len(), item.cloned().into_iter().collect()),
            access: Access::Write(store),
            context: Context::NONE,
            here: WorldName::Initial,
            meter: &meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        machine.block(None, &function.body.block).map(|_| ())
    }

    /// A value as a solution sees it: a row is the record that a call would show, a reference its key.
    fn seen(&self, item: &Value, ty: &Type, world: &World) -> Eval<Value> {
        let model = &self.program.model;
        let unlike = || Stop::broken("a family's variable is not of the type that solutions see");
        let (Value::Row(row), Type::Record(shape)) = (item, ty.required()) else {
            return self.read_wire(&wire::to_json(item, model), ty).ok_or_else(unlike);
        };
        let store = store_of(world)?;
        let found = store.read(row.entity, &row.key)?;
        let shape = model.record(*shape).ok_or_else(unlike)?;
        let meter = Meter::new(self.many_steps());
        let mut values = Vec::with_capacity(shape.fields.len());
        for field in &shape.fields {
            let stored = found.shape.fields.iter().position(|stored| stored.name == field.name);
            let value = match stored.and_then(|at| found.values.get(at)) {
                Some(value) => value.clone(),
                None => self.derived_by_name(found, &field.name, store, &meter)?,
            };
            let json = wire::to_json(&value, model);
            values.push(self.read_wire(&json, &Type::of(&field.schema)).ok_or_else(unlike)?);
        }
        Ok(record(shape, values))
    }

    fn derived_by_name(
        &self,
        row: &std::sync::Arc<silo_runtime::value::dynamic::DynRow>,
        name: &Text,
        store: &Store,
        meter: &Meter,
    ) -> Eval<Value> {
        let derived = self.program.derived.iter().find(|it| it.entity == row.shape.id && it.name == *name);
        let derived = derived.ok_or_else(|| Stop::broken("a row lacks a derived field"))?;
        let function = self.function(derived.function)?;
        let mut machine = Machine {
            env: self,
            function: derived.function,
            body: &function.body,
            frame: Frame::new(function.body.locals.len(), vec![super::view::reference(row, WorldName::Initial)]),
            access: Access::Read(store),
            context: Context::NONE,
            here: WorldName::Initial,
            meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        super::call::finish(machine.block(None, &function.body.block))
    }
}
