//! The agent that does nothing: what a task must not reward.

use super::{Abort, Agent, AgentLog, Ending, Rollout};

/// Makes no calls and gives no answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noop;

impl Agent for Noop {
    fn run(&mut self, _: &mut dyn Rollout, _: &Abort, _: &mut AgentLog) -> Ending {
        Ending::Output("".into())
    }
}
