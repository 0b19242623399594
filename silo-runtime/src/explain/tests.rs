use super::*;
use crate::methods::answer::{AnswerText, Named};

fn equal(source: &str, value: &str, wanted: &str) -> Finding {
    Finding::equal(Part::new(source, value), Part::literal(wanted), value == wanted)
}

#[test]
fn a_failing_part_says_what_was_expected_and_a_passing_one_what_was_seen() {
    assert_eq!(equal("x", "1", "2").detail(), "`x` is 1, expected 2");
    assert_eq!(equal("x", "2", "2").detail(), "`x` is 2");
    let both = |x: &str| Finding::and(vec![equal("x", x, "2"), equal("y", "3", "3")]);
    assert_eq!(both("1").detail(), "`x` is 1, expected 2");
    assert_eq!(both("2").detail(), "`x` is 2; `y` is 3");
    let either = |x: &str| Finding::or(vec![equal("x", x, "2"), equal("y", "1", "3")]);
    assert_eq!(either("1").detail(), "`x` is 1, expected 2; `y` is 1, expected 3");
    assert_eq!(either("2").detail(), "`x` is 2");
}

#[test]
fn below_a_not_the_opposite_is_expected() {
    assert_eq!(equal("x", "2", "2").negated().detail(), "`x` is 2, expected anything but 2");
    assert_eq!(equal("x", "1", "2").negated().detail(), "`x` is 1, anything but 2");
    assert_eq!(equal("x", "1", "2").negated().negated().detail(), "`x` is 1, expected 2");
    let less = |holds| Finding::compared(Relation::Less, Part::new("x", "1"), Part::literal("2"), holds);
    assert_eq!(less(true).negated().detail(), "`x` is 1, expected at least 2");
    assert_eq!(Finding::held("o.open", true).negated().detail(), "`o.open` is true");
    assert_eq!(Finding::any("xs", 3, "A").negated().detail(), "A is one of 3 in `xs`, expected none");
    assert_eq!(Finding::none("xs", "x.open", 3, Vec::new()).negated().detail(), "none of 3 in `xs`");
    let all = Finding::all("xs", 3, None);
    assert_eq!(all.negated().detail(), "holds for all 3 of `xs`, expected one for which it does not");
    let broken = Finding::all("xs", 3, Some(("A".to_owned(), equal("x", "1", "2"))));
    assert_eq!(broken.negated().detail(), "A of 3 in `xs`: `x` is 1, anything but 2");
    let some = Finding::and(vec![equal("x", "2", "2"), equal("y", "3", "3")]);
    assert_eq!(some.negated().detail(), "`x` is 2, expected anything but 2; `y` is 3, expected anything but 3");
}

#[test]
fn any_tells_of_few_elements_each_and_of_many_what_none_fits() {
    let tried = |x: &str| (x.to_owned(), equal("x.state", "open", "done"));
    let few = Finding::none("xs", "x.state == \"done\"", 2, vec![tried("A"), tried("B")]);
    assert_eq!(
        few.detail(),
        "none of 2 in `xs`: A: `x.state` is open, expected done; B: `x.state` is open, expected done"
    );
    let many = Finding::none("xs", "x.state == \"done\"", 3, Vec::new());
    assert_eq!(many.detail(), "none of 3 in `xs` fits `x.state == \"done\"`");
    assert_eq!(Finding::none("xs", "x.open", 0, Vec::new()).detail(), "`xs` is empty");
}

#[test]
fn what_is_deeper_than_three_is_not_told() {
    let within = |finding| Finding::all("xs", 2, Some(("A".to_owned(), finding)));
    let three = within(within(within(equal("x", "1", "2"))));
    assert_eq!(three.detail(), "A of 2 in `xs`: A of 2 in `xs`: A of 2 in `xs`: `x` is 1, expected 2");
    let four = within(three);
    assert_eq!(four.detail(), "A of 2 in `xs`: A of 2 in `xs`: A of 2 in `xs`: does not hold");
}

#[test]
fn values_are_cut_and_nothing_in_them_is_hidden() {
    let long = equal("x", &"a".repeat(200), "b").detail();
    assert_eq!(long, format!("`x` is {}…, expected b", "a".repeat(59)));
    assert_eq!(equal("x", "a\u{202e}b", "b").detail(), "`x` is a\\u{202e}b, expected b");
}

#[test]
fn an_element_is_missed_in_what_was_there() {
    let list = || Part::new("theirs", "[JOB-01, JOB-02]");
    let item = || Part::new("j", "JOB-03");
    assert_eq!(
        Finding::contains(item(), list(), false).detail(),
        "`j` is JOB-03, which is not in `theirs`: [JOB-01, JOB-02]"
    );
    assert_eq!(Finding::contains(item(), list(), true).detail(), "`j` is JOB-03, which is in `theirs`");
    assert_eq!(Finding::contains(Part::literal("3"), list(), false).detail(), "3 is not in `theirs`: [JOB-01, JOB-02]");
}

const ADA: Named<'static> = Named { key: "USR-1", label: Some("Ada") };
const BOB: Named<'static> = Named { key: "USR-2", label: Some("Bob") };
const CYD: Named<'static> = Named { key: "USR-3", label: None };

/// What is said of an answer by each of its methods.
fn said(text: &str) -> String {
    let answer = AnswerText::new(text);
    let wanted = || Part::new("load", "11");
    let tolerance = AnswerText::default_tolerance();
    let wide = Finding::states(&answer, &Part::literal("11"), 11.into(), 2.into());
    let number = answer.number() == Some(11.into());
    let findings = [
        Finding::states(&answer, &wanted(), 11.into(), tolerance),
        wide,
        Finding::number(&answer, Relation::Equal, wanted(), number),
        Finding::mentions(&answer, "hours"),
        Finding::names(&answer, ADA),
        Finding::names_only(&answer, [ADA, CYD], [ADA, BOB, CYD, BOB]),
        Finding::names_only(&answer, [], [ADA, BOB, CYD]),
    ];
    let lines = findings.iter().map(|finding| {
        let mark = if finding.holds() { "✓" } else { "✗" };
        format!("  {mark} {}\n", finding.detail())
    });
    format!("{text:?}\n{}", lines.collect::<String>())
}

#[test]
fn answers_in_words_are_held_against_what_they_should_say() {
    let answers = [
        "",
        " \n",
        "I do not know.",
        "Ada and USR-3 work 11 hours",
        "12",
        "Bob has 3 jobs, 8 hours of work",
        "Ada, Bob: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12",
        "A long answer\nthat goes on \u{202e} and on, \"quoting\" this and that, and never comes to its end",
    ];
    insta::assert_snapshot!(answers.map(said).join("\n"));
}
