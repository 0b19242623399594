//! Finding names in a text as whole words.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::value::text::continues;

/// What may not stand beside a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Borders {
    /// A letter or digit.
    Words,
    /// A letter or digit, also behind a hyphen or underscore.
    Joined,
}

/// A text in one case with single blanks, and its words in alphabetical order, so that finding a name does not take a walk
/// through the text.
#[derive(Clone, Debug)]
pub(super) struct Words {
    text: String,
    sorted: Vec<Range<usize>>,
}

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let text = fold(text);
        let mut sorted = Vec::new();
        let mut start = None;
        for (at, c) in text.char_indices() {
            match (in_word(c), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    sorted.push(from..at);
                    start = None;
                }
                _ => {}
            }
        }
        sorted.extend(start.map(|from| from..text.len()));
        sorted.sort_by(|a, b| text.get(a.clone()).cmp(&text.get(b.clone())));
        Self { text, sorted }
    }

    /// Where a name stands, in no particular order.
    pub(super) fn occurrences(&self, name: &str, borders: Borders) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let name = fold(name);
        let first = name.find(in_word);
        let word_length = first.map_or(0, |at| {
            name.get(at..).unwrap_or_default().chars().take_while(|c| in_word(*c)).map(char::len_utf8).sum()
        });
        let word = first.and_then(|at| name.get(at..at + word_length)).unwrap_or_default();
        let from = self.sorted.partition_point(|range| self.text.get(range.clone()) < Some(word));
        let same = self.sorted.get(from..).unwrap_or_default();
        let count =
            if first.is_some() { same.partition_point(|range| self.text.get(range.clone()) <= Some(word)) } else { 0 };
        let by_word =
            same.get(..count).unwrap_or_default().iter().filter_map(move |range| range.start.checked_sub(first?));
        // A name without letters or digits is looked for as it is.
        let plain: Vec<usize> = match first {
            None if !name.is_empty() => self.text.match_indices(&name).map(|(at, _)| at).collect(),
            _ => Vec::new(),
        };
        by_word.chain(plain).filter_map(move |start| {
            let end = start + name.len();
            (self.text.get(start..end) == Some(&*name) && self.is_bordered(start, end, borders)).then_some(start..end)
        })
    }

    /// Those of the names that stand in the text other than as part of a longer one of them.
    pub(super) fn standing<'a>(&self, names: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let mut found: Vec<(Range<usize>, &'a str)> = Vec::new();
        for name in names {
            found.extend(self.occurrences(name, Borders::Joined).map(|place| (place, *name)));
        }
        found.sort_by_key(|(place, _)| (place.start, usize::MAX - place.end));
        let mut widest = 0..0;
        let mut standing = BTreeSet::new();
        for (place, name) in found {
            if place.end > widest.end {
                widest = place.clone();
            }
            if place == widest {
                standing.insert(name);
            }
        }
        standing
    }

    fn is_bordered(&self, start: usize, end: usize, borders: Borders) -> bool {
        let before = self.text.get(..start).unwrap_or_default().chars().next_back();
        let after = self.text.get(end..).unwrap_or_default().chars().next();
        let free = |near: Option<char>, mut far: Box<dyn Iterator<Item = char> + '_>| match near {
            Some(c) if in_word(c) => false,
            Some('-' | '_') if borders == Borders::Joined => !far.nth(1).is_some_and(in_word),
            _ => true,
        };
        free(before, Box::new(self.text.get(..start).unwrap_or_default().chars().rev()))
            && free(after, Box::new(self.text.get(end..).unwrap_or_default().chars()))
    }
}

/// Lower case, and one blank for any white space; none at the ends.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&word.to_lowercase());
    }
    folded
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || continues(c)
}
