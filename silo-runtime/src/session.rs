//! One rollout: a synchronous state machine. Fresh world, calls, output, diff, grade; the command line, the servers and the
//! benches are thin drivers around it.
//!
//! ```text
//! Engine::new(environment) ─▶ session(task) ─▶ call(tool, input)* ─▶ finish(ending) ─▶ Outcome
//! ```

mod call;
mod engine;
mod finish;
mod outcome;
mod shown;
mod size;
mod solution;

pub use engine::Engine;
pub use outcome::{Outcome, Verdict};
pub use solution::solve;

use crate::calls::Calls;
use crate::diff::Diff;
use crate::environment::{Environment, Fault, TaskSpec};
use crate::ids::TaskId;
use crate::limits::Limits;
use crate::trace::{Event, EventKind, RunStart, Sink, TerminationReason, Violated};
use crate::value::json::Json;
use crate::value::{DateTime, Text};
use crate::world::World;
use shown::Shown;
use std::sync::Arc;
use std::time::Duration;

/// The only time a session knows.
pub trait Clock: Send {
    /// The instant now, in UTC.
    fn now(&self) -> DateTime;

    /// The time since some fixed moment; never goes back.
    fn elapsed(&self) -> Duration;
}

/// What a rollout needs besides its environment and task.
pub struct Setup {
    /// The rollout's id.
    pub run_id: Text,
    /// The agent, as named on the command line.
    pub agent: Text,
    /// The limits in force.
    pub limits: Limits,
    /// The time.
    pub clock: Box<dyn Clock>,
    /// Where events go.
    pub sink: Box<dyn Sink>,
}

/// What an agent is told when it starts.
#[derive(Clone, Debug)]
pub struct Briefing {
    /// The task's instruction.
    pub task: Text,
    /// The policy, where the environment has one.
    pub policy: Option<Text>,
    /// The tools.
    pub tools: Arc<[ToolDescription]>,
    /// The JSON Schema of the answer, where it is typed.
    pub answer_schema: Option<Json>,
}

/// A tool as an agent is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDescription {
    /// Its name.
    pub name: Text,
    /// What it does.
    pub description: Text,
    /// The JSON Schema of its input.
    pub input_schema: Json,
}

/// How the agent's part ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With an output.
    Output(Text),
    /// It crashed, or broke the protocol: what happened.
    AgentError(String),
    /// Its time was up.
    Timeout,
    /// Somebody stopped the rollout.
    Interrupted,
}

/// One rollout in progress.
pub struct Session {
    engine: Arc<Engine>,
    task: TaskId,
    setup: Setup,
    briefing: Arc<Briefing>,
    initial: World,
    world: World,
    calls: Calls,
    violations: Vec<Violated>,
    shown: Shown,
    seq: u64,
    tool_errors: u32,
    tool_time: Duration,
    started: DateTime,
    started_after: Duration,
    trace_bytes: u64,
    /// Why no call is executed any more, and what there is to say about it.
    ended: Option<(TerminationReason, Option<String>)>,
    /// The first event that could not be kept.
    sink_error: Option<String>,
}

impl Session {
    pub(crate) fn start(engine: Arc<Engine>, task: TaskId, setup: Setup) -> Result<Self, Fault> {
        let briefing = engine.briefing(task)?;
        let initial = engine.initial(task)?;
        let (started, started_after) = (setup.clock.now(), setup.clock.elapsed());
        let mut session = Self {
            world: initial.clone(),
            initial,
            shown: Shown::new(briefing.clone()),
            engine,
            task,
            setup,
            briefing,
            calls: Calls::default(),
            violations: Vec::new(),
            seq: 0,
            tool_errors: 0,
            tool_time: Duration::ZERO,
            started,
            started_after,
            trace_bytes: 0,
            ended: None,
            sink_error: None,
        };
        let start = RunStart::new(
            session.setup.run_id.clone(),
            session.environment().manifest(),
            session.spec()?,
            session.setup.agent.clone(),
            session.setup.limits.clone(),
        );
        session.record(EventKind::RunStart(Box::new(start)));
        Ok(session)
    }

    /// What the agent is told.
    pub fn briefing(&self) -> &Briefing {
        &self.briefing
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.setup.limits
    }

    /// Why no call is executed any more, once that is so.
    pub fn ended(&self) -> Option<TerminationReason> {
        self.ended.as_ref().map(|(reason, _)| *reason)
    }

    /// The world as it stands.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What changed in it so far.
    pub fn diff(&self) -> Diff {
        self.world.diff(&self.initial)
    }

    /// The time the rollout has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.setup.clock.elapsed().saturating_sub(self.started_after)
    }

    fn environment(&self) -> &Arc<dyn Environment> {
        self.engine.environment()
    }

    fn spec(&self) -> Result<&TaskSpec, Fault> {
        self.engine.task(self.task)
    }

    fn end(&mut self, reason: TerminationReason, error: Option<String>) {
        if self.ended.is_none() {
            self.ended = Some((reason, error));
        }
    }

    fn record(&mut self, kind: EventKind) {
        self.seq += 1;
        let event = Event { seq: self.seq, at: self.setup.clock.now(), kind };
        if let Err(error) = self.setup.sink.record(event)
            && self.sink_error.is_none()
        {
            self.sink_error = Some(format!("the trace could not be written: {error}"));
        }
    }
}
