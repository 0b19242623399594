//! Scripts of calls, and what they come to.

use silo_dsl::diagnostics::render;
use silo_dsl::load_project;
use silo_dsl::project::Project;
use silo_runtime::ids::TaskId;
use silo_runtime::limits::Limits;
use silo_runtime::session::{Clock, Ending, Engine, Outcome, Session, Setup, solve};
use silo_runtime::trace::Discard;
use silo_runtime::value::DateTime;
use silo_runtime::value::json::{Json, Limits as JsonLimits};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> DateTime {
        "2026-03-31T09:00:00Z".parse().unwrap()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A session of a task.
pub(crate) fn session(engine: &Arc<Engine>, task: TaskId) -> Session {
    let limits = Limits { max_calls: 1000, ..Limits::default() };
    let (clock, sink) = (Box::new(Still), Box::new(Discard));
    engine.session(task, Setup { run_id: "run".into(), agent: "test".into(), limits, clock, sink }).unwrap()
}

/// An engine for a program without faults.
pub(crate) fn engine(source: &str) -> Arc<Engine> {
    let loaded = load_project(&Project::from_sources([("main.silo", source)]));
    let faults = render::plain(&loaded.sources, &loaded.diagnostics);
    Engine::new(Arc::new(loaded.environment.unwrap_or_else(|| panic!("the program has faults:\n{faults}"))))
}

/// What a program does: the outcome of each line of its script.
pub(crate) fn play(source: &str) -> String {
    let project = Project::from_sources([("main.silo", source)]);
    let loaded = load_project(&project);
    let mut said = render::plain(&loaded.sources, &loaded.diagnostics);
    let Some(environment) = loaded.environment else { return said };
    let engine = Engine::new(Arc::new(environment));
    let mut running = session(&engine, engine.free_play());
    for line in source.lines().filter_map(|line| line.strip_prefix("// > ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        writeln!(said, "> {line}").unwrap();
        match word {
            "diff" => writeln!(said, "{}", running.diff().to_json(&engine.environment().manifest().model)).unwrap(),
            "fresh" => running = session(&engine, engine.free_play()),
            "start" => {
                let task = engine.find_task(rest).unwrap();
                running = session(&engine, task);
                writeln!(said, "{}", engine.task(task).unwrap().instruction).unwrap();
            }
            "solve" => {
                let ending = solve(&mut running).unwrap();
                let next = session(&engine, engine.free_play());
                tell(&mut said, &std::mem::replace(&mut running, next).finish(ending));
            }
            "answer" => {
                let next = session(&engine, engine.free_play());
                let ending = Ending::Output(rest.trim_matches('"').into());
                tell(&mut said, &std::mem::replace(&mut running, next).finish(ending));
            }
            tool => {
                let result = running.call(tool, &Json::parse(rest, JsonLimits::default()).unwrap());
                let mark = if result.is_error { "error " } else { "" };
                writeln!(said, "{mark}{}", result.output).unwrap();
            }
        }
    }
    said
}

/// The verdict, and each check with its reason.
fn tell(said: &mut String, outcome: &Outcome) {
    let result = outcome.result_json();
    let text = |json: &Json, name: &str| json.get(name).map(ToString::to_string).unwrap_or_default();
    let (reason, error) = (text(&result, "terminationReason"), text(&result, "error"));
    writeln!(said, "passed {}, reward {}, {reason}, error {error}", text(&result, "passed"), text(&result, "reward"))
        .unwrap();
    writeln!(said, "answer {}", text(&result, "agentOutput")).unwrap();
    for violation in result.get("violations").and_then(Json::as_array).unwrap_or_default() {
        writeln!(said, "violation {violation}").unwrap();
    }
    for check in result.get("checks").and_then(Json::as_array).unwrap_or_default() {
        let mark = if check.get("passed").and_then(Json::as_bool) == Some(true) { "✓" } else { "✗" };
        let kind = if check.get("required").and_then(Json::as_bool) == Some(true) { "" } else { " (optional)" };
        let label = check.get("label").and_then(Json::as_str).unwrap_or_default();
        let detail = check.get("detail").and_then(Json::as_str).unwrap_or_default();
        writeln!(said, "  {mark} {label}{kind}: {detail}").unwrap();
    }
}
