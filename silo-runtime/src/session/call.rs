//! One tool call: limits, look-up, validation, execution, copy out, record.

use super::Session;
use super::size::bytes;
use crate::calls::CallRecord;
use crate::environment::{CallError, CallResult, Fault, Input, Output, Violation};
use crate::ids::ToolId;
use crate::limits::Meter;
use crate::methods::nearest::nearest;
use crate::trace::{EventKind, TerminationReason, Violated};
use crate::value::error::ToolError;
use crate::value::json::{self, Json};
use crate::value::{Code, Text};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call came to.
enum Done {
    Output(Output, Vec<Violation>),
    Refused(ToolError),
    Broken(Fault),
}

impl Session {
    /// Makes a call. A failed one is a value; after a limit every call gives `run_ended` and leaves no event.
    pub fn call(&mut self, tool: &str, input: &Json) -> CallResult {
        if let Some(refusal) = self.refuse_to_call() {
            return CallResult { output: refusal.to_json(), is_error: true };
        }
        let call_id = u32::try_from(self.calls.all.len() + 1).unwrap_or(u32::MAX);
        let started = self.setup.clock.elapsed();
        let input_bytes = bytes(input);
        let too_large = input_bytes > self.setup.limits.max_input;
        let kept = if too_large { omitted(input_bytes) } else { input.clone() };
        let name: Text = self
            .environment()
            .manifest()
            .tools
            .iter()
            .find(|spec| &*spec.name == tool)
            .map_or_else(|| crate::value::text::shorten(tool, 200).into(), |spec| spec.name.clone());
        self.record(EventKind::ToolCall { call_id, tool: name.clone(), input: kept });

        let before = self.world.clone();
        let mut record = CallRecord {
            name: name.clone(),
            tool: None,
            input: None,
            output: None,
            failed: true,
            by: self.engine.caller().clone(),
        };
        let done = if too_large {
            let limit = self.setup.limits.max_input;
            Done::Refused(ToolError::limit_exceeded(format!(
                "the input of `{name}` has {input_bytes} bytes; at most {limit} are taken"
            )))
        } else {
            self.execute(&name, input, &mut record)
        };

        let (result, violations) = match done {
            Done::Output(output, violations) => {
                let json = output.json.clone();
                record.output = Some(output);
                record.failed = false;
                (CallResult { output: json, is_error: false }, violations)
            }
            Done::Refused(error) => {
                self.world = before;
                self.tool_errors += 1;
                (CallResult { output: error.to_json(), is_error: true }, Vec::new())
            }
            Done::Broken(fault) => {
                self.world = before;
                self.tool_errors += 1;
                self.end(TerminationReason::EnvironmentError, Some(fault.message));
                let told = ToolError::new(Code::RUN_ENDED, "the environment failed; the run is over");
                (CallResult { output: told.to_json(), is_error: true }, Vec::new())
            }
        };
        self.calls.all.push(record);
        let duration = self.setup.clock.elapsed().saturating_sub(started);
        self.tool_time += duration;
        self.trace_bytes += (input_bytes.min(self.setup.limits.max_input) + bytes(&result.output)) as u64;
        self.shown.add(&result.output);
        self.record(EventKind::ToolResult {
            call_id,
            tool: name,
            output: result.output.clone(),
            is_error: result.is_error,
            duration,
        });
        for violation in violations {
            self.record_violation(call_id, &violation);
        }
        result
    }

    /// Makes a call whose input is the text of some JSON. Text that is no JSON is `invalid_input`, like any other bad input.
    pub fn call_text(&mut self, tool: &str, input: &str) -> CallResult {
        match Json::parse(input, json::Limits::bytes(u32::MAX)) {
            Ok(json) => self.call(tool, &json),
            Err(error) => {
                let told = ToolError::invalid_input(format!("the input is no JSON: {error}"));
                CallResult { output: told.to_json(), is_error: true }
            }
        }
    }

    /// Why this call may not be made, if it may not.
    fn refuse_to_call(&mut self) -> Option<ToolError> {
        let limits = &self.setup.limits;
        if self.ended.is_none() {
            if self.calls.all.len() >= limits.max_calls as usize {
                let told = format!("the limit of {} tool calls is reached", limits.max_calls);
                self.end(TerminationReason::MaxToolCalls, Some(told));
            } else if self.elapsed().as_millis() > u128::from(limits.timeout_ms) {
                self.end(TerminationReason::Timeout, None);
            } else if self.trace_bytes > limits.max_trace {
                let told = format!("the calls and results are over the trace's limit of {} bytes", limits.max_trace);
                self.end(TerminationReason::AgentError, Some(told));
            }
        }
        let (reason, told) = self.ended.as_ref()?;
        let why = match (reason, told) {
            (TerminationReason::MaxToolCalls | TerminationReason::AgentError, Some(told)) => told,
            (TerminationReason::Timeout, _) => "the time is up",
            _ => "the run is over",
        };
        Some(ToolError::new(Code::RUN_ENDED, format!("{why}: no call is executed any more")))
    }

    fn execute(&mut self, name: &Text, input: &Json, record: &mut CallRecord) -> Done {
        let environment = self.environment().clone();
        let manifest = environment.manifest();
        let Some(tool) = manifest.tools.iter().position(|spec| spec.name == *name).map(ToolId::from) else {
            return Done::Refused(self.unknown_tool(name));
        };
        let Some(spec) = manifest.tools.get(tool.index()) else { return Done::Refused(self.unknown_tool(name)) };
        record.tool = Some(tool);

        let input = match guarded(|| environment.decode(&self.world, tool, input)) {
            Ok(Ok(input)) => input,
            Ok(Err(fault)) => {
                let parameters = spec.parameters(&manifest.model);
                return Done::Refused(fault.to_error(&spec.name, &parameters, |key| self.suggest(key)));
            }
            Err(fault) => return Done::Broken(fault),
        };
        record.input = Some(input.clone());

        let violations = if spec.has_rules {
            match guarded(|| environment.rules(&self.world, tool, &input, &self.calls)) {
                Ok(Ok(violations)) => violations,
                Ok(Err(fault)) | Err(fault) => return Done::Broken(fault),
            }
        } else {
            Vec::new()
        };

        match self.run_tool(tool, spec.read_only, &input) {
            Ok(output) => Done::Output(output, violations),
            Err(CallError::Tool(error)) => Done::Refused(self.with_suggestion(error)),
            Err(CallError::Fault(fault)) => Done::Broken(fault),
        }
    }

    fn run_tool(&mut self, tool: ToolId, read_only: bool, input: &Input) -> Result<Output, CallError> {
        let environment = self.environment().clone();
        let before = (!read_only).then(|| self.world.clone());
        let mut meter = Meter::new(self.setup.limits.steps);
        let output =
            guarded(|| environment.call(&mut self.world, tool, input, &mut meter)).map_err(CallError::Fault)??;
        let (size, limit) = (bytes(&output.json), self.setup.limits.max_output);
        if size > limit {
            return Err(CallError::Tool(ToolError::limit_exceeded(format!(
                "the output has {size} bytes; at most {limit} are given: ask for less at once"
            ))));
        }
        if let Some(before) = before {
            let touched = self.world.touched(&before);
            if !touched.state.is_empty() {
                let held = guarded(|| environment.invariants(&self.world, &touched)).and_then(|held| held);
                held.map_err(|fault| {
                    let name = environment.manifest().tools.get(tool.index()).map_or("a tool", |spec| &spec.name);
                    CallError::Fault(Fault { message: format!("after `{name}` {}", fault.message) })
                })?;
            }
        }
        Ok(output)
    }

    fn record_violation(&mut self, call_id: u32, violation: &Violation) {
        let rules = &self.environment().manifest().rules;
        let rule = rules.get(violation.rule.index()).map_or_else(|| "rule".into(), |rule| rule.name.clone());
        let violated = Violated { call_id, rule, message: violation.message.as_str().into() };
        self.violations.push(violated.clone());
        self.record(EventKind::RuleViolation(violated));
    }

    fn unknown_tool(&self, name: &str) -> ToolError {
        let names = self.environment().manifest().tools.iter().map(|spec| &*spec.name);
        let near = nearest(name, names).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        ToolError::new(Code::TOOL_NOT_FOUND, format!("there is no tool `{name}`{near}"))
    }

    fn with_suggestion(&self, mut error: ToolError) -> ToolError {
        if let Some(near) = error.unknown_key.as_ref().and_then(|key| self.suggest(key)) {
            _ = write!(error.message, " (did you mean `{near}`?)");
        }
        error
    }
}

/// What stands in the trace for an input that is too large to keep.
fn omitted(bytes: usize) -> Json {
    Json::object([("omitted", Json::from(format!("{bytes} bytes")))])
}

/// Runs code of the environment; a panic in it is a fault of the environment.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let said = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Fault { message: format!("the environment's code panicked: {said}") }
    })
}
