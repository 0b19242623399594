use super::{Look, json, plain, styled, summary, text};
use crate::diagnostics::{Diagnostic, FileId, Sources, Span, codes};

const ENTITY: &str = "entity User {\n\tid:   key\n\tnaem: string\n}\n";
const DATA: &str = "[\n  { \"id\": \"USR-001\", \"name\": \"Ann\" }\n]\n";

fn sources() -> Sources {
    let mut sources = Sources::new();
    sources.add("crm.silo", ENTITY);
    sources.add("data/users.json", DATA);
    sources
}

/// The span of the first occurrence of a text.
fn span(sources: &Sources, file: u32, text: &str) -> Span {
    let file = FileId(file);
    let start = sources.get(file).and_then(|source| source.text().find(text)).expect("the text");
    let start = u32::try_from(start).expect("short");
    Span::new(file, start, start + u32::try_from(text.len()).expect("short"))
}

fn unknown_field(sources: &Sources) -> Diagnostic {
    Diagnostic::error(
        codes::syntax::UNEXPECTED,
        span(sources, 1, "\"name\""),
        "expected a field of `User`, found `name`",
    )
    .label("no such field")
    .also(span(sources, 0, "naem"), "a field with nearly this name")
    .note("the fields are `id` and `naem`")
    .why("a row without its name is shown to the agent without it")
    .help("rename one of them")
    .fix("rename the field", span(sources, 0, "naem"), "name")
}

#[test]
fn shows_labels_of_several_files_and_all_that_helps() {
    let sources = sources();
    insta::assert_snapshot!(plain(&sources, &[unknown_field(&sources)]));
}

#[test]
fn colours_are_escape_codes_and_nothing_else() {
    let sources = sources();
    let (plain, styled) = (plain(&sources, &[unknown_field(&sources)]), styled(&sources, &[unknown_field(&sources)]));
    assert!(styled.contains('\u{1b}') && !plain.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut in_code = false;
    for character in styled.chars() {
        match character {
            '\u{1b}' => in_code = true,
            'm' if in_code => in_code = false,
            _ if in_code => {}
            _ => stripped.push(character),
        }
    }
    assert_eq!(stripped, plain);
}

#[test]
fn json_has_places_in_lines_columns_and_bytes() {
    let sources = sources();
    insta::assert_snapshot!(json(&sources, &[unknown_field(&sources)]).to_pretty());
}

#[test]
fn pe11_each_diagnostic_is_shown_once_in_the_order_of_the_files() {
    let sources = sources();
    let one = unknown_field(&sources);
    let first = Diagnostic::warning(codes::warnings::LOST_DOCS, span(&sources, 0, "id"), "a warning");
    let shown = plain(&sources, &[one.clone(), first, one.clone(), one]);
    assert_eq!(shown.matches("expected a field of `User`").count(), 1, "{shown}");
    assert!(shown.find("a warning") < shown.find("expected a field"), "{shown}");
    assert!(shown.ends_with("1 error and 1 warning in 2 files\n"), "{shown}");
}

#[test]
fn what_is_over_the_limit_is_counted_warnings_first() {
    let sources = sources();
    let at = |index: u32| Span::new(FileId(0), index, index + 1);
    let mut all: Vec<Diagnostic> = (0..20)
        .map(|index| Diagnostic::warning(codes::warnings::LOST_DOCS, at(index), format!("warning {index}")))
        .collect();
    all.extend((20..30).map(|index| Diagnostic::error(codes::syntax::UNEXPECTED, at(index), format!("error {index}"))));
    let shown = text(&sources, &all, Look { limit: 12, ..Look::default() });
    assert_eq!((shown.matches("warning[").count(), shown.matches("error[").count()), (2, 10));
    assert!(shown.ends_with("and 18 more\n10 errors and 20 warnings in 1 file\n"), "{shown}");
}

#[test]
fn nothing_is_said_of_nothing() {
    assert_eq!(plain(&sources(), &[]), "");
    assert_eq!(summary(&[]), None);
}

#[test]
fn pc16_long_lines_are_cut_between_characters_and_keep_their_column() {
    for filler in ["x", "é", "👩‍👩‍👧", "e\u{301}", "𠀀"] {
        for before in [0, 1, 79, 80, 81, 5_000, 100_000] {
            let mut sources = Sources::new();
            let line = format!("{}@{}", filler.repeat(before), filler.repeat(5_000));
            let file = sources.add("data.json", format!("[\n{line}\n]\n"));
            let at = u32::try_from(line.find('@').expect("the mark") + 2).expect("short");
            let one =
                Diagnostic::error(codes::syntax::UNEXPECTED, Span::new(file, at, at + 1), "expected something else");
            let shown = plain(&sources, &[one]);
            let column = before * filler.chars().count() + 1;
            assert!(shown.contains(&format!(" data.json:2:{column}\n")), "{filler} x {before}: {shown}");
            assert!(shown.lines().all(|line| line.chars().count() < 400), "{filler} x {before}: {shown}");
            assert!(shown.contains('@'), "{filler} x {before}: {shown}");
        }
    }
}

#[test]
fn pc16_control_and_bidi_characters_are_escaped() {
    let mut sources = Sources::new();
    let file = sources.add("a\u{202e}.silo", "let \u{1b}[31m\u{202e}x\u{2066} = \u{7}\u{200f}1\u{85}\u{2028}\n");
    let one = Diagnostic::error(codes::syntax::UNEXPECTED, Span::new(file, 0, 3), "found `\u{1b}[31m\u{202e}`")
        .label("\u{7}here");
    let shown = plain(&sources, &[one]);
    let unsafe_for_terminals =
        |c: char| (c.is_control() && c != '\n') || ('\u{200e}'..='\u{202e}').contains(&c) || c == '\u{2066}';
    assert!(!shown.contains(unsafe_for_terminals), "{shown:?}");
}

#[test]
fn spans_outside_the_text_are_survived() {
    let mut sources = Sources::new();
    let empty = sources.add("empty.silo", "");
    for span in [Span::new(empty, 0, 0), Span::new(empty, 5, 9), Span::new(FileId(7), 0, 1), Span::new(empty, 9, 5)] {
        let one =
            Diagnostic::error(codes::syntax::UNEXPECTED, span, "expected something else").fix("mend it", span, "x");
        assert!(plain(&sources, std::slice::from_ref(&one)).contains("expected something else"));
        json(&sources, &[one]);
    }
}
