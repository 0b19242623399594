//! Fixtures of checked code. `check/good` holds code without a mistake, and its snapshots the types of all that has a name;
//! `check/bad` holds mistakes, and its snapshots what is said about them. The world of `check/world.silo` is part of each.

#[path = "support/front.rs"]
mod front;
mod support;
#[path = "support/types.rs"]
mod types;

use front::{check, front};
use silo_dsl::diagnostics::{Diagnostic, codes};
use silo_dsl::ir::Program;
use std::path::Path;

const WORLD: &str = include_str!("check/world.silo");

/// The name of a fixture, its text, what it means and what is said about it.
fn with_world(path: &Path) -> (String, String, Option<Program>, String) {
    let source = support::read(path);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let entry = format!("use \"world.silo\"\nuse \"{name}\"\n");
    let (program, said, _) = front(&[("main.silo", &entry), ("world.silo", WORLD), (&name, &source)]);
    (name, source, program, said)
}

#[test]
fn mistakes_are_told_where_they_are() {
    insta::glob!("check/bad/*.silo", |path| {
        let (name, source, program, said) = with_world(path);
        assert!(program.is_none(), "{} has no error", path.display());
        support::beside(path).bind(|| insta::assert_snapshot!(name.as_str(), format!("{source}\n----------\n{said}")));
    });
}

#[test]
fn every_name_has_a_type() {
    insta::glob!("check/good/*.silo", |path| {
        let (name, source, program, said) = with_world(path);
        let Some(program) = program else { panic!("{} has errors:\n{said}", path.display()) };
        let described = types::describe(&program);
        support::beside(path)
            .bind(|| insta::assert_snapshot!(name.as_str(), format!("{source}\n----------\n{described}\n{said}")));
    });
}

/// The examples of a page below a heading.
fn examples(page: &str, heading: &str) -> Vec<String> {
    let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    section
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.strip_prefix("silo\n"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_examples_of_pages_are_wrong_and_right() {
    let mine = |id: &str| {
        let number: u32 = id.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or_default();
        matches!((id.starts_with('E'), number), (true, 220..=299 | 330..=399 | 500..=599 | 830..=899) | (false, 30..=59))
    };
    let mut faults = Vec::new();
    for code in codes::all().filter(|code| mine(code.id())) {
        for (heading, wrong) in [("Wrong", true), ("Right", false)] {
            for example in examples(code.page(), heading) {
                let source = format!("environment example {{ version: \"1\" }}\n\n{example}");
                let (_, said, diagnostics) = front(&[("main.silo", &source)]);
                let found: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect();
                let fine = if wrong { found == [code.id()] } else { found.is_empty() };
                if !fine {
                    faults.push(format!("{code}, {heading}: {found:?}\n{said}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Codes and headlines of what is wrong with a source.
fn headlines(source: &str) -> Vec<String> {
    let source = format!("environment shop {{ version: \"1\" }}\n{source}");
    let (_, _, diagnostics) = front(&[("main.silo", &source)]);
    diagnostics.iter().map(|found| format!("{} {}", found.code, found.message)).collect()
}

const USERS: &str = r#"
enum Status { "open", "closed" }
entity User { id: key "USR-000", name: string, status: Status, manager: User? }
state { users: table<User> = [] }
"#;

fn with_users(source: &str) -> Vec<String> {
    headlines(&format!("{USERS}{source}"))
}

#[test]
fn l04_a_local_never_hides_another_name() {
    assert_eq!(
        with_users("fn f(user: User): int {\n    let users = 1\n    let user = 2\n    return users + user\n}"),
        ["E0203 `users` is already the name of a state field", "E0203 `user` is already the name of a local"]
    );
}

#[test]
fn l06_a_function_recursive_through_three_others_shows_the_cycle() {
    let said = headlines("fn a(): int = b()\nfn b(): int = c()\nfn c(): int = a()\n");
    assert_eq!(said, ["E0507 calls go round in a circle: `a` calls `b` calls `c` calls `a`"]);
}

#[test]
fn l07_a_misspelt_field_is_found_behind_a_reference_in_a_closure_and_in_a_hole() {
    let said = with_users(
        "fn a(u: User): string? = u.manager?.nmae\nfn b(): bool = users.any(|u| u.nmae == \"x\")\nfn c(u: User): string = \"{u.nmae}\"\n",
    );
    assert_eq!(said, ["E0221 `User` has no field `nmae`"; 3]);
}

#[test]
fn l08_members_of_enums_are_quoted_and_spelt_as_declared() {
    let said = with_users(
        "fn a(u: User): bool = u.status == open\nfn b(u: User): bool = u.status == \"Open\"\nfn c(u: User): bool = u.status == \"opne\"\n",
    );
    assert_eq!(
        said,
        [
            "E0220 there is no `open` here",
            "E0224 `\"Open\"` is no member of `Status`",
            "E0224 `\"opne\"` is no member of `Status`"
        ]
    );
}

#[test]
fn pc13_another_case_of_a_member_is_an_error_with_a_suggestion() {
    let source = format!("environment shop {{ version: \"1\" }}{USERS}fn a(u: User): bool = u.status == \"Open\"\n");
    let said = check(&source);
    assert!(said.contains("did you mean `\"open\"`?"), "{said}");
    assert!(said.contains("its members are `\"open\"`, `\"closed\"`"), "{said}");
}

#[test]
fn pe11_one_mistake_is_one_diagnostic_however_often_it_is_used() {
    let tool = |n| format!("/// T.\ntool t{n}(\n    user: User,  /// U.\n) {{ return broken(user) }}\n");
    let mut source = String::from("fn broken(u: User): string = u.nmae\n");
    source.extend((0..10).map(tool));
    source.push_str("verifier v(u: User) { check \"x\": final.users[u].nmae == \"x\" }\n");
    source.push_str("task \"T-{u.id}\" for u in users {\n    instruction: \"x\"\n    verify v(u: u)\n    verify { check \"y\": u.nmae == \"y\" }\n}\n");
    assert_eq!(with_users(&source), ["E0221 `User` has no field `nmae`"; 3]);
    let said = check(&format!("environment shop {{ version: \"1\" }}{USERS}{source}"));
    assert!(said.contains("`broken` is used by 10 others"), "{said}");
}

#[test]
fn pb02_a_record_bound_by_let_is_a_copy_that_cannot_be_changed() {
    let source = r#"
record Limits { max: int }
record Config { tags: list<string>, limits: Limits }
state { config: Config = { tags: ["a"], limits: { max: 3 } } }
action change(t: string) {
    config.tags.push(t)
    let c = config
    c.tags.push(t)
    c.limits.max = 4
    var mine = config
    mine.limits.max = 5
}
"#;
    assert_eq!(headlines(source), ["E0503 `c` is a copy: changing it changes nothing else"; 2]);
}

#[test]
fn r19_a_date_that_does_not_exist_is_no_literal() {
    assert_eq!(headlines("fn d(): date = @2026-02-30\n"), ["E0339 there is no date `2026-02-30`"]);
}

#[test]
fn long_chains_and_sums_are_checked_without_deep_recursion() {
    let long = |unit: &str, times: usize| unit.repeat(times);
    let source = format!(
        "entity Node {{ id: key \"N-0\", next: Node, maybe: Node? }}\nstate {{ nodes: table<Node> = [] }}\n\
         fn a(n: Node): Node = n{}\nfn b(n: Node): Node? = n{}\nfn c(): int = 1{}\nfn d(x: bool): bool = {}x\n",
        long(".next", 20_000),
        long("?.maybe", 20_000),
        long(" + 1", 20_000),
        long("not ", 20_000),
    );
    assert_eq!(headlines(&source), [] as [&str; 0]);
}

#[test]
fn a_flood_of_mistakes_ends() {
    let mut source = String::from("fn f(): int {\n");
    source.extend((0..20_000).map(|n| format!("    let x{n} = y{n}\n")));
    source.push_str("    return 1\n}\n");
    let (_, _, diagnostics) = front(&[("main.silo", &source)]);
    assert!(diagnostics.iter().filter(|found: &&Diagnostic| found.is_error()).count() < 2_000);
}

const PLACES: &str = r#"
enum Kind { "a", "b" }
record Ad { street: string }
entity P {
    id: key "P-000"
    name: string
    n: int = 0
    ad: Ad?
}
entity C {
    id: key "C-0"
    kind: Kind
    name: string = ""
    case "a" { v: int = 5, w: string? }
    case "b" { y: string? }
}
state { ps: table<P> = [], cs: table<C> = [], opt: P? = null, oi: int? = 3 }
action clear_it(): int {
    opt = null
    oi = null
    return 1
}
action forget(p: P): int {
    ps.remove(p)
    return 1
}
"#;

fn with_places(source: &str) -> Vec<String> {
    headlines(&format!("{PLACES}{source}"))
}

#[test]
fn what_a_condition_shows_does_not_outlive_an_action_called_later_in_it() {
    let tool = |body: &str| with_places(&format!("/// T.\ntool t() {{\n    {}\n}}\n", body.replace('\n', "\n    ")));
    let lost = |body: &str| {
        let said = tool(body);
        assert!(matches!(said.as_slice(), [only] if only.starts_with("E0331 ")), "{body}: {said:?}");
    };
    lost("require opt != null and clear_it() == 1 else \"n\"\nreturn opt.n");
    lost("require oi != null and clear_it() == 1 else \"n\"\nreturn oi + 1");
    lost("return if oi != null and clear_it() == 1 { oi + 1 } else { 0 }");
    lost("require oi != null else \"n\"\nlet same = true and clear_it() == 1\nreturn [oi + 1]");
    lost("require oi != null else \"n\"\nlet one = if ps.count() == 0 { clear_it() } else { 2 }\nreturn oi + one");
    lost("require not (oi == null or clear_it() == 1) else \"n\"\nreturn oi + 1");
    lost("require (oi != null and true) and (true and clear_it() == 1) else \"n\"\nreturn oi + 1");
    lost("require oi != null else \"n\"\noi += clear_it()\nreturn 1");
    let fine = |body: &str| assert_eq!(tool(body), [""; 0], "{body}");
    fine("oi = clear_it()\nreturn oi + 1");
    fine("require clear_it() == 1 and oi != null else \"n\"\nreturn oi + 1");
    fine("let one = clear_it()\nrequire oi != null and one == 1 else \"n\"\nreturn oi + 1");
    fine("oi = null\nrequire oi != null else \"n\"\nreturn oi + 1");
}

#[test]
fn what_is_known_of_rows_is_forgotten_where_one_of_them_is_removed() {
    let tool = |body: &str| {
        let body = body.replace('\n', "\n    ");
        with_places(&format!("/// T.\ntool t(\n    p: P,  /// P.\n) {{\n    {body}\n}}\n"))
    };
    let known = "require p.ad != null else \"n\"";
    for lost in [
        "ps.remove(p)\nps.insert({ id: \"P-001\", name: \"r\" })\nreturn p.ad.street",
        "let one = forget(p)\nps.insert({ id: \"P-001\", name: \"r\" })\nreturn p.ad.street",
        "var s = \"\"\nfor i in range(0, 2) {\n    s = p.ad.street\n    ps.remove(p)\n    ps.insert({ name: \"r\" })\n}\nreturn s",
    ] {
        let said = tool(&format!("{known}\n{lost}"));
        assert!(matches!(said.as_slice(), [only] if only.starts_with("E0331 ")), "{lost}: {said:?}");
    }
    let insert = tool(&format!("{known}\nps.insert({{ name: \"r\" }})\nreturn p.ad.street"));
    assert_eq!(insert, [""; 0]);
}

#[test]
fn a_field_of_a_case_with_a_default_may_be_left_out() {
    let said = with_places("/// T.\ntool t() {\n    cs.insert({ kind: \"a\" })\n    return 1\n}\n");
    assert_eq!(said, [""; 0]);
}

#[test]
fn an_assignment_to_a_row_leaves_its_case_known() {
    let body = "require c.kind == \"a\" else \"n\"\nc.v = 3\nc.w = \"k\"\nc.name = \"x\"\nc.v += 1\nreturn c.v + 1";
    let said = with_places(&format!("/// T.\ntool t(\n    c: C,  /// C.\n) {{\n{body}\n}}\n"));
    assert_eq!(said, [""; 0]);
}

#[test]
fn b24_types_of_any_depth_are_seen_by_a_solution() {
    let mut body = String::from("1");
    for at in 0..30 {
        body = format!("xs.map(|a{at}| {body})");
    }
    let source = format!("state {{ xs: list<int> = [1] }}\n/// T.\ntool t() {{ return {body} }}\n");
    assert_eq!(headlines(&source), [""; 0]);
}

#[test]
fn a_case_that_is_not_known_is_not_filled() {
    const REFS: &str = r#"
enum K { "a", "b" }
record Ref {
    kind: K
    case "a" { t: P, x: int }
    case "b" { y: string?, x: int }
}
entity D {
    id: key "D-0"
    kind: K
    case "a" { v: int }
    case "b" { v: int, w: string? }
}
state { rr: Ref = { kind: "b", x: 1 }, ds: table<D> = [] }
"#;
    let tool = |body: &str| {
        let body = body.replace('\n', "\n    ");
        with_places(&format!("{REFS}/// T.\ntool t(\n    k: K,  /// K.\n    d: D,  /// D.\n) {{\n    {body}\n}}\n"))
    };
    for (wrong, code) in [
        ("let x: Ref = { ...rr, kind: \"a\" }\nreturn x.kind", "E0330"),
        ("let x: Ref = { kind: k, t: ps[\"P-1\"], x: 1 }\nreturn x.kind", "E0338"),
        ("let x: Ref = { kind: k, x: 1, y: null }\nreturn x.kind", "E0338"),
        ("let x: Ref = { kind: k }\nreturn x.kind", "E0336"),
        ("ds.insert({ kind: k })\nreturn 1", "E0336"),
        ("ds.insert({ kind: k, v: 1, w: \"x\" })\nreturn 1", "E0338"),
        ("ds.insert({ ...d, id: \"D-9\", kind: \"a\" })\nreturn 1", "E0338"),
        ("d.update({ w: \"x\" })\nreturn 1", "E0338"),
    ] {
        let said = tool(wrong);
        let errors: Vec<&String> = said.iter().filter(|each| each.starts_with('E')).collect();
        assert!(matches!(errors.as_slice(), [only] if only.starts_with(code)), "{wrong}: {said:?}");
    }
    for right in [
        "let x: Ref = { kind: \"b\", x: 1 }\nreturn x.x",
        "let x: Ref = { ...rr }\nreturn x.kind",
        "ds.insert({ kind: k, v: 1 })\nd.update({ v: 2 })\nreturn 1",
        "require d.kind == \"b\" else \"n\"\nd.update({ w: \"x\", v: 2 })\nreturn 1",
    ] {
        let said = tool(right);
        assert_eq!(said, [""; 0], "{right}");
    }
}

#[test]
fn keys_in_indexes_are_looked_for_in_the_seed() {
    let seeded = "state { us: table<U> = [{ id: \"U-1\", name: \"a\" }], m: map<int> = {}, n: int = 0 }
entity U { id: key \"U-0\", name: string }\n";
    let verify = |check: &str| headlines(&format!("{seeded}verifier v() {{ {check} }}\n"));
    let missing = ["W0031 the seed data has no U `U-9`"];
    assert_eq!(verify("check \"x\": initial.us[\"U-9\"].name == \"a\""), missing);
    assert_eq!(verify("changes only us[\"U-9\"].name"), missing);
    assert_eq!(verify("changes only us[\"U-1\"].name"), [""; 0]);
    assert_eq!(verify("changes only m[\"a\"] added"), [""; 0]);
    assert_eq!(verify("changes only n added"), ["E0834 this is one value, which is changed, never added or removed"]);
}

#[test]
fn one_mistake_in_a_body_is_told_once() {
    assert_eq!(with_places("fn g() { oi = 1 }\n").len(), 1);
    let new = with_places("action g() {\n    kept = 3\n    ps.insert({ name: \"{kept}\", n: kept })\n}\n");
    assert_eq!(new, ["E0220 there is no `kept` here"]);
    let own = with_places("action g() {\n    let self = 3\n    oi = self\n}\n");
    assert_eq!(own, ["E0204 `self` is the row of a derived field"].map(|text| text.replace("E0204", "E0203")));
    let task = "task \"T\" {\n    instruction: \"x\"\n    answer: table<P>\n    verify { check \"n\": answer.count() == 1 }\n}\n";
    let said: Vec<String> = with_places(task).into_iter().filter(|each| each.starts_with('E')).collect();
    assert!(matches!(said.as_slice(), [only] if only.starts_with("E0412")), "{said:?}");
}

#[test]
fn an_else_that_nothing_is_left_for_is_never_taken() {
    let said = with_places("fn f(c: C): int = match c.kind { \"a\" -> 1, \"b\" -> 2, else -> 3 }\n");
    assert_eq!(said.len(), 1, "{said:?}");
    let said = with_places("fn f(b: bool?): int = match b { true -> 1, false -> 2, else -> 3 }\n");
    assert_eq!(said, [""; 0]);
}

#[test]
fn the_output_of_a_tool_without_a_result_is_there_where_it_succeeded() {
    let said = with_places(
        "/// T.\ntool t() {\n    oi = 1\n}\nverifier v() { check \"x\": calls.of(t).all(|c| c.output?.ok == true) }\n",
    );
    assert_eq!(said, [""; 0]);
}

#[test]
fn arguments_without_names_stand_first() {
    let said = with_places("fn f(a: int, b: int): int = a - b\nfn g(): int = f(b: 1, 2)\nfn h(): int = f(1, b: 2)\n");
    assert_eq!(said, ["E0335 an argument without a name stands after one with a name"]);
}

#[test]
fn the_parent_of_a_row_is_read_from_self() {
    let source = "entity A { id: key \"A-0\", bs: table<B> }\nentity B { id: key local \"B0\", n: int = 0, derived of: A = parent }\nstate { a_s: table<A> = [] }\n";
    assert_eq!(headlines(source), ["E0220 there is no `parent` here"]);
}
