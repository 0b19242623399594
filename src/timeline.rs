//! A trace as people read it: one event a line, results in a few words.

use crate::terminal::{BAD, CAUTION, FAINT, GOOD, STRONG, one_line, styled};
use silo_runtime::value::json::Json;
use std::fmt::Write as _;

/// Longest text of an input, an answer or a message.
const LONG: usize = 160;

/// The timeline of a trace, an event a line.
pub(crate) fn timeline(events: &[Json]) -> String {
    let mut text = String::new();
    for event in events {
        let (name, told) = line(event);
        text.push_str(&styled(FAINT, &format!("{name:<16} ")));
        text.push_str(told.trim_end());
        text.push('\n');
    }
    text
}

fn line(event: &Json) -> (&str, String) {
    let name = event.get("type").and_then(Json::as_str).unwrap_or("?");
    let text = |field: &str| event.get(field).and_then(Json::as_str).unwrap_or_default();
    let shown = |field: &str| event.get(field).map(Json::to_string).unwrap_or_default();
    let call = || format!("callId {:<3} ", shown("callId"));
    let told = match name {
        "run_start" => {
            let task = event.get("task");
            let of = |field: &str| task.and_then(|task| task.get(field)).and_then(Json::as_str).unwrap_or_default();
            let environment = event.get("environment").and_then(|environment| environment.get("name"));
            let environment = environment.and_then(Json::as_str).unwrap_or_default();
            let title = if of("title").is_empty() { String::new() } else { format!(" · {}", of("title")) };
            format!("{environment} · {}{title} · agent {}", of("id"), one_line(text("agent"), LONG))
        }
        "tool_call" => format!("{}{} {}", call(), one_line(text("tool"), LONG), one_line(&shown("input"), LONG)),
        "tool_result" => {
            let failed = event.get("isError").and_then(Json::as_bool) == Some(true);
            let output = event.get("output").unwrap_or(&Json::Null);
            let said = if failed { styled(BAD, &failure(output)) } else { summary(output) };
            format!("{}{said}", call())
        }
        "rule_violation" => {
            let said = format!("{}: {}", one_line(text("rule"), LONG), one_line(text("message"), LONG));
            format!("{}{}", call(), styled(CAUTION, &said))
        }
        "agent_output" if text("output").is_empty() => "(no output)".to_owned(),
        "agent_output" => format!("\"{}\"", one_line(text("output"), LONG)),
        "run_end" => {
            let error = event.get("error").and_then(Json::as_str);
            let error = error.and_then(|error| error.lines().next());
            let error = error.map(|error| format!(": {}", one_line(error, LONG))).unwrap_or_default();
            let counts = format!("{}, {}", counted(event, "toolCalls", "call"), counted(event, "toolErrors", "error"));
            format!("{}, {counts}{error}", text("terminationReason"))
        }
        "verifier_result" => match event.get("passed").and_then(Json::as_bool) {
            Some(true) => format!("{}, reward {}", styled(GOOD, "passed"), shown("reward")),
            Some(false) => format!("{}, reward {}", styled(BAD, "failed"), shown("reward")),
            None => styled(CAUTION, "no verdict"),
        },
        _ => one_line(&event.to_string(), LONG),
    };
    (name, told)
}

fn counted(event: &Json, field: &str, noun: &str) -> String {
    let count = event.get(field).and_then(Json::as_int).unwrap_or_default();
    plural(count, noun)
}

/// `1 call`, `2 calls`.
pub(crate) fn plural(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// An error's code and message.
fn failure(output: &Json) -> String {
    let text = |field: &str| output.get(field).and_then(Json::as_str).unwrap_or_default();
    format!("{}: {}", text("code"), one_line(text("message"), LONG))
}

/// An output in a few words: how many results, which member, or the thing itself where it is short.
pub(crate) fn summary(output: &Json) -> String {
    const SHORT: usize = 100;
    if let Json::Array(items) = output {
        return plural(number(items.len()), "item");
    }
    let Json::Object(members) = output else { return one_line(&output.to_string(), SHORT) };
    if let Some(Json::Array(results)) = output.get("results") {
        let total = output.get("total").and_then(Json::as_int).unwrap_or_default();
        let count = number(results.len());
        let of = if total > count { format!(" of {total}") } else { String::new() };
        return format!("{count}{of} result{}", if count == 1 && of.is_empty() { "" } else { "s" });
    }
    let whole = output.to_string();
    if whole.chars().count() <= SHORT {
        return one_line(&whole, SHORT);
    }
    let parts = members.iter().map(|(name, value)| match value {
        Json::Array(items) => format!("{name} [{}]", items.len()),
        Json::Object(_) => match value.get("id") {
            Some(id) => format!("{name} {}", one_line(&id.to_string(), 40)),
            None => format!("{name} {{…}}"),
        },
        scalar => format!("{name} {}", one_line(&scalar.to_string(), 40)),
    });
    let parts: Vec<String> = parts.collect();
    one_line(&parts.join(", "), SHORT)
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The checks of a result, a line each, what was found under those that failed.
pub(crate) fn checks(checks: &[Json]) -> String {
    let mut text = String::new();
    for check in checks {
        let is = |field: &str| check.get(field).and_then(Json::as_bool) == Some(true);
        let said = |field: &str| check.get(field).and_then(Json::as_str).unwrap_or_default();
        let mark = match (is("passed"), is("required")) {
            (true, _) => styled(GOOD, "✓"),
            (false, true) => styled(BAD, "✗"),
            (false, false) => styled(CAUTION, "✗"),
        };
        let optional = if is("required") { "" } else { " (optional)" };
        let label = one_line(said("label"), LONG);
        _ = writeln!(text, "  {mark} {}{}", label, styled(FAINT, optional));
        if !is("passed") {
            _ = writeln!(text, "      {}", one_line(said("detail"), 400));
        }
    }
    text
}

/// What changed, in a line: `opportunities 2 changed, auditLog 2 added`.
pub(crate) fn changes(diff: &Json) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(Json::Array(scalars)) = diff.get("scalars") {
        parts.extend(scalars.iter().filter_map(|scalar| scalar.get("field")?.as_str().map(str::to_owned)));
    }
    if let Some(Json::Object(tables)) = diff.get("collections") {
        for (name, table) in tables.iter() {
            let count = |kind: &str| match table.get(kind) {
                Some(Json::Array(keys)) if !keys.is_empty() => Some(format!("{} {kind}", keys.len())),
                _ => None,
            };
            let counts: Vec<String> = ["added", "removed", "changed"].into_iter().filter_map(count).collect();
            parts.push(format!("{name} {}", counts.join(", ")));
        }
    }
    if parts.is_empty() { "nothing".to_owned() } else { one_line(&parts.join("; "), 300) }
}

/// A heading.
pub(crate) fn heading(text: &str) -> String {
    styled(STRONG, text)
}
