//! Text methods against lists of characters.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "models and reports are written to be read"
)]

use proptest::prelude::*;

use super::*;

fn characters(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn text_of(characters: &[char]) -> String {
    characters.iter().collect()
}

/// Where a part stands, from left to right, without overlaps.
fn places(text: &[char], part: &[char]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + part.len() <= text.len() {
        if text[at..at + part.len()] == *part {
            found.push(at);
            at += part.len();
        } else {
            at += 1;
        }
    }
    found
}

proptest! {
    #[test]
    fn slices_are_clamped_ranges_of_characters(text in "[aé👍\u{301}]{0,8}", from in -3_i64..12, to in prop::option::of(-3_i64..12)) {
        let all = characters(&text);
        let clamp = |at: i64| usize::try_from(at.clamp(0, all.len() as i64)).unwrap();
        let (start, end) = (clamp(from), to.map_or(all.len(), clamp));
        prop_assert_eq!(&*slice(&text, from, to), text_of(&all[start..end.max(start)]));
        prop_assert_eq!(len(&text), all.len() as i64);
    }

    #[test]
    fn replacing_and_splitting_agree_with_lists(text in "[ab]{0,12}", part in "[ab]{1,2}", with in "[aé]{0,3}") {
        let (all, sought) = (characters(&text), characters(&part));
        let mut pieces = vec![Vec::new()];
        let found = places(&all, &sought);
        let mut at = 0;
        while at < all.len() {
            if found.contains(&at) {
                pieces.push(Vec::new());
                at += sought.len();
            } else {
                pieces.last_mut().unwrap().push(all[at]);
                at += 1;
            }
        }
        let pieces: Vec<String> = pieces.iter().map(|piece| text_of(piece)).collect();
        prop_assert_eq!(split(&text, &part).map(|piece| piece.to_string()).collect::<Vec<_>>(), pieces.clone());
        prop_assert_eq!(replace(&text, &part, &with).ok(), Some(Text::from(pieces.join(&with))));
        prop_assert_eq!(join(&pieces, &with).ok(), Some(Text::from(pieces.join(&with))));
        prop_assert_eq!(contains(&text, &part), !found.is_empty());
        prop_assert_eq!(starts_with(&text, &part), found.first() == Some(&0));
        prop_assert_eq!(ends_with(&text, &part), all.ends_with(&sought));
    }

    #[test]
    fn padding_repeats_in_front(text in "[a👍]{0,4}", width in -2_i64..12, with in "[bé]{0,3}") {
        let missing = (width - len(&text)).max(0) as usize;
        let filling: Vec<char> = characters(&with).into_iter().cycle().take(missing).collect();
        prop_assert_eq!(pad_start(&text, width, &with).ok(), Some(Text::from(format!("{}{text}", text_of(&filling)))));
    }

    #[test]
    fn splitting_by_nothing_gives_characters(text in "\\PC{0,6}") {
        let parts: Vec<String> = split(&text, "").map(|part| part.to_string()).collect();
        prop_assert_eq!(parts, characters(&text).into_iter().map(String::from).collect::<Vec<_>>());
    }

    #[test]
    fn a_search_finds_text_in_any_case(text in "[aAbBéÉß ]{0,8}", sought in "[aAbBéÉß ]{0,3}") {
        let expected = sought.trim().is_empty() || text.to_lowercase().contains(&sought.trim().to_lowercase());
        prop_assert_eq!(Needle::new(&sought).is_none_or(|needle| needle.is_in(&text)), expected);
    }
}

#[test]
fn r30_lengths_count_characters_not_bytes() {
    for (text, expected) in [("", 0), ("abc", 3), ("äöü", 3), ("👍🏽", 2), ("e\u{301}", 2), ("שלום", 4)] {
        assert_eq!(len(text), expected, "{text}");
    }
    assert_eq!(&*slice("a👍b", 1, Some(2)), "👍");
    assert_eq!(len(&"é".repeat(10_000_000)), 10_000_000);
}

#[test]
fn case_knows_no_locale() {
    assert_eq!((&*lower("İI"), &*upper("ıßi")), ("i\u{307}i", "ISSI"));
    assert_eq!(&*trim(" \u{a0}\t a b \n"), "a b");
}

#[test]
fn numbers_in_text_have_the_grammar_of_json() {
    for (text, int, decimal) in [
        ("5", Some(5), Some("5")),
        ("5.0", Some(5), Some("5")),
        ("1e3", Some(1000), Some("1000")),
        ("-0", Some(0), Some("0")),
        ("12.50", None, Some("12.5")),
        ("9223372036854775808", None, Some("9223372036854775808")),
        ("1e400", None, None),
        (" 5", None, None),
        ("5 ", None, None),
        ("+5", None, None),
        ("05", None, None),
        ("1,000", None, None),
        ("٥", None, None),
        ("", None, None),
    ] {
        assert_eq!(to_int(text), int, "{text}");
        assert_eq!(to_decimal(text).map(|value| value.to_string()).as_deref(), decimal, "{text}");
    }
}

#[test]
fn no_method_makes_more_than_16_mebibytes() {
    let long = "a".repeat(1024 * 1024);
    let said = [
        replace(&long, "a", &"b".repeat(17)),
        replace(&long, "", &long),
        pad_start("x", i64::MAX, "ab"),
        pad_start("x", 8_000_000, "👍"),
        join([&long; 17], ""),
    ]
    .map(|result| result.unwrap_err().to_string());
    assert_eq!(said[0], "limit_exceeded: `replace` would make a text of more than 16 MiB");
    assert!(said.iter().all(|message| message.starts_with("limit_exceeded: ")));
    assert_eq!(replace(&long, "a", &"b".repeat(16)).map(|text| text.len()).ok(), Some(LONGEST));
    assert_eq!(pad_start("x", LONGEST as i64, "y").map(|text| text.len()).ok(), Some(LONGEST));
    assert_eq!(replace(&long, "aa", "").map(|text| text.len()).ok(), Some(0));
}
