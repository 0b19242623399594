//! The end of a rollout: the output, how it ended, the diff, the verdict.

use super::call::guarded;
use super::outcome::{Outcome, RunRecord, Verdict};
use super::{Ending, Session};
use crate::environment::{Fault, RewardMode};
use crate::grade::{Answer, Check};
use crate::reward::reward;
use crate::trace::{EventKind, TerminationReason};
use crate::value::Text;
use crate::value::json::{self, Json};

impl Session {
    /// Ends the rollout: whatever the reason, the world as it stands is graded. Where the environment or the engine itself
    /// failed there is no verdict.
    pub fn finish(mut self, ending: Ending) -> Outcome {
        let (output, mut reason, mut error) = match (self.ended.take(), ending) {
            // A limit that was reached, or a fault, stands even where the agent then came to an orderly end: its output is late.
            (Some((reason, error)), _) => (Text::default(), reason, error),
            (None, Ending::Output(output)) => (output, TerminationReason::Completed, None),
            (None, Ending::AgentError(message)) => (Text::default(), TerminationReason::AgentError, Some(message)),
            (None, Ending::Timeout) => (Text::default(), TerminationReason::Timeout, None),
            (None, Ending::Interrupted) => (Text::default(), TerminationReason::Interrupted, None),
        };
        if reason == TerminationReason::Completed {
            self.record(EventKind::AgentOutput { output: output.clone() });
        }

        let diff = self.world.diff(&self.initial);
        let judged = if reason.has_verdict() { self.judge(reason, &output) } else { Ok(None) };
        let verdict = match judged {
            Ok(verdict) => verdict,
            Err(fault) => {
                reason = TerminationReason::EnvironmentError;
                error = Some(fault.message);
                None
            }
        };
        if reason == TerminationReason::Timeout && error.is_none() {
            error = Some(format!("the time limit of {} ms was reached", self.setup.limits.timeout_ms));
        }

        let duration = self.elapsed();
        let tool_calls = u32::try_from(self.calls.all.len()).unwrap_or(u32::MAX);
        self.record(EventKind::RunEnd {
            reason,
            tool_calls,
            tool_errors: self.tool_errors,
            duration,
            error: error.clone(),
        });
        let task = self.task_id();
        self.record(EventKind::VerifierResult {
            verifier: task.clone(),
            passed: verdict.as_ref().map(|verdict| verdict.passed),
            reward: verdict.as_ref().map(|verdict| verdict.reward),
            checks: verdict.as_ref().map(|verdict| verdict.checks.clone()).unwrap_or_default(),
        });

        let environment = self.environment().clone();
        let manifest = environment.manifest();
        let mut outcome = Outcome {
            verdict,
            reason,
            error,
            output,
            tool_calls,
            tool_errors: self.tool_errors,
            violations: self.violations,
            diff,
            model: manifest.model.clone(),
            run: RunRecord {
                run_id: self.setup.run_id.clone(),
                environment: manifest.name.clone(),
                version: manifest.version.clone(),
                hash: manifest.hash.clone(),
                task,
                agent: self.setup.agent.clone(),
                started: self.started,
                finished: self.setup.clock.now(),
                duration,
                tool_time: self.tool_time,
                limits: self.setup.limits.clone(),
            },
        };
        if let Some(error) = self.sink_error.take() {
            outcome.lose(error);
        }
        outcome
    }

    fn task_id(&self) -> Text {
        self.spec().map(|spec| spec.id.clone()).unwrap_or_default()
    }

    fn judge(&self, reason: TerminationReason, output: &Text) -> Result<Option<Verdict>, Fault> {
        let spec = self.spec()?;
        let answer = self.read_answer(output)?;
        let violations: Vec<String> = self
            .violations
            .iter()
            .map(|broken| format!("call {} breaks `{}`: {}", broken.call_id, broken.rule, broken.message))
            .collect();
        let checks = self.engine.grade(self.task, &self.initial, &self.world, &answer, &self.calls, &violations)?;
        let completed = reason == TerminationReason::Completed;
        let passed = completed && checks.iter().all(|check| check.passed || !check.required);
        let baseline = match spec.reward {
            RewardMode::Progress => self.engine.baseline(self.task)?,
            RewardMode::Strict | RewardMode::Share => &[],
        };
        let broke_policy = spec.rules && !violations.is_empty();
        let reward = reward(spec.reward, &checks, baseline, passed, broke_policy);
        Ok(Some(Verdict { passed, reward, checks }))
    }

    /// The agent's output as the task's answer: text, and where the answer is typed the value it is the JSON of.
    fn read_answer(&self, output: &Text) -> Result<Answer, Fault> {
        let mut answer = Answer { text: output.clone(), typed: None, problem: None };
        if self.spec()?.answer.is_none() {
            return Ok(answer);
        }
        if output.trim().is_empty() {
            return Ok(answer);
        }
        let json = match Json::parse(without_fence(output), json::Limits::bytes(u32::MAX)) {
            Ok(json) => json,
            Err(error) => {
                answer.problem = Some(format!("the answer is no JSON: {error}"));
                return Ok(answer);
            }
        };
        let environment = self.environment();
        match guarded(|| environment.decode_answer(self.task, &self.initial, &self.world, &json))? {
            Ok(typed) => answer.typed = Some(typed),
            Err(fault) => {
                let problems: Vec<&str> = fault.problems.iter().map(|problem| &*problem.message).collect();
                answer.problem = Some(problems.join("; "));
            }
        }
        Ok(answer)
    }
}

/// The text inside one fenced block, where the whole text is one.
fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let fenced = trimmed.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match fenced.and_then(|inner| inner.split_once('\n')) {
        Some((language, body)) if language.trim().chars().all(char::is_alphanumeric) => body,
        _ => trimmed,
    }
}

impl Check {
    /// A required check of the engine's own.
    pub(super) fn built_in(label: &str, passed: bool, detail: &str) -> Self {
        Self {
            label: label.into(),
            passed,
            required: true,
            weight: crate::value::decimal::Decimal::ONE,
            detail: detail.to_owned(),
        }
    }
}
