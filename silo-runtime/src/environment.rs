//! What the engine asks of an environment. Interpreted and compiled environments implement the same trait, and the engine,
//! the servers and the benches see nothing else.

use crate::calls::Calls;
use crate::diff::Touched;
use crate::grade::{Check, Grading};
use crate::ids::{RuleId, TaskId, ToolId};
use crate::input::InputFault;
use crate::limits::{Limits, Meter};
use crate::model::Model;
use crate::schema::Schema;
use crate::value::Text;
use crate::value::error::ToolError;
use crate::value::json::Json;
use crate::world::World;
use std::any::Any;
use std::sync::Arc;

/// An environment: a world, its tools, its tasks and their graders.
pub trait Environment: Send + Sync {
    /// What the environment declares.
    fn manifest(&self) -> &Manifest;

    /// The world as the seed data has it, before any task's setup.
    fn seed(&self) -> World;

    /// A fresh world for a task, after its setup.
    ///
    /// # Errors
    /// Setup failed, or an invariant does not hold after it.
    fn world(&self, task: TaskId) -> Result<World, Fault>;

    /// Turns the JSON of a call into the tool's input: validated, defaults filled in, references looked up in the world.
    ///
    /// # Errors
    /// All problems of the input together.
    fn decode(&self, world: &World, tool: ToolId, input: &Json) -> Result<Input, InputFault>;

    /// Executes a tool. On an error the caller restores the world: what the tool changed before it failed is undone there.
    ///
    /// # Errors
    /// What the agent is told, or a fault of the environment.
    fn call(&self, world: &mut World, tool: ToolId, input: &Input, meter: &mut Meter) -> Result<Output, CallError>;

    /// Judges a call by the rules on its tool, in the world just before it.
    ///
    /// # Errors
    /// A rule that fails itself is a fault.
    fn rules(&self, world: &World, tool: ToolId, input: &Input, calls: &Calls) -> Result<Vec<Violation>, Fault>;

    /// Checks the invariants that read what was touched.
    ///
    /// # Errors
    /// The first that does not hold.
    fn invariants(&self, world: &World, touched: &Touched) -> Result<(), Fault>;

    /// Evaluates the task's verifiers.
    ///
    /// # Errors
    /// A fault gives no verdict at all; a check that merely fails is a [`Check`] that did not pass.
    fn grade(&self, grading: &Grading<'_>) -> Result<Vec<Check>, Fault>;

    /// Plays the task's reference solution, where it has one.
    fn solve(&self, task: TaskId, caller: &mut dyn Caller) -> Option<Result<Json, SolutionError>>;

    /// Decodes the output of an agent as the task's typed answer. References are looked up in `initial`, then in `last`.
    ///
    /// # Errors
    /// All problems of the answer together.
    fn decode_answer(&self, task: TaskId, initial: &World, last: &World, answer: &Json) -> Result<Input, InputFault>;

    /// The keys of all rows of an entity, by its name, in the world's order. The session suggests from them those that the
    /// agent has been shown.
    fn keys(&self, world: &World, entity: &str) -> Vec<Text>;
}

/// What an environment declares.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The name after `environment`.
    pub name: Text,
    /// The author's version of it.
    pub version: Text,
    /// A hash of all sources and data, in hexadecimal.
    pub hash: Text,
    /// A line about it, if declared.
    pub title: Option<Text>,
    /// What it is, if declared; otherwise its documentation.
    pub description: Option<Text>,
    /// The policy handed to the agent with every task.
    pub policy: Option<Text>,
    /// Entities, records, enums, state.
    pub model: Arc<Model>,
    /// Tools, as declared.
    pub tools: Vec<ToolSpec>,
    /// Tasks, families expanded, as declared.
    pub tasks: Vec<TaskSpec>,
    /// Rules, as declared.
    pub rules: Vec<RuleSpec>,
}

/// A tool, as the agent sees it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Its name, the same on the wire.
    pub name: Text,
    /// What it does: what the agent reads.
    pub description: Text,
    /// The record of its parameters.
    pub input: Schema,
    /// What it returns.
    pub output: Schema,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// Whether any rule is on it, so that the others cost nothing.
    pub has_rules: bool,
}

impl ToolSpec {
    /// The wire names of its parameters, as declared.
    pub fn parameters(&self, model: &Model) -> Vec<Text> {
        match &self.input {
            Schema::Record(record) => {
                model.record(*record).map(|shape| shape.wire_names().to_vec()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// A task.
#[derive(Clone, Debug, Default)]
pub struct TaskSpec {
    /// Its id.
    pub id: Text,
    /// A line about it, if declared.
    pub title: Option<Text>,
    /// `easy`, `medium`, `hard` or another word, if declared.
    pub difficulty: Option<Text>,
    /// Words to choose tasks by.
    pub tags: Vec<Text>,
    /// What the agent is asked to do.
    pub instruction: Text,
    /// The type of the answer, where it is typed.
    pub answer: Option<Schema>,
    /// How checks become a reward.
    pub reward: RewardMode,
    /// The limits of a rollout, before the command line's.
    pub limits: Limits,
    /// Whether there is a reference solution.
    pub has_solution: bool,
    /// Whether breaking a rule fails the task.
    pub rules: bool,
}

/// How checks become a reward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RewardMode {
    /// The weighted share of the goals reached; 0 where a required guard is broken or a rule violated.
    #[default]
    Progress,
    /// 1 when passed, else 0.
    Strict,
    /// The weighted share of all checks.
    Share,
}

/// A rule of the policy.
#[derive(Clone, Debug)]
pub struct RuleSpec {
    /// Its name.
    pub name: Text,
    /// What it says, as quoted in the policy.
    pub docs: Text,
    /// The tools it is on.
    pub tools: Vec<ToolId>,
}

/// A tool's input after validation.
#[derive(Clone)]
pub struct Input {
    /// What the environment made of it; it knows the type.
    pub data: Arc<dyn Any + Send + Sync>,
}

/// A tool's output.
#[derive(Clone)]
pub struct Output {
    /// The form on the wire. Cloning is cheap.
    pub json: Json,
    /// What the environment made it from, for rules and verifiers that look at earlier calls.
    pub data: Arc<dyn Any + Send + Sync>,
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub enum CallError {
    /// The agent is told.
    Tool(ToolError),
    /// The environment is broken: the rollout ends.
    Fault(Fault),
}

/// Something that is wrong with the environment itself, never with the agent.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What happened, for the author.
    pub message: String,
}

/// A rule that a call broke.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: RuleId,
    /// What it says of this call.
    pub message: String,
}

/// Where a reference solution sends its calls.
pub trait Caller {
    /// Makes one call as an agent would.
    fn call(&mut self, tool: &str, input: Json) -> CallResult;
}

/// What comes back from a call.
#[derive(Clone, Debug)]
pub struct CallResult {
    /// The output, or the error as `{ code, message, details? }`.
    pub output: Json,
    /// Whether it is an error.
    pub is_error: bool,
}

/// Why a reference solution did not finish.
#[derive(Clone, Debug)]
pub struct SolutionError {
    /// What happened, with the place in the source.
    pub message: String,
}
