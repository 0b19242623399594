//! What an agent sees of a rollout.

pub use silo_runtime::environment::CallResult;
pub use silo_runtime::limits::Limits;
pub use silo_runtime::session::{Briefing, Ending, ToolDescription};
pub use silo_runtime::trace::TerminationReason;

use silo_runtime::session::{self, Session};
use silo_runtime::value::json::Json;

/// What an agent may do during one rollout.
pub trait Rollout {
    /// What the agent is told at the start.
    fn briefing(&self) -> &Briefing;

    /// The limits in force.
    fn limits(&self) -> &Limits;

    /// Makes one call. A failed call is a value like any other.
    fn call(&mut self, tool: &str, input: &Json) -> CallResult;

    /// Why the rollout has ended, once it has: no more calls are executed.
    fn ended(&self) -> Option<TerminationReason>;

    /// Plays the task's reference solution; `None` where it has none.
    fn solve(&mut self) -> Option<Ending> {
        None
    }
}

impl Rollout for Session {
    fn briefing(&self) -> &Briefing {
        Self::briefing(self)
    }

    fn limits(&self) -> &Limits {
        Self::limits(self)
    }

    fn call(&mut self, tool: &str, input: &Json) -> CallResult {
        Self::call(self, tool, input)
    }

    fn ended(&self) -> Option<TerminationReason> {
        Self::ended(self)
    }

    fn solve(&mut self) -> Option<Ending> {
        session::solve(self)
    }
}
