use super::{Body, ExprId, Slot, Type};
use crate::diagnostics::Span;
use silo_runtime::environment::RewardMode;
use silo_runtime::ids::{EntityId, FieldId, RecordId, StateId, ToolId};
use silo_runtime::model::Model;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

/// A function-like thing, in [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A const, in [`Program::consts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstId(pub u32);

/// A shared verifier, in [`Program::verifiers`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VerifierId(pub u32);

/// A checked environment.
#[derive(Clone, Debug)]
pub struct Program {
    /// The `environment` item.
    pub environment: EnvironmentInfo,
    /// Enums, records, entities and state.
    pub model: Arc<Model>,
    /// Derived fields, per entity in declared order; `{ ...row }` shows them after the stored ones' places in the source.
    pub derived: Vec<Derived>,
    /// How state begins.
    pub state: Vec<StateDecl>,
    /// Constants.
    pub consts: Vec<Const>,
    /// All code: functions, actions, tools, derived fields, rules, invariants, verifiers, setups, verify blocks, solutions,
    /// heads of tasks.
    pub functions: Vec<Function>,
    /// Tools.
    pub tools: Vec<Tool>,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Shared verifiers.
    pub verifiers: Vec<Verifier>,
    /// Tasks, families not yet expanded.
    pub tasks: Vec<Task>,
}

/// The `environment` item.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentInfo {
    /// The name.
    pub name: Text,
    /// `version`.
    pub version: Text,
    /// `title`.
    pub title: Option<Text>,
    /// `description`, or the item's documentation.
    pub description: Option<Text>,
    /// The text of the policy document, `{rules}` filled in.
    pub policy: Option<Text>,
    /// `reward`.
    pub reward: RewardMode,
    /// `max_calls`.
    pub max_calls: Option<u32>,
    /// `timeout`, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// `steps`.
    pub steps: Option<u64>,
}

/// A derived field.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The entity.
    pub entity: EntityId,
    /// The name in the source.
    pub name: Text,
    /// The name on the wire.
    pub wire: Text,
    /// Its type.
    pub ty: Type,
    /// Its published schema.
    pub schema: Schema,
    /// Its code: one parameter, the row.
    pub function: FunctionId,
    /// How many stored fields of the entity stand before it in the source.
    pub after: usize,
    /// The member of the tag's enum for which it exists, where it stands in a case.
    pub case: Option<u16>,
}

/// How a state field begins.
#[derive(Clone, Debug)]
pub struct StateDecl {
    /// The field.
    pub id: StateId,
    /// Its type.
    pub ty: Type,
    /// The value of a field that is no table; null for tables, whose rows are in the seed.
    pub initial: Value,
    /// Where it is declared.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Const {
    /// The name.
    pub name: Text,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Value,
    /// Where it is declared.
    pub span: Span,
}

/// Code with parameters.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name; for a derived field `Entity.field`, for a task's parts the task's id and the part.
    pub name: Text,
    /// What it is.
    pub kind: FunctionKind,
    /// The parameters: slots 0, 1, … of the body.
    pub params: Vec<Param>,
    /// What it returns.
    pub result: Type,
    /// The code.
    pub body: Body,
    /// State fields it reads, calls and derived fields included.
    pub reads: Vec<StateId>,
    /// State fields it writes, calls included. A tool that writes none is read-only.
    pub writes: Vec<StateId>,
    /// Documentation.
    pub docs: Text,
    /// The name in its declaration.
    pub span: Span,
}

/// What a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// `fn`.
    Fn,
    /// `action`.
    Action,
    /// `tool`.
    Tool(ToolId),
    /// A derived field of an entity.
    Derived(EntityId),
    /// A rule; its parameters are those it binds of the tool's input.
    Rule,
    /// An invariant: one bool.
    Invariant,
    /// A shared verifier, or a `verify` block of a task.
    Verifier,
    /// `setup`.
    Setup,
    /// `solution`.
    Solution,
    /// The settings of a task that are text with holes; never run after compiling.
    Head,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name.
    pub name: Text,
    /// Its type.
    pub ty: Type,
    /// The constant taken where it is left out; an optional one takes null.
    pub default: Option<Value>,
    /// Where it is declared.
    pub span: Span,
}

/// A tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its code; the parameters are those of the input record, in order.
    pub function: FunctionId,
    /// The record of its parameters.
    pub input: RecordId,
    /// The schema of what it returns.
    pub output: Schema,
    /// What `call` of it gives in a solution: as the agent sees it.
    pub seen: Type,
    /// `by NAME`, reserved for two-sided worlds.
    pub by: Option<Text>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name.
    pub name: Text,
    /// What it says.
    pub docs: Text,
    /// The tools it is on.
    pub on: Vec<RuleHook>,
    /// Where it is declared.
    pub span: Span,
}

/// A rule on one tool: the code is checked for each, since types of the bound inputs may differ.
#[derive(Clone, Debug)]
pub struct RuleHook {
    /// The tool.
    pub tool: ToolId,
    /// The code.
    pub function: FunctionId,
    /// Which fields of the input are its parameters.
    pub binds: Vec<FieldId>,
}

/// An invariant.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// What must hold, in the author's words.
    pub label: Text,
    /// The code: no parameter, a bool.
    pub function: FunctionId,
    /// For `t.all(|r| …)` that reads nothing but r: the table, the row's slot and the condition, so that only changed rows are
    /// checked.
    pub rowwise: Option<(StateId, Slot, ExprId)>,
    /// Where it is declared.
    pub span: Span,
}

/// A shared verifier.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// The name.
    pub name: Text,
    /// The code.
    pub function: FunctionId,
}

/// A task or a family of tasks.
#[derive(Clone, Debug)]
pub struct Task {
    /// `for NAME in SOURCE`.
    pub family: Option<Family>,
    /// The code of kind [`FunctionKind::Head`] in which id, title and instruction stand; its parameter is the family's variable.
    pub head: FunctionId,
    /// The id.
    pub id: ExprId,
    /// `title`.
    pub title: Option<ExprId>,
    /// `instruction`.
    pub instruction: ExprId,
    /// `difficulty`.
    pub difficulty: Option<Text>,
    /// `tags`.
    pub tags: Vec<Text>,
    /// The answer's type and schema.
    pub answer: Option<(Type, Schema)>,
    /// `reward`.
    pub reward: Option<RewardMode>,
    /// `max_calls`.
    pub max_calls: Option<u32>,
    /// `timeout`, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Whether breaking a rule fails it.
    pub rules: bool,
    /// `setup`.
    pub setup: Option<FunctionId>,
    /// The verifiers, in order: the function and its arguments, expressions of the head. A block has the family's variable
    /// as its one parameter, if there is one.
    pub verify: Vec<(FunctionId, Vec<Option<ExprId>>)>,
    /// `solution`.
    pub solution: Option<FunctionId>,
    /// Where the id stands.
    pub span: Span,
}

/// The source of a family of tasks.
#[derive(Clone, Debug)]
pub struct Family {
    /// What it runs over: an expression of kind [`FunctionKind::Head`] without parameters, over the seed world.
    pub source: FunctionId,
    /// The type of its elements.
    pub item: Type,
    /// Its type in a solution, where rows are records as a `call` shows them.
    pub seen: Type,
}
