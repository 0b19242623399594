//! The agent that makes the calls of a file.

use super::protocol::output_text;
use super::{Abort, AbortReason, Agent, AgentLog, Ending, Rollout};
use silo_runtime::value::json::{Limits, Located, Member, Node, Place, Span};
use silo_runtime::value::{Json, Text};
use std::fmt;
use std::path::Path;

/// Calls made one after the other, whatever comes back, and an answer.
///
/// The file is a JSON list. Each item is a call, `{ "tool": "get_user", "input": { "user": "USR-004" } }`, with `input`
/// left out where it would be `{}`; the last may be the answer, `{ "answer": "Done." }`: a string as it is, anything else
/// as JSON. Without one the output is `""`.
///
/// ```
/// use silo::agents::Script;
///
/// Script::parse(r#"[{ "tool": "list_users", "input": { "limit": 5 } }, { "answer": { "count": 5 } }]"#).unwrap();
/// let error = Script::parse(r#"[{ "tool": "list_users", "inputs": {} }]"#).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 26: unknown member `inputs`; an item has `tool` and `input`, or only `answer`");
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    calls: Vec<(Text, Json)>,
    answer: Text,
}

/// Why a file is no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError(String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScriptError {}

/// What is wrong, and where.
type Fault = (Span, String);

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The file cannot be read, is not JSON, or is not a list of calls; the message names the file and the place in it.
    pub fn read(path: &Path) -> Result<Self, ScriptError> {
        let shown = path.display();
        #[expect(clippy::disallowed_methods, reason = "a script is a file of the user's, named on the command line")]
        let bytes = std::fs::read(path).map_err(|error| ScriptError(format!("cannot read `{shown}`: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            ScriptError(format!("`{shown}` is not UTF-8: see the byte at offset {}", error.utf8_error().valid_up_to()))
        })?;
        Self::parse(&text).map_err(|ScriptError(problem)| ScriptError(format!("`{shown}`, {problem}")))
    }

    /// Reads a script from its text.
    ///
    /// # Errors
    /// The text is not JSON, or is not a list of calls; the message begins with the place.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        Located::parse(text, Limits::default())
            .map_err(|error| (error.span(), error.message().to_owned()))
            .and_then(|json| Self::of(&json))
            .map_err(|(span, problem)| ScriptError(format!("{}: {problem}", Place::of(text, span.start))))
    }

    fn of(json: &Located) -> Result<Self, Fault> {
        let Node::Array(items) = &json.node else {
            return Err((json.span, format!("expected a list of calls, found {}", json.kind())));
        };
        let mut script = Self { calls: Vec::with_capacity(items.len()), answer: "".into() };
        for (at, item) in items.iter().enumerate() {
            let Node::Object(members) = &item.node else {
                let wanted = "expected a call such as { \"tool\": \"list_users\", \"input\": {} }";
                return Err((item.span, format!("{wanted}, found {}", item.kind())));
            };
            match member(members, "answer") {
                None => script.calls.push(call(item, members)?),
                Some(answer) if members.len() > 1 => {
                    return Err((answer.name_span, "an `answer` stands alone, without `tool` or `input`".into()));
                }
                Some(answer) if at + 1 < items.len() => {
                    return Err((answer.name_span, "the `answer` ends the script, but more items follow".into()));
                }
                Some(answer) => script.answer = output_text(&answer.value.to_json()),
            }
        }
        Ok(script)
    }
}

fn call(item: &Located, members: &[Member]) -> Result<(Text, Json), Fault> {
    if let Some(unknown) = members.iter().find(|member| !matches!(&*member.name, "tool" | "input")) {
        let hint = if &*unknown.name == "output" { "; the answer is { \"answer\": … }" } else { "" };
        let message =
            format!("unknown member `{}`; an item has `tool` and `input`, or only `answer`{hint}", unknown.name);
        return Err((unknown.name_span, message));
    }
    let Some(tool) = member(members, "tool") else {
        return Err((item.span, "`tool` is missing: expected the name of a tool".into()));
    };
    let Node::String(name) = &tool.value.node else {
        return Err((tool.value.span, format!("`tool` is the name of a tool, found {}", tool.value.kind())));
    };
    let nothing = || Json::object::<Text, Json>([]);
    Ok((name.clone(), member(members, "input").map_or_else(nothing, |input| input.value.to_json())))
}

fn member<'a>(members: &'a [Member], name: &str) -> Option<&'a Member> {
    members.iter().find(|member| &*member.name == name)
}

impl Agent for Script {
    fn run(&mut self, rollout: &mut dyn Rollout, abort: &Abort, _: &mut AgentLog) -> Ending {
        for (tool, input) in &self.calls {
            match abort.reason() {
                Some(AbortReason::Timeout) => return Ending::Timeout,
                Some(AbortReason::Interrupted) => return Ending::Interrupted,
                None if rollout.ended().is_some() => break,
                None => rollout.call(tool, input),
            };
        }
        Ending::Output(self.answer.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_an_answer_are_read() {
        let script = Script::parse(
            r#"[{ "tool": "a", "input": { "n": 9007199254740993 } }, { "tool": "b" }, { "answer": { "n": 1.50 } }]"#,
        )
        .unwrap();
        let calls: Vec<_> = script.calls.iter().map(|(tool, input)| format!("{tool} {input}")).collect();
        assert_eq!(calls, [r#"a {"n":9007199254740993}"#, "b {}"]);
        assert_eq!(&*script.answer, r#"{"n":1.50}"#);
        assert_eq!(&*Script::parse("[]").unwrap().answer, "");
        assert_eq!(&*Script::parse(r#"[{ "answer": "as it is" }]"#).unwrap().answer, "as it is");
    }

    #[test]
    fn what_is_no_script_is_told_with_its_place() {
        let expected = [
            ("{}", "line 1, column 1: expected a list of calls, found an object"),
            (
                "[\n  5]",
                "line 2, column 3: expected a call such as { \"tool\": \"list_users\", \"input\": {} }, found a number",
            ),
            ("[{}]", "line 1, column 2: `tool` is missing: expected the name of a tool"),
            (r#"[{ "tool": null }]"#, "line 1, column 12: `tool` is the name of a tool, found null"),
            (
                r#"[{ "output": "x" }]"#,
                "line 1, column 4: unknown member `output`; an item has `tool` and `input`, or only `answer`; the answer is { \"answer\": … }",
            ),
            (
                r#"[{ "answer": 1, "tool": "a" }]"#,
                "line 1, column 4: an `answer` stands alone, without `tool` or `input`",
            ),
            (
                "[{ \"answer\": 1 },\n{ \"tool\": \"a\" }]",
                "line 1, column 4: the `answer` ends the script, but more items follow",
            ),
            (r#"[{ "tool": "a", "tool": "b" }]"#, "line 1, column 17: `tool` is given twice in one object"),
        ];
        for (text, message) in expected {
            assert_eq!(Script::parse(text).unwrap_err().to_string(), message);
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Script::read(file.path()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{}`, line 1, column 1: ", file.path().display())), "{error}");
    }
}
