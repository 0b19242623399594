//! The messages between Silo and a process agent, one JSON object a line.

use super::{Briefing, CallResult, Limits, excerpt};
use silo_runtime::value::Text;
use silo_runtime::value::json::{self, Json};
use std::fmt::Write as _;

/// What an agent can say.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// It calls a tool.
    Call { id: i64, tool: Text, input: Json },
    /// It adds a line to its log.
    Log(Text),
    /// It gives its output, and ends.
    Output(Text),
    /// It says that it failed, and ends.
    Error(Text),
}

/// Characters shown of a line that is refused.
const SHOWN: usize = 60;

const WANTED: &str = "expected one JSON object a line with the `type` `call`, `log`, `output` or `error`; whatever else it prints belongs on standard error";

impl Message {
    /// Reads one line of an agent's output.
    ///
    /// # Errors
    /// What is wrong with it, to be put after "line N of the agent's output".
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = str::from_utf8(line).map_err(|error| not_utf8(line, error.valid_up_to()))?;
        if text.trim().is_empty() {
            return Err(format!("is blank; {WANTED}"));
        }
        let shown = excerpt(text, SHOWN);
        let json = Json::parse(text, json::Limits::default())
            .map_err(|error| format!("is not JSON, `{shown}`: {error}; {WANTED}"))?;
        let Json::Object(object) = &json else {
            return Err(format!("is not an object, `{shown}`; {WANTED}"));
        };
        let text_of = |member: &str| match object.get(member) {
            Some(Json::String(text)) => Ok(text.clone()),
            Some(_) => Err(format!("has a `{member}` that is not a string, `{shown}`")),
            None => Err(format!("has no `{member}`, `{shown}`")),
        };
        let kind = text_of("type").map_err(|problem| format!("{problem}; {WANTED}"))?;
        let members: &[&str] = match &*kind {
            "call" => &["type", "id", "tool", "input"],
            "log" | "error" => &["type", "message"],
            "output" => &["type", "output"],
            other => return Err(format!("has the unknown type `{}`; {WANTED}", excerpt(other, SHOWN))),
        };
        if let Some(unknown) = object.names().iter().find(|name| !members.contains(&&***name)) {
            let known: Vec<_> = members.iter().map(|member| format!("`{member}`")).collect();
            let unknown = excerpt(unknown, SHOWN);
            return Err(format!("has the unknown member `{unknown}`; `{kind}` has {}", known.join(", ")));
        }
        Ok(match &*kind {
            "call" => {
                let Some(id) = object.get("id").and_then(Json::as_int) else {
                    return Err(format!("has no `id` that is an integer, `{shown}`"));
                };
                let Some(input) = object.get("input") else {
                    return Err(format!("has no `input`, `{shown}`; for a tool without parameters it is {{}}"));
                };
                Self::Call { id, tool: text_of("tool")?, input: input.clone() }
            }
            "log" => Self::Log(text_of("message")?),
            "error" => Self::Error(text_of("message")?),
            _ => Self::Output(object.get("output").map_or_else(|| "".into(), output_text)),
        })
    }
}

/// The text of an output: a string as it is, anything else as JSON.
pub(super) fn output_text(output: &Json) -> Text {
    match output {
        Json::String(text) => text.clone(),
        other => other.to_string().into(),
    }
}

fn not_utf8(line: &[u8], at: usize) -> String {
    let byte = line.get(at).copied().unwrap_or_default();
    let utf16 = line.starts_with(b"\xFF\xFE") || line.starts_with(b"\xFE\xFF");
    let hint = if utf16 { "; it looks like UTF-16, write UTF-8" } else { "" };
    let before = excerpt(&String::from_utf8_lossy(line), SHOWN);
    format!("is not UTF-8: byte 0x{byte:02X} at offset {at} of the line, `{before}`{hint}")
}

/// The first message to an agent.
pub(super) fn start(briefing: &Briefing, limits: &Limits) -> String {
    let or_null = |json: Option<Json>| json.unwrap_or(Json::Null).to_string();
    let mut tools = String::new();
    for tool in &*briefing.tools {
        let comma = if tools.is_empty() { "" } else { "," };
        let (name, description) = (quoted(&tool.name), quoted(&tool.description));
        let _ = write!(
            tools,
            "{comma}{{\"name\":{name},\"description\":{description},\"inputSchema\":{}}}",
            tool.input_schema
        );
    }
    format!(
        "{{\"type\":\"start\",\"protocol\":1,\"task\":{},\"policy\":{},\"tools\":[{tools}],\"answerSchema\":{},\"limits\":{}}}",
        quoted(&briefing.task),
        or_null(briefing.policy.clone().map(Json::String)),
        or_null(briefing.answer_schema.clone()),
        limits.to_json(),
    )
}

/// The answer to a call.
pub(super) fn result(id: i64, result: &CallResult) -> String {
    format!("{{\"type\":\"result\",\"id\":{id},\"output\":{},\"isError\":{}}}", result.output, result.is_error)
}

/// The answer to a call that came after the end.
pub(super) fn run_ended(id: i64, why: &str) -> String {
    let message = quoted(&format!("the run has ended ({why}): this call was not executed"));
    format!(
        "{{\"type\":\"result\",\"id\":{id},\"output\":{{\"code\":\"run_ended\",\"message\":{message}}},\"isError\":true}}"
    )
}

/// Asks an agent to stop.
pub(super) fn abort(reason: &str) -> String {
    format!("{{\"type\":\"abort\",\"reason\":{}}}", quoted(reason))
}

fn quoted(text: &str) -> String {
    Json::String(text.into()).to_string()
}
