//! Sources and data that are large, deep or senseless on purpose end in a few diagnostics, soon.

mod common;

use common::{diagnostics, front};
use proptest::prelude::*;
use silo_dsl::project::Project;
use std::fmt::Write as _;

fn codes(files: Vec<(&str, String)>) -> Vec<&'static str> {
    let project = Project::from_sources(files);
    let mut codes: Vec<_> = diagnostics(&project).iter().map(|diagnostic| diagnostic.code.id()).collect();
    codes.dedup();
    codes
}

fn of(source: &str) -> Vec<&'static str> {
    codes(vec![("world.silo", format!("environment world {{ }}\n{source}"))])
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, at| {
        _ = writeln!(all, "{}", line(at));
        all
    })
}

#[test]
fn more_types_than_ids_can_count_are_refused_once() {
    assert_eq!(of(&lines(20_000, |at| format!("enum E{at} {{ \"a\" }}"))), ["E0421"]);
    assert_eq!(of(&format!("enum E {{ {} }}", lines(12_000, |at| format!("\"m{at}\",")))), ["E0421"]);
    assert_eq!(of(&format!("record R {{\n{}}}", lines(12_000, |at| format!("f{at}: int")))), ["E0421"]);
}

#[test]
fn records_that_grow_by_doubling_are_refused() {
    let doubling = lines(60, |at| format!("record R{at} {{ a: R{}, b: R{} }}", at + 1, at + 1));
    assert_eq!(of(&format!("{doubling}record R60 {{ x: int }}\n")), ["E0421"]);
    let chain = lines(5_000, |at| format!("record R{at} {{ a: R{} }}", at + 1));
    assert_eq!(of(&format!("{chain}record R5000 {{ x: int }}\n")), ["E0421"]);
}

#[test]
fn constants_that_grow_by_doubling_are_refused() {
    let doubling = lines(50, |at| format!("const C{at}: list<int> = [C{}, C{}]", at + 1, at + 1));
    let codes = of(&format!("{doubling}const C50: int = 1\n"));
    assert!(codes.contains(&"E0404"), "{codes:?}");
}

#[test]
fn long_chains_of_constants_end() {
    let chain = lines(3_000, |at| format!("const C{at}: int = C{}", at + 1));
    let codes = of(&format!("{chain}const C3000: int = 1\n"));
    assert_eq!(codes, ["E0403"]);
}

#[test]
fn deep_and_endless_data_is_refused() {
    let world = "entity A { id: key, a: list<int>? }\nstate { rows: table<A> from \"a.json\" }\n";
    for data in ["[".repeat(200_000), "{\"a\":".repeat(200_000), "[1,".repeat(200_000), "\"".repeat(199_999)] {
        let files = vec![("world.silo", format!("environment w {{ }}\n{world}")), ("a.json", data)];
        assert_eq!(codes(files), ["E0701"]);
    }
}

#[test]
fn faults_in_every_row_are_one_diagnostic_each() {
    let rows: Vec<String> = (0..20_000).map(|at| format!(r#"{{"id": {at}, "n": "x", "zz": 1}}"#)).collect();
    let source =
        "environment w { }\nentity A { id: key, n: int }\nstate { rows: table<A> from \"a.json\" }\n".to_owned();
    let project = Project::from_sources(vec![("w.silo", source), ("a.json", format!("[{}]", rows.join(",")))]);
    let found = diagnostics(&project);
    assert_eq!(found.len(), 3, "the key, the number and the unknown field");
    assert!(found.iter().all(|diagnostic| diagnostic.notes.iter().any(|note| note.starts_with("and 19999 more"))));
}

const WORLD: &str = r#"environment world { names: "camelCase", references: "Id" }
enum Kind { "a", "b" }
record Part { kind: Kind, case "a" { n: int }, case "b" { t: string } }
entity User { id: key "U-0", boss: User?, parts: list<Part>, on: date?, sum: decimal, tags: map<int>, notes: table<Note> }
entity Note { id: key "{parent}-N0", text: string }
state { users: table<User> from "DATA" }
"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_as_data_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), kind in 0..3_usize) {
        let name = ["d.json", "d.jsonl", "d.csv"][kind];
        let world = WORLD.replace("DATA", name).into_bytes();
        let project = Project::from_sources(vec![("world.silo", world), (name, bytes)]);
        let _ = front(&project, |_, data| data.rows());
    }

    #[test]
    fn data_of_nearly_the_right_shape_is_read_or_refused(
        text in "(\\[|\\{|\\]|\\}|,|:|\"id\"|\"U-1\"|\"bossId\"|\"parts\"|\"kind\"|\"a\"|\"n\"|1|null|\"sum\"|\"notes\"|\"on\"|\"2026-02-30\"| ){0,60}"
    ) {
        let world = WORLD.replace("DATA", "d.json");
        let project = Project::from_sources(vec![("world.silo", world), ("d.json", format!("[{{{text}}}]"))]);
        let _ = front(&project, |_, data| data.rows());
    }

    #[test]
    fn rows_of_a_csv_are_read_or_refused(text in "(id|bossId|sum|on|,|;|\"|\n|\r|U-1|NULL|1\\.5|[a-zé ]){0,80}") {
        let world = WORLD.replace("DATA", "d.csv");
        let project = Project::from_sources(vec![("world.silo", world), ("d.csv", text)]);
        let _ = front(&project, |_, data| data.rows());
    }

    #[test]
    fn declarations_with_a_hole_in_them_are_read_or_refused(from in 0..WORLD.len(), length in 0..30_usize, filling in "[a-z{}:<>\",= 0]{0,8}") {
        let mut text = WORLD.replace("DATA", "d.json");
        let to = (from + length).min(text.len());
        text.replace_range(from.min(to)..to, &filling);
        let project = Project::from_sources(vec![("world.silo", text), ("d.json", "[]".to_owned())]);
        let _ = front(&project, |_, data| data.rows());
    }
}
