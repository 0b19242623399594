//! Agents: what plays a rollout.

mod abort;
mod log;
mod spec;

pub use abort::{Abort, AbortReason, Interrupt};
pub use log::AgentLog;
pub use spec::{AgentSpec, Language, SpecError};

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
