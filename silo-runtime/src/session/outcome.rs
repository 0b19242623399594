//! What a rollout came to, and how it is written down.

use crate::diff::Diff;
use crate::grade::Check;
use crate::limits::Limits;
use crate::model::Model;
use crate::trace::{TerminationReason, Violated, milliseconds, milliseconds_of};
use crate::value::decimal::Decimal;
use crate::value::json::Json;
use crate::value::{DateTime, Text};
use std::sync::Arc;
use std::time::Duration;

/// A finished rollout.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict; nothing where the environment or the engine failed.
    pub verdict: Option<Verdict>,
    /// How the rollout ended.
    pub reason: TerminationReason,
    /// What went wrong, if something did.
    pub error: Option<String>,
    /// The agent's output.
    pub output: Text,
    /// Calls made.
    pub tool_calls: u32,
    /// Calls that failed.
    pub tool_errors: u32,
    /// Rules broken.
    pub violations: Vec<Violated>,
    /// What changed in the world.
    pub diff: Diff,
    /// The names of what changed.
    pub model: Arc<Model>,
    /// Everything that differs from run to run.
    pub run: RunRecord,
}

/// Whether the task is done.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether every required check passed in a rollout that completed.
    pub passed: bool,
    /// In [0, 1].
    pub reward: Decimal,
    /// Every check, the built-in ones last.
    pub checks: Vec<Check>,
}

/// The metadata of a rollout.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// Its id.
    pub run_id: Text,
    /// The environment's name.
    pub environment: Text,
    /// The environment's version.
    pub version: Text,
    /// The hash of its sources and data.
    pub hash: Text,
    /// The task's id.
    pub task: Text,
    /// The agent, as named on the command line.
    pub agent: Text,
    /// When it started.
    pub started: DateTime,
    /// When it was graded.
    pub finished: DateTime,
    /// How long it took.
    pub duration: Duration,
    /// How much of that was spent in tools.
    pub tool_time: Duration,
    /// The limits in force.
    pub limits: Limits,
}

impl Outcome {
    /// Whether the task is done; nothing where there is no verdict.
    pub fn passed(&self) -> Option<bool> {
        self.verdict.as_ref().map(|verdict| verdict.passed)
    }

    /// Takes the verdict away because the rollout's record is incomplete.
    pub fn lose(&mut self, error: String) {
        self.verdict = None;
        self.reason = TerminationReason::EngineError;
        self.error = Some(error);
    }

    /// `result.json`: no time and no id, so that it can be compared byte for byte.
    pub fn result_json(&self) -> Json {
        let checks: &[Check] = self.verdict.as_ref().map_or(&[], |verdict| &verdict.checks);
        let required: Vec<&Check> = checks.iter().filter(|check| check.required).collect();
        let count = |number: usize| Json::from(i64::try_from(number).unwrap_or(i64::MAX));
        let list = |items: Vec<Json>| Json::from(items);
        let failed = required.iter().filter(|check| !check.passed).map(|check| Json::String(check.label.clone()));
        Json::object([
            ("passed", self.passed().map_or(Json::Null, Json::from)),
            ("reward", self.verdict.as_ref().map_or(Json::Null, |verdict| Json::from(verdict.reward))),
            ("requiredPassed", count(required.iter().filter(|check| check.passed).count())),
            ("requiredTotal", count(required.len())),
            ("failedRequired", list(failed.collect())),
            ("checksPassed", count(checks.iter().filter(|check| check.passed).count())),
            ("checksFailed", count(checks.iter().filter(|check| !check.passed).count())),
            ("toolCalls", Json::from(i64::from(self.tool_calls))),
            ("toolErrors", Json::from(i64::from(self.tool_errors))),
            ("terminationReason", Json::from(self.reason.as_str())),
            ("agentOutput", Json::String(self.output.clone())),
            ("error", self.error.as_deref().map_or(Json::Null, Json::from)),
            ("violations", list(self.violations.iter().map(Violated::to_json).collect())),
            ("checks", list(checks.iter().map(Check::to_json).collect())),
        ])
    }

    /// `state-diff.json`.
    pub fn diff_json(&self) -> Json {
        self.diff.to_json(&self.model)
    }

    /// `run.json`.
    pub fn run_json(&self, silo_version: &str) -> Json {
        let run = &self.run;
        let text = |text: &Text| Json::String(text.clone());
        Json::object([
            ("runId", text(&run.run_id)),
            ("environment", text(&run.environment)),
            ("environmentVersion", text(&run.version)),
            ("environmentHash", text(&run.hash)),
            ("taskId", text(&run.task)),
            ("agent", text(&run.agent)),
            ("siloVersion", Json::from(silo_version)),
            ("startedAt", Json::from(milliseconds(run.started))),
            ("finishedAt", Json::from(milliseconds(run.finished))),
            ("durationMs", milliseconds_of(run.duration)),
            ("toolMs", milliseconds_of(run.tool_time)),
            ("terminationReason", Json::from(self.reason.as_str())),
            ("toolCallCount", Json::from(i64::from(self.tool_calls))),
            ("limits", run.limits.to_json()),
        ])
    }
}
