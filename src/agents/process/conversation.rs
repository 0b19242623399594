//! One rollout's conversation with a process: which message means what when, and how it ends. It knows no pipes and no
//! clock; [`super::host`] feeds it.

use super::lines::{Line, Lines};
use super::outbox::Outbox;
use crate::agents::protocol::{self, Message};
use crate::agents::{Abort, AbortReason, AgentLog, Ending, Rollout, excerpt};
use std::collections::BTreeSet;

/// Bytes of one line of an agent.
pub(super) const LINE_LIMIT: usize = 8 << 20;

/// What the process may still do once the ending is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Farewell {
    /// It has ended by its own word, and goes by itself.
    Linger,
    /// It was told to stop, and has its grace.
    Grace,
    /// It broke the protocol: there is nothing to wait for.
    Kill,
}

#[derive(Debug)]
struct Settled {
    ending: Ending,
    farewell: Farewell,
    /// Why, as calls that come later are told.
    why: &'static str,
}

/// The state of a conversation. The first event that settles the ending settles it for good.
#[derive(Debug)]
pub(super) struct Conversation {
    lines: Lines,
    outbox: Outbox,
    ids: BTreeSet<i64>,
    settled: Option<Settled>,
    /// Whether a line was refused after the end, so that nothing more can be understood.
    deaf: bool,
}

impl Conversation {
    /// A conversation that begins with the briefing.
    pub(super) fn new(rollout: &dyn Rollout) -> Self {
        let mut outbox = Outbox::default();
        outbox.line(&protocol::start(rollout.briefing(), rollout.limits()));
        Self { lines: Lines::new(LINE_LIMIT), outbox, ids: BTreeSet::new(), settled: None, deaf: false }
    }

    /// What is on its way to the agent.
    pub(super) fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }

    /// Whether the agent may be heard now. One that does not read its results is not.
    pub(super) fn listens(&self) -> bool {
        !self.outbox.is_full()
    }

    /// Takes bytes that the agent wrote; [`Self::answer`] acts on them.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        if !self.deaf {
            self.lines.push(bytes);
        }
    }

    /// Acts on the lines that have arrived, in order. The time limit and the interrupt are looked at before each line: one
    /// that was written in time but is read too late is too late, so the ending never depends on who was quicker by a hair
    /// in a way that the trace does not show. `at_end`: nothing more will come.
    pub(super) fn answer(&mut self, rollout: &mut dyn Rollout, abort: &Abort, log: &mut AgentLog, at_end: bool) {
        loop {
            if let Some(reason) = abort.reason() {
                self.abort(reason);
            }
            if self.deaf || !self.listens() {
                return;
            }
            let (number, message) = match self.lines.next(at_end) {
                None => return,
                Some(Line::Whole(number, line)) => (number, Message::parse(line)),
                Some(Line::TooLong(number, line)) => {
                    self.deaf = true;
                    let beginning = excerpt(&String::from_utf8_lossy(line.get(..400).unwrap_or(line)), 60);
                    (number, Err(format!("is longer than {} MiB, `{beginning}`", LINE_LIMIT >> 20)))
                }
            };
            match message {
                Ok(message) => self.act(number, message, rollout, log),
                Err(problem) => self.refuse(number, &problem),
            }
        }
    }

    fn act(&mut self, number: u64, message: Message, rollout: &mut dyn Rollout, log: &mut AgentLog) {
        match message {
            Message::Log(text) => log.line(&text),
            Message::Output(text) => {
                self.settle(Ending::Output(text), Farewell::Linger, "the agent has given its output");
            }
            Message::Error(text) => {
                self.settle(Ending::AgentError(text.to_string()), Farewell::Linger, "the agent has failed");
            }
            Message::Call { id, tool, input } => {
                if let Some(settled) = &self.settled {
                    let line = protocol::run_ended(id, settled.why);
                    self.outbox.line(&line);
                } else if self.ids.insert(id) {
                    let result = rollout.call(&tool, &input);
                    self.outbox.line(&protocol::result(id, &result));
                    if let Some(reason) = rollout.ended() {
                        self.stop(Ending::Output("".into()), reason.as_str());
                    }
                } else {
                    self.refuse(number, &format!("uses the id {id} again; every call needs an id of its own"));
                }
            }
        }
    }

    fn refuse(&mut self, number: u64, problem: &str) {
        let message = format!("line {number} of the agent's output {problem}");
        self.settle(Ending::AgentError(message), Farewell::Kill, "the agent has failed");
    }

    /// Records that the time is up or the user has interrupted.
    pub(super) fn abort(&mut self, reason: AbortReason) {
        match reason {
            AbortReason::Timeout => self.stop(Ending::Timeout, "timeout"),
            AbortReason::Interrupted => self.stop(Ending::Interrupted, "interrupted"),
        }
    }

    fn stop(&mut self, ending: Ending, why: &'static str) {
        if self.settled.is_none() {
            self.outbox.line(&protocol::abort(why));
            self.settle(ending, Farewell::Grace, why);
        }
    }

    /// Records that nothing more will come: the process has gone, or has closed its output for good.
    pub(super) fn closed(&mut self, how: &str, log: &AgentLog) {
        let last = log.last_line(120).map(|line| format!("; its log ends with `{line}`")).unwrap_or_default();
        let message = format!("the agent {how} before it gave an output{last}");
        self.settle(Ending::AgentError(message), Farewell::Kill, "the agent has failed");
    }

    fn settle(&mut self, ending: Ending, farewell: Farewell, why: &'static str) {
        self.settled.get_or_insert(Settled { ending, farewell, why });
    }

    /// What the process may still do, once the ending is settled.
    pub(super) fn farewell(&self) -> Option<Farewell> {
        self.settled.as_ref().map(|settled| settled.farewell)
    }

    /// The ending, once it is settled.
    pub(super) fn into_ending(self) -> Option<Ending> {
        self.settled.map(|settled| settled.ending)
    }
}

#[cfg(test)]
mod tests;
