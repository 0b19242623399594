use super::environment::{Source, task};
use super::tally::many;
use super::trace::took;
use super::{Exit, Failure, Outcome};
use crate::agents::{AgentSpec, Interrupt};
use crate::rollout::{Finished, Plan, Watcher};
use crate::symptoms::symptoms;
use crate::terminal::{BAD, CAUTION, GOOD, STRONG, styled};
use crate::terminal::{say, say_line};
use crate::timeline::{changes, checks, timeline};
use silo_runtime::ids::TaskId;
use silo_runtime::session::Engine;
use silo_runtime::trace::{Event, TerminationReason};
use silo_runtime::value::decimal::Decimal;
use silo_runtime::value::json::Json;
use std::path::PathBuf;
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
    #[arg(long, value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    task: Option<String>,
    /// Play every task
    #[arg(long)]
    all: bool,
    /// Who plays: solution, noop, script:FILE, exec:COMMAND, or a .mjs, .js, .ts or .py module [default: the task's solution]
    #[arg(long, value_name = "AGENT")]
    agent: Option<AgentSpec>,
    /// How many rollouts
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<1_000_000>, allow_hyphen_values = true)]
    pub(super) runs: u32,
    /// How many rollouts at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<256>, allow_hyphen_values = true)]
    pub(super) jobs: u32,
    /// Tool calls the agent may make [default: the task's, else 100]
    #[arg(long, value_name = "N", value_parser = count::<1_000_000>, allow_hyphen_values = true)]
    max_calls: Option<u32>,
    /// Time the agent has, such as 30s, 500ms or 5m [default: the task's, else 300s]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    timeout: Option<Duration>,
    /// Where the rollouts' folders are made
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    pub(super) out: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Args {
    /// Whether every task is played.
    pub(super) fn is_all(&self) -> bool {
        self.all
    }
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
    let tasks = match &args.task {
        Some(id) => vec![task(&engine, id)?],
        None => (0..engine.environment().manifest().tasks.len()).map(TaskId::from).collect(),
    };
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    ctrlc::set_handler(move || raise.raise())
        .map_err(|error| Failure::broken(format!("interrupts cannot be handled: {error}")))?;
    let plans: Vec<Plan> =
        tasks.into_iter().map(|task| plan(args, &engine, task, &interrupt)).collect::<Result<_, _>>()?;
    match plans.as_slice() {
        [plan] if args.runs == 1 => one(plan, args.json),
        plans => many(plans, args),
    }
}

/// What is to be played of a task.
fn plan(args: &Args, engine: &Arc<Engine>, task: TaskId, interrupt: &Interrupt) -> Result<Plan, Failure> {
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
    Ok(Plan { engine: engine.clone(), task, agent, limits, out: args.out.clone(), interrupt: interrupt.clone() })
}

/// Plays one rollout, shown as it happens.
fn one(plan: &Plan, json: bool) -> Outcome {
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = events.clone();
    let watcher: Watcher = Box::new(move |event: &Event| {
        let event = event.to_json();
        if !json {
            say!("{}", timeline(std::slice::from_ref(&event)));
        }
        if let Ok(mut events) = kept.lock() {
            events.push(event);
        }
    });
    let finished = plan.play(Some(watcher)).map_err(Failure::broken)?;
    let outcome = &finished.outcome;
    let diff = outcome.diff_json();
    if json {
        say_line!("{}", to_json(&finished).to_pretty().trim_end());
        return Ok(exit(&finished));
    }
    if let Some(verdict) = &outcome.verdict {
        let found: Vec<Json> = verdict.checks.iter().map(silo_runtime::grade::Check::to_json).collect();
        say!("\n{}", checks(&found));
    }
    say_line!("\n{} {}", styled(STRONG, "changed"), changes(&diff));
    say_line!("{} {}", styled(STRONG, "took   "), time(&finished));
    say_line!("{} {}", styled(STRONG, "kept in"), finished.folder.display());
    let events = events.lock().map(|events| events.clone()).unwrap_or_default();
    for symptom in symptoms(&events, Some(&diff)) {
        say_line!("{}: {symptom}", styled(CAUTION, "symptom"));
    }
    say_line!("\n{}", verdict_line(&plan.engine, &finished));
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
pub(super) fn short(reward: Decimal) -> String {
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
