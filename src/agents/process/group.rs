//! A child process in a process group of its own, which ends with everything it started in it.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::fmt;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself, with a code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// In some way the system did not tell.
    Unknown,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(number) => match signal_name(number) {
                Some(name) => write!(f, "was ended by signal {number} ({name})"),
                None => write!(f, "was ended by signal {number}"),
            },
            Self::Unknown => f.write_str("ended"),
        }
    }
}

fn signal_name(number: i32) -> Option<&'static str> {
    let named = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
    ];
    named.iter().find(|(signal, _)| signal.as_raw() == number).map(|(_, name)| *name)
}

/// The pipes to and from a child.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

/// A child and its group. Dropping it kills the group and takes away the child, so that nothing runs on and no zombie
/// stays, whatever happens in between.
pub(super) struct Group {
    child: Child,
    leader: Pid,
}

impl Group {
    /// Starts a command as the leader of a new group.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn spawn(command: &mut Command) -> io::Result<(Self, Pipes)> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok((Self { child, leader }, Pipes { stdin, stdout, stderr })),
            _ => Err(io::Error::other("a pipe to the process is missing")),
        }
    }

    /// How the leader ended, or `None` while it runs. It is left unreaped: until it is, its number and its group's are
    /// nobody else's, so that killing the group can hit no stranger.
    pub(super) fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.leader), options) {
            Ok(None) | Err(rustix::io::Errno::INTR) => None,
            Ok(Some(status)) => Some(match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Exit::Code(code),
                (None, Some(signal)) => Exit::Signal(signal),
                (None, None) => Exit::Unknown,
            }),
            Err(_) => Some(Exit::Unknown),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Fails only if nobody is left in the group.
        let _ = kill_process_group(self.leader, Signal::KILL);
        // A killed process is gone at once, unless the kernel holds it in a device's wait: then it is left to the kernel.
        for _ in 0..200 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}
