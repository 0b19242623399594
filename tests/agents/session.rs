//! Agents against a real session: what the trace says of them.

use crate::fake::{Game, has, module, sh};
use silo::agents::{Abort, Agent, AgentLog, ProcessAgent, Solution, TerminationReason};
use silo_runtime::calls::Calls;
use silo_runtime::diff::{Diff, Order, Touched};
use silo_runtime::environment::{
    CallError, Caller, Environment, Fault, Input, Manifest, Output, SolutionError, TaskSpec, ToolSpec, Violation,
};
use silo_runtime::grade::{Check, Grading};
use silo_runtime::ids::{TaskId, ToolId};
use silo_runtime::input::InputFault;
use silo_runtime::limits::{Limits, Meter};
use silo_runtime::schema::Schema;
use silo_runtime::session::{Clock, Engine, Outcome, Setup};
use silo_runtime::trace::{Event, Sink};
use silo_runtime::value::{DateTime, Decimal, Json, Text};
use silo_runtime::world::{State, World};
use std::any::Any;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A world that is one number; its only tool, `begun`, adds one to it.
struct Counter(Manifest);

#[derive(Clone)]
struct Count(i64);

impl State for Count {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn fork(&self) -> Arc<dyn State> {
        Arc::new(self.clone())
    }
    fn diff(&self, _: &dyn State, _: Order) -> Diff {
        Diff::default()
    }
    fn touched(&self, _: &dyn State) -> Touched {
        Touched::default()
    }
}

impl Counter {
    fn new() -> Self {
        let tool = ToolSpec {
            name: "begun".into(),
            description: "Adds one.".into(),
            input: Schema::TEXT,
            output: Schema::INT,
            read_only: false,
            has_rules: false,
        };
        let task = TaskSpec {
            id: "COUNT".into(),
            instruction: "Count to two.".into(),
            has_solution: true,
            ..TaskSpec::default()
        };
        Self(Manifest {
            name: "counter".into(),
            version: "1".into(),
            hash: "0".into(),
            title: None,
            description: None,
            policy: None,
            model: Arc::default(),
            tools: vec![tool],
            tasks: vec![task],
            rules: Vec::new(),
        })
    }
}

fn count(world: &World) -> i64 {
    world.state::<Count>().unwrap().0
}

impl Environment for Counter {
    fn manifest(&self) -> &Manifest {
        &self.0
    }
    fn seed(&self) -> World {
        World::new(Count(0))
    }
    fn world(&self, _: TaskId) -> Result<World, Fault> {
        Ok(self.seed())
    }
    fn decode(&self, _: &World, _: ToolId, _: &Json) -> Result<Input, InputFault> {
        Ok(Input { data: Arc::new(()) })
    }
    fn call(&self, world: &mut World, _: ToolId, _: &Input, _: &mut Meter) -> Result<Output, CallError> {
        let state = world.state_mut::<Count>().unwrap();
        state.0 += 1;
        Ok(Output { json: Json::from(state.0), data: Arc::new(()) })
    }
    fn rules(&self, _: &World, _: ToolId, _: &Input, _: &Calls) -> Result<Vec<Violation>, Fault> {
        Ok(Vec::new())
    }
    fn invariants(&self, _: &World, _: &Touched) -> Result<(), Fault> {
        Ok(())
    }
    fn grade(&self, grading: &Grading<'_>) -> Result<Vec<Check>, Fault> {
        let counted = count(grading.last);
        Ok(vec![Check {
            label: "counted to two".into(),
            passed: counted == 2,
            required: true,
            weight: Decimal::ONE,
            detail: counted.to_string(),
        }])
    }
    fn solve(&self, _: TaskId, caller: &mut dyn Caller) -> Option<Result<Json, SolutionError>> {
        caller.call("begun", Json::Null);
        caller.call("begun", Json::Null);
        Some(Ok(Json::from("counted")))
    }
    fn decode_answer(&self, _: TaskId, _: &World, _: &World, _: &Json) -> Result<Input, InputFault> {
        Ok(Input { data: Arc::new(()) })
    }
    fn keys(&self, _: &World, _: &str) -> Vec<Text> {
        Vec::new()
    }
}

/// A clock that stands.
struct Still;

impl Clock for Still {
    fn now(&self) -> DateTime {
        "2026-03-31T09:00:00Z".parse().unwrap()
    }
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Json>>>);

impl Sink for Events {
    fn record(&mut self, event: Event) -> io::Result<()> {
        self.0.lock().unwrap().push(event.to_json());
        Ok(())
    }
}

/// One rollout: its outcome, and the types of its events in order.
fn roll(agent: &mut dyn Agent, abort: &Abort, max_calls: u32) -> (Outcome, Vec<String>) {
    let events = Events::default();
    let setup = Setup {
        run_id: "run".into(),
        agent: "agent".into(),
        limits: Limits { max_calls, ..Limits::default() },
        clock: Box::new(Still),
        sink: Box::new(events.clone()),
    };
    let mut session = Engine::new(Arc::new(Counter::new())).session(TaskId(0), setup).unwrap();
    let ending = agent.run(&mut session, abort, &mut AgentLog::default());
    let outcome = session.finish(ending);
    let events = events.0.lock().unwrap();
    let numbers: Vec<_> = events.iter().map(|event| event.get("seq").and_then(Json::as_int).unwrap()).collect();
    assert!(numbers.iter().copied().eq(1..=i64::try_from(events.len()).unwrap()), "{numbers:?}");
    let types = events.iter().map(|event| event.get("type").and_then(Json::as_str).unwrap().to_owned()).collect();
    (outcome, types)
}

fn patient(agent: ProcessAgent) -> ProcessAgent {
    agent.patience(Game::default().patience)
}

const CALLED: [&str; 2] = ["tool_call", "tool_result"];

#[test]
fn the_reference_solution_plays_like_any_agent() {
    let (outcome, types) = roll(&mut Solution, &Abort::never(), 100);
    assert_eq!((outcome.reason, outcome.passed()), (TerminationReason::Completed, Some(true)));
    assert_eq!(types, [&["run_start"][..], &CALLED, &CALLED, &["agent_output", "run_end", "verifier_result"]].concat());
}

#[test]
fn r07_calls_begun_before_the_output_are_graded_and_later_ones_leave_no_event() {
    if !has("node") {
        return;
    }
    let (outcome, types) = roll(&mut patient(module("late.mjs")), &Abort::never(), 100);
    // The second call names no tool of this environment, and is in the trace all the same.
    assert_eq!((outcome.reason, outcome.tool_calls, outcome.tool_errors), (TerminationReason::Completed, 2, 1));
    assert_eq!(types, [&["run_start"][..], &CALLED, &CALLED, &["agent_output", "run_end", "verifier_result"]].concat());
}

#[test]
fn a_rollout_over_its_calls_ends_so_whatever_the_agent_says_then() {
    let call = |id: u32| format!(r#"echo '{{"type":"call","id":{id},"tool":"begun","input":{{}}}}'; read -r r"#);
    let output = r#"echo '{"type":"output","output":"late"}'"#;
    let script = format!("read -r s; {}; {}; {}; {output}", call(1), call(2), call(3));
    let (outcome, types) = roll(&mut patient(sh(&script)), &Abort::never(), 2);
    assert_eq!((outcome.reason, outcome.tool_calls, &*outcome.output), (TerminationReason::MaxToolCalls, 2, ""));
    assert_eq!(outcome.passed(), Some(false), "two is what the task wants, but the run did not complete");
    assert_eq!(types, [&["run_start"][..], &CALLED, &CALLED, &["run_end", "verifier_result"]].concat());
}

#[test]
fn pd04_every_rollout_has_one_end_however_close_output_limit_and_exit_fall() {
    let call = r#"echo '{"type":"call","id":1,"tool":"begun","input":{}}'"#;
    let output = r#"echo '{"type":"output","output":"done"}'"#;
    for delay in 0..20 {
        let abort = Abort::new(Some(Duration::from_millis(20 + delay)), &silo::agents::Interrupt::default());
        let (outcome, types) = roll(&mut patient(sh(&format!("{call}; sleep 0.02; {output}"))), &abort, 100);
        let counted = |kind: &str| types.iter().filter(|found| *found == kind).count();
        assert_eq!((counted("run_end"), counted("verifier_result")), (1, 1));
        assert_eq!(counted("tool_call"), outcome.tool_calls as usize);
        assert_eq!(counted("tool_result"), outcome.tool_calls as usize);
        match outcome.reason {
            TerminationReason::Completed => assert_eq!((counted("agent_output"), &*outcome.output), (1, "done")),
            reason => assert_eq!((reason, counted("agent_output")), (TerminationReason::Timeout, 0)),
        }
    }
}
