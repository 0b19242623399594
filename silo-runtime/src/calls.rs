//! The calls of a rollout so far, as rules and verifiers see them.

use crate::environment::{Input, Output};
use crate::ids::ToolId;
use crate::value::Text;

/// Every recorded call, in order; failed and unknown ones too.
#[derive(Clone, Default)]
pub struct Calls {
    /// The calls.
    pub all: Vec<CallRecord>,
}

/// One recorded call.
#[derive(Clone)]
pub struct CallRecord {
    /// The name that was called.
    pub name: Text,
    /// The tool, if there is one of that name.
    pub tool: Option<ToolId>,
    /// The input, if it was valid.
    pub input: Option<Input>,
    /// The output, if the call succeeded.
    pub output: Option<Output>,
    /// Whether it failed.
    pub failed: bool,
    /// Who called: `agent`.
    pub by: Text,
}
