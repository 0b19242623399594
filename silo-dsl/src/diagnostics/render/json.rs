//! Diagnostics as JSON.

use silo_runtime::value::json::Json;

use super::ordered;
use crate::diagnostics::{Diagnostic, Label, Sources, Span};

/// The diagnostics as a JSON array, in the order in which they are shown.
///
/// Each has `code`, `severity`, `message`, `title`, `file`, `line`, `column`, `start` and `end` of its primary place,
/// `labels`, `notes`, `why`, `help` and `fix`. Lines and columns count from 1, columns in characters; `start` and `end`
/// are byte offsets from 0.
pub fn json(sources: &Sources, diagnostics: &[Diagnostic]) -> Json {
    Json::array(ordered(diagnostics).iter().map(|one| diagnostic(sources, one)))
}

fn diagnostic(sources: &Sources, one: &Diagnostic) -> Json {
    let texts = |texts: &[String]| Json::array(texts.iter().map(|text| Json::from(text.as_str())));
    let mut members = vec![
        ("code", Json::from(one.code.id())),
        ("severity", Json::from(one.severity.word())),
        ("message", Json::from(one.message.as_str())),
        ("title", Json::from(one.code.title())),
    ];
    members.extend(place(sources, one.span()));
    members.extend([
        ("labels", Json::array(one.labels.iter().map(|one| label(sources, one)))),
        ("notes", texts(&one.notes)),
        ("why", one.why.as_deref().map_or(Json::Null, Json::from)),
        ("help", texts(&one.help)),
        ("fix", fix(sources, one)),
    ]);
    Json::object(members)
}

fn place(sources: &Sources, span: Span) -> Vec<(&'static str, Json)> {
    let position = sources.position(span);
    let name = sources.get(span.file).map_or(Json::Null, |source| Json::from(source.name()));
    vec![
        ("file", name),
        ("line", Json::from(i64::from(position.line))),
        ("column", Json::from(i64::from(position.column))),
        ("start", Json::from(i64::from(span.start))),
        ("end", Json::from(i64::from(span.end))),
    ]
}

fn label(sources: &Sources, label: &Label) -> Json {
    let mut members = place(sources, label.span);
    members.push(("text", Json::from(label.text.as_str())));
    members.push(("primary", Json::Bool(label.primary)));
    Json::object(members)
}

fn fix(sources: &Sources, one: &Diagnostic) -> Json {
    let Some(fix) = &one.fix else { return Json::Null };
    let edits = fix.edits.iter().map(|edit| {
        let mut members = place(sources, edit.span);
        members.push(("replacement", Json::from(edit.replacement.as_str())));
        Json::object(members)
    });
    Json::object([("message", Json::from(fix.message.as_str())), ("edits", Json::array(edits))])
}
