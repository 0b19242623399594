//! Agents that run in a process of their own and speak lines of JSON.
//!
//! One thread serves an agent: it waits for the agent's pipes, the time limit and the interrupt together, executes calls as
//! they come, and never blocks on a pipe. So there is one order of events and one ending, and nothing is left behind.

#[cfg(unix)]
mod conversation;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod host;
#[cfg(unix)]
mod lines;
#[cfg(unix)]
mod outbox;

use super::runtime;
use super::{Abort, Agent, AgentLog, Ending, Language, Rollout};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// How long a process may take to go.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From an abort, or from the agent's own end, until its group is killed.
    pub grace: Duration,
    /// From the agent's own end until its standard input is closed, which ends a program that only waits for more.
    pub linger: Duration,
}

impl Default for Patience {
    /// Two seconds until the kill; a quarter of one until the input is closed.
    fn default() -> Self {
        Self { grace: Duration::from_secs(2), linger: Duration::from_millis(250) }
    }
}

/// An agent in a process of its own.
#[derive(Clone, Debug)]
pub struct ProcessAgent {
    program: Program,
    patience: Patience,
}

#[derive(Clone, Debug)]
enum Program {
    Words(Vec<String>),
    Module(PathBuf, Language),
}

impl ProcessAgent {
    /// A program with its arguments, that speaks the protocol on its standard input and output.
    pub fn exec(words: Vec<String>) -> Self {
        Self { program: Program::Words(words), patience: Patience::default() }
    }

    /// A module, hosted by the runtime of its language.
    pub fn module(path: PathBuf, language: Language) -> Self {
        Self { program: Program::Module(path, language), patience: Patience::default() }
    }

    /// The same with another patience.
    #[must_use]
    pub fn patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    fn command(&self) -> Result<Command, String> {
        match &self.program {
            Program::Module(path, language) => runtime::host(path, *language),
            Program::Words(words) => {
                let (program, arguments) = words.split_first().ok_or("the command of the agent is empty")?;
                let mut command = Command::new(program);
                command.args(arguments);
                Ok(command)
            }
        }
    }
}

impl Agent for ProcessAgent {
    #[cfg(unix)]
    fn run(&mut self, rollout: &mut dyn Rollout, abort: &Abort, log: &mut AgentLog) -> Ending {
        self.command()
            .and_then(|mut command| host::converse(&mut command, rollout, abort, log, self.patience))
            .unwrap_or_else(Ending::AgentError)
    }

    #[cfg(not(unix))]
    fn run(&mut self, _: &mut dyn Rollout, _: &Abort, _: &mut AgentLog) -> Ending {
        let _ = self.command();
        Ending::AgentError(
            "agents in processes of their own need a Unix system; use `solution`, `noop` or `script:FILE`, or run Silo under WSL".into(),
        )
    }
}
