//! Verdicts: what a grader is given and what it says.

use crate::calls::Calls;
use crate::environment::{Fault, Input};
use crate::ids::TaskId;
use crate::value::Text;
use crate::value::decimal::Decimal;
use crate::value::json::Json;
use crate::world::World;

/// What a grader looks at.
pub struct Grading<'a> {
    /// The task.
    pub task: TaskId,
    /// The world before the agent.
    pub initial: &'a World,
    /// The world after it.
    pub last: &'a World,
    /// The world after the reference solution, computed when first asked for.
    pub reference: &'a dyn Fn() -> Result<World, Fault>,
    /// What the agent answered.
    pub answer: &'a Answer,
    /// The calls it made.
    pub calls: &'a Calls,
}

/// What an agent answered.
#[derive(Clone, Default)]
pub struct Answer {
    /// The output's text.
    pub text: Text,
    /// The typed answer, where the task declares one and the text was of that type.
    pub typed: Option<Input>,
    /// Why it was not, where there was an answer.
    pub problem: Option<String>,
}

/// One check and how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What it checks, in the author's words.
    pub label: Text,
    /// Whether it holds.
    pub passed: bool,
    /// Whether the task needs it.
    pub required: bool,
    /// Its share of the reward.
    pub weight: Decimal,
    /// What was expected and what was found.
    pub detail: String,
}

impl Check {
    /// As it stands in `result.json` and in the trace.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("label", Json::String(self.label.clone())),
            ("passed", Json::from(self.passed)),
            ("required", Json::from(self.required)),
            ("weight", Json::from(self.weight)),
            ("detail", Json::from(self.detail.as_str())),
        ])
    }
}
