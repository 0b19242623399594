//! The reference solution as an agent: it makes its calls through the session like any other.

use super::call::guarded;
use super::{Ending, Session};
use crate::environment::{CallResult, Caller};
use crate::value::json::Json;

/// Plays the task's reference solution; nothing where it has none.
pub fn solve(session: &mut Session) -> Option<Ending> {
    let environment = session.environment().clone();
    let task = session.task;
    match guarded(|| environment.solve(task, &mut Calling(session))) {
        Ok(None) => None,
        Ok(Some(Ok(Json::String(text)))) => Some(Ending::Output(text)),
        Ok(Some(Ok(Json::Null))) => Some(Ending::Output("".into())),
        Ok(Some(Ok(json))) => Some(Ending::Output(json.to_string().into())),
        Ok(Some(Err(error))) => Some(Ending::AgentError(error.message)),
        Err(fault) => Some(Ending::AgentError(fault.message)),
    }
}

struct Calling<'a>(&'a mut Session);

impl Caller for Calling<'_> {
    fn call(&mut self, tool: &str, input: Json) -> CallResult {
        self.0.call(tool, &input)
    }
}
