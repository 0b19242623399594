//! Source that means harm, or none: never a crash, never long, the same on every thread.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use silo_dsl::diagnostics::{Diagnostic, FileId, Sources, render};
use silo_dsl::syntax::{decode, parse};

const FILE: FileId = FileId(0);
const SAMPLE: &str = include_str!("syntax/good/sample.silo");

/// Runs something on a thread with a small stack.
#[expect(clippy::disallowed_methods, reason = "a test may ask for the time")]
fn on_small_stack<T: Send>(kibibytes: usize, work: impl FnOnce() -> T + Send) -> (T, Duration) {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(kibibytes << 10);
        let handle = builder
            .spawn_scoped(scope, || {
                let begun = Instant::now();
                let result = work();
                (result, begun.elapsed())
            })
            .expect("a thread starts");
        handle.join().expect("the thread does not panic")
    })
}

/// Parses on small stacks, drops the tree there, and gives what was said; all must be the same.
fn said(text: &str) -> Vec<Diagnostic> {
    let all = [512, 1024, 2048].map(|kibibytes| said_on(kibibytes, text));
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
    all.into_iter().next().expect("three")
}

/// Parses on a small stack, drops the tree there, and gives what was said, in time.
fn said_on(kibibytes: usize, text: &str) -> Vec<Diagnostic> {
    let (diagnostics, time) = on_small_stack(kibibytes, || {
        let (tree, diagnostics) = parse(FILE, text);
        drop(tree);
        diagnostics
    });
    // A second for each megabyte, on a machine that may be doing other things.
    let allowed = Duration::from_secs(3 * (1 + (text.len() >> 20) as u64));
    assert!(time < allowed, "{} bytes took {time:?} on {kibibytes} KiB", text.len());
    diagnostics
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

const MANY: usize = 100_000;

#[test]
fn l03_pe01_deep_nesting_is_one_diagnostic_at_the_bracket() {
    for (open, core, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{ a: ", "1", "}"),
        ("f(", "1", ")"),
        ("f(|x| ", "1", ")"),
        ("if a { ", "1", "} else { 1 }"),
        ("match a { \"x\" -> ", "1", "}"),
        ("\"{", "1", "}\""),
        ("\"\"\"{", "1", "}\"\"\""),
        ("xs[", "1", "]"),
    ] {
        for count in [101, MANY] {
            let closed = format!("fn f(): int = {}{core}{}\n", open.repeat(count), close.repeat(count));
            let unclosed = format!("fn f(): int = {}\n", open.repeat(count));
            for text in [closed, unclosed] {
                let diagnostics = said(&text);
                assert_eq!(codes(&diagnostics), ["E0110"], "{open} x {count}");
                let bracket = diagnostics[0].span();
                assert!("([{".contains(&text[bracket.range()]), "{open} x {count}: {bracket:?}");
            }
        }
    }
}

#[test]
fn nesting_up_to_the_bound_is_read_on_a_small_stack() {
    for (open, core, close) in [
        ("(", "1", ")"),
        ("(1 or 1 and not 1 == 1 ?? 1 + 1 * -", "1", ")"),
        ("f(|x| ", "1", ")"),
        ("{ a: ", "1", " }"),
        ("{ [", "1", "]: 1 }"),
        ("if a { ", "1", "} else { 1 }"),
        ("match a { \"x\" -> ", "1", "}"),
        ("\"{", "1", "}\""),
    ] {
        let count = 99 / open.matches(['(', '[', '{']).count();
        let text = format!("fn f(): int = {}{core}{}\n", open.repeat(count), close.repeat(count));
        assert_eq!(said(&text), [], "{open}");
    }
    let blocks = format!("action f() {{ {}{} }}\n", "if a { ".repeat(99), "}".repeat(99));
    assert_eq!(said(&blocks), []);
    let types = format!("record R {{ a: {}int{} }}\n", "list<".repeat(99), ">".repeat(99));
    assert_eq!(said(&types), []);
    let deep = format!("record R {{ a: {}int{} }}\n", "list<".repeat(MANY), ">".repeat(MANY));
    assert_eq!(codes(&said(&deep)), ["E0110"]);
}

#[test]
fn l03_pe01_long_chains_are_flat() {
    for link in [" + 1", " or a", " and a", " ?? a", " * 2", ".a", "?.a", ".a()", "[0]", "!", " == a", " in a"] {
        let text = format!("fn f(): int = a{}\n", link.repeat(MANY));
        let diagnostics = said_on(512, &text);
        let chained = link.starts_with(" ==") || link.starts_with(" in");
        assert_eq!(codes(&diagnostics), if chained { vec!["E0115"] } else { vec![] }, "{link}");
    }
    for prefix in ["not ", "-", "- "] {
        assert_eq!(said_on(512, &format!("fn f(): int = {}a\n", prefix.repeat(MANY))), [], "{prefix}");
    }
    let ifs = format!("action f() {{ if a {{ }}{} }}\n", " else if a { }".repeat(MANY / 10));
    assert_eq!(said(&ifs), []);
    let values = format!("fn f(): int = if a {{ 1 }}{} else {{ 2 }}\n", " else if a { 1 }".repeat(MANY / 10));
    assert_eq!(said(&values), []);
    let holes = format!("const A: string = \"{}\"\n", "{a}".repeat(MANY));
    assert_eq!(said(&holes), []);
}

#[test]
fn pe02_nothing_backtracks_without_bound() {
    for (open, core) in
        [("f(", "@"), ("{ a: ", ""), ("[", "@"), ("f(|x| ", "@"), ("if a { ", "@"), ("x[", "@"), ("\"{", "@")]
    {
        for count in [12, 50, 99] {
            let text = format!("action f() {{ x = {}{core}\n}}\n", open.repeat(count));
            assert!(!said(&text).is_empty());
            let text = format!("action f() {{ {}{core}\n}}\n", open.repeat(count));
            assert!(!said(&text).is_empty());
        }
        let line = format!("    x = {}{core}\n", open.repeat(80));
        let long = format!("action f() {{\n{}}}\n", line.repeat(200_000 / line.len()));
        assert!(!said(&long).is_empty());
    }
}

#[test]
fn text_and_brackets_without_end_are_one_diagnostic() {
    for (text, code) in [
        ("const A: string = \"abc", "E0103"),
        ("const A: string = \"\"\"abc", "E0103"),
        ("const A: string = \"\"\"abc {", "E0102"),
        ("const A: string = \"abc {", "E0103"),
        ("const A: string = \"abc {x", "E0103"),
        ("const A: string = \"abc\\", "E0103"),
        ("const A: list<int> = [", "E0102"),
    ] {
        let codes = codes(&said(text));
        assert!(codes.contains(&code) && codes.len() <= 2, "{text}: {codes:?}");
    }
    let long = format!("const A: string = \"\"\"{}", "abc \"x\" {{ ".repeat(MANY));
    assert_eq!(codes(&said(&long)), ["E0103"]);
}

#[test]
fn large_garbage_is_refused_or_read_in_time() {
    assert_eq!(codes(&said(&"(".repeat(10 << 20))), ["E0111"]);
    for garbage in [
        ")",
        "}",
        "@",
        "'",
        "\u{1F600}",
        "tool ",
        "tool\n",
        "x\n",
        "a ",
        "{{",
        "/// x\n",
        "\\",
        "\"\n",
        "(\n",
        "tool f(\n",
    ] {
        let text = garbage.repeat((1 << 20) / garbage.len());
        let diagnostics = said_on(512, &text);
        assert!((1..=2_200).contains(&diagnostics.len()), "{garbage:?}: {}", diagnostics.len());
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named() {
    let bytes = [b"enum Role { \"".as_slice(), &[0xff, 0xfe], b"\" }"].concat();
    let (text, diagnostic) = decode(FILE, &bytes);
    let mut sources = Sources::new();
    sources.add("a.silo", text);
    insta::assert_snapshot!(render::plain(&sources, &[diagnostic.expect("a diagnostic")]), @r#"
    error[E0112]: expected a file in UTF-8, found the byte 0xff at byte 13
     --> a.silo:1:14
      |
    1 | enum Role { "��" }
      |              ^ no character in UTF-8
      |
      = help: save the file as UTF-8

    1 error in 1 file
    "#);
    assert!(decode(FILE, SAMPLE.as_bytes()).1.is_none());
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() }
}

/// Parses, renders, and checks what must hold of any source.
fn survives(text: &str) {
    let (tree, diagnostics) = parse(FILE, text);
    let length = u32::try_from(text.len()).expect("short");
    for diagnostic in &diagnostics {
        for label in &diagnostic.labels {
            assert!(label.span.start <= label.span.end && label.span.end <= length, "{diagnostic:?}");
            assert!(text.get(label.span.range()).is_some(), "not between characters: {diagnostic:?}");
        }
        for edit in diagnostic.fix.iter().flat_map(|fix| &fix.edits) {
            assert!(text.get(edit.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    assert!(tree.broken.is_empty() || diagnostics.iter().any(Diagnostic::is_error));
    let mut sources = Sources::new();
    sources.add("fuzz.silo", text);
    let shown = render::plain(&sources, &diagnostics);
    let unsafe_for_terminals = |c: char| c.is_control() && c != '\n';
    assert!(!shown.contains(unsafe_for_terminals), "{shown:?}");
    render::json(&sources, &diagnostics);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_text_is_survived(text in "\\PC{0,200}") {
        survives(&text);
    }

    #[test]
    fn random_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        survives(&decode(FILE, &bytes).0);
    }

    #[test]
    fn random_tokens_are_survived(tokens in proptest::collection::vec(proptest::sample::select(TOKENS.to_vec()), 0..80)) {
        survives(&tokens.join(" "));
        survives(&tokens.concat());
    }

    #[test]
    fn mutations_of_a_real_source_are_survived(
        changes in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0_usize..6, proptest::sample::select(TOKENS.to_vec())), 1..6),
    ) {
        let mut text = SAMPLE.to_owned();
        for (at, length, token) in changes {
            let at = (0..=at.index(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let end = (at + length..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
            text.replace_range(at..end.max(at), token);
        }
        survives(&text);
    }
}

const TOKENS: &[&str] = &[
    "tool",
    "task",
    "entity",
    "record",
    "enum",
    "state",
    "fn",
    "action",
    "rule",
    "verify",
    "check",
    "changes",
    "only",
    "if",
    "else",
    "for",
    "in",
    "let",
    "var",
    "return",
    "match",
    "not",
    "and",
    "or",
    "require",
    "call",
    "x",
    "Foo",
    "\"a\"",
    "\"",
    "\"\"\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "|",
    ",",
    ":",
    ".",
    "?.",
    "...",
    "=",
    "==",
    "->",
    "=>",
    "!",
    "?",
    "??",
    "+",
    "-",
    "*",
    "/",
    "//",
    "///",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "1",
    "1.5",
    "@2026-03-31",
    "\\",
    "'",
    "`",
    ";",
    "é",
    "👩‍👩‍👧",
    "\u{202e}",
    "\u{feff}",
    "\0",
    "\u{2028}",
    "tool f(",
    "\n}\n",
    "\ntool f() {\n",
    "{{",
    "}}",
    "||",
    "&&",
];
