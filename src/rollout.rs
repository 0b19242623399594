//! One rollout from start to artifacts: the session, the agent, the folder.

use crate::agents::{Abort, AgentLog, AgentSpec, Ending, Interrupt, TerminationReason};
use crate::clock::SystemClock;
use silo_runtime::artifacts::RunFolder;
use silo_runtime::ids::TaskId;
use silo_runtime::limits::Limits;
use silo_runtime::session::{Clock as _, Engine, Outcome, Setup};
use silo_runtime::trace::{Event, Sink};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What every rollout of a command has in common.
pub struct Plan {
    /// The environment.
    pub engine: Arc<Engine>,
    /// The task.
    pub task: TaskId,
    /// Who plays it.
    pub agent: AgentSpec,
    /// The limits.
    pub limits: Limits,
    /// Where folders are made.
    pub out: PathBuf,
    /// The user's interrupt.
    pub interrupt: Interrupt,
}

/// A finished rollout and where it is.
#[derive(Debug)]
pub struct Finished {
    /// What it came to.
    pub outcome: Outcome,
    /// Its folder.
    pub folder: PathBuf,
}

/// Watches a rollout as it happens.
pub type Watcher = Box<dyn FnMut(&Event) + Send>;

impl Plan {
    /// Plays one rollout. Whatever happens once it has begun, it leaves its artifacts.
    ///
    /// # Errors
    /// It could not begin: no folder can be made, the task's world cannot be set up, or the agent cannot be read.
    pub fn play(&self, watcher: Option<Watcher>) -> Result<Finished, String> {
        let mut agent = self.agent.agent().map_err(|error| error.to_string())?;
        let clock = SystemClock::new();
        let folder = create(&self.out, &clock)?;
        let trace = folder.trace().map_err(|error| format!("the trace cannot be written: {error}"))?;
        let setup = Setup {
            run_id: folder.id().clone(),
            agent: self.agent.to_string().into(),
            limits: self.limits.clone(),
            clock: Box::new(clock),
            sink: Box::new(Watched { sink: trace, watcher }),
        };
        let mut session = self.engine.session(self.task, setup).map_err(|fault| fault.message)?;
        let abort = Abort::new(Some(Duration::from_millis(self.limits.timeout_ms)), &self.interrupt);
        let mut log = AgentLog::default();
        let ending = agent.run(&mut session, &abort, &mut log);
        let ending = if self.interrupt.is_raised() && !matches!(ending, Ending::Output(_)) {
            Ending::Interrupted
        } else {
            ending
        };
        let mut outcome = session.finish(ending);
        if let Err(error) = folder.write(&outcome, env!("CARGO_PKG_VERSION"), &log.to_text()) {
            outcome.lose(format!("the artifacts could not be written: {error}"));
        }
        Ok(Finished { outcome, folder: folder.path().to_owned() })
    }
}

fn create(out: &Path, clock: &SystemClock) -> Result<RunFolder, String> {
    RunFolder::create(out, clock.now())
        .map_err(|error| format!("no folder can be made in `{}`: {error}", out.display()))
}

impl Finished {
    /// Whether there is a verdict at all.
    pub fn has_verdict(&self) -> bool {
        self.outcome.verdict.is_some()
    }

    /// Whether the user stopped it.
    pub fn was_interrupted(&self) -> bool {
        self.outcome.reason == TerminationReason::Interrupted
    }
}

/// A sink that somebody watches.
struct Watched<S> {
    sink: S,
    watcher: Option<Watcher>,
}

impl<S: Sink> Sink for Watched<S> {
    fn record(&mut self, event: Event) -> io::Result<()> {
        if let Some(watcher) = &mut self.watcher {
            watcher(&event);
        }
        self.sink.record(event)
    }
}
