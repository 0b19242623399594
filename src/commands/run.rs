use super::environment::{Source, task};
use super::trace::took;
use super::{Exit, Failure, Outcome};
use crate::agents::{AgentSpec, Interrupt};
use crate::rollout::{Finished, Plan, Watcher};
use crate::symptoms::symptoms;
use crate::terminal::{BAD, CAUTION, FAINT, GOOD, STRONG, styled};
use crate::timeline::{changes, checks, plural, timeline};
use silo_runtime::session::Engine;
use silo_runtime::trace::{Event, TerminationReason};
use silo_runtime::value::Checked as _;
use silo_runtime::value::decimal::Decimal;
use silo_runtime::value::json::Json;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where rollouts are kept.
pub(super) const RUNS: &str = ".silo/runs";

/// Run a rollout of a task: an agent plays it, the world it leaves is graded
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The task to play
    #[arg(long, value_name = "ID")]
    task: String,
    /// Who plays: solution, noop, script:FILE, exec:COMMAND, or a .mjs, .js, .ts or .py module [default: the task's solution]
    #[arg(long, value_name = "AGENT")]
    agent: Option<AgentSpec>,
    /// How many rollouts
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<1_000_000>, allow_hyphen_values = true)]
    runs: u32,
    /// How many rollouts at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<256>, allow_hyphen_values = true)]
    jobs: u32,
    /// Tool calls the agent may make [default: the task's, else 100]
    #[arg(long, value_name = "N", value_parser = count::<1_000_000>, allow_hyphen_values = true)]
    max_calls: Option<u32>,
    /// Time the agent has, such as 30s, 500ms or 5m [default: the task's, else 300s]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    timeout: Option<Duration>,
    /// Where the rollouts' folders are made
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    out: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A whole number from 1 to `MOST`.
fn count<const MOST: u32>(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (1..=MOST).contains(&number) => Ok(number),
        _ => Err(format!("a whole number from 1 to {MOST} is expected")),
    }
}

/// A time such as `30s`.
fn duration(text: &str) -> Result<Duration, String> {
    const DAY: Duration = Duration::from_hours(24);
    let expected = || "a time from 1ms to 24h is expected, such as 30s, 500ms or 5m".to_owned();
    let parsed: jiff::SignedDuration = text.parse().map_err(|_| expected())?;
    let time = Duration::try_from(parsed).map_err(|_| expected())?;
    if (Duration::from_millis(1)..=DAY).contains(&time) { Ok(time) } else { Err(expected()) }
}

pub(super) fn run(args: &Args) -> Outcome {
    let engine = args.source.engine()?;
    let task = task(&engine, &args.task)?;
    let spec = engine.task(task).map_err(|fault| Failure::broken(fault.message))?;
    let agent = match &args.agent {
        Some(agent) => agent.clone(),
        None if spec.has_solution => AgentSpec::Solution,
        None => {
            return Err(Failure::mistake(format!("the task `{}` has no solution to play", spec.id))
                .help("say who plays: --agent agent.mjs, --agent exec:COMMAND, …"));
        }
    };
    let limits = spec.limits.clone().with(args.max_calls, args.timeout);
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    ctrlc::set_handler(move || raise.raise())
        .map_err(|error| Failure::broken(format!("interrupts cannot be handled: {error}")))?;
    let plan = Plan { engine, task, agent, limits, out: args.out.clone(), interrupt };
    if args.runs == 1 { one(&plan, args.json) } else { many(&plan, args) }
}

/// Plays one rollout, shown as it happens.
fn one(plan: &Plan, json: bool) -> Outcome {
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = events.clone();
    let watcher: Watcher = Box::new(move |event: &Event| {
        let event = event.to_json();
        if !json {
            anstream::print!("{}", timeline(std::slice::from_ref(&event)));
        }
        if let Ok(mut events) = kept.lock() {
            events.push(event);
        }
    });
    let finished = plan.play(Some(watcher)).map_err(Failure::broken)?;
    let outcome = &finished.outcome;
    let diff = outcome.diff_json();
    if json {
        println!("{}", to_json(&finished).to_pretty().trim_end());
        return Ok(exit(&finished));
    }
    if let Some(verdict) = &outcome.verdict {
        let found: Vec<Json> = verdict.checks.iter().map(silo_runtime::grade::Check::to_json).collect();
        anstream::print!("\n{}", checks(&found));
    }
    anstream::println!("\n{} {}", styled(STRONG, "changed"), changes(&diff));
    anstream::println!("{} {}", styled(STRONG, "took   "), time(&finished));
    anstream::println!("{} {}", styled(STRONG, "kept in"), finished.folder.display());
    let events = events.lock().map(|events| events.clone()).unwrap_or_default();
    for symptom in symptoms(&events, Some(&diff)) {
        anstream::println!("{}: {symptom}", styled(CAUTION, "symptom"));
    }
    anstream::println!("\n{}", verdict_line(&plan.engine, &finished));
    Ok(exit(&finished))
}

fn time(finished: &Finished) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    took(milliseconds(finished.outcome.run.duration), milliseconds(finished.outcome.run.tool_time))
}

fn verdict_line(engine: &Engine, finished: &Finished) -> String {
    let outcome = &finished.outcome;
    let why =
        outcome.error.as_deref().map(|error| format!("\n  {}", crate::terminal::lines(error))).unwrap_or_default();
    match &outcome.verdict {
        Some(verdict) if verdict.passed => {
            format!("{} {}, reward {}", styled(GOOD, "PASSED"), outcome.run.task, short(verdict.reward))
        }
        Some(verdict) => {
            let reason = match outcome.reason {
                TerminationReason::Completed => String::new(),
                reason => format!(" ({})", reason.as_str()),
            };
            let mut line = format!(
                "{} {}{reason}, reward {}{why}",
                styled(BAD, "FAILED"),
                outcome.run.task,
                short(verdict.reward)
            );
            if verdict.checks.is_empty() && engine.environment().manifest().tasks.is_empty() {
                line.push_str("\n  the task has no checks");
            }
            line
        }
        None => format!("{} {} ({}){why}", styled(CAUTION, "NO VERDICT"), outcome.run.task, outcome.reason.as_str()),
    }
}

/// A reward in a few digits; the artifacts have all of them.
fn short(reward: Decimal) -> String {
    reward.round(4).map_or_else(|_| reward.to_string(), |reward| reward.to_string())
}

fn exit(finished: &Finished) -> Exit {
    match &finished.outcome.verdict {
        _ if finished.was_interrupted() => Exit::Interrupted,
        None => Exit::Broken,
        Some(verdict) if verdict.passed => Exit::Passed,
        Some(_) if finished.outcome.reason == TerminationReason::AgentError => Exit::Broken,
        Some(_) => Exit::Failed,
    }
}

fn to_json(finished: &Finished) -> Json {
    Json::object([
        ("runId", Json::from(&finished.outcome.run.run_id)),
        ("taskId", Json::from(&finished.outcome.run.task)),
        ("folder", Json::from(finished.folder.display().to_string())),
        ("result", finished.outcome.result_json()),
    ])
}

/// What is kept of each of many rollouts, so that a million of them cost little.
struct Line {
    run_id: String,
    passed: Option<bool>,
    reward: Option<Decimal>,
    reason: TerminationReason,
    error: Option<String>,
}

fn many(plan: &Plan, args: &Args) -> Outcome {
    let next = AtomicU32::new(0);
    let lines = Mutex::new(Vec::new());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let work = || {
        while next.fetch_add(1, Ordering::Relaxed) < args.runs && !plan.interrupt.is_raised() {
            match plan.play(None) {
                Ok(finished) => {
                    let outcome = finished.outcome;
                    let line = Line {
                        run_id: outcome.run.run_id.to_string(),
                        passed: outcome.passed(),
                        reward: outcome.verdict.as_ref().map(|verdict| verdict.reward),
                        reason: outcome.reason,
                        error: outcome.error,
                    };
                    if let Ok(mut lines) = lines.lock() {
                        lines.push(line);
                    }
                }
                Err(error) => {
                    if let Ok(mut failed) = failed.lock() {
                        failed.get_or_insert(error);
                    }
                    next.store(args.runs, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for number in 1..args.jobs.min(args.runs) {
            let thread = std::thread::Builder::new().name(format!("rollout {number}")).stack_size(super::STACK);
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
    let summary = Summary::of(&lines, args.runs);
    if args.json {
        println!("{}", summary.to_json(&lines).to_pretty().trim_end());
    } else {
        anstream::print!("{}", summary.told(&lines, args));
    }
    Ok(if plan.interrupt.is_raised() {
        Exit::Interrupted
    } else if summary.without_verdict > 0 {
        Exit::Broken
    } else if summary.passed < args.runs as usize {
        Exit::Failed
    } else {
        Exit::Passed
    })
}

/// The rollouts counted. Those that ended in a limit or an error of the agent are failures; those without a verdict stand apart
/// and are part of no average.
struct Summary {
    asked: u32,
    passed: usize,
    failed: usize,
    without_verdict: usize,
    mean_reward: Option<Decimal>,
}

impl Summary {
    fn of(lines: &[Line], asked: u32) -> Self {
        let passed = lines.iter().filter(|line| line.passed == Some(true)).count();
        let failed = lines.iter().filter(|line| line.passed == Some(false)).count();
        let mut sum = Decimal::ZERO;
        for reward in lines.iter().filter_map(|line| line.reward) {
            sum = sum.plus(reward).unwrap_or(sum);
        }
        let graded = i64::try_from(passed + failed).unwrap_or(i64::MAX);
        let mean_reward = sum.over(Decimal::from(graded)).ok().and_then(|mean| mean.round(6).ok());
        Self { asked, passed, failed, without_verdict: lines.len() - passed - failed, mean_reward }
    }

    fn to_json(&self, lines: &[Line]) -> Json {
        let count = |number: usize| Json::from(number);
        let run = |line: &Line| {
            Json::object([
                ("runId", Json::from(line.run_id.as_str())),
                ("passed", line.passed.map_or(Json::Null, Json::from)),
                ("reward", line.reward.map_or(Json::Null, Json::from)),
                ("terminationReason", Json::from(line.reason.as_str())),
                ("error", line.error.as_deref().map_or(Json::Null, Json::from)),
            ])
        };
        Json::object([
            ("asked", Json::from(self.asked)),
            ("passed", count(self.passed)),
            ("failed", count(self.failed)),
            ("withoutVerdict", count(self.without_verdict)),
            ("meanReward", self.mean_reward.map_or(Json::Null, Json::from)),
            ("runs", lines.iter().map(run).collect()),
        ])
    }

    fn told(&self, lines: &[Line], args: &Args) -> String {
        let mut text = format!("{} passed {} of {}", args.task, self.passed, self.asked);
        if let Some(mean) = self.mean_reward {
            _ = write!(text, ", mean reward {} over {} graded", short(mean), self.passed + self.failed);
        }
        text.push('\n');
        let unfinished = self.asked as usize - lines.len();
        if unfinished > 0 {
            _ = write!(text, "{} not run\n", plural(i64::try_from(unfinished).unwrap_or(i64::MAX), "rollout"));
        }
        for reason in [
            TerminationReason::MaxToolCalls,
            TerminationReason::Timeout,
            TerminationReason::AgentError,
            TerminationReason::Interrupted,
            TerminationReason::EnvironmentError,
            TerminationReason::EngineError,
        ] {
            let ended: Vec<&Line> = lines.iter().filter(|line| line.reason == reason).collect();
            if let Some(first) = ended.first() {
                let note = if reason.has_verdict() { "counted as failed" } else { "no verdict, in no average" };
                let error = first.error.as_deref().map(|error| format!(": {}", crate::terminal::one_line(error, 160)));
                _ = write!(
                    text,
                    "  {} {} ({note}), first {}{}\n",
                    ended.len(),
                    reason.as_str(),
                    first.run_id,
                    error.unwrap_or_default()
                );
            }
        }
        text.push_str(&styled(FAINT, &format!("kept in {}\n", args.out.display())));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r14_only_times_and_counts_that_make_sense_are_taken() {
        assert_eq!(duration("1500ms").ok(), Some(Duration::from_millis(1500)));
        assert_eq!(duration("30s").ok(), Some(Duration::from_secs(30)));
        for text in ["abc", "-1", "-1s", "1e99", "1e99s", "0s", "", "30", "25h", "NaN"] {
            assert!(duration(text).is_err(), "{text}");
            assert!(count::<100>(text).is_err() || text == "30", "{text}");
        }
        assert_eq!(count::<100>("100").ok(), Some(100));
        assert!(count::<100>("101").is_err());
    }
}
