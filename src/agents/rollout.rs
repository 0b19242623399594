//! What an agent sees of a rollout.

use silo_runtime::value::Text;
use silo_runtime::value::json::Json;

/// What an agent may do during one rollout.
pub trait Rollout {
    /// What the agent is told at the start.
    fn briefing(&self) -> &Briefing;

    /// Makes one call. A failed call is a value like any other.
    fn call(&mut self, tool: &str, input: &Json) -> CallResult;

    /// Why the rollout has ended, once it has: no more calls are executed.
    fn ended(&self) -> Option<Reason>;
}

/// What comes back from a call.
#[derive(Clone, Debug)]
pub struct CallResult {
    /// The output, or the error as `{ code, message, details? }`.
    pub output: Json,
    /// Whether it is an error.
    pub is_error: bool,
}

/// What an agent is told at the start.
#[derive(Clone, Debug)]
pub struct Briefing {
    /// The instruction.
    pub task: Text,
    /// The policy of the environment, if it has one.
    pub policy: Option<Text>,
    /// The tools, as declared.
    pub tools: Vec<ToolDescription>,
    /// The JSON Schema of the answer, where it is typed.
    pub answer_schema: Option<Json>,
    /// The limits of the rollout.
    pub limits: Limits,
}

/// The limits an agent is told.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Tool calls it may make.
    pub max_tool_calls: u32,
    /// Its wall-clock time, in milliseconds.
    pub timeout_ms: u64,
}

/// A tool, as an agent sees it.
#[derive(Clone, Debug)]
pub struct ToolDescription {
    /// Its name.
    pub name: Text,
    /// What it does.
    pub description: Text,
    /// The JSON Schema of its input.
    pub input_schema: Json,
}

/// Why a rollout ended by itself, before its agent did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The agent has made all calls it may make.
    MaxToolCalls,
    /// The environment is broken.
    EnvironmentError,
    /// The engine is broken.
    EngineError,
}

impl Reason {
    /// The word for it in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MaxToolCalls => "max_tool_calls",
            Self::EnvironmentError => "environment_error",
            Self::EngineError => "engine_error",
        }
    }
}

/// How an agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It gave an output.
    Output(Text),
    /// It failed; the message says how.
    AgentError(String),
    /// The wall-clock limit passed.
    Timeout,
    /// The user interrupted the run.
    Interrupted,
}
