//! Many rollouts, counted.

use super::run::{Args, short};
use super::{Exit, Failure, Outcome, STACK};
use crate::rollout::{Finished, Plan};
use crate::terminal::{BAD, CAUTION, FAINT, GOOD, one_line, styled};
use crate::terminal::{say, say_line};
use crate::timeline::plural;
use silo_runtime::trace::TerminationReason;
use silo_runtime::value::json::Json;
use silo_runtime::value::{Checked as _, Decimal, Text};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rollouts of one task.
struct Played {
    task: Text,
    asked: u32,
    lines: Vec<Line>,
}

/// What is kept of each rollout, so that a million of them cost little.
struct Line {
    run_id: Text,
    folder: String,
    passed: Option<bool>,
    reward: Option<Decimal>,
    reason: TerminationReason,
    error: Option<String>,
    failed_required: Vec<Text>,
}

impl Line {
    fn of(finished: Finished) -> Self {
        let outcome = finished.outcome;
        let checks = outcome.verdict.iter().flat_map(|verdict| &verdict.checks);
        let failed = checks.filter(|check| check.required && !check.passed).map(|check| check.label.clone());
        Self {
            run_id: outcome.run.run_id.clone(),
            folder: finished.folder.display().to_string(),
            passed: outcome.passed(),
            reward: outcome.verdict.as_ref().map(|verdict| verdict.reward),
            reason: outcome.reason,
            failed_required: failed.collect(),
            error: outcome.error,
        }
    }

    fn to_json(&self) -> Json {
        Json::object([
            ("runId", Json::from(&self.run_id)),
            ("folder", Json::from(self.folder.as_str())),
            ("passed", self.passed.map_or(Json::Null, Json::from)),
            ("reward", self.reward.map_or(Json::Null, Json::from)),
            ("terminationReason", Json::from(self.reason.as_str())),
            ("failedRequired", self.failed_required.iter().map(Json::from).collect()),
            ("error", self.error.as_deref().map_or(Json::Null, Json::from)),
        ])
    }
}

/// Plays every plan as often as was asked, and counts.
pub(super) fn many(plans: &[Plan], args: &Args) -> Outcome {
    let mut all = Vec::new();
    for plan in plans {
        let task = plan.engine.task(plan.task).map_err(|fault| Failure::broken(fault.message))?.id.clone();
        let played = Played { task, asked: args.runs, lines: play(plan, args)? };
        if !args.json {
            say!("{}", played.told());
        }
        all.push(played);
    }
    if args.json {
        let tallies: Json = all.iter().map(Played::to_json).collect();
        let json = if args.is_all() { tallies } else { all.first().map(Played::to_json).unwrap_or_default() };
        say_line!("{}", json.to_pretty().trim_end());
    } else {
        if all.len() > 1 {
            let passed = all.iter().filter(|played| played.passed() == played.asked as usize).count();
            say_line!("\n{passed} of {} tasks passed", all.len());
        }
        say_line!("{}", styled(FAINT, &format!("kept in {}", args.out.display())));
    }
    Ok(if plans.iter().any(|plan| plan.interrupt.is_raised()) {
        Exit::Interrupted
    } else if all.iter().any(|played| played.without_verdict() > 0) {
        Exit::Broken
    } else if all.iter().any(|played| played.passed() < played.asked as usize) {
        Exit::Failed
    } else {
        Exit::Passed
    })
}

/// Plays one plan on several threads.
fn play(plan: &Plan, args: &Args) -> Result<Vec<Line>, Failure> {
    let runs = args.runs as usize;
    let next = AtomicUsize::new(0);
    let lines = Mutex::new(Vec::new());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let work = || {
        while next.fetch_add(1, Ordering::Relaxed) < runs && !plan.interrupt.is_raised() {
            match plan.play(None) {
                Ok(finished) => {
                    if let Ok(mut lines) = lines.lock() {
                        lines.push(Line::of(finished));
                    }
                }
                Err(error) => {
                    if let Ok(mut failed) = failed.lock() {
                        failed.get_or_insert(error);
                    }
                    next.store(runs, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for number in 1..args.jobs.min(args.runs) {
            let thread = std::thread::Builder::new().name(format!("rollout {number}")).stack_size(STACK);
            // With fewer threads the work only takes longer.
            _ = thread.spawn_scoped(scope, work);
        }
        work();
    });
    if let Some(error) = failed.into_inner().unwrap_or_default() {
        return Err(Failure::broken(error));
    }
    let mut lines = lines.into_inner().unwrap_or_default();
    lines.sort_by(|a, b| a.run_id.cmp(&b.run_id));
    Ok(lines)
}

/// Rollouts that ended in a limit or an error of the agent are failures; those without a verdict stand apart and are part of no
/// average.
impl Played {
    fn passed(&self) -> usize {
        self.lines.iter().filter(|line| line.passed == Some(true)).count()
    }

    fn failed(&self) -> usize {
        self.lines.iter().filter(|line| line.passed == Some(false)).count()
    }

    fn without_verdict(&self) -> usize {
        self.lines.iter().filter(|line| line.passed.is_none()).count()
    }

    fn mean_reward(&self) -> Option<Decimal> {
        let mut sum = Decimal::ZERO;
        for reward in self.lines.iter().filter_map(|line| line.reward) {
            sum = sum.plus(reward).ok()?;
        }
        let graded = i64::try_from(self.passed() + self.failed()).ok()?;
        sum.over(Decimal::from(graded)).ok()?.round(6).ok()
    }

    fn to_json(&self) -> Json {
        Json::object([
            ("taskId", Json::from(&self.task)),
            ("asked", Json::from(self.asked)),
            ("passed", Json::from(self.passed())),
            ("failed", Json::from(self.failed())),
            ("withoutVerdict", Json::from(self.without_verdict())),
            ("meanReward", self.mean_reward().map_or(Json::Null, Json::from)),
            ("runs", self.lines.iter().map(Line::to_json).collect()),
        ])
    }

    fn told(&self) -> String {
        let (passed, asked) = (self.passed(), self.asked as usize);
        let word = if passed == asked {
            styled(GOOD, "PASSED")
        } else if self.without_verdict() > 0 {
            styled(CAUTION, "BROKEN")
        } else {
            styled(BAD, "FAILED")
        };
        let mut text = format!("{word} {}: {passed} of {asked}", self.task);
        if let Some(mean) = self.mean_reward() {
            _ = write!(text, ", mean reward {} over {} graded", short(mean), passed + self.failed());
        }
        text.push('\n');
        let unplayed = asked.saturating_sub(self.lines.len());
        if unplayed > 0 {
            _ = writeln!(text, "  {} not played", plural(i64::try_from(unplayed).unwrap_or(i64::MAX), "rollout"));
        }
        for (label, count) in self.failed_checks() {
            _ = writeln!(text, "  {count} without: {}", one_line(label, 160));
        }
        for reason in [
            TerminationReason::MaxToolCalls,
            TerminationReason::Timeout,
            TerminationReason::AgentError,
            TerminationReason::Interrupted,
            TerminationReason::EnvironmentError,
            TerminationReason::EngineError,
        ] {
            let ended: Vec<&Line> = self.lines.iter().filter(|line| line.reason == reason).collect();
            if let Some(first) = ended.first() {
                let note = if reason.has_verdict() { "counted as failed" } else { "no verdict, in no average" };
                let error = first.error.as_deref().and_then(|error| error.lines().next());
                let error = error.map(|error| format!(": {}", one_line(error, 160))).unwrap_or_default();
                let (count, reason) = (ended.len(), reason.as_str());
                _ = writeln!(text, "  {count} {reason} ({note}), first {}{error}", first.run_id);
            }
        }
        text
    }

    /// The required checks that failed and how often, in the order in which they were first seen.
    fn failed_checks(&self) -> Vec<(&Text, usize)> {
        let mut counted: Vec<(&Text, usize)> = Vec::new();
        for label in self.lines.iter().flat_map(|line| &line.failed_required) {
            match counted.iter_mut().find(|(known, _)| *known == label) {
                Some((_, count)) => *count += 1,
                None => counted.push((label, 1)),
            }
        }
        counted
    }
}
