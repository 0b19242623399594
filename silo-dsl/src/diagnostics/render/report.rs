//! The look of one diagnostic: the only file that knows `annotate-snippets`.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::Look;
use super::excerpt::{Excerpt, turns_text};
use crate::diagnostics::{Diagnostic, Edit, FileId, Label, Severity, Sources, Span};

/// Labels of one file further apart than this many lines are shown as two excerpts.
const GAP: u32 = 12;

/// One diagnostic as text, without a line end behind it.
pub(super) fn one(sources: &Sources, diagnostic: &Diagnostic, look: Look) -> String {
    let renderer = if look.styled { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(look.width);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group =
        level.primary_title(clean(&diagnostic.message)).id(diagnostic.code.id()).elements(Vec::<Origin<'_>>::new());
    for stretch in stretches(sources, &diagnostic.labels) {
        group = show(group, sources, &stretch);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    if let Some(why) = &diagnostic.why {
        group = group.element(Level::NOTE.with_name("why").message(clean(why)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let mut groups = vec![group];
    if let Some(fix) = &diagnostic.fix {
        groups.push(patch(sources, &fix.message, &fix.edits));
    }
    let mut text = renderer.render(&groups);
    for label in &diagnostic.labels {
        text = with_column(text, sources, label.span);
    }
    text
}

/// Puts the column of the source where the renderer has counted that of a line that was cut.
fn with_column(text: String, sources: &Sources, span: Span) -> String {
    let Some(source) = sources.get(span.file) else { return text };
    let line = source.line_of(span.start);
    let excerpt = Excerpt::of(source, line, line, &[span]);
    if !excerpt.cut {
        return text;
    }
    let before = excerpt.text.get(..excerpt.range(span).start).unwrap_or_default();
    let counted = before.chars().count() + 1;
    let place = source.position(span.start);
    let name = clean(source.name());
    let wrong = format!("{name}:{line}:{counted}\n");
    text.replacen(&wrong, &format!("{name}:{place}\n"), 1)
}

/// Labels that are shown in one excerpt.
struct Stretch<'a> {
    file: FileId,
    first: u32,
    last: u32,
    labels: Vec<&'a Label>,
}

/// The labels by excerpt, the one of the primary label first.
fn stretches<'a>(sources: &Sources, labels: &'a [Label]) -> Vec<Stretch<'a>> {
    let mut stretches: Vec<Stretch<'a>> = Vec::new();
    for label in labels {
        let Some(source) = sources.get(label.span.file) else { continue };
        let (first, last) = (source.line_of(label.span.start), source.line_of(label.span.end));
        let near = stretches.iter_mut().find(|stretch| {
            stretch.file == label.span.file
                && first <= stretch.last.saturating_add(GAP)
                && last.saturating_add(GAP) >= stretch.first
        });
        match near {
            Some(stretch) => {
                stretch.first = stretch.first.min(first);
                stretch.last = stretch.last.max(last);
                stretch.labels.push(label);
            }
            None => stretches.push(Stretch { file: label.span.file, first, last, labels: vec![label] }),
        }
    }
    stretches
}

fn show<'a>(group: Group<'a>, sources: &Sources, stretch: &Stretch<'_>) -> Group<'a> {
    let Some(source) = sources.get(stretch.file) else { return group };
    let marks: Vec<Span> = stretch.labels.iter().map(|label| label.span).collect();
    let excerpt = Excerpt::of(source, stretch.first, stretch.last, &marks);
    let annotations: Vec<_> = stretch
        .labels
        .iter()
        .map(|label| {
            let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(excerpt.range(label.span));
            if label.text.is_empty() { annotation } else { annotation.label(clean(&label.text)) }
        })
        .collect();
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line as usize);
    group.element(snippet.path(clean(source.name())).annotations(annotations))
}

/// The change that mends it, as a patch where its lines can be shown whole.
fn patch<'a>(sources: &Sources, message: &str, edits: &[Edit]) -> Group<'a> {
    let mut group = Level::HELP.secondary_title(clean(message)).elements(Vec::<Origin<'_>>::new());
    let mut files: Vec<FileId> = edits.iter().map(|edit| edit.span.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let Some(source) = sources.get(file) else { continue };
        let here: Vec<&Edit> = edits.iter().filter(|edit| edit.span.file == file).collect();
        let marks: Vec<Span> = here.iter().map(|edit| edit.span).collect();
        let first = marks.iter().map(|mark| source.line_of(mark.start)).min().unwrap_or(1);
        let last = marks.iter().map(|mark| source.line_of(mark.end)).max().unwrap_or(first);
        let excerpt = Excerpt::of(source, first, last, &marks);
        if excerpt.cut || last - first > GAP {
            continue;
        }
        let patches: Vec<_> =
            here.iter().map(|edit| Patch::new(excerpt.range(edit.span), clean(&edit.replacement))).collect();
        group = group.element(Snippet::source(excerpt.text).line_start(first as usize).patches(patches));
    }
    group
}

/// A text without characters that a terminal would obey: control characters are shown by their pictures.
fn clean(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => safe.push('\n'),
            '\t' => safe.push_str("    "),
            '\u{7f}' => safe.push('\u{2421}'),
            '\0'..='\u{1f}' => safe.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}')),
            _ if turns_text(character) => safe.push('\u{fffd}'),
            _ => safe.push(character),
        }
    }
    safe
}
