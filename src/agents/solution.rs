//! The agent that the task's author wrote.

use super::{Abort, Agent, AgentLog, Ending, Rollout};

/// Plays the task's reference solution.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solution;

impl Agent for Solution {
    fn run(&mut self, rollout: &mut dyn Rollout, _: &Abort, _: &mut AgentLog) -> Ending {
        let none =
            || Ending::AgentError("the task has no reference solution; name another agent with `--agent`".into());
        rollout.solve().unwrap_or_else(none)
    }
}
