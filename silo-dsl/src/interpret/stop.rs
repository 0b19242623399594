//! Why evaluation stops before its end. Control flow of statements is no error: see [`Flow`](super::run::Flow).

use crate::diagnostics::Span;
use crate::ir::FunctionId;
use silo_runtime::value::ToolError;

/// What evaluation gives.
pub(super) type Eval<T> = Result<T, Stop>;

/// An early end: the reason, and where in the code it happened. One pointer wide, since every evaluator returns it.
#[derive(Clone, Debug)]
pub(super) struct Stop(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    reason: Reason,
    trail: Vec<Place>,
}

/// Why evaluation ended early.
#[derive(Clone, Debug)]
pub(super) enum Reason {
    /// What an agent is told: a failed `require`, `fail`, a failed look-up, arithmetic.
    Tool(ToolError),
    /// The step budget is spent.
    Spent,
    /// The program and the engine contradict each other, which the checker should have made impossible.
    Broken(String),
    /// The reference solution cannot go on: a call failed that was not expected to.
    Solution(String),
}

/// A place in the code: the function and what it was doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The function.
    pub function: FunctionId,
    /// The statement or call.
    pub span: Span,
}

impl Stop {
    /// An end for a reason.
    #[cold]
    pub(super) fn new(reason: Reason) -> Self {
        Self(Box::new(Parts { reason, trail: Vec::new() }))
    }

    /// An end because the program and the engine contradict each other.
    #[cold]
    pub(super) fn broken(what: impl Into<String>) -> Self {
        Self::new(Reason::Broken(what.into()))
    }

    /// An end because the step budget is spent.
    #[cold]
    pub(super) fn spent() -> Self {
        Self::new(Reason::Spent)
    }

    /// The same, seen from a place further out.
    #[cold]
    pub(super) fn at(mut self, function: FunctionId, span: Span) -> Self {
        let place = Place { function, span };
        // A statement within a statement of the same function adds nothing: the innermost place says it.
        if self.0.trail.last().is_none_or(|last| last.function != function) {
            self.0.trail.push(place);
        }
        self
    }

    /// Why.
    pub(super) fn reason(&self) -> &Reason {
        &self.0.reason
    }

    /// Where, the innermost place first.
    pub(super) fn trail(&self) -> &[Place] {
        &self.0.trail
    }

    /// The error, if it is one that a check or an agent can be told.
    pub(super) fn tool_error(&self) -> Option<&ToolError> {
        match &self.0.reason {
            Reason::Tool(error) => Some(error),
            _ => None,
        }
    }

    /// What happened, in a line.
    pub(super) fn message(&self) -> String {
        match &self.0.reason {
            Reason::Tool(error) => error.message.clone(),
            Reason::Spent => "the step budget is spent".to_owned(),
            Reason::Broken(what) => format!("the engine is at fault: {what}; please report this"),
            Reason::Solution(what) => what.clone(),
        }
    }
}

impl From<ToolError> for Stop {
    #[cold]
    fn from(error: ToolError) -> Self {
        Self::new(Reason::Tool(error))
    }
}
