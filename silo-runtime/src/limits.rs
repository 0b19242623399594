//! What bounds a rollout and a call.

use crate::value::error::ToolError;
use crate::value::json::Json;
use std::cell::Cell;

/// The limits of a rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tool calls an agent may make.
    pub max_calls: u32,
    /// Wall-clock time of the agent, in milliseconds.
    pub timeout_ms: u64,
    /// Steps a tool call may take: statements executed, closures called, elements visited by built-in methods.
    pub steps: u64,
    /// Bytes of one call's input.
    pub max_input: usize,
    /// Bytes of one call's output.
    pub max_output: usize,
    /// Bytes of the trace.
    pub max_trace: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_calls: 100,
            timeout_ms: 300_000,
            steps: 1_000_000,
            max_input: 1 << 20,
            max_output: 4 << 20,
            max_trace: 64 << 20,
        }
    }
}

impl Limits {
    /// As they stand in artifacts and in what an agent is told.
    pub fn to_json(&self) -> Json {
        let size = |bytes: usize| Json::from(i64::try_from(bytes).unwrap_or(i64::MAX));
        let count = |count: u64| Json::from(i64::try_from(count).unwrap_or(i64::MAX));
        Json::object([
            ("maxToolCalls", Json::from(i64::from(self.max_calls))),
            ("timeoutMs", count(self.timeout_ms)),
            ("maxSteps", count(self.steps)),
            ("maxInputBytes", size(self.max_input)),
            ("maxOutputBytes", size(self.max_output)),
            ("maxTraceBytes", count(self.max_trace)),
        ])
    }
}

/// The step budget of one execution.
#[derive(Debug)]
pub struct Meter {
    /// A cell, because evaluation borrows all it reads and yet takes steps.
    left: Cell<u64>,
}

impl Meter {
    /// A budget of so many steps.
    pub fn new(steps: u64) -> Self {
        Self { left: Cell::new(steps) }
    }

    /// Takes steps from the budget. Says whether it had them; a budget that is overdrawn is spent.
    #[inline]
    pub fn take(&self, steps: u64) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Takes steps from the budget.
    ///
    /// # Errors
    /// `limit_exceeded` once the budget is spent.
    #[inline]
    pub fn charge(&self, steps: u64) -> Result<(), ToolError> {
        if self.take(steps) { Ok(()) } else { Err(Self::spent()) }
    }

    /// What is told to the agent whose call has spent its budget.
    #[cold]
    pub fn spent() -> ToolError {
        ToolError::limit_exceeded("the step budget of this call is spent; ask for less at once")
    }

    /// How many steps are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether the budget is spent.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
