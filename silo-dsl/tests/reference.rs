//! Every example of the documentation compiles, and the solution of every task in it passes.
//!
//! An example is a fenced block whose info string begins with `silo`, with tags after it:
//!
//! | block | is |
//! |---|---|
//! | `silo` | a whole file |
//! | `silo,preamble` | a whole file, and the world that examples of the tags below are about |
//! | `silo,items` | items that are added to that world |
//! | `silo,code` | statements of an action of that world |
//! | `silo,verify`, `silo,solution` | statements of that part of a task of that world |
//! | `…,error:E0331` | an example that has an error of this code, and no other |
//! | `json,file:data/x.json` | a data file for the whole files of the same page |
#![expect(clippy::disallowed_methods, reason = "the pages are read from the repository")]

use silo_dsl::diagnostics::render;
use silo_dsl::interpret::Interpreted;
use silo_dsl::project::Project;
use silo_dsl::{Loaded, load_project};
use silo_runtime::ids::TaskId;
use silo_runtime::session::{Clock, Ending, Engine, Setup, solve};
use silo_runtime::trace::Discard;
use silo_runtime::value::DateTime;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The pages that have examples, from the root of the repository. The first has the world of the others.
const PAGES: [&str; 8] = [
    "docs/language.md",
    "docs/language/types.md",
    "docs/language/data.md",
    "docs/language/code.md",
    "docs/language/methods.md",
    "docs/language/schemas.md",
    "docs/language/tasks.md",
    "README.md",
];

/// A fenced block.
struct Block {
    place: String,
    tags: Vec<String>,
    text: String,
}

impl Block {
    fn has(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix(name)?.strip_prefix(':'))
    }
}

/// The fenced blocks of a page that have an info string.
fn blocks(page: &str) -> Vec<Block> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                let tags = info.split(',').map(str::to_owned).collect();
                open = Some(Block { place: format!("{page}:{}", number + 1), tags, text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page} ends in a block");
    blocks
}

/// What makes a task of an example one that is not passed by doing nothing.
const GOAL: &str = "verify { check \"done\": answer.mentions(\"done\") }";

/// The source of an example in its place.
fn source(block: &Block, preamble: &str) -> String {
    // Statements are indented: an item begins at the left margin.
    let text: String = block.text.split_inclusive('\n').flat_map(|line| ["    ", line]).collect();
    match block.tags.get(1).map(String::as_str) {
        Some("items") => format!("{preamble}\n{}", block.text),
        Some("code") => format!("{preamble}\naction example() {{\n{text}}}\n"),
        Some("verify") => {
            format!("{preamble}\ntask \"EXAMPLE\" {{ instruction: \"…\"\n{GOAL}\nverify {{\n{text}}} }}\n")
        }
        Some("solution") => {
            format!("{preamble}\ntask \"EXAMPLE\" {{ instruction: \"…\"\n{GOAL}\nsolution {{\n{text}}} }}\n")
        }
        _ => block.text.clone(),
    }
}

/// An example as far as it compiles.
fn load(source: &str, data: &[(String, String)]) -> Loaded {
    let files = [("example.silo".to_owned(), source.to_owned())].into_iter().chain(data.iter().cloned());
    load_project(&Project::from_sources(files))
}

/// What is wrong with an example, if something is.
fn fault(block: &Block, preamble: &str, data: &[(String, String)]) -> Option<String> {
    let loaded = load(&source(block, preamble), data);
    let told = render::plain(&loaded.sources, &loaded.diagnostics);
    if let Some(code) = block.value("error") {
        let right = !told.is_empty() && loaded.diagnostics.iter().all(|found| found.code.id() == code);
        return (!right).then(|| format!("{code} was expected, found:\n{told}"));
    }
    if !told.is_empty() {
        return Some(told);
    }
    let Some(environment) = loaded.environment else { return Some("it gives no environment".to_owned()) };
    let faults = if block.has("solution") { Vec::new() } else { unsolved(environment) };
    (!faults.is_empty()).then(|| faults.join("\n"))
}

/// The tasks whose solution does not pass.
fn unsolved(environment: Interpreted) -> Vec<String> {
    let engine = Engine::new(Arc::new(environment));
    let tasks = engine.environment().manifest().tasks.clone();
    let mut faults = Vec::new();
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| task.has_solution) {
        let setup = Setup {
            run_id: "example".into(),
            agent: "solution".into(),
            limits: task.limits.clone(),
            clock: Box::new(Stopped),
            sink: Box::new(Discard),
        };
        let played = engine.session(TaskId::from(index), setup).map(|mut session| {
            let ending = solve(&mut session).unwrap_or(Ending::Interrupted);
            session.finish(ending)
        });
        match played {
            Ok(outcome) if outcome.passed() == Some(true) => {}
            Ok(outcome) => faults.push(format!("{} does not pass: {}", task.id, outcome.result_json().to_pretty())),
            Err(fault) => faults.push(format!("{} does not start: {}", task.id, fault.message)),
        }
    }
    faults
}

/// A clock that stands still.
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> DateTime {
        DateTime::MIN
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn every_example_of_the_documentation_holds() {
    let mut preamble = String::new();
    let mut faults = Vec::new();
    let mut count = 0;
    for page in PAGES {
        let blocks = blocks(page);
        let data: Vec<(String, String)> =
            blocks.iter().filter_map(|block| Some((block.value("file")?.to_owned(), block.text.clone()))).collect();
        for block in blocks.iter().filter(|block| block.tags.first().is_some_and(|tag| tag == "silo")) {
            count += 1;
            if block.has("preamble") {
                preamble.clone_from(&block.text);
            }
            if let Some(fault) = fault(block, &preamble, &data) {
                faults.push(format!("== {}\n{fault}", block.place));
            }
        }
    }
    assert!(count > 30, "only {count} examples were found");
    assert!(faults.is_empty(), "{} of {count} examples do not hold\n\n{}", faults.len(), faults.join("\n"));
}
