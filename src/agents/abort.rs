//! When an agent must stop: the time limit of its rollout, and the user's interrupt.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Why an agent is stopped from outside the rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortReason {
    /// The wall-clock limit has passed.
    Timeout,
    /// The user has interrupted the run.
    Interrupted,
}

/// The user's interrupt, shared by the signal handler and all runs it ends.
///
/// ```
/// use silo::agents::Interrupt;
///
/// let interrupt = Interrupt::default();
/// let handler = interrupt.clone();
/// handler.raise();
/// assert!(interrupt.is_raised() && !interrupt.insists());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Records that the user has asked to stop.
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether the user has asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Whether the user has asked more than once: no more patience with the agent.
    pub fn insists(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// Decides whether an agent must stop now. A clone sees the same deadline and the same interrupt.
#[derive(Clone)]
pub struct Abort {
    clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    deadline: Option<Duration>,
    interrupt: Interrupt,
}

impl Abort {
    /// Stops the agent once `limit` has passed from now, if there is a limit, or once the user interrupts.
    pub fn new(limit: Option<Duration>, interrupt: &Interrupt) -> Self {
        let start = monotonic();
        Self::with_clock(Arc::new(move || monotonic().duration_since(start)), limit, interrupt)
    }

    /// As [`Abort::new`], with a clock of the caller's own: the time since any fixed moment, never running backwards.
    pub fn with_clock(
        clock: Arc<dyn Fn() -> Duration + Send + Sync>,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Self {
        let deadline = limit.and_then(|limit| clock().checked_add(limit));
        Self { clock, deadline, interrupt: interrupt.clone() }
    }

    /// Never stops the agent.
    pub fn never() -> Self {
        Self::new(None, &Interrupt::default())
    }

    /// Why the agent must stop now, or `None` while it may go on. An interrupt comes before the time limit: it is what the
    /// user did, whatever the clock says by the time somebody looks.
    pub fn reason(&self) -> Option<AbortReason> {
        if self.interrupt.is_raised() {
            Some(AbortReason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| self.now() >= deadline) {
            Some(AbortReason::Timeout)
        } else {
            None
        }
    }

    /// Whether the user has interrupted twice, and the agent's last grace is over.
    pub fn insists(&self) -> bool {
        self.interrupt.insists()
    }

    /// Time left until the limit; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.now()))
    }

    /// The time by this clock.
    pub(crate) fn now(&self) -> Duration {
        (self.clock)()
    }
}

impl fmt::Debug for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abort")
            .field("deadline", &self.deadline)
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "an agent's time limit is wall-clock time, and this is the one place that reads it"
)]
fn monotonic() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_limit_counts_from_the_start_and_an_interrupt_outranks_it() {
        let time = Arc::new(Mutex::new(Duration::from_secs(5)));
        let clock = {
            let time = Arc::clone(&time);
            Arc::new(move || *time.lock().unwrap())
        };
        let interrupt = Interrupt::default();
        let abort = Abort::with_clock(clock, Some(Duration::from_secs(1)), &interrupt);
        assert_eq!(abort.reason(), None);
        *time.lock().unwrap() = Duration::from_millis(5999);
        assert_eq!((abort.reason(), abort.remaining()), (None, Some(Duration::from_millis(1))));
        *time.lock().unwrap() = Duration::from_secs(6);
        assert_eq!(abort.reason(), Some(AbortReason::Timeout));
        interrupt.raise();
        assert_eq!(abort.reason(), Some(AbortReason::Interrupted));
    }

    #[test]
    fn a_limit_beyond_all_time_is_no_limit() {
        assert_eq!(Abort::new(Some(Duration::MAX), &Interrupt::default()).reason(), None);
        assert_eq!(Abort::never().remaining(), None);
    }
}
