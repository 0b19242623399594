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

/// A text in one case with single blanks, and the beginnings of its words in the order of what follows them, so that
/// finding a name does not take a walk through the text.
#[derive(Clone, Debug)]
pub(super) struct Words {
    text: String,
    sorted: Vec<usize>,
}

/// How many bytes behind the beginning of a word decide on its place in the order.
const WINDOW: usize = 64;

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let text = fold(text);
        let mut sorted = Vec::new();
        let mut inside = false;
        for (at, c) in text.char_indices() {
            if in_word(c) && !inside {
                sorted.push(at);
            }
            inside = in_word(c);
        }
        sorted.sort_by(|a, b| window(&text, *a).cmp(window(&text, *b)));
        Self { text, sorted }
    }

    /// Where a name stands, in no particular order.
    pub(super) fn occurrences(&self, name: &str, borders: Borders) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let name = fold(name);
        let first = name.find(in_word);
        let sought = first.map_or(&[][..], |at| window(&name, at));
        let begins = |at: usize| window(&self.text, at).iter().take(sought.len());
        let from = self.sorted.partition_point(|at| begins(*at).lt(sought));
        let same = self.sorted.get(from..).unwrap_or_default();
        let count = same.partition_point(|at| begins(*at).eq(sought));
        let by_word = same.get(..count).unwrap_or_default().iter().filter_map(move |at| at.checked_sub(first?));
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

fn window(text: &str, at: usize) -> &[u8] {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.get(..WINDOW).unwrap_or(rest)
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
