//! Agents: what plays a rollout. `docs/agents.md` says how to write one.
//!
//! An [`AgentSpec`] is what a user writes after `--agent`; [`AgentSpec::agent`] makes an [`Agent`] of it, and
//! [`Agent::run`] plays one [`Rollout`]. An agent sees the rollout's [`Briefing`] and makes calls, and that is all: the
//! world stays with the session. A program or module runs in a process group of its own, and whatever it does, `run`
//! returns: soon after the limit, with exactly one [`Ending`], with every process of the group gone.

mod abort;
mod log;
mod noop;
mod process;
mod protocol;
mod rollout;
mod runtime;
mod script;
mod solution;
mod spec;

pub use abort::{Abort, AbortReason, Interrupt};
pub use log::AgentLog;
pub use noop::Noop;
pub use process::{Patience, ProcessAgent};
pub use rollout::{Briefing, CallResult, Ending, Limits, Rollout, TerminationReason, ToolDescription};
pub use script::{Script, ScriptError};
pub use solution::Solution;
pub use spec::{AgentSpec, Language, SpecError};

/// Something that can play a rollout.
pub trait Agent {
    /// Plays the rollout to its end. Whatever the agent does, exactly one ending comes back; once the rollout itself has
    /// ended ([`Rollout::ended`]), that end stands, and the ending returned is of no account.
    fn run(&mut self, rollout: &mut dyn Rollout, abort: &Abort, log: &mut AgentLog) -> Ending;
}

impl AgentSpec {
    /// The agent that this value names.
    ///
    /// # Errors
    /// The script cannot be read, or is not a list of calls.
    pub fn agent(&self) -> Result<Box<dyn Agent>, ScriptError> {
        Ok(match self {
            Self::Solution => Box::new(Solution),
            Self::Noop => Box::new(Noop),
            Self::Script(path) => Box::new(Script::read(path)?),
            Self::Exec { words, .. } => Box::new(ProcessAgent::exec(words.clone())),
            Self::Module { path, language } => Box::new(ProcessAgent::module(path.clone(), *language)),
        })
    }
}

/// The beginning of a text that an agent wrote, on one line, for a message.
fn excerpt(text: &str, length: usize) -> String {
    let mut short = String::new();
    for character in text.chars().take(length) {
        if character.is_control() {
            short.extend(character.escape_default());
        } else {
            short.push(character);
        }
    }
    if text.chars().nth(length).is_some() {
        short.push('…');
    }
    short
}
