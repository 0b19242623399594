//! Runs a process and feeds its conversation.

use super::Patience;
use super::conversation::{Conversation, Farewell};
use super::group::{Group, Pipes};
use crate::agents::{Abort, AgentLog, Ending, Rollout};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Command;
use std::time::Duration;

/// How often the interrupt, and a process whose pipes say nothing, are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How often a process is looked at that has closed its pipes, and so is about to exit.
const LAST_TICK: Duration = Duration::from_millis(1);

/// How long a process may take to exit after it has closed its output, for the message to name its exit code.
const CLOSING: Duration = Duration::from_millis(500);

/// Reads after the end, at most: more than the pipes of any system hold.
const LAST_READS: usize = 64;

/// Runs an agent's process through one rollout, and leaves nothing of it behind.
///
/// # Errors
/// The process cannot be started; the message is for the user.
pub(super) fn converse(
    command: &mut Command,
    rollout: &mut dyn Rollout,
    abort: &Abort,
    log: &mut AgentLog,
    patience: Patience,
) -> Result<Ending, String> {
    let (group, pipes) = Group::spawn(command).map_err(|error| cannot_start(command, &error))?;
    let mut host = Host::new(pipes).map_err(|error| format!("cannot talk to the agent: {error}"))?;
    let mut conversation = Conversation::new(rollout);
    host.serve(&group, &mut conversation, rollout, abort, log, patience);
    drop(group);
    // What the process printed last is still in the pipe.
    host.read_rest(log, None);
    Ok(conversation.into_ending().unwrap_or_else(|| Ending::AgentError("the agent was lost".into())))
}

fn cannot_start(command: &Command, error: &io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    let what = match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => {
            "there is no such file (or what its `#!` line names)".to_owned()
        }
        io::ErrorKind::NotFound => "there is no such program on PATH".to_owned(),
        io::ErrorKind::PermissionDenied => format!("it is not executable; `chmod +x {program}` makes it so"),
        _ => error.to_string(),
    };
    format!("the agent cannot be started: `{program}`: {what}")
}

/// Our ends of the pipes; `None` once closed.
struct Host {
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl Host {
    fn new(pipes: Pipes) -> io::Result<Self> {
        let ends = [OwnedFd::from(pipes.stdin), pipes.stdout.into(), pipes.stderr.into()];
        for end in &ends {
            ioctl_fionbio(end, true)?;
        }
        let [stdin, stdout, stderr] = ends.map(Some);
        Ok(Self { stdin, stdout, stderr, buffer: vec![0; 1 << 16] })
    }

    /// Serves the process until its ending is settled and it has gone, or its time to go is over.
    fn serve(
        &mut self,
        group: &Group,
        conversation: &mut Conversation,
        rollout: &mut dyn Rollout,
        abort: &Abort,
        log: &mut AgentLog,
        patience: Patience,
    ) {
        let mut settled_at = None;
        let mut closed_at = None;
        loop {
            conversation.answer(rollout, abort, log, false);
            let now = abort.now();
            let mut wait = abort.remaining().unwrap_or(TICK).min(TICK);
            if let Some(farewell) = conversation.farewell() {
                let waited = now.saturating_sub(*settled_at.get_or_insert(now));
                if farewell == Farewell::Kill || waited >= patience.grace || abort.insists() {
                    return;
                }
                if farewell == Farewell::Linger && waited >= patience.linger {
                    self.close_stdin(conversation);
                }
                wait = TICK.min(patience.grace.saturating_sub(waited));
            }
            self.wait(conversation, wait);
            self.write(conversation);
            self.read_stderr(log);
            self.read_stdout(conversation);
            if let Some(exit) = group.exit() {
                self.close_stdin(conversation);
                self.read_rest(log, Some(conversation));
                conversation.answer(rollout, abort, log, true);
                conversation.closed(&exit.to_string(), log);
                return;
            }
            if self.stdout.is_none() {
                conversation.answer(rollout, abort, log, true);
                let now = abort.now();
                if now.saturating_sub(*closed_at.get_or_insert(now)) >= CLOSING.min(patience.grace) {
                    conversation.closed("closed its output", log);
                }
            }
        }
    }

    /// Waits until a pipe is ready, or for so long.
    fn wait(&self, conversation: &mut Conversation, limit: Duration) {
        let stdin = self.stdin.as_ref().filter(|_| !conversation.outbox().waiting().is_empty());
        let stdout = self.stdout.as_ref().filter(|_| conversation.listens());
        let mut pipes: Vec<PollFd<'_>> = Vec::with_capacity(3);
        pipes.extend(stdin.map(|end| PollFd::new(end, PollFlags::OUT)));
        pipes.extend([stdout, self.stderr.as_ref()].into_iter().flatten().map(|end| PollFd::new(end, PollFlags::IN)));
        let limit = if self.stdout.is_none() && self.stderr.is_none() { limit.min(LAST_TICK) } else { limit };
        // No limit here is longer than a tick, so it always fits. A failed wait is one that was too short: look again.
        let _ = poll(&mut pipes, Timespec::try_from(limit).ok().as_ref());
    }

    fn write(&mut self, conversation: &mut Conversation) {
        while let Some(end) = &self.stdin
            && !conversation.outbox().waiting().is_empty()
        {
            match write(end, conversation.outbox().waiting()) {
                Ok(count) => conversation.outbox().written(count),
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                Err(_) => self.close_stdin(conversation),
            }
        }
    }

    fn close_stdin(&mut self, conversation: &mut Conversation) {
        self.stdin = None;
        conversation.outbox().close();
    }

    fn read_stderr(&mut self, log: &mut AgentLog) -> bool {
        read_some(&mut self.stderr, &mut self.buffer, |bytes| log.append(bytes))
    }

    fn read_stdout(&mut self, conversation: &mut Conversation) -> bool {
        conversation.listens() && read_some(&mut self.stdout, &mut self.buffer, |bytes| conversation.hear(bytes))
    }

    /// Reads what the pipes still hold of a process that has gone. Others may hold their ends, so this waits for nothing.
    fn read_rest(&mut self, log: &mut AgentLog, mut conversation: Option<&mut Conversation>) {
        for _ in 0..LAST_READS {
            let more = conversation.as_deref_mut().is_some_and(|conversation| self.read_stdout(conversation));
            if !self.read_stderr(log) && !more {
                return;
            }
        }
    }
}

/// Reads once; closes the end when the other side has. Whether there may be more.
fn read_some(end: &mut Option<OwnedFd>, buffer: &mut [u8], take: impl FnOnce(&[u8])) -> bool {
    let Some(open) = end else { return false };
    match read(open.as_fd(), &mut *buffer) {
        Ok(0) => *end = None,
        Ok(count) => {
            take(&buffer[..count]);
            return true;
        }
        Err(Errno::AGAIN) => {}
        Err(Errno::INTR) => return true,
        Err(_) => *end = None,
    }
    false
}
