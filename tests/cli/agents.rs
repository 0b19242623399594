//! The agents of the documentation against the CRM, through the real binary.

use crate::support::Place;
use std::path::Path;

/// The first fenced block of a language on a page of the documentation.
fn example(page: &str, language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
    let text = std::fs::read_to_string(path).expect("the page");
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("an example");
    rest.split_once("\n```").expect("its end").0.to_owned()
}

/// Plays TASK-002 with the documentation's example; says so where what it needs is not installed.
fn passes(runtime: &str, language: &str, file: &str) {
    if std::process::Command::new(runtime).arg("--version").output().is_err() {
        assert!(std::env::var_os("SILO_REQUIRE_AGENTS").is_none(), "{runtime} is not installed");
        eprintln!("{runtime} is not installed: its example is not played");
        return;
    }
    let place = Place::empty();
    place.write(file, &example("agents.md", language));
    let crm = Path::new(env!("CARGO_MANIFEST_DIR")).join("environments/crm");
    let ran = place.silo(&["run", crm.to_str().expect("a path"), "--task", "TASK-002", "--agent", file]);
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
}

#[test]
fn the_javascript_example_passes() {
    passes("node", "js", "agent.mjs");
}

#[test]
fn the_python_example_passes() {
    passes("python3", "python", "agent.py");
}
