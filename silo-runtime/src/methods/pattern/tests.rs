#![expect(clippy::format_push_string, reason = "models and reports are written to be read")]

use proptest::prelude::*;

use super::*;

/// Whether a JSON Schema validator thinks that a text matches the published pattern.
fn published_accepts(pattern: &Pattern, text: &str) -> bool {
    let schema = serde_json::json!({ "type": "string", "pattern": pattern.published() });
    jsonschema::validator_for(&schema).unwrap().is_valid(&serde_json::Value::from(text))
}

fn refused(source: &str) -> String {
    Pattern::new(source)
        .map_or_else(|error| error.to_string(), |pattern| format!("accepted as {}", pattern.published()))
}

#[test]
fn the_whole_text_must_match() {
    let pattern = Pattern::new("[A-Z]{3}|x").unwrap();
    for (text, expected) in
        [("ABC", true), ("x", true), ("ABCx", false), ("xABC", false), ("ABC\n", false), ("", false)]
    {
        assert_eq!(pattern.matches(text), expected, "{text:?}");
        assert_eq!(published_accepts(&pattern, text), expected, "{text:?}");
    }
}

#[test]
fn what_the_dialects_spell_differently_is_translated() {
    let cases = [
        (r"\s", r"^(?:[ \t\n\r\f\v])$"),
        (r"\S+", r"^(?:[^ \t\n\r\f\v]+)$"),
        (r"[\s,]", r"^(?:[ \t\n\r\f\v,])$"),
        (r".", r"^(?:[^\n])$"),
        (r"a\-b\@c", r"^(?:a-b@c)$"),
        (r"a]}", r"^(?:a\]\})$"),
        (r"(?<year>\d+)", r"^(?:(\d+))$"),
        (r"[a\-z(]", r"^(?:[a\-z\(])$"),
        (r"\d{2,}?\/", r"^(?:\d{2,}?\/)$"),
    ];
    for (source, published) in cases {
        assert_eq!(Pattern::new(source).unwrap().published(), published, "{source}");
    }
}

#[test]
fn what_cannot_mean_the_same_is_refused_with_a_reason() {
    let mut report = String::new();
    for source in [
        "(",
        ")",
        "a)|(?:b",
        "[",
        "[]",
        "[^]",
        "[]a]",
        "[[:alpha:]]",
        "[a[b]]",
        "[a&&b]",
        "[a--b]",
        "[a~~b]",
        r"[\d-z]",
        r"[a-\d]",
        "[z-a]",
        r"[\S]",
        r"[\b]",
        "*",
        "a**",
        "a++",
        "a*+",
        "^*",
        r"\b+",
        "a{2}{3}",
        "{",
        "a{",
        "a{,3}",
        "a{}",
        "a{3,2}",
        "a{2,3,4}",
        "(?i)a",
        "(?i:a)",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        r"(a)\1",
        r"\k<a>",
        r"\p{L}",
        r"\A",
        r"\z",
        r"\a",
        r"\x{41}",
        r"\U00000041",
        r"\<",
        r"\b{start}",
        "\\",
        "\\é",
        "(?P<a>b)",
        "a{1000}{1000}",
        "((a{100}){100}){100}",
    ] {
        report.push_str(&format!("{source:<22} {}\n", refused(source)));
    }
    report.push_str(&format!("2,000 characters       {}\n", refused(&"a".repeat(2_000))));
    report.push_str(&format!(
        "500 open groups        {}\n",
        refused(&format!("{}a{}", "(".repeat(450), ")".repeat(450)))
    ));
    insta::assert_snapshot!(report);
}

#[test]
fn matching_takes_time_in_step_with_the_text() {
    let pattern = Pattern::new("(a+)+b").unwrap();
    assert!(!pattern.matches(&"a".repeat(50_000)));
}

/// Patterns of what both dialects have, and some of what only one has.
fn any_pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[a-c ]".prop_map(String::from),
        prop::sample::select(vec![
            ".", r"\d", r"\w", r"\s", r"\S", r"\W", r"\D", "[ab]", "[^a]", r"[\s\d]", "[a-c-]", r"\-", r"\.", r"\n",
            r"\u0061", r"\x61", "^", "$", r"\b"
        ])
        .prop_map(String::from),
    ];
    atom.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"]))
                .prop_map(|(a, times)| format!("(?:{a}){times}")),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}|{b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn the_published_pattern_accepts_the_same_texts(source in any_pattern(), texts in prop::collection::vec("[a-c0 .\\-\n\r\u{a0}\u{2028}é]{0,5}", 6)) {
        let Ok(pattern) = Pattern::new(&source) else { return Ok(()) };
        for text in texts {
            prop_assert_eq!(pattern.matches(&text), published_accepts(&pattern, &text), "{:?} {:?}", source, text);
        }
    }

    #[test]
    fn no_source_is_too_much(source in "[-\\\\\\[\\](){}|^$.*+?a-c,<>:=!&~0-9]{0,20}|\\PC{0,10}") {
        if let Ok(pattern) = Pattern::new(&source) {
            let schema = serde_json::json!({ "type": "string", "pattern": pattern.published() });
            prop_assert!(jsonschema::validator_for(&schema).is_ok(), "{} as {}", source, pattern.published());
        }
    }
}
