//! JSON and JSON Lines files.

use super::places::{Places, span_of};
use super::source::Cache;
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use crate::syntax::tree::DataSource;
use silo_runtime::methods::nearest::nearest;
use silo_runtime::value::json::{Json, JsonError, Limits, Located};
use silo_runtime::value::text::shorten;

/// The whole of a JSON file, read once; nothing if it is none, which is reported once.
pub(super) fn read(cache: &mut Cache, file: FileId, text: &str, sink: &mut Vec<Diagnostic>) -> Option<Json> {
    if let Some(known) = cache.get(&file) {
        return known.clone();
    }
    let json = match Json::parse(text, Limits::default()) {
        Ok(json) => Some(json),
        Err(error) => {
            sink.push(syntax(&error, file, 0));
            None
        }
    };
    cache.insert(file, json.clone());
    json
}

/// A text that is not JSON.
fn syntax(error: &JsonError, file: FileId, offset: u32) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(codes::seed::SYNTAX, span_of(error.span(), file, offset), error.message());
    if let Some(first) = error.first() {
        diagnostic = diagnostic.label("again here").also(span_of(first, file, offset), "first given here");
    }
    if !error.path().is_empty() {
        diagnostic = diagnostic.note(format!("in `{}` of the file", shorten(error.path(), 100)));
    }
    diagnostic
}

/// The part that a JSON pointer names; the empty pointer is the whole.
pub(super) fn pointed<'a>(json: &'a Json, pointer: &str) -> Option<&'a Json> {
    if pointer.is_empty() {
        return Some(json);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(json, |at, step| match at {
        Json::Array(items) if step == "0" || !step.starts_with(['0', '+']) => items.get(step.parse::<usize>().ok()?),
        Json::Object(members) => members.get(&unescaped(step)),
        _ => None,
    })
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Reports a pointer that names nothing.
pub(super) fn report_pointer(text: &str, from: &DataSource, pointer: &str, sink: &mut Vec<Diagnostic>) {
    let shown = shorten(pointer, 100);
    let diagnostic = Diagnostic::error(codes::seed::POINTER, from.path.span, format!("the file has no part `{shown}`"))
        .label("points at nothing");
    if !pointer.starts_with('/') {
        sink.push(diagnostic.help("a pointer starts with `/`: `\"data/db.json#/users\"`"));
        return;
    }
    let Ok(whole) = Json::parse(text, Limits::default()) else { return };
    // The longest beginning that there is, and what stands next to the step that fails.
    let mut at = &whole;
    let mut found = String::new();
    for step in pointer.split('/').skip(1) {
        let longer = format!("{found}/{step}");
        match pointed(&whole, &longer) {
            Some(next) => (at, found) = (next, longer),
            None => {
                let Json::Object(members) = at else { break };
                let names = || members.names().iter().map(|name| &**name);
                let help = match nearest(&unescaped(step), names()) {
                    Some(near) => format!("did you mean `#{found}/{near}`?"),
                    None if members.is_empty() => break,
                    None => {
                        let names: Vec<_> = names().take(10).map(|name| format!("`{}`", shorten(name, 40))).collect();
                        format!("there are {}", names.join(", "))
                    }
                };
                sink.push(diagnostic.help(help));
                return;
            }
        }
    }
    sink.push(diagnostic.help(format!("`#{found}` is {}, which has no parts by name", at.kind())));
}

/// Where the parts of a file stand, or of the part that a pointer names.
pub(super) fn places(file: FileId, text: &str, pointer: &str) -> Option<Places> {
    let located = Located::parse(text, Limits::default()).ok()?;
    Some(Places::of_json(located.pointer(pointer)?, file, 0))
}

/// The values of the lines of a file, where each begins, and whether all could be read.
pub(super) fn read_lines(file: FileId, text: &str, sink: &mut Vec<Diagnostic>) -> (Vec<Json>, Vec<u32>, bool) {
    let mut rows = Vec::new();
    let mut starts = Vec::new();
    let mut first: Option<Diagnostic> = None;
    let mut faults = 0_usize;
    let mut offset = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    for line in text.get(offset..).unwrap_or_default().split_inclusive('\n') {
        let start = u32::try_from(offset).unwrap_or(u32::MAX);
        offset += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        match Json::parse(line, Limits::default()) {
            Ok(json) => {
                rows.push(json);
                starts.push(start);
            }
            Err(error) => {
                faults += 1;
                first.get_or_insert_with(|| syntax(&error, file, start));
            }
        }
    }
    if let Some(mut diagnostic) = first {
        if faults > 1 {
            diagnostic = diagnostic.note(format!("and {} more like this", faults - 1));
        }
        sink.push(diagnostic.help("each line of the file is one JSON value"));
    }
    (rows, starts, faults == 0)
}

/// Where the parts of a line's value stand.
pub(super) fn line_places(file: FileId, text: &str, start: u32) -> Option<Places> {
    let line = text.get(start as usize..)?.split_inclusive('\n').next()?;
    let located = Located::parse(line, Limits::default()).ok()?;
    Some(Places::of_json(&located, file, start))
}

/// The first character of a value, to mark one that spans many lines.
pub(super) fn head(span: Span) -> Span {
    Span { end: span.end.min(span.start.saturating_add(1)), ..span }
}
