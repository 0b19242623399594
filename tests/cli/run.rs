use crate::support::{Place, shown};
use std::time::{Duration, Instant};

const BAD_SCRIPT: &str = r#"[
  { "tool": "list_rooms", "input": { "minSeats": 0, "colour": "blue" } },
  { "tool": "list_people", "input": {} },
  { "tool": "book_room", "input": { "roomId": "ROOM-03", "byId": "PER-003", "on": "2026-04-02", "title": "Party" } },
  { "answer": "Booked Maple for Amara Okafor." }
]"#;

#[test]
fn a_passing_run() {
    shown!("run_passes", Place::with_rooms().silo(&["run", "rooms", "--task", "BOOK-1"]));
}

#[test]
fn a_failing_run_says_why() {
    let place = Place::with_rooms();
    place.write("bad.json", BAD_SCRIPT);
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--agent", "script:bad.json"]);
    assert_eq!(ran.code, Some(1));
    shown!("run_fails", ran);
}

#[test]
fn an_answer_over_an_unchanged_world_is_flagged() {
    let place = Place::with_rooms();
    place.write(
        "lazy.json",
        r#"[{ "tool": "list_rooms", "input": {} }, { "answer": "I booked Maple for Amara Okafor." }]"#,
    );
    shown!("run_claims_work", place.silo(&["run", "rooms", "--task", "BOOK-1", "--agent", "script:lazy.json"]));
}

#[cfg(unix)]
#[test]
fn a_crashing_agent_loses_its_own_run() {
    let place = Place::with_rooms();
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--agent", "exec:sh -c 'echo oops >&2; exit 7'"]);
    assert_eq!(ran.code, Some(3), "{}", ran.shown());
    assert_eq!(place.artifact("agent.log"), "oops\n");
    shown!("run_agent_crashes", ran);
}

#[test]
fn r16_doing_nothing_earns_nothing() {
    let place = Place::with_rooms();
    for task in ["BOOK-1", "COUNT-1"] {
        let ran = place.silo(&["run", "rooms", "--task", task, "--agent", "noop", "--json"]);
        assert_eq!(ran.code, Some(1));
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON and nothing else");
        assert_eq!(json["result"]["reward"], 0, "{task}");
        assert_eq!(json["result"]["passed"], false, "{task}");
    }
}

#[test]
fn json_is_all_there_is_on_stdout() {
    let place = Place::with_rooms();
    for arguments in [
        &["run", "rooms", "--task", "BOOK-1", "--json"] as &[&str],
        &["run", "rooms", "--task", "BOOK-1", "--runs", "3", "--json"],
        &["tools", "rooms", "--json"],
        &["tools", "rooms", "book_room", "--json"],
        &["tasks", "rooms", "--json"],
        &["check", "rooms", "--json"],
        &["call", "rooms", "list_rooms", "{}", "--json"],
        &["trace", "--json"],
    ] {
        let ran = place.silo(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        serde_json::from_str::<serde_json::Value>(&ran.stdout)
            .unwrap_or_else(|_| panic!("{arguments:?}: {}", ran.stdout));
    }
}

#[test]
fn pd10_many_runs_are_counted_with_nothing_left_out() {
    let place = Place::with_rooms();
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--runs", "20", "--jobs", "2"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(place.runs().len(), 20);
    shown!("run_many_pass", ran);
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--runs", "5", "--agent", "noop"]);
    assert_eq!(ran.code, Some(1));
    shown!("run_many_fail", ran);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_agent_and_keeps_the_artifacts() {
    let place = Place::with_rooms();
    let mut child = place
        .command(&["run", "rooms", "--task", "BOOK-1", "--agent", "exec:sleep 60"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while place.runs().first().is_none_or(|folder| !folder.join("trace.jsonl").exists()) {
        assert!(started.elapsed() < Duration::from_secs(30), "the rollout begins");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(100));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    for file in ["trace.jsonl", "result.json", "state-diff.json", "run.json", "agent.log"] {
        assert!(!place.artifact(file).is_empty() || file == "agent.log", "{file}");
    }
    assert!(place.artifact("result.json").contains("\"terminationReason\": \"interrupted\""));
}

#[test]
fn every_task_can_be_played_at_once() {
    let place = Place::with_rooms();
    let ran = place.silo(&["run", "rooms", "--all"]);
    assert_eq!(ran.code, Some(0));
    shown!("run_all_pass", ran);
    let ran = place.silo(&["run", "rooms", "--all", "--agent", "noop", "--runs", "2"]);
    assert_eq!(ran.code, Some(1));
    shown!("run_all_fail", ran);
    let ran = place.silo(&["run", "rooms", "--all", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap().as_array().map(Vec::len), Some(2));
}
