//! Declarations: each fixture beside the snapshot of what the compiler says of it.

mod common;

use common::{beside, diagnostics};
use silo_dsl::compile::compile;
use silo_dsl::diagnostics::{Code, Diagnostic, codes, render};
use silo_dsl::project::Project;
use std::path::Path;

/// What the phases before code say of a fixture.
fn check(name: &str) {
    shown("", name, diagnostics);
}

/// What all phases say of a fixture: one mistake, one diagnostic.
fn check_all(name: &str) {
    shown("one_mistake", name, |project| compile(project).1);
}

fn shown(under: &str, name: &str, diagnostics: impl Fn(&Project) -> Vec<Diagnostic>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declare").join(under);
    let file = format!("{name}.silo");
    #[expect(clippy::disallowed_methods, reason = "the test reads its fixture")]
    let source = std::fs::read(folder.join(&file)).expect("the fixture is there");
    let project = Project::from_sources([(file.as_str(), source)]);
    let shown = render::plain(project.sources(), &diagnostics(&project));
    beside(folder).bind(|| insta::assert_snapshot!(file, shown));
}

macro_rules! fixtures {
    ($check:ident: $($name:ident)*) => { $(#[test] fn $name() { $check(stringify!($name)); })* };
}

fixtures! {
    check:
    cases
    constants
    defaults
    keys
    l04_duplicates
    limits
    pc17_names
    records_in_a_circle
    rules
    settings
    state
    types
}

fixtures! {
    check_all:
    a_broken_entity
    a_broken_enum
    a_broken_environment
    a_broken_record
    a_broken_tool
    a_broken_state
    an_unknown_answer
    an_unknown_bind
    an_unknown_field_type
    an_unknown_answer_type
    an_unknown_parameter_type
    an_unknown_result
}

#[test]
fn every_fixture_is_a_test() {
    for (under, count) in [("", 12), ("one_mistake", 12)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declare").join(under);
        let fixtures = folder.read_dir().expect("the folder is there").filter_map(Result::ok);
        let silo = fixtures.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "silo"));
        assert_eq!(silo.count(), count, "name the new fixture above");
    }
}

/// The code blocks of a page below a heading.
fn examples<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let section = page.split_once(&format!("\n## {heading}\n")).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.split("```silo\n").skip(1).filter_map(|block| block.split("```").next()).collect()
}

/// The codes that an example gives, as a project of one file.
fn codes_of(example: &str) -> Vec<&'static str> {
    let environment = if example.contains("environment ") { "" } else { "environment example { }\n" };
    let project = Project::from_sources([("example.silo", format!("{environment}{example}"))]);
    diagnostics(&project).iter().map(|diagnostic| diagnostic.code.id()).collect()
}

#[test]
fn pages_on_declarations_show_what_they_say() {
    // What an example of these has to show does not fit into one small file.
    const LEFT_OUT: [&str; 3] = ["E0404", "E0421", "E0205"];
    let is_own = |code: &Code| {
        let id = code.id();
        let own = ["E04", "W006", "E020"].iter().any(|area| id.starts_with(area)) || ("E0801"..="E0803").contains(&id);
        own && id != "W0061" && !LEFT_OUT.contains(&id)
    };
    let mut faults = Vec::new();
    for code in codes::all().filter(is_own) {
        for wrong in examples(code.page(), "Wrong") {
            let codes = codes_of(wrong);
            if !codes.contains(&code.id()) {
                faults.push(format!("the wrong example of {code} gives {codes:?}"));
            }
        }
        for right in examples(code.page(), "Right") {
            if codes_of(right).contains(&code.id()) {
                faults.push(format!("the right example of {code} gives it too"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
