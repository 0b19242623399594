//! The engine on the CRM, with one, ten and a hundred times its opportunities and activities: what it takes to compile, to
//! start a rollout, to make a call through the whole path (JSON in, validation, execution, JSON out, trace event), to play
//! TASK-002 in memory and with artifacts, and to start the binary.
//!
//! `rows` in a name says that the time grows with the rows which the call itself visits; everything else should be flat.
#![expect(clippy::disallowed_methods, reason = "benches read the environment's files")]

use divan::{Bencher, black_box};
use serde_json::{Value, json};
use silo::agents::AgentSpec;
use silo::rollout::Plan;
use silo_dsl::project::Project;
use silo_runtime::session::{Clock, Ending, Engine, Session, Setup, solve};
use silo_runtime::trace::Discard;
use silo_runtime::value::DateTime;
use silo_runtime::value::json::{Json, Limits};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

fn main() {
    divan::main();
}

const SIZES: [usize; 3] = [1, 10, 100];

fn crm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("environments/crm")
}

/// All files of a folder, by their path in it.
fn files(folder: &Path, prefix: &str, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push((name, std::fs::read(entry.path()).expect("a file")));
        }
    }
}

/// The CRM with so many times its opportunities and activities. Copies belong to people who still work there, so that the tasks
/// stay what they are.
fn scaled(times: usize) -> Project {
    let mut all = Vec::new();
    files(&crm(), "", &mut all);
    for (name, bytes) in &mut all {
        match name.as_str() {
            "data/opportunities.json" => {
                let rows: Vec<Value> = serde_json::from_slice(bytes).expect("JSON");
                let copies = (1..times).flat_map(|copy| rows.iter().map(move |row| copied(row, copy)));
                let rows: Vec<Value> = rows.iter().cloned().chain(copies).collect();
                *bytes = serde_json::to_vec(&rows).expect("JSON");
            }
            "data/activities.jsonl" => {
                let text = String::from_utf8(std::mem::take(bytes)).expect("UTF-8");
                let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
                let copies = (1..times).flat_map(|copy| rows.iter().map(move |row| copied(row, copy)));
                let lines: Vec<String> = rows.iter().cloned().chain(copies).map(|row| row.to_string()).collect();
                *bytes = lines.join("\n").into_bytes();
            }
            _ => {}
        }
    }
    // The entry file comes first.
    all.sort_by_key(|(name, _)| (name != "crm.silo", name.clone()));
    Project::from_sources(all)
}

fn copied(row: &Value, copy: usize) -> Value {
    let mut row = row.clone();
    let id = format!("{}-{copy}", row["id"].as_str().expect("a key"));
    if let Some(lines) = row.get_mut("lines").and_then(Value::as_array_mut) {
        for (number, line) in lines.iter_mut().enumerate() {
            line["id"] = json!(format!("{id}-L{}", number + 1));
        }
    }
    row["id"] = json!(id);
    row["ownerId"] = json!("USR-005");
    row
}

/// The engines made so far, by size.
type Made = Mutex<Vec<(usize, Arc<Engine>)>>;

fn engine(times: usize) -> Arc<Engine> {
    static MADE: OnceLock<Made> = OnceLock::new();
    let mut made = MADE.get_or_init(Mutex::default).lock().expect("no panic before");
    if let Some((_, engine)) = made.iter().find(|(size, _)| *size == times) {
        return engine.clone();
    }
    let loaded = silo_dsl::load_project(&scaled(times));
    let found = silo_dsl::diagnostics::render::plain(&loaded.sources, &loaded.diagnostics);
    let engine = Engine::new(Arc::new(loaded.environment.unwrap_or_else(|| panic!("{found}"))));
    made.push((times, engine.clone()));
    engine
}

struct Still;

impl Clock for Still {
    fn now(&self) -> DateTime {
        DateTime::MIN
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn session(engine: &Arc<Engine>, in_memory: bool) -> Session {
    let task = engine.find_task("TASK-002").expect("the task");
    let mut limits = engine.task(task).expect("the task").limits.clone();
    limits.max_calls = u32::MAX;
    limits.max_trace = u64::MAX;
    let setup = Setup {
        run_id: "bench".into(),
        agent: "bench".into(),
        limits,
        clock: Box::new(Still),
        sink: if in_memory { Box::new(Vec::new()) } else { Box::new(Discard) },
    };
    engine.session(task, setup).expect("a world")
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn compile(bencher: Bencher<'_, '_>, times: usize) {
    bencher.with_inputs(|| scaled(times)).bench_refs(|project| silo_dsl::load_project(project).environment.is_some());
}

/// Fresh world, snapshot, briefing, first event.
#[divan::bench(args = SIZES)]
fn start_a_rollout(bencher: Bencher<'_, '_>, times: usize) {
    let engine = engine(times);
    bencher.bench(|| session(black_box(&engine), true));
}

/// A call of the text of an input, in a session that has just begun.
fn call(bencher: Bencher<'_, '_>, times: usize, tool: &str, input: &str) {
    let engine = engine(times);
    let limits = Limits::bytes(1 << 20);
    bencher.with_inputs(|| session(&engine, true)).bench_refs(|session| {
        let input = Json::parse(black_box(input), limits).expect("JSON");
        let result = session.call(tool, &input);
        assert!(!result.is_error, "{}", result.output);
        result
    });
}

#[divan::bench(args = SIZES)]
fn call_keyed_read(bencher: Bencher<'_, '_>, times: usize) {
    call(bencher, times, "get_user", r#"{"userId": "USR-003"}"#);
}

#[divan::bench(args = SIZES)]
fn call_write(bencher: Bencher<'_, '_>, times: usize) {
    call(
        bencher,
        times,
        "reassign_opportunity",
        r#"{"opportunityId": "OPP-005", "newOwnerId": "USR-003", "actorId": "USR-001"}"#,
    );
}

#[divan::bench(args = SIZES)]
fn call_page_of_20_rows(bencher: Bencher<'_, '_>, times: usize) {
    call(bencher, times, "list_opportunities", r#"{"limit": 20}"#);
}

#[divan::bench(args = SIZES)]
fn task_002_in_memory_rows(bencher: Bencher<'_, '_>, times: usize) {
    let engine = engine(times);
    bencher.bench(|| {
        let mut session = session(&engine, true);
        let ending = solve(&mut session).unwrap_or(Ending::Interrupted);
        let outcome = session.finish(ending);
        assert_eq!(outcome.passed(), Some(true));
        outcome
    });
}

#[divan::bench(args = SIZES)]
fn task_002_with_artifacts_rows(bencher: Bencher<'_, '_>, times: usize) {
    let engine = engine(times);
    let task = engine.find_task("TASK-002").expect("the task");
    let out = tempfile::tempdir().expect("a folder");
    let plan = Plan {
        limits: engine.task(task).expect("the task").limits.clone(),
        engine,
        task,
        agent: AgentSpec::Solution,
        out: out.path().to_owned(),
        interrupt: silo::agents::Interrupt::default(),
    };
    bencher.bench(|| plan.play(None).expect("a rollout").outcome);
}

/// The binary from start to end: compile, play, write.
#[divan::bench(sample_count = 20)]
fn silo_run_process(bencher: Bencher<'_, '_>) {
    let out = tempfile::tempdir().expect("a folder");
    bencher.bench(|| {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_silo"))
            .arg("run")
            .arg(crm())
            .args(["--task", "TASK-002", "--out"])
            .arg(out.path())
            .stdout(std::process::Stdio::null())
            .status()
            .expect("silo runs");
        assert!(status.success());
    });
}
