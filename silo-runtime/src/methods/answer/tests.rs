use proptest::prelude::*;

use super::*;

fn numbers(text: &str) -> String {
    AnswerText::new(text).numbers().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let cases = [
        ("There are 3 of them.", "3"),
        ("$1,234.50 in all", "1234.5"),
        ("about 12%", "12"),
        ("a loss of -5, of -$1,000, of $-7 and of \u{2212}2.5", "-5 -1000 -7 -2.5"),
        ("(5) [6] **7** \"8\" '9'", "5 6 7 8 9"),
        ("1,2,3", "1 2 3"),
        ("1,234,567", "1234567"),
        ("1234,5", "1234 5"),
        ("1, 2", "1 2"),
        ("10 - 4 = 6", "10 4 6"),
        ("5–7 days", "5 7"),
        (".5 or 0.5", "0.5 0.5"),
        ("It is 5.Done", "5"),
        ("3/8 of them", "3 8"),
        ("total:5", "5"),
        ("5€, €6", "5 6"),
        ("_5_ and 5_000", "5"),
        ("7's", "7"),
        ("... 5...", "5"),
        ("so...5 and end.6", "5 6"),
        ("10%-20%", "10 20"),
        ("-0", "0"),
    ];
    for (text, expected) in cases {
        assert_eq!(numbers(text), expected, "{text}");
    }
}

#[test]
fn ids_dates_and_digits_in_words_are_no_numbers() {
    for text in [
        "USR-004",
        "OPP-1000",
        "usr_004",
        "#12",
        "Q3",
        "v2",
        "3rd",
        "5k",
        "1e5",
        "007",
        "2026-03-31",
        "31/03/2026",
        "2026-03-31T09:00:00Z",
        "09:30",
        "1.2.3",
        "555-1234",
        "CO2",
        "m²",
        "٣",
        "10-15",
        "PO-201-L1",
        "x1y",
        "",
        "-",
        ".",
        "OPP-005,006",
    ] {
        assert_eq!(numbers(text), "", "{text}");
    }
}

#[test]
fn numbers_of_too_many_digits_are_passed_over() {
    assert_eq!(numbers(&"9".repeat(100)), "");
    assert_eq!(numbers(&"9".repeat(1_000_000)), "");
}

#[test]
fn the_number_is_the_only_one() {
    let number = |text: &str| AnswerText::new(text).number().map(|number| number.to_string());
    assert_eq!(number("It is 5, yes 5.0.").as_deref(), Some("5"));
    assert_eq!(number("5 of 12"), None);
    assert_eq!(number("none"), None);
}

#[test]
fn a_number_is_stated_within_the_tolerance() {
    let answer = AnswerText::new("The total is 1,204.50.");
    let cent = AnswerText::default_tolerance();
    assert_eq!(cent.to_string(), "0.01");
    assert!(answer.states(decimal("1204.5"), cent));
    assert!(answer.states(decimal("1204.51"), cent));
    assert!(!answer.states(decimal("1204.52"), cent));
    assert!(answer.states(decimal("1200"), decimal("5")));
    assert!(!answer.states(decimal("1204.5"), decimal("-1")), "nothing is less than no distance away");
    assert!(!AnswerText::new("").states(Decimal::ZERO, cent));
}

#[test]
fn a_spray_of_numbers_states_nothing() {
    let cent = AnswerText::default_tolerance();
    let eight = AnswerText::new("1 2 3 4 5 6 7 8, again 8");
    let nine = AnswerText::new("1 2 3 4 5 6 7 8 9");
    assert!(eight.states(decimal("8"), cent));
    assert!(!nine.states(decimal("8"), cent));
}

#[test]
fn mentions_are_whole_words_in_any_case() {
    let answer = AnswerText::new("Moved OPP-005 to Kofi\n  ADJEI; José keeps größe.");
    for what in ["kofi adjei", "Kofi  Adjei", "opp-005", "JOSÉ", "GRÖßE", "moved"] {
        assert!(answer.mentions(what), "{what}");
    }
    for what in ["Kofi Ad", "OPP-00", "ofi", "Jos", "", "  ", "5 to", "size"] {
        assert!(!answer.mentions(what), "{what}");
    }
    assert!(AnswerText::new("well-known").mentions("known"), "a hyphen is no letter");
    assert!(AnswerText::new("★★★ (rated)").mentions("★★★"));
    assert!(AnswerText::new("by (Acme).").mentions("(acme)"));
    assert!(!AnswerText::new("Jose\u{301}").mentions("Jose"), "an accent belongs to its letter");
}

#[test]
fn names_are_not_parts_of_joined_words() {
    let answer = AnswerText::new("Anne-Marie has PO-7-L1 and USR-0041, not usr-005.");
    assert!(answer.names("USR-005", None));
    assert!(answer.names("USR-9", Some("anne-marie")));
    for (key, label) in
        [("PO-7", None), ("USR-004", None), ("USR-9", Some("Anne")), ("USR-9", Some("Marie")), ("", Some(""))]
    {
        assert!(!answer.names(key, label), "{key} {label:?}");
    }
    assert!(AnswerText::new("-USR-005-").names("USR-005", None));
}

fn row<'a>(key: &'a str, label: &'a str) -> Named<'a> {
    Named { key, label: Some(label) }
}

#[test]
fn naming_everything_is_not_naming_some() {
    let rows = [row("A-1", "Acme"), row("A-2", "Bolt"), row("A-3", "Acme North")];
    let only = |text: &str, count: usize| {
        AnswerText::new(text).names_only(rows.into_iter().take(count), rows.into_iter().skip(count))
    };
    assert!(only("A-1 and Bolt", 2));
    assert!(only("Acme and Bolt", 2));
    assert!(!only("Acme", 2), "one is missing");
    assert!(!only("A-1, A-2, A-3", 2), "one is too many");
    assert!(!only("Acme North and Bolt", 2), "the longer name is meant");
    assert!(!only("Acme North and Bolt", 3), "so the shorter one is missing");
    assert!(only("Acme North, Acme and Bolt", 3));
    assert!(only("nobody", 0));
    assert!(!only("Bolt", 0));
}

#[test]
fn a_shared_label_needs_the_key_beside_it() {
    let (wanted, other) = (row("A-1", "Acme"), row("A-2", "Acme"));
    let only = |text: &str| AnswerText::new(text).names_only([wanted], [wanted, other]);
    assert!(!only("Acme"));
    assert!(only("Acme (A-1)"));
    assert!(only("A-1"));
    assert!(!only("Acme (A-1) and A-2"));
}

#[test]
fn a_long_text_against_many_rows_is_quick() {
    let labels: Vec<String> = (0..5_000).map(|n| format!("Account number {n}")).collect();
    let rows: Vec<Named<'_>> = labels.iter().map(|label| row(label, label)).collect();
    let text = "account ".repeat(20_000);
    assert!(!AnswerText::new(&text).names_only(rows.iter().copied().take(10), rows.iter().copied().skip(10)));
}

proptest! {
    #[test]
    fn any_number_written_plainly_is_read(int in -1_000_000_i64..1_000_000, cents in 0_u8..100) {
        let written = format!("{int}.{cents:02}");
        let expected = written.parse::<Decimal>().unwrap();
        let answer = AnswerText::new(&format!("So it is {written}, I think."));
        prop_assert_eq!(answer.numbers(), &[expected][..]);
        let grouped = crate::methods::number::format(expected, true, Some(2)).unwrap();
        prop_assert_eq!(AnswerText::new(&grouped).number(), Some(expected), "{}", grouped);
    }

    #[test]
    fn no_text_is_too_much(text in "[-−$%#.,:/_a-zß0-9 ]{0,30}|\\PC{0,20}", name in "\\PC{0,8}") {
        let answer = AnswerText::new(&text);
        let _ = (answer.numbers(), answer.mentions(&name), answer.names(&name, Some(&name)));
        let _ = answer.names_only([row(&name, &text)], [row(&text, &name)]);
    }

    #[test]
    fn words_are_found_where_splitting_finds_them(words in prop::collection::vec("[ab]{1,3}", 0..8), sought in "[ab]{1,3}( [ab]{1,3})?") {
        let text = words.join(" ");
        let expected = format!(" {text} ").contains(&format!(" {sought} "));
        prop_assert_eq!(AnswerText::new(&text).mentions(&sought), expected);
    }
}
