//! What an answer in words states, for verifiers.
//!
//! Presence is judged by whole words, without regard to case or to the kind and amount of white space. A text that lists
//! everything names too much for [`AnswerText::names_only`] and states too many numbers for [`AnswerText::states`].

mod numbers;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;

use words::{Borders, Words};

use crate::value::checked::Checked;
use crate::value::decimal::Decimal;
use crate::value::text::Text;

/// A text with more different numbers than this states none of them.
pub const MOST_NUMBERS: usize = 8;

/// The text of an answer, read once.
///
/// ```
/// use silo_runtime::methods::answer::AnswerText;
/// let answer = AnswerText::new("Moved 2 deals (OPP-005, OPP-006), worth $12,500.50, to Kofi Adjei.");
/// assert_eq!(answer.numbers().iter().map(ToString::to_string).collect::<Vec<_>>(), ["2", "12500.5"]);
/// assert!(answer.mentions("kofi adjei"));
/// assert!(!answer.mentions("Kofi Adj"));
/// assert!(answer.names("OPP-005", None));
/// ```
#[derive(Clone, Debug)]
pub struct AnswerText {
    text: Text,
    numbers: Vec<Decimal>,
    words: Words,
}

/// A row as an answer may name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named<'a> {
    /// The row's key.
    pub key: &'a str,
    /// The value of the field that the entity declares as its `label`, if it has one.
    pub label: Option<&'a str>,
}

/// Whom a text names of the rows that it should name, and of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming<'a> {
    /// The rows that it should name and does not.
    pub missing: Vec<Named<'a>>,
    /// The other rows that it names.
    pub extra: Vec<Named<'a>>,
}

impl Naming<'_> {
    /// Whether it names what it should and nothing else.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

impl AnswerText {
    /// How far a stated number may be off where the verifier does not say.
    pub fn default_tolerance() -> Decimal {
        Decimal::from_normal(1, 2)
    }

    /// Reads a text.
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), numbers: numbers::numbers(text), words: Words::new(text) }
    }

    /// `answer.text`.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// `answer.numbers`: the numbers in the text, in order. `$`, `,` between thousands and `%` are dropped. Digits inside
    /// words and ids (`Q3`, `USR-004`, `#12`), dates, times, versions, and digits with a leading zero are no numbers.
    pub fn numbers(&self) -> &[Decimal] {
        &self.numbers
    }

    /// `answer.number`: the number in the text, if all its numbers are the same one.
    pub fn number(&self) -> Option<Decimal> {
        let first = *self.numbers.first()?;
        self.numbers.iter().all(|number| *number == first).then_some(first)
    }

    /// The numbers in the text, each once, in order.
    pub fn different_numbers(&self) -> Vec<Decimal> {
        let mut seen = BTreeSet::new();
        self.numbers.iter().copied().filter(|number| seen.insert(*number)).collect()
    }

    /// `answer.states(n, tolerance)`: whether a number of the text is that close to `n`, and the text has at most eight
    /// different numbers.
    pub fn states(&self, number: Decimal, tolerance: Decimal) -> bool {
        let different: BTreeSet<&Decimal> = self.numbers.iter().collect();
        different.len() <= MOST_NUMBERS
            && different.into_iter().any(|stated| {
                // Numbers whose difference takes more digits than there are are not close.
                stated.minus(number).is_ok_and(|difference| difference.abs() <= tolerance)
            })
    }

    /// `answer.mentions(s)`: whether `s` stands in the text, in whatever case, not next to a letter or digit. Blank text is
    /// never mentioned.
    pub fn mentions(&self, what: &str) -> bool {
        self.words.occurrences(what, Borders::Words).next().is_some()
    }

    /// `answer.names(row)`: whether the row's key or its label stands in the text as a whole word; a word joined by a hyphen
    /// or underscore is not whole: `Anne` is not named by `Anne-Marie`, nor `PO-7` by `PO-7-L1`.
    pub fn names(&self, key: &str, label: Option<&str>) -> bool {
        let stands = |name: &str| self.words.occurrences(name, Borders::Joined).next().is_some();
        stands(key) || label.is_some_and(stands)
    }

    /// `answer.names_only(rows)`: whether the text names every one of `rows` and none of `others`, the remaining rows of the
    /// entity. Where a name is part of a longer one (`Acme` of `Acme North`), the longer one is meant. A label that a row
    /// and another share names the other too, unless the row's key stands in the text as well.
    pub fn names_only<'a>(
        &self,
        rows: impl IntoIterator<Item = Named<'a>>,
        others: impl IntoIterator<Item = Named<'a>>,
    ) -> bool {
        self.naming(rows, others).is_exact()
    }

    /// What [`names_only`](Self::names_only) is decided by: each row once, in the order given.
    pub fn naming<'a>(
        &self,
        rows: impl IntoIterator<Item = Named<'a>>,
        others: impl IntoIterator<Item = Named<'a>>,
    ) -> Naming<'a> {
        let rows: Vec<Named<'a>> = rows.into_iter().collect();
        let own: BTreeSet<&str> = rows.iter().map(|row| row.key).collect();
        let others: Vec<Named<'a>> = others.into_iter().filter(|other| !own.contains(other.key)).collect();
        let names: BTreeSet<&str> =
            rows.iter().chain(&others).flat_map(|row| [Some(row.key), row.label]).flatten().collect();
        let standing = self.words.standing(&names);
        let labelled = |row: &Named<'_>| row.label.is_some_and(|label| standing.contains(label));
        let excused: BTreeSet<&str> =
            rows.iter().filter(|row| standing.contains(row.key)).filter_map(|row| row.label).collect();
        let (mut asked, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let missing = rows.iter().filter(|row| !standing.contains(row.key) && !labelled(row));
        let extra = others.iter().filter(|other| {
            let by_label = labelled(other) && !other.label.is_some_and(|label| excused.contains(label));
            standing.contains(other.key) || by_label
        });
        Naming {
            missing: missing.filter(|row| asked.insert(row.key)).copied().collect(),
            extra: extra.filter(|row| seen.insert(row.key)).copied().collect(),
        }
    }
}
