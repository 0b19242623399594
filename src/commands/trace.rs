#![expect(clippy::disallowed_methods, reason = "this command reads what rollouts wrote")]

use super::{Exit, Failure, Outcome, did_you_mean};
use crate::symptoms::symptoms;
use crate::terminal::{CAUTION, FAINT, styled};
use crate::terminal::{say, say_line};
use crate::timeline::{changes, checks, heading, timeline};
use silo_runtime::artifacts::{DIFF, RESULT, RUN, TRACE};
use silo_runtime::value::json::{Json, Limits};
use std::fs;
use std::path::{Path, PathBuf};

/// Show what happened in a rollout, and what shows of why it went wrong
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rollout: its folder, or its id or the end of it; the newest where none is given
    run: Option<String>,
    /// Where rollouts are kept
    #[arg(long, value_name = "DIR", default_value = super::run::RUNS)]
    out: PathBuf,
    /// Print events, symptoms and result as JSON
    #[arg(long)]
    json: bool,
}

/// Bytes of the largest file that is read.
const LARGEST: u32 = 512 << 20;

pub(super) fn run(args: &Args) -> Outcome {
    let folder = find(args)?;
    let trace = fs::read(folder.join(TRACE)).map_err(|error| {
        Failure::mistake(format!("`{}` holds no trace: {error}", folder.display()))
            .help("name the folder of a rollout, which `silo run` prints")
    })?;
    let (events, cut) = read_events(&String::from_utf8_lossy(&trace))?;
    let file = |name: &str| Json::parse(&fs::read_to_string(folder.join(name)).ok()?, Limits::bytes(LARGEST)).ok();
    let (result, diff, run) = (file(RESULT), file(DIFF), file(RUN));
    let symptoms = symptoms(&events, diff.as_ref());
    if args.json {
        let json = Json::object([
            ("folder", Json::from(folder.display().to_string())),
            ("events", events.into_iter().collect()),
            ("symptoms", symptoms.iter().map(|symptom| Json::from(symptom.as_str())).collect()),
            ("result", result.unwrap_or_default()),
            ("complete", Json::from(run.is_some())),
        ]);
        say_line!("{}", json.to_pretty().trim_end());
        return Ok(Exit::Passed);
    }
    say_line!("{}", styled(FAINT, &folder.display().to_string()));
    say!("{}", timeline(&events));
    if let Some(Json::Array(found)) = result.as_ref().and_then(|result| result.get("checks")) {
        say!("\n{}\n{}", heading("checks"), checks(found));
    }
    if let Some(diff) = &diff {
        say_line!("\n{} {}", heading("changed"), changes(diff));
    }
    if let Some(time) = run.as_ref().and_then(time) {
        say_line!("{} {time}", heading("took"));
    }
    if cut {
        say_line!("{}: the last line of the trace was cut and is left out", styled(CAUTION, "note"));
    }
    if run.is_none() {
        say_line!("{}: there is no `{RUN}`: the rollout was killed, or is still running", styled(CAUTION, "note"));
    }
    for symptom in symptoms {
        say_line!("{}: {symptom}", styled(CAUTION, "symptom"));
    }
    Ok(Exit::Passed)
}

/// `12.4 s, of it 0.8 ms in tools`.
fn time(run: &Json) -> Option<String> {
    let number = |field: &str| run.get(field)?.to_string().parse::<f64>().ok();
    Some(took(number("durationMs")?, number("toolMs")?))
}

/// The time of a rollout, both parts in milliseconds, as people say it.
pub(super) fn took(all: f64, tools: f64) -> String {
    let said = |milliseconds: f64| {
        if milliseconds >= 1000.0 { format!("{:.1} s", milliseconds / 1000.0) } else { format!("{milliseconds:.1} ms") }
    };
    format!("{}, of it {} in tools", said(all), said(tools))
}

/// The events of a trace, and whether its last line was cut off. Whoever kills a rollout cuts at most that one.
fn read_events(trace: &str) -> Result<(Vec<Json>, bool), Failure> {
    let mut events = Vec::new();
    let whole = trace.rfind('\n').map_or(0, |end| end + 1);
    let (lines, rest) = trace.split_at(whole);
    for (index, line) in lines.lines().enumerate() {
        let event = Json::parse(line, Limits::bytes(LARGEST))
            .map_err(|error| Failure::mistake(format!("line {} of the trace is no JSON: {error}", index + 1)))?;
        events.push(event);
    }
    Ok((events, !rest.is_empty()))
}

fn find(args: &Args) -> Result<PathBuf, Failure> {
    let runs = || -> Vec<String> {
        let entries = fs::read_dir(&args.out).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.starts_with("run_"))
            .collect();
        names.sort();
        names
    };
    let Some(run) = &args.run else {
        let newest = runs().pop().ok_or_else(|| {
            Failure::mistake(format!("there are no rollouts in `{}`", args.out.display()))
                .help("start one: silo run ENV --task ID")
        })?;
        return Ok(args.out.join(newest));
    };
    if Path::new(run).is_dir() {
        return Ok(PathBuf::from(run));
    }
    let runs = runs();
    let matching: Vec<&String> = runs.iter().filter(|name| *name == run || name.ends_with(run.as_str())).collect();
    match matching.as_slice() {
        [one] => Ok(args.out.join(one)),
        [] => {
            let known = format!("`{}` holds {} rollouts", args.out.display(), runs.len());
            let names = runs.iter().map(String::as_str);
            Err(Failure::mistake(format!("there is no rollout `{run}`")).help(did_you_mean(run, names, &known)))
        }
        several => {
            Err(Failure::mistake(format!("{} rollouts end in `{run}`", several.len())).help("give more of the id"))
        }
    }
}
