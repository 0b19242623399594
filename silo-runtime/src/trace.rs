//! The trace of a rollout: every event, in order, as data and as lines of JSON.

use crate::environment::Manifest;
use crate::grade::Check;
use crate::limits::Limits;
use crate::value::decimal::Decimal;
use crate::value::json::{Json, Object};
use crate::value::{DateTime, Text};
use std::io;
use std::time::Duration;

/// One event of a rollout.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its number: from 1, no gaps.
    pub seq: u64,
    /// When it happened, cut to milliseconds.
    pub at: DateTime,
    /// What happened.
    pub kind: EventKind,
}

/// What can happen in a rollout.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// The rollout began. Written before the agent is loaded.
    RunStart(Box<RunStart>),
    /// A call, as received.
    ToolCall {
        /// 1, 2, …
        call_id: u32,
        /// The name that was called.
        tool: Text,
        /// The input as received.
        input: Json,
    },
    /// What the call gave.
    ToolResult {
        /// The call's id.
        call_id: u32,
        /// The name that was called.
        tool: Text,
        /// The output, or the error.
        output: Json,
        /// Whether it is an error.
        is_error: bool,
        /// How long it took.
        duration: Duration,
    },
    /// The call before broke a rule of the policy.
    RuleViolation(Violated),
    /// The agent's output.
    AgentOutput {
        /// Its text.
        output: Text,
    },
    /// The agent is done, one way or another.
    RunEnd {
        /// How it ended.
        reason: TerminationReason,
        /// Calls made.
        tool_calls: u32,
        /// Calls that failed.
        tool_errors: u32,
        /// How long the rollout took.
        duration: Duration,
        /// What went wrong, if something did.
        error: Option<String>,
    },
    /// The verdict.
    VerifierResult {
        /// The task.
        verifier: Text,
        /// Whether the task is done; nothing where there is no verdict.
        passed: Option<bool>,
        /// The reward; nothing where there is no verdict.
        reward: Option<Decimal>,
        /// Every check.
        checks: Vec<Check>,
    },
}

/// What is said of a rollout when it begins.
#[derive(Clone, Debug)]
pub struct RunStart {
    /// The rollout's id.
    pub run_id: Text,
    /// The environment's name.
    pub environment: Text,
    /// The environment's version.
    pub version: Text,
    /// The hash of its sources and data.
    pub hash: Text,
    /// The task's id.
    pub task: Text,
    /// The task's title.
    pub title: Option<Text>,
    /// What the agent is asked to do.
    pub instruction: Text,
    /// The agent, as named on the command line.
    pub agent: Text,
    /// The limits in force.
    pub limits: Limits,
    /// The names of the tools.
    pub tools: Vec<Text>,
}

/// A rule that a call broke.
#[derive(Clone, Debug, PartialEq)]
pub struct Violated {
    /// The call's id.
    pub call_id: u32,
    /// The rule's name.
    pub rule: Text,
    /// What it says of this call.
    pub message: Text,
}

impl Violated {
    /// As it stands in `result.json`.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("callId", Json::from(i64::from(self.call_id))),
            ("rule", Json::String(self.rule.clone())),
            ("message", Json::String(self.message.clone())),
        ])
    }
}

/// How a rollout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminationReason {
    /// The agent gave its output.
    Completed,
    /// It called once more than it may.
    MaxToolCalls,
    /// Its time was up.
    Timeout,
    /// It crashed, or broke the protocol.
    AgentError,
    /// Somebody stopped the rollout.
    Interrupted,
    /// The environment is broken: no verdict.
    EnvironmentError,
    /// The engine is broken: no verdict.
    EngineError,
}

impl TerminationReason {
    /// The word for it in artifacts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::MaxToolCalls => "max_tool_calls",
            Self::Timeout => "timeout",
            Self::AgentError => "agent_error",
            Self::Interrupted => "interrupted",
            Self::EnvironmentError => "environment_error",
            Self::EngineError => "engine_error",
        }
    }

    /// Whether a rollout that ended so can be judged at all.
    pub fn has_verdict(self) -> bool {
        !matches!(self, Self::EnvironmentError | Self::EngineError)
    }
}

/// Where events go.
pub trait Sink: Send {
    /// Takes an event.
    ///
    /// # Errors
    /// It could not be kept; the rollout then has no verdict.
    fn record(&mut self, event: Event) -> io::Result<()>;
}

/// Keeps events in memory.
impl Sink for Vec<Event> {
    fn record(&mut self, event: Event) -> io::Result<()> {
        self.push(event);
        Ok(())
    }
}

/// Keeps nothing.
#[derive(Debug)]
pub struct Discard;

impl Sink for Discard {
    fn record(&mut self, _: Event) -> io::Result<()> {
        Ok(())
    }
}

/// Writes each event as a line of JSON as soon as it happens.
pub struct Lines<W> {
    to: W,
    line: String,
}

impl<W: io::Write + Send> Lines<W> {
    /// Writes to `to`.
    pub fn new(to: W) -> Self {
        Self { to, line: String::new() }
    }
}

impl<W: io::Write + Send> Sink for Lines<W> {
    fn record(&mut self, event: Event) -> io::Result<()> {
        self.line.clear();
        event.to_json().write_compact(&mut self.line);
        self.line.push('\n');
        self.to.write_all(self.line.as_bytes())?;
        self.to.flush()
    }
}

impl Event {
    /// The event as it stands on its line.
    pub fn to_json(&self) -> Json {
        let mut object = Object::new();
        object.insert("seq", int(self.seq));
        object.insert("type", self.kind.name().into());
        object.insert("at", milliseconds(self.at).into());
        self.kind.write(&mut object);
        object.into()
    }
}

impl EventKind {
    /// The event's `type`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RunStart(_) => "run_start",
            Self::ToolCall { .. } => "tool_call",
            Self::ToolResult { .. } => "tool_result",
            Self::RuleViolation(_) => "rule_violation",
            Self::AgentOutput { .. } => "agent_output",
            Self::RunEnd { .. } => "run_end",
            Self::VerifierResult { .. } => "verifier_result",
        }
    }

    fn write(&self, object: &mut Object) {
        let mut put = |name: &str, value: Json| _ = object.insert(name, value);
        match self {
            Self::RunStart(start) => start.write(object),
            Self::ToolCall { call_id, tool, input } => {
                put("callId", int(*call_id));
                put("tool", Json::String(tool.clone()));
                put("input", input.clone());
            }
            Self::ToolResult { call_id, tool, output, is_error, duration } => {
                put("callId", int(*call_id));
                put("tool", Json::String(tool.clone()));
                put("output", output.clone());
                put("isError", Json::from(*is_error));
                put("durationMs", milliseconds_of(*duration));
            }
            Self::RuleViolation(violated) => {
                put("callId", int(violated.call_id));
                put("rule", Json::String(violated.rule.clone()));
                put("message", Json::String(violated.message.clone()));
            }
            Self::AgentOutput { output } => put("output", Json::String(output.clone())),
            Self::RunEnd { reason, tool_calls, tool_errors, duration, error } => {
                put("terminationReason", reason.as_str().into());
                put("toolCalls", int(*tool_calls));
                put("toolErrors", int(*tool_errors));
                put("durationMs", milliseconds_of(*duration));
                put("error", error.as_deref().map_or(Json::Null, Json::from));
            }
            Self::VerifierResult { verifier, passed, reward, checks } => {
                put("verifier", Json::String(verifier.clone()));
                put("passed", passed.map_or(Json::Null, Json::from));
                put("reward", reward.map_or(Json::Null, Json::from));
                put("checks", checks.iter().map(Check::to_json).collect());
            }
        }
    }
}

impl RunStart {
    /// What is said of a rollout of a task.
    pub fn new(
        run_id: Text,
        manifest: &Manifest,
        task: &crate::environment::TaskSpec,
        agent: Text,
        limits: Limits,
    ) -> Self {
        Self {
            run_id,
            environment: manifest.name.clone(),
            version: manifest.version.clone(),
            hash: manifest.hash.clone(),
            task: task.id.clone(),
            title: task.title.clone(),
            instruction: task.instruction.clone(),
            agent,
            limits,
            tools: manifest.tools.iter().map(|tool| tool.name.clone()).collect(),
        }
    }

    fn write(&self, object: &mut Object) {
        let text = |text: &Text| Json::String(text.clone());
        object.insert("runId", text(&self.run_id));
        object.insert(
            "environment",
            Json::object([
                ("name", text(&self.environment)),
                ("version", text(&self.version)),
                ("hash", text(&self.hash)),
            ]),
        );
        object.insert(
            "task",
            Json::object([
                ("id", text(&self.task)),
                ("title", self.title.as_ref().map_or(Json::Null, text)),
                ("instruction", text(&self.instruction)),
            ]),
        );
        object.insert("agent", text(&self.agent));
        object.insert("config", self.limits.to_json());
        object.insert("tools", self.tools.iter().map(text).collect::<Json>());
    }
}

fn int(number: impl TryInto<i64>) -> Json {
    Json::from(number.try_into().unwrap_or(i64::MAX))
}

/// An instant with exactly three decimals, as `at` has them.
pub fn milliseconds(at: DateTime) -> String {
    let text = at.to_string();
    let text = text.trim_end_matches('Z');
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let milliseconds: String = fraction.chars().chain("000".chars()).take(3).collect();
    format!("{seconds}.{milliseconds}Z")
}

/// A duration in milliseconds with at most three decimals.
pub fn milliseconds_of(duration: Duration) -> Json {
    let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    Decimal::new(i128::from(micros), 3).map_or(Json::Null, Json::from)
}
