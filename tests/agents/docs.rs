//! The examples of `docs/agents.md` run.

use crate::fake::{Game, Played, Written, has};
use silo::agents::{ProcessAgent, Script};

const PAGE: &str = include_str!("../../docs/agents.md");

/// The examples in a language, in the order of the page.
fn examples(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

const MOVED: [&str; 3] = [
    r#"list_opportunities {"ownerId":"USR-004","status":"open"}"#,
    r#"reassign_opportunity {"opportunityId":"OPP-005","newOwnerId":"USR-003","actorId":"USR-001"}"#,
    r#"reassign_opportunity {"opportunityId":"OPP-006","newOwnerId":"USR-003","actorId":"USR-001"}"#,
];

#[test]
fn the_javascript_example_runs() {
    if !has("node") {
        return;
    }
    let [example] = examples("js")[..] else { panic!("one example") };
    let played = Written::new("agent.mjs", example).play();
    assert_eq!(played.output(), "Moved OPP-005, OPP-006.");
    assert_eq!(played.calls, MOVED);
}

#[test]
fn the_typescript_example_runs_where_something_can_run_it() {
    if !has("node") {
        return;
    }
    let [example] = examples("ts")[..] else { panic!("one example") };
    let played = Written::new("agent.ts", example).play();
    if !format!("{played:?}").contains("cannot run TypeScript by itself") {
        assert_eq!(played.output(), "There are 2 open deals.");
    }
}

#[test]
fn the_python_examples_run() {
    if !has("python3") {
        return;
    }
    let [sync, together] = examples("python")[..] else { panic!("two examples") };
    let played = Written::new("agent.py", sync).play();
    assert_eq!(played.output(), "Moved OPP-005, OPP-006.");
    assert_eq!(played.calls, MOVED);
    assert_eq!(Written::new("agent.py", together).play().output(), r#"{"open":2,"lost":2}"#);
}

#[test]
fn the_program_runs() {
    let [example] = examples("sh")[..] else { panic!("one example") };
    let played: Played = Game::default().play(ProcessAgent::exec(["sh", "-c", example].map(str::to_owned).to_vec()));
    assert_eq!(played.output(), "Looked once.");
    assert!(played.log.starts_with(r#"heard: {"type":"result","id":1,"#), "{}", played.log);
}

#[test]
fn the_script_runs() {
    let [example] = examples("json")[..] else { panic!("one example") };
    let played = Game::default().play_any(&mut Script::parse(example).unwrap());
    assert_eq!(played.output(), "Moved OPP-005.");
    assert_eq!(played.calls, [r#"list_opportunities {"status":"open"}"#, MOVED[1]]);
}
