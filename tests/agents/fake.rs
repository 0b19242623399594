//! A rollout without a world, and the means to play it.

use silo::agents::{
    Abort, Agent, AgentLog, AgentSpec, Briefing, CallResult, Ending, Interrupt, Limits, Patience, ProcessAgent,
    Rollout, TerminationReason, ToolDescription,
};
use silo_runtime::value::json::Json;
use silo_runtime::value::json::Limits as JsonLimits;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A rollout that remembers its calls. The tool `echo` returns its input, `exact` numbers that need care, `large` a text of
/// 1 MB, `refuse` an error, `list_opportunities` two rows, and any other `{"ok":true}`. The
/// tool `expire` lets the time limit pass, whenever the agent gets to it.
pub(crate) struct Fake {
    briefing: Briefing,
    limits: Limits,
    max_calls: usize,
    calls: Vec<String>,
    ended: Option<TerminationReason>,
    /// Milliseconds that the clock is ahead.
    ahead: Arc<AtomicU64>,
}

impl Rollout for Fake {
    fn briefing(&self) -> &Briefing {
        &self.briefing
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn call(&mut self, tool: &str, input: &Json) -> CallResult {
        assert_eq!(self.ended, None, "no call may come after the end");
        if self.calls.len() == self.max_calls {
            self.ended = Some(TerminationReason::MaxToolCalls);
            return CallResult {
                output: json(r#"{"code":"run_ended","message":"no calls are left"}"#),
                is_error: true,
            };
        }
        let shown = input.to_string();
        self.calls.push(if shown.len() > 200 {
            format!("{tool} {} bytes", shown.len())
        } else {
            format!("{tool} {shown}")
        });
        if tool == "expire" {
            self.ahead.fetch_add(3_600_000, Ordering::SeqCst);
        }
        let output = match tool {
            "echo" => input.clone(),
            "exact" => {
                json(r#"{"id":9007199254740993,"least":-9223372036854775808,"price":19.99,"text":"9007199254740993"}"#)
            }
            "precise" => json(r#"{"share":0.1234567890123456789012345678}"#),
            "large" => Json::from("x".repeat(1 << 20)),
            "list_opportunities" => json(r#"{"results":[{"id":"OPP-005"},{"id":"OPP-006"}],"total":2}"#),
            "refuse" => json(r#"{"code":"not_found","message":"there is no such row"}"#),
            _ => json(r#"{"ok":true}"#),
        };
        CallResult { output, is_error: tool == "refuse" }
    }

    fn ended(&self) -> Option<TerminationReason> {
        self.ended
    }
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text, JsonLimits::default()).unwrap()
}

/// What one rollout came to.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) ending: Ending,
    pub(crate) ended: Option<TerminationReason>,
    pub(crate) calls: Vec<String>,
    pub(crate) log: String,
    pub(crate) took: Duration,
}

impl Played {
    #[track_caller]
    pub(crate) fn output(&self) -> &str {
        match &self.ending {
            Ending::Output(text) => text,
            other => panic!("expected an output, found {other:?}\n{}", self.log),
        }
    }

    /// Asserts that nobody waited for a process that sleeps much longer.
    #[track_caller]
    pub(crate) fn assert_not_waited_for(&self) {
        assert!(self.took < Duration::from_secs(10), "{self:?}");
    }

    #[track_caller]
    pub(crate) fn error(&self) -> &str {
        match &self.ending {
            Ending::AgentError(message) => message,
            other => panic!("expected an agent's error, found {other:?}\n{}", self.log),
        }
    }

    /// The log's line that begins so, without its beginning.
    #[track_caller]
    pub(crate) fn logged(&self, beginning: &str) -> &str {
        let found = self.log.lines().find_map(|line| line.strip_prefix(beginning));
        found.unwrap_or_else(|| panic!("no line of the log begins with {beginning:?}:\n{}", self.log))
    }

    /// Asserts that the process whose number the log names after `pid ` is gone.
    #[track_caller]
    pub(crate) fn assert_gone(&self) {
        let pid = self.logged("pid ").trim();
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        assert!(state.trim().is_empty() || state.trim().starts_with('Z'), "process {pid} still runs: {state}");
    }
}

/// How a rollout is played.
pub(crate) struct Game {
    pub(crate) max_calls: usize,
    pub(crate) limit: Duration,
    pub(crate) interrupt: Interrupt,
    pub(crate) patience: Patience,
}

impl Default for Game {
    /// Limits that an agent that behaves does not meet, and little patience.
    fn default() -> Self {
        Self {
            max_calls: 100,
            limit: Duration::from_secs(20),
            interrupt: Interrupt::default(),
            patience: Patience { grace: Duration::from_millis(600), linger: Duration::from_millis(500) },
        }
    }
}

impl Game {
    pub(crate) fn limit(millis: u64) -> Self {
        Self { limit: Duration::from_millis(millis), ..Self::default() }
    }

    pub(crate) fn max_calls(max_calls: usize) -> Self {
        Self { max_calls, ..Self::default() }
    }

    /// Plays a process agent, with the game's patience.
    pub(crate) fn play(self, agent: ProcessAgent) -> Played {
        let mut agent = agent.patience(self.patience);
        self.play_any(&mut agent)
    }

    /// Plays any agent.
    #[expect(clippy::disallowed_methods, reason = "how long an agent may take is what is tested")]
    pub(crate) fn play_any(self, agent: &mut dyn Agent) -> Played {
        let mut rollout = Fake {
            briefing: Briefing {
                task: "Größe: move \"every\" deal.\n".into(),
                policy: Some("Be kind.".into()),
                tools: [ToolDescription {
                    name: "echo".into(),
                    description: "Returns its input.".into(),
                    input_schema: json(r#"{"type":"object","properties":{},"additionalProperties":false}"#),
                }]
                .into(),
                answer_schema: Some(json(r#"{"type":"object"}"#)),
            },
            limits: Limits::default(),
            max_calls: self.max_calls,
            calls: Vec::new(),
            ended: None,
            ahead: Arc::default(),
        };
        let mut log = AgentLog::default();
        let start = Instant::now();
        let ahead = Arc::clone(&rollout.ahead);
        let clock = move || start.elapsed() + Duration::from_millis(ahead.load(Ordering::SeqCst));
        let abort = Abort::with_clock(Arc::new(clock), Some(self.limit), &self.interrupt);
        let ending = agent.run(&mut rollout, &abort, &mut log);
        Played { ending, ended: rollout.ended, calls: rollout.calls, log: log.to_text(), took: start.elapsed() }
    }
}

/// Plays an agent that behaves.
pub(crate) fn play(agent: ProcessAgent) -> Played {
    Game::default().play(agent)
}

/// A module of the fixtures.
pub(crate) fn module(file: &str) -> ProcessAgent {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/agents/fixtures").join(file);
    match path.to_str().unwrap().parse().unwrap() {
        AgentSpec::Module { path, language } => ProcessAgent::module(path, language),
        other => panic!("{other} is no module"),
    }
}

/// A module of its own, in a folder that lasts as long as the value.
pub(crate) struct Written(tempfile::TempDir, String);

impl Written {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        use std::io::Write as _;
        let folder = tempfile::tempdir().unwrap();
        std::fs::File::create_new(folder.path().join(name)).unwrap().write_all(text.as_bytes()).unwrap();
        Self(folder, name.to_owned())
    }

    pub(crate) fn agent(&self) -> ProcessAgent {
        module(self.0.path().join(&self.1).to_str().unwrap())
    }

    /// Plays the module.
    pub(crate) fn play(&self) -> Played {
        play(self.agent())
    }
}

/// A program that speaks the protocol itself, as a shell script.
pub(crate) fn sh(script: &str) -> ProcessAgent {
    ProcessAgent::exec(["sh", "-c", script].map(str::to_owned).to_vec())
}

/// Whether what a test needs is installed. Where it must be, its absence fails the test; elsewhere the test says so aloud.
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    #[expect(clippy::disallowed_methods, reason = "the one switch of these tests")]
    let required = std::env::var_os("SILO_REQUIRE_AGENTS").is_some_and(|value| value == "1");
    assert!(found || !required, "`{program}` is required by SILO_REQUIRE_AGENTS, but is not installed");
    if !found {
        eprintln!("NOT TESTED: `{program}` is not installed");
    }
    found
}
