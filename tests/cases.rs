//! Things that have gone wrong in tools like this one, each kept from going wrong here.

use silo::clock::SystemClock;
use silo_runtime::session::{Ending, Engine, Outcome, Session, Setup};
use silo_runtime::trace::Discard;
use silo_runtime::value::json::{Json, Limits};
use std::sync::Arc;

/// An environment from its source.
fn engine(source: &str) -> Arc<Engine> {
    let project = silo_dsl::project::Project::from_sources([("world.silo", source)]);
    let loaded = silo_dsl::load_project(&project);
    let found = silo_dsl::diagnostics::render::plain(&loaded.sources, &loaded.diagnostics);
    Engine::new(Arc::new(loaded.environment.unwrap_or_else(|| panic!("{found}"))))
}

fn session(engine: &Arc<Engine>, task: &str) -> Session {
    let task = engine.find_task(task).unwrap_or_else(|| engine.free_play());
    let setup = Setup {
        run_id: "run".into(),
        agent: "test".into(),
        limits: silo_runtime::limits::Limits::default(),
        clock: Box::new(SystemClock::new()),
        sink: Box::new(Discard),
    };
    engine.session(task, setup).expect("a world")
}

fn json(text: &str) -> Json {
    Json::parse(text, Limits::bytes(u32::MAX)).expect("JSON")
}

/// The error of a call, as its code and its problems.
fn refused(engine: &Arc<Engine>, tool: &str, input: &str) -> (String, String) {
    let result = session(engine, "").call(tool, &json(input));
    assert!(result.is_error, "{tool} {input} gave {}", result.output);
    let text = |name: &str| result.output.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    (text("code"), text("message"))
}

const USERS: &str = r#"
environment office { version: "1", names: "camelCase", references: "Id" }
entity User { id: key "USR-000", name: string, label name, age: int }
state {
    users: table<User> = [
        { id: "USR-001", name: "Ada", age: 7 },
        { id: "USR-002", name: "Ben", age: 41 },
        { id: "USR-003", name: "Cleo", age: 12 },
    ]
}
/// List users.
tool list_users() { return users.map(|u| { ...u }) }
"#;

#[test]
fn r05_a_grader_that_finds_nothing_says_so_and_loses_nothing() {
    let source = format!(
        r#"{USERS}
task "A" {{
    instruction: "Do it."
    verify {{
        let gone = final.users["USR-009"]
        check "she is grown up": gone.age > 18
        check "somebody is seven": initial.users.any(|u| u.age == 7)
        check "dividing": 1 / (initial.users.count() - 3) == 1
    }}
}}"#
    );
    let outcome = session(&engine(&source), "A").finish(Ending::Output("done".into()));
    let checks = outcome.verdict.expect("a verdict").checks;
    let told: Vec<String> =
        checks.iter().map(|check| format!("{} {}: {}", check.passed, check.label, check.detail)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn r10_every_bound_that_is_promised_is_kept() {
    let source = r#"
environment bounds { version: "1" }
enum Colour { "red", "blue" }
record Line { qty: int(min: 1), sku: string(min_length: 1) }
/// Takes much.
tool take(
    /// A.
    limit: int(min: 1, max: 100) = 20,
    /// B.
    price: decimal(min: 0, max: 9.5) = 1,
    /// C.
    code: string(pattern: "[A-Z]{{3}}", max_length: 3) = "ABC",
    /// D.
    tags: list<string>(min_items: 1, max_items: 2, unique: true) = ["a"],
    /// E.
    colour: Colour = "red",
    /// F.
    lines: list<Line> = [],
    /// G.
    on: date = @2026-01-01,
    /// H.
    sure: bool = true,
) { return { limit, price, code, tags, colour, lines, on, sure } }
"#;
    let engine = engine(source);
    let said: Vec<String> = [
        r#"{"limit": 0}"#,
        r#"{"limit": 101}"#,
        r#"{"limit": "5"}"#,
        r#"{"limit": 2.5}"#,
        r#"{"price": -0.01}"#,
        r#"{"price": 9.51}"#,
        r#"{"code": "abc"}"#,
        r#"{"code": "ABC\n"}"#,
        r#"{"tags": []}"#,
        r#"{"tags": ["a", "b", "c"]}"#,
        r#"{"tags": ["a", "a"]}"#,
        r#"{"colour": "Red"}"#,
        r#"{"on": "2026-02-30"}"#,
        r#"{"sure": "yes"}"#,
        r#"{"lines": {}}"#,
    ]
    .iter()
    .map(|input| {
        let (code, message) = refused(&engine, "take", input);
        assert_eq!(code, "invalid_input");
        format!("{input}\n    {message}")
    })
    .collect();
    insta::assert_snapshot!(said.join("\n"));

    r13_pc20_every_problem_has_its_path(&engine);
}

fn r13_pc20_every_problem_has_its_path(engine: &Arc<Engine>) {
    let (_, message) = refused(engine, "take", r#"{"lines": [{"qyt": 2, "sku": "A"}]}"#);
    assert!(message.contains("`lines[0].qyt` is not known (did you mean `qty`?)"), "{message}");

    let all = r#"{"limit": 0, "colour": "rad", "sure": "yes", "lines": [{"qty": -1, "sku": "A"}, {"qty": 1, "sku": null}], "foo": 1}"#;
    let result = session(engine, "").call("take", &json(all));
    assert!(result.output.get("message").and_then(Json::as_str).expect("a message").len() < 1_000);
    insta::assert_snapshot!(result.output.to_pretty());
}

#[test]
fn r13_pc20_a_flood_of_problems_is_counted() {
    let source = r#"
environment flood { version: "1" }
/// Takes numbers.
tool take(
    /// Numbers.
    xs: list<int>,
) { return xs.count() }
"#;
    let input = format!(r#"{{"xs": [{}]}}"#, vec!["\"x\""; 100_000].join(","));
    let (_, message) = refused(&engine(source), "take", &input);
    assert!(message.contains("and 99980 more"), "{message}");
    assert!(message.len() < 4_000);
}

/// The verdict on an answer of text.
fn judged(engine: &Arc<Engine>, text: &str) -> Vec<(String, bool)> {
    let outcome: Outcome = session(engine, "A").finish(Ending::Output(text.into()));
    let checks = outcome.verdict.expect("a verdict").checks;
    checks.iter().map(|check| (check.label.to_string(), check.passed)).collect()
}

#[test]
fn r15_an_answer_that_says_everything_says_nothing() {
    let source = format!(
        r#"{USERS}
task "A" {{
    instruction: "How old is Ben, and who is the oldest?"
    verify {{
        check "states his age": answer.states(41)
        check "names only the oldest": answer.names_only([initial.users.max_by(|u| u.age)!])
    }}
}}
task "TYPED" {{
    instruction: "How old is Ben?"
    answer: {{ age: int }}
    verify {{ check "his age": answer.age == 41 }}
}}"#
    );
    let engine = engine(&source);
    assert!(judged(&engine, "Ben is 41, the oldest.").iter().all(|(_, passed)| *passed));
    let everything: Vec<String> = (0..=300).map(|number| number.to_string()).collect();
    let spray = format!("Ada, Ben, Cleo: {}", everything.join(" "));
    assert!(judged(&engine, &spray).iter().all(|(_, passed)| !passed), "{:?}", judged(&engine, &spray));

    for (answer, passes) in [(r#"{"age": 41}"#, true), ("41", false), (&spray, false), (r#"{"age": [41, 42]}"#, false)]
    {
        let outcome = session(&engine, "TYPED").finish(Ending::Output(answer.into()));
        assert_eq!(outcome.passed(), Some(passes), "{answer}");
    }
}

#[test]
fn pc20_null_never_equals_zero() {
    let source = format!(
        r#"{USERS}
task "A" {{
    instruction: "How many?"
    answer: {{ count: int? }}
    verify {{ check "none": answer.count == 0 }}
}}"#
    );
    let engine = engine(&source);
    for (answer, passes) in [(r#"{"count": 0}"#, true), (r#"{"count": null}"#, false), ("{}", false), ("", false)] {
        let outcome = session(&engine, "A").finish(Ending::Output(answer.into()));
        assert_eq!(outcome.passed(), Some(passes), "{answer}");
    }
}

#[test]
fn pe10_places_are_characters_for_people_and_bytes_for_programs() {
    let source =
        "environment wide { version: \"1\" }\nfn f(): string {\n    let x = \"a𐐀b👩‍👩‍👧\".lowr()\n    return x\n}\n";
    let project = silo_dsl::project::Project::from_sources([("wide.silo", source)]);
    let loaded = silo_dsl::load_project(&project);
    let found = silo_dsl::diagnostics::render::json(&loaded.sources, &loaded.diagnostics);
    let first = found.as_array().and_then(|found| found.first()).expect("a finding");
    let number =
        |name: &str| usize::try_from(first.get(name).and_then(Json::as_int).expect("a number")).expect("a place");
    assert_eq!(source.get(number("start")..number("end")), Some("lowr"));
    let line = source.lines().nth(number("line") - 1).expect("the line");
    let rest: String = line.chars().skip(number("column") - 1).collect();
    assert!(rest.starts_with("lowr"), "{rest}");
}

#[test]
fn pf08_what_is_worked_out_never_goes_stale() {
    let source = r#"
environment bills { version: "1" }
entity Line { id: key "{parent}-L0", price: decimal }
entity Bill {
    id: key "B-0"
    lines: table<Line>
    derived actual: decimal = (lines.sum(|l| l.price) * 1.08).round(2)
    derived message: string = if actual > 1500 { "exceeds the limit by {actual - 1500}" } else { "fine" }
}
state { bills: table<Bill> = [{ id: "B-1", lines: [{ id: "B-1-L1", price: 1450 }] }] }
/// Change a price.
tool reprice(
    /// The bill.
    bill: Bill,
    /// The new price of its lines.
    price: decimal,
) {
    for line in bill.lines { line.price = price }
    return { actual: bill.actual, message: bill.message }
}
task "A" {
    instruction: "Make it cheaper."
    verify {
        check "it was 66 over": initial.bills["B-1"].message == "exceeds the limit by 66"
        check "it is fine now": final.bills["B-1"].message == "fine" and final.bills["B-1"].actual == 1080
    }
}
"#;
    let engine = engine(source);
    let mut session = session(&engine, "A");
    let result = session.call("reprice", &json(r#"{"bill": "B-1", "price": 1000}"#));
    assert_eq!(result.output.to_string(), r#"{"actual":1080,"message":"fine"}"#);
    assert_eq!(session.finish(Ending::Output("done".into())).passed(), Some(true));
}

#[test]
fn pb10_values_that_unfold_without_end_are_refused() {
    let doubled = |line: &dyn Fn(usize) -> String| (1..40).map(line).collect::<Vec<_>>().join("\n");
    let doubling = doubled(&|at| format!("    let a{at} = {{ x: a{before}, y: a{before} }}", before = at - 1));
    let lists = doubled(&|at| format!("    let a{at} = [a{before}, a{before}]", before = at - 1));
    for code in
        [format!("let a0 = {{ x: 1, y: 1 }}\n{}", doubling.replace("a39", "deep")), lists.replace("a39", "deep")]
    {
        // Types nest no deeper than a bound, so that what unfolds is refused when compiling, or when it is shown.
        let code = if code.contains("let a0") { code } else { format!("let a0 = [1, 1]\n{code}") };
        let source = format!(
            "environment deep {{ version: \"1\" }}\n/// Unfold.\ntool unfold() {{\n{code}\n    return deep\n}}\n"
        );
        let project = silo_dsl::project::Project::from_sources([("world.silo", source)]);
        if let Some(environment) = silo_dsl::load_project(&project).environment {
            let engine = Engine::new(Arc::new(environment));
            assert_eq!(refused(&engine, "unfold", "{}").0, "limit_exceeded");
        }
    }
}
