//! What was found of an answer in words: what it states, names and mentions, and what it should have.

use super::{Finding, Part, Relation, shown};
use crate::methods::answer::{AnswerText, MOST_NUMBERS, Named};
use crate::value::Decimal;
use crate::value::json::Json;

/// The most numbers or rows that are listed.
const LISTED: usize = 5;

impl Finding {
    /// `answer.states(number, tolerance)`. The part is the number as the check has it.
    ///
    /// ```
    /// use silo_runtime::explain::{Finding, Part};
    /// use silo_runtime::methods::answer::AnswerText;
    /// let answer = AnswerText::new("Ada has 3 jobs, 8 hours of work.");
    /// let found = Finding::states(&answer, &Part::literal("11"), 11.into(), AnswerText::default_tolerance());
    /// assert_eq!(found.detail(), "the answer states 3 and 8, expected 11");
    /// ```
    pub fn states(answer: &AnswerText, wanted: &Part, number: Decimal, tolerance: Decimal) -> Self {
        let mut expected = wanted.expected();
        if tolerance != AnswerText::default_tolerance() {
            expected = format!("{expected}, give or take {tolerance}");
        }
        if answer.states(number, tolerance) {
            return Self::of_answer(true, format!("the answer states {expected}"), "");
        }
        let numbers = answer.different_numbers();
        match numbers.as_slice() {
            [] => Self::without_numbers(answer, &expected),
            few if few.len() <= MOST_NUMBERS => {
                Self::of_answer(false, format!("the answer states {}", listed(few)), &format!(", expected {expected}"))
            }
            many => {
                let many = many.len();
                let found =
                    format!("the answer holds {many} different numbers, more than {MOST_NUMBERS}, and so states none");
                Self::of_answer(false, found, &format!("; expected {expected}"))
            }
        }
    }

    /// A comparison of `answer.number` with the other part.
    pub fn number(answer: &AnswerText, relation: Relation, wanted: Part, holds: bool) -> Self {
        if let Some(number) = answer.number() {
            return Self::compared(relation, Part::new("answer.number", &number.to_string()), wanted, holds);
        }
        if holds {
            return Self::compared(relation, Part::new("answer.number", "null"), wanted, true);
        }
        let expected = format!("{}{}", relation.expectation(), wanted.expected());
        let numbers = answer.different_numbers();
        if numbers.is_empty() {
            return Self::without_numbers(answer, &expected);
        }
        let found = format!("the answer holds {} different numbers, {}", numbers.len(), listed(&numbers));
        Self::of_answer(false, found, &format!("; expected {expected} alone"))
    }

    /// `answer.mentions(what)`.
    pub fn mentions(answer: &AnswerText, what: &str) -> Self {
        let holds = answer.mentions(what);
        let what = quoted(what);
        if holds {
            return Self::of_answer(true, format!("the answer mentions {what}"), "");
        }
        Self::missing(answer, &format!("mentions {what}"), &format!("does not mention {what}"))
    }

    /// `answer.names(row)`.
    pub fn names(answer: &AnswerText, row: Named<'_>) -> Self {
        let holds = answer.names(row.key, row.label);
        let row = called(&row);
        if holds {
            return Self::of_answer(true, format!("the answer names {row}"), "");
        }
        Self::missing(answer, &format!("names {row}"), &format!("does not name {row}"))
    }

    /// `answer.names_only(rows)`; `others` are the remaining rows of the entity, as for [`AnswerText::names_only`].
    pub fn names_only<'a>(
        answer: &AnswerText,
        rows: impl IntoIterator<Item = Named<'a>>,
        others: impl IntoIterator<Item = Named<'a>>,
    ) -> Self {
        let rows: Vec<Named<'a>> = rows.into_iter().collect();
        let found = answer.naming(rows.iter().copied(), others);
        let names = |rows: &[Named<'_>]| listed(&rows.iter().map(called).collect::<Vec<_>>());
        let start = format!(": {}", beginning(answer));
        match (found.missing.as_slice(), found.extra.as_slice()) {
            ([], []) if rows.is_empty() => Self::of_answer(true, "the answer names none".to_owned(), ""),
            ([], []) => Self::of_answer(true, format!("the answer names {} and no other", names(&rows)), ""),
            (lacking, []) => {
                let lacking = names(lacking);
                Self::missing(answer, &format!("names {lacking}"), &format!("does not name {lacking}"))
            }
            ([], extra) => Self::of_answer(false, format!("the answer names {} too", names(extra)), &start),
            (lacking, extra) => {
                let (lacking, extra) = (names(lacking), names(extra));
                Self::of_answer(false, format!("the answer does not name {lacking}, and names {extra} too"), &start)
            }
        }
    }

    fn without_numbers(answer: &AnswerText, expected: &str) -> Self {
        Self::missing(answer, &format!("states {expected}"), &format!("holds no number, expected {expected}"))
    }

    /// What an answer lacks; one that is not there at all is called so.
    fn missing(answer: &AnswerText, does: &str, lacks: &str) -> Self {
        if is_empty(answer) {
            Self::of_answer(false, "there is no answer".to_owned(), &format!(", expected one that {does}"))
        } else {
            Self::of_answer(false, format!("the answer {lacks}"), &format!(": {}", beginning(answer)))
        }
    }

    /// What was found of an answer, and what is added where that is not as it should be.
    fn of_answer(holds: bool, found: String, added: &str) -> Self {
        Self::said(holds, format!("{found}{added}"), found)
    }
}

fn is_empty(answer: &AnswerText) -> bool {
    answer.text().trim().is_empty()
}

/// The beginning of an answer, on one line.
fn beginning(answer: &AnswerText) -> String {
    // More than what is shown is not looked at.
    let start: String = answer.text().trim_start().chars().take(4 * super::VALUE).collect();
    let line: Vec<&str> = start.split_whitespace().collect();
    quoted(&line.join(" "))
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    shown(&Json::from(text).to_string())
}

/// A row as people know it: `USR-004 (Ilse Marquardt)`.
fn called(row: &Named<'_>) -> String {
    let key = shown(row.key);
    row.label.map_or(key.clone(), |label| format!("{key} ({})", shown(label)))
}

/// `1, 2 and 3`, or `1, 2, 3, 4, 5 and 7 more`.
fn listed<T: ToString>(items: &[T]) -> String {
    let mut told: Vec<String> = items.iter().take(LISTED).map(ToString::to_string).collect();
    let last = if items.len() > LISTED { Some(format!("{} more", items.len() - LISTED)) } else { told.pop() };
    match (told.is_empty(), last) {
        (true, last) => last.unwrap_or_default(),
        (false, last) => format!("{} and {}", told.join(", "), last.unwrap_or_default()),
    }
}
