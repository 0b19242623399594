//! Every shipped environment: it compiles without a finding, each task's solution passes, twice with the same bytes, and doing
//! nothing is worth nothing.

use silo::agents::{Abort, AgentLog, Noop, Solution};
use silo::clock::SystemClock;
use silo_runtime::session::{Engine, Outcome, Setup};
use silo_runtime::trace::Discard;
use silo_runtime::value::Decimal;
use std::path::Path;
use std::sync::Arc;

fn engine(name: &str) -> Arc<Engine> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("environments").join(name);
    let loaded = silo_dsl::load(&path).expect("an environment");
    let found = silo_dsl::diagnostics::render::plain(&loaded.sources, &loaded.diagnostics);
    assert!(loaded.diagnostics.is_empty(), "{found}");
    Engine::new(Arc::new(loaded.environment.expect("no errors")))
}

fn play(engine: &Arc<Engine>, task: &str, agent: &mut dyn silo::agents::Agent) -> Outcome {
    let id = engine.find_task(task).expect("the task");
    let setup = Setup {
        run_id: "run".into(),
        agent: "test".into(),
        limits: engine.task(id).expect("the task").limits.clone(),
        clock: Box::new(SystemClock::new()),
        sink: Box::new(Discard),
    };
    let mut session = engine.session(id, setup).expect("a world");
    let ending = agent.run(&mut session, &Abort::never(), &mut AgentLog::default());
    session.finish(ending)
}

fn is_fair(name: &str) {
    let engine = engine(name);
    let tasks: Vec<String> = engine.environment().manifest().tasks.iter().map(|task| task.id.to_string()).collect();
    assert!(!tasks.is_empty());
    for task in &tasks {
        let solved = play(&engine, task, &mut Solution);
        assert_eq!(solved.passed(), Some(true), "{name} {task}:\n{}", solved.result_json().to_pretty());
        assert_eq!(solved.verdict.as_ref().map(|verdict| verdict.reward), Some(Decimal::ONE), "{name} {task}");
        let again = play(&engine, task, &mut Solution);
        assert_eq!(again.result_json(), solved.result_json(), "{name} {task}");
        assert_eq!(again.diff_json(), solved.diff_json(), "{name} {task}");

        let idle = play(&engine, task, &mut Noop);
        assert_eq!(idle.passed(), Some(false), "{name} {task}");
        assert_eq!(idle.verdict.map(|verdict| verdict.reward), Some(Decimal::ZERO), "{name} {task}");
        assert!(idle.diff.is_empty());
    }
}

#[test]
fn r16_the_crm_is_fair() {
    is_fair("crm");
}

#[test]
fn the_library_is_fair() {
    is_fair("library");
}
