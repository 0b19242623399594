//! Rollouts through `Session`: limits, undo, rules, invariants, faults, grading, rewards, and the events that tell of them.

mod doors;

use doors::Doors;
use silo_runtime::environment::RewardMode;
use silo_runtime::session::{Clock, Ending, Engine, Outcome, Session, Setup, solve};
use silo_runtime::trace::{Event, EventKind, Sink, TerminationReason};
use silo_runtime::value::DateTime;
use silo_runtime::value::json::Json;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A clock that a test sets.
#[derive(Clone, Default)]
struct Hand(Arc<Mutex<Duration>>);

impl Clock for Hand {
    fn now(&self) -> DateTime {
        DateTime::MIN
    }

    fn elapsed(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}

/// A sink whose events a test reads.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Event>>>);

impl Sink for Kept {
    fn record(&mut self, event: Event) -> io::Result<()> {
        self.0.lock().unwrap().push(event);
        Ok(())
    }
}

struct Full;

impl Sink for Full {
    fn record(&mut self, event: Event) -> io::Result<()> {
        match event.kind {
            EventKind::ToolCall { .. } => Err(io::Error::new(io::ErrorKind::StorageFull, "no space left")),
            _ => Ok(()),
        }
    }
}

struct Rollout {
    session: Session,
    clock: Hand,
    events: Kept,
}

fn rollout_of(task: &str, reward: RewardMode) -> Rollout {
    let engine = Engine::new(Arc::new(Doors::new(reward)));
    let (clock, events) = (Hand::default(), Kept::default());
    let id = engine.find_task(task).unwrap();
    let setup = Setup {
        run_id: "run".into(),
        agent: "test".into(),
        limits: engine.task(id).unwrap().limits.clone(),
        clock: Box::new(clock.clone()),
        sink: Box::new(events.clone()),
    };
    Rollout { session: engine.session(id, setup).unwrap(), clock, events }
}

fn rollout() -> Rollout {
    rollout_of("OPEN", RewardMode::Progress)
}

fn door(key: &str) -> Json {
    Json::object([("door", key)])
}

impl Rollout {
    fn call(&mut self, tool: &str, input: &Json) -> Result<Json, String> {
        let result = self.session.call(tool, input);
        if result.is_error {
            let text = |name| result.output.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
            Err(format!("{}: {}", text("code"), text("message")))
        } else {
            Ok(result.output)
        }
    }

    fn finish(self, text: &str) -> (Outcome, Vec<&'static str>) {
        let outcome = self.session.finish(Ending::Output(text.into()));
        let names = self.events.0.lock().unwrap().iter().map(|event| event.kind.name()).collect();
        (outcome, names)
    }
}

fn reward(outcome: &Outcome) -> Option<String> {
    outcome.verdict.as_ref().map(|verdict| verdict.reward.to_string())
}

#[test]
fn a_rollout_that_does_everything_right() {
    let mut rollout = rollout();
    rollout.call("open_door", &door("DOOR-1")).unwrap();
    let (outcome, events) = rollout.finish("DOOR-1 is open.");
    assert_eq!(outcome.passed(), Some(true));
    assert_eq!(reward(&outcome).as_deref(), Some("1"));
    let expected = ["run_start", "tool_call", "tool_result", "agent_output", "run_end", "verifier_result"];
    assert_eq!(events, expected);
    insta::assert_snapshot!(outcome.result_json().to_pretty());
    insta::assert_snapshot!(outcome.diff_json().to_pretty());
}

#[test]
fn the_reference_solution_plays_like_an_agent() {
    let mut rollout = rollout();
    assert_eq!(solve(&mut rollout.session), Some(Ending::Output("Opened DOOR-1.".into())));
    let (outcome, _) = rollout.finish("Opened DOOR-1.");
    assert_eq!(outcome.passed(), Some(true));
    assert_eq!(solve(&mut rollout_of("COUNT", RewardMode::Strict).session), None);
}

#[test]
fn r16_doing_nothing_is_worth_nothing() {
    for task in ["OPEN", "COUNT"] {
        let (outcome, _) = rollout_of(task, RewardMode::Progress).finish("");
        assert_eq!(outcome.passed(), Some(false), "{task}");
        assert_eq!(reward(&outcome).as_deref(), Some("0"), "{task}");
    }
}

#[test]
fn rewards_count_as_declared() {
    let play = |mode, key, text: &str| {
        let mut rollout = rollout_of("OPEN", mode);
        if let Some(key) = key {
            rollout.call("open_door", &door(key)).unwrap();
        }
        reward(&rollout.finish(text).0).unwrap()
    };
    // Goals: the first door, what is said. Guards: the second door, the policy.
    assert_eq!(play(RewardMode::Progress, Some("DOOR-1"), ""), "0.5");
    assert_eq!(play(RewardMode::Progress, None, "DOOR-1"), "0.5");
    assert_eq!(play(RewardMode::Progress, Some("DOOR-2"), "DOOR-1"), "0");
    assert_eq!(play(RewardMode::Strict, Some("DOOR-1"), ""), "1");
    assert_eq!(play(RewardMode::Strict, None, "DOOR-1"), "0");
    assert_eq!(play(RewardMode::Share, None, ""), "0.5");
    assert_eq!(play(RewardMode::Share, Some("DOOR-2"), "DOOR-1"), "0.25");
}

#[test]
fn r01_pb10_a_failed_call_leaves_nothing_behind() {
    for tool in ["open_then_fail", "spin"] {
        let mut rollout = rollout();
        rollout.call(tool, &door("DOOR-1")).unwrap_err();
        assert!(rollout.session.diff().is_empty(), "{tool}");
        let (outcome, _) = rollout.finish("");
        assert_eq!((outcome.tool_calls, outcome.tool_errors), (1, 1));
    }
}

#[test]
fn limits_of_one_call_are_told() {
    let mut rollout = rollout();
    insta::assert_snapshot!(rollout.call("spin", &door("DOOR-1")).unwrap_err());
    insta::assert_snapshot!(rollout.call("flood", &door("DOOR-1")).unwrap_err());
    let huge = Json::object([("door", "x".repeat(2 << 20))]);
    insta::assert_snapshot!(rollout.call("open_door", &huge).unwrap_err());
    let events = rollout.events.0.lock().unwrap();
    let largest = events.iter().map(|event| event.to_json().to_string().len()).max().unwrap();
    assert!(largest < 10_000, "what is too large is not kept: {largest}");
}

#[test]
fn after_the_last_call_every_other_gets_run_ended_and_leaves_no_event() {
    let mut rollout = rollout();
    for _ in 0..5 {
        rollout.call("list_doors", &Json::object::<&str, Json>([])).unwrap();
    }
    insta::assert_snapshot!(rollout.call("open_door", &door("DOOR-1")).unwrap_err());
    rollout.call("open_door", &door("DOOR-1")).unwrap_err();
    let (outcome, events) = rollout.finish("DOOR-1 is open.");
    assert_eq!(outcome.reason, TerminationReason::MaxToolCalls);
    assert_eq!(outcome.passed(), Some(false));
    assert_eq!(outcome.tool_calls, 5);
    assert_eq!(events.iter().filter(|name| **name == "tool_call").count(), 5);
}

#[test]
fn a_call_after_the_time_is_up_is_not_executed() {
    let mut rollout = rollout();
    *rollout.clock.0.lock().unwrap() = Duration::from_secs(301);
    assert!(rollout.call("open_door", &door("DOOR-1")).unwrap_err().starts_with("run_ended"));
    let (outcome, _) = rollout.finish("");
    assert_eq!(outcome.reason, TerminationReason::Timeout);
    assert!(outcome.diff.is_empty());
}

#[test]
fn a_rule_that_is_broken_fails_the_policy_after_the_call() {
    let mut rollout = rollout();
    rollout.call("open_door", &door("DOOR-1")).unwrap();
    rollout.call("open_door", &door("DOOR-2")).unwrap();
    let (outcome, events) = rollout.finish("DOOR-1");
    assert_eq!(events[4..6], ["tool_result", "rule_violation"]);
    let policy = outcome.verdict.unwrap().checks.pop().unwrap();
    insta::assert_snapshot!(policy.to_json().to_string());
}

#[test]
fn pd05_pd11_a_broken_environment_gives_no_verdict() {
    for (tool, says) in [("panic", "on purpose"), ("break_law", "DOOR-30 never opens")] {
        let mut rollout = rollout();
        rollout.call(tool, &door("DOOR-1")).unwrap_err();
        assert!(rollout.session.diff().is_empty(), "{tool} is undone");
        assert!(rollout.call("list_doors", &door("DOOR-1")).unwrap_err().starts_with("run_ended"));
        let (outcome, events) = rollout.finish("DOOR-1");
        assert_eq!(outcome.reason, TerminationReason::EnvironmentError);
        assert_eq!((outcome.passed(), reward(&outcome)), (None, None));
        assert!(outcome.error.unwrap().contains(says));
        assert_eq!(events.last(), Some(&"verifier_result"));
    }
    let (outcome, _) = rollout_of("FAULTY", RewardMode::Progress).finish("done");
    assert_eq!(outcome.reason, TerminationReason::EnvironmentError);
    insta::assert_snapshot!(outcome.result_json().to_pretty());
}

#[test]
fn a_trace_that_cannot_be_kept_gives_no_verdict() {
    let engine = Engine::new(Arc::new(Doors::new(RewardMode::Progress)));
    let task = engine.find_task("OPEN").unwrap();
    let setup = Setup {
        run_id: "run".into(),
        agent: "test".into(),
        limits: engine.task(task).unwrap().limits.clone(),
        clock: Box::new(Hand::default()),
        sink: Box::new(Full),
    };
    let mut session = engine.session(task, setup).unwrap();
    session.call("open_door", &door("DOOR-1"));
    let outcome = session.finish(Ending::Output("DOOR-1".into()));
    assert_eq!((outcome.reason, outcome.passed()), (TerminationReason::EngineError, None));
    assert!(outcome.error.unwrap().contains("no space left"));
}

#[test]
fn only_keys_that_were_shown_are_suggested() {
    let mut rollout = rollout();
    // Neither door near it has been shown: the policy names DOOR-2, the task DOOR-1; DOOR-30 is known to nobody.
    insta::assert_snapshot!(rollout.call("open_door", &door("DOOR-31")).unwrap_err());
    insta::assert_snapshot!(rollout.call("open_door", &door("DOOR-22")).unwrap_err());
    insta::assert_snapshot!(rollout.call("open_then_fail", &door("DOOR-1")).unwrap_err());
}

#[test]
fn r11_r12_pc14_bad_input_says_all_that_is_wrong() {
    let mut rollout = rollout();
    let said: Vec<String> = ["null", "[]", "\"text\"", r#"{"Door": "DOOR-1", "__proto__": 1}"#, r#"{"door": 5}"#]
        .iter()
        .map(|input| {
            let result = rollout.session.call_text("open_door", input);
            assert!(result.is_error);
            result.output.to_pretty()
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"));
    for key in ["__proto__", "constructor", "toString"] {
        let mut rollout = self::rollout();
        assert!(rollout.call("open_door", &door(key)).unwrap_err().starts_with("not_found"), "{key}");
    }
}

#[test]
fn an_unknown_tool_is_answered_with_the_nearest() {
    let mut rollout = rollout();
    insta::assert_snapshot!(rollout.call("open_dor", &door("DOOR-1")).unwrap_err());
    let (outcome, events) = rollout.finish("");
    assert_eq!(outcome.tool_errors, 1);
    assert_eq!(events[1..3], ["tool_call", "tool_result"]);
}

#[test]
fn a_typed_answer_is_the_json_of_its_type() {
    let answer = |text: &str| {
        let (outcome, _) = rollout_of("COUNT", RewardMode::Progress).finish(text);
        let verdict = outcome.verdict.unwrap();
        (verdict.passed, verdict.checks[1].detail.clone())
    };
    for right in ["3", " 3\n", "```json\n3\n```", "```\n3\n```", "3.0"] {
        assert!(answer(right).0, "{right}");
    }
    let wrong = ["", "three", "{\"count\": 3}", "3.5", "null", "3 4", "```json\n3"];
    let said: Vec<String> = wrong.iter().map(|text| format!("{text:?}: {:?}", answer(text))).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn events_are_numbered_without_gaps() {
    let mut rollout = rollout();
    for tool in ["list_doors", "open_door", "open_then_fail", "nothing"] {
        _ = rollout.call(tool, &door("DOOR-2"));
    }
    let events = rollout.events.clone();
    rollout.finish("");
    let events = events.0.lock().unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let lines: Vec<String> = events.iter().map(|event| event.to_json().to_string()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
