//! What is often wrong with a rollout that went badly, read off its trace.

use crate::timeline::plural;
use silo_runtime::value::json::Json;

/// The label of the check that `changes nothing` is.
const CHANGES_NOTHING: &str = "changes nothing";
/// How often the same call is repeated before it is worth a word.
const REPEATED: usize = 3;

/// The symptoms that show in a trace, and in the diff where there is one.
pub(crate) fn symptoms(events: &[Json], diff: Option<&Json>) -> Vec<String> {
    let calls: Vec<&Json> = of_type(events, "tool_call");
    let results: Vec<&Json> = of_type(events, "tool_result");
    let output = of_type(events, "agent_output").first().and_then(|event| event.get("output")).and_then(Json::as_str);
    let passed =
        of_type(events, "verifier_result").first().and_then(|event| event.get("passed")).and_then(Json::as_bool);
    let mut found = Vec::new();
    let reason =
        of_type(events, "run_end").first().and_then(|event| event.get("terminationReason")).and_then(Json::as_str);
    // An agent that could not even start has another problem, and one that is meant to do nothing has none.
    let idle = calls.is_empty() && reason.is_some_and(|reason| reason != "agent_error");
    if idle && passed != Some(true) && !is_noop(events) {
        found.push("the agent never called a tool".to_owned());
    }
    if let Some((tool, times)) = most_repeated(&calls) {
        found.push(format!("the same call of `{tool}` was made {times} times"));
    }
    if let Some((tool, times)) = errors_not_read(&calls, &results) {
        found.push(format!("`{tool}` failed and was called again with the same input {}", plural(times, "time")));
    }
    let unchanged = diff.is_some_and(is_empty) && !wants_no_change(events);
    if passed == Some(false) && unchanged && output.is_some_and(claims_work) {
        found.push("the answer reads as if work was done, but nothing in the world changed".to_owned());
    }
    found
}

fn of_type<'a>(events: &'a [Json], name: &str) -> Vec<&'a Json> {
    events.iter().filter(|event| event.get("type").and_then(Json::as_str) == Some(name)).collect()
}

fn is_noop(events: &[Json]) -> bool {
    of_type(events, "run_start").first().and_then(|event| event.get("agent")).and_then(Json::as_str) == Some("noop")
}

/// Whether the task asks a question and nothing else: its grader wants the world as it was.
fn wants_no_change(events: &[Json]) -> bool {
    let checks = of_type(events, "verifier_result").into_iter().filter_map(|event| event.get("checks")?.as_array());
    checks.flatten().any(|check| check.get("label").and_then(Json::as_str) == Some(CHANGES_NOTHING))
}

fn is_empty(diff: &Json) -> bool {
    let none = |json: Option<&Json>| match json {
        Some(Json::Array(items)) => items.is_empty(),
        Some(Json::Object(members)) => members.is_empty(),
        _ => true,
    };
    none(diff.get("scalars")) && none(diff.get("collections"))
}

/// A sentence, and no typed answer: data claims nothing.
fn claims_work(output: &str) -> bool {
    let text = output.trim();
    !text.is_empty() && !text.starts_with(['{', '[', '`']) && text.contains(char::is_whitespace)
}

fn same_call(a: &Json, b: &Json) -> bool {
    a.get("tool") == b.get("tool") && a.get("input") == b.get("input")
}

/// The call that was made most often with the same input, where that is often. Looks at runs of one call: a list that is read
/// again after each change is no symptom.
fn most_repeated(calls: &[&Json]) -> Option<(String, usize)> {
    let runs = calls.chunk_by(|a, b| same_call(a, b));
    let longest = runs.max_by_key(|run| run.len()).filter(|run| run.len() >= REPEATED)?;
    let tool = longest.first()?.get("tool")?.as_str()?;
    Some((tool.to_owned(), longest.len()))
}

/// A call that failed and was then made again just so.
fn errors_not_read(calls: &[&Json], results: &[&Json]) -> Option<(String, i64)> {
    let failed = |call: &Json| {
        results.iter().any(|result| {
            result.get("callId") == call.get("callId") && result.get("isError").and_then(Json::as_bool) == Some(true)
        })
    };
    let mut times = 0;
    let mut tool = None;
    for pair in calls.windows(2) {
        let [first, second] = pair else { continue };
        if same_call(first, second) && failed(first) {
            times += 1;
            tool = first.get("tool").and_then(Json::as_str);
        }
    }
    tool.map(|tool| (tool.to_owned(), times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use silo_runtime::value::json::Limits;

    fn events(lines: &[&str]) -> Vec<Json> {
        lines.iter().map(|line| Json::parse(line, Limits::bytes(10_000)).expect("an event")).collect()
    }

    const END: &str = r#"{"type":"run_end","terminationReason":"completed"}"#;

    #[test]
    fn an_agent_that_calls_nothing_is_told_of() {
        assert_eq!(symptoms(&events(&[END]), None), ["the agent never called a tool"]);
    }

    #[test]
    fn repeats_and_unread_errors_are_told_of() {
        let call = r#"{"type":"tool_call","callId":1,"tool":"get","input":{"id":"A"}}"#;
        let result = r#"{"type":"tool_result","callId":1,"isError":true}"#;
        let found = symptoms(&events(&[call, result, call, result, call, result, END]), None);
        assert_eq!(
            found,
            [
                "the same call of `get` was made 3 times",
                "`get` failed and was called again with the same input 2 times"
            ]
        );
    }

    #[test]
    fn an_answer_over_an_unchanged_world_is_told_of_only_where_it_claims_work() {
        let diff = Json::parse(r#"{"scalars":[],"collections":{}}"#, Limits::bytes(100)).expect("a diff");
        let call = r#"{"type":"tool_call","callId":1,"tool":"get","input":{}}"#;
        let said = r#"{"type":"agent_output","output":"Moved both deals."}"#;
        let data = r#"{"type":"agent_output","output":"{\"count\":2}"}"#;
        let failed = r#"{"type":"verifier_result","passed":false}"#;
        let found = symptoms(&events(&[call, said, END, failed]), Some(&diff));
        assert_eq!(found, ["the answer reads as if work was done, but nothing in the world changed"]);
        assert!(symptoms(&events(&[call, data, END, failed]), Some(&diff)).is_empty());
        let question = r#"{"type":"verifier_result","passed":false,"checks":[{"label":"changes nothing"}]}"#;
        assert!(symptoms(&events(&[call, said, END, question]), Some(&diff)).is_empty());
    }
}
