//! Text: immutable, shared, cheap to clone.

use std::sync::Arc;

/// A piece of text. Cloning shares the bytes.
pub type Text = Arc<str>;

/// Cuts a text to at most `limit` Unicode scalar values, marking a cut with `…` (which counts).
///
/// Combining marks and joined emoji are not split from what they belong to where that is easy to see: the cut never
/// falls before a combining mark, a variation selector, a skin tone or a zero-width joiner, nor after a joiner.
///
/// ```
/// use silo_runtime::value::text::shorten;
/// assert_eq!(shorten("a short one", 20), "a short one");
/// assert_eq!(shorten("Northwind Traders", 10), "Northwind…");
/// ```
pub fn shorten(text: &str, limit: usize) -> String {
    // More bytes than four a character cannot be short enough, so that long texts are not walked to their end.
    if text.len() <= limit || (text.len() <= limit.saturating_mul(4) && text.chars().count() <= limit) {
        return text.to_owned();
    }
    let kept: Vec<char> = text.chars().take(limit).collect();
    let mut end = limit.saturating_sub(1);
    while end > 0 {
        let next = kept.get(end).copied().unwrap_or(' ');
        let last = kept.get(end - 1).copied().unwrap_or(' ');
        if !continues(next) && last != JOINER {
            break;
        }
        end -= 1;
    }
    // A pile of combining marks longer than the limit is cut where the limit falls.
    if end == 0 {
        end = limit.saturating_sub(1);
    }
    let mut short: String = kept.into_iter().take(end).collect();
    if limit > 0 {
        short.push('…');
    }
    short
}

/// A text with what cannot be seen made visible: control characters, marks of direction, invisible blanks and joiners are
/// written as in Rust, `\\n` or `\\u{202e}`. For messages and terminals; everything else stays as it is.
///
/// ```
/// use silo_runtime::value::text::visible;
/// assert_eq!(visible("it's \"ö\"\n\u{202e}"), "it's \"ö\"\\n\\u{202e}");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
        if c.is_control() || hidden {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

const JOINER: char = '\u{200d}';

/// Whether a character belongs to the one before it.
pub(crate) fn continues(c: char) -> bool {
    matches!(c,
        JOINER
        | '\u{0300}'..='\u{036f}'
        | '\u{0483}'..='\u{0489}'
        | '\u{0591}'..='\u{05bd}'
        | '\u{064b}'..='\u{065f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}'
        | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays_as_it_is() {
        assert_eq!(shorten("", 0), "");
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("äöü", 3), "äöü");
    }

    #[test]
    fn a_cut_counts_its_mark() {
        assert_eq!(shorten("abcd", 3), "ab…");
        assert_eq!(shorten("abcd", 1), "…");
        assert_eq!(shorten("abcd", 0), "");
    }

    #[test]
    fn pc16_a_cut_never_splits_an_emoji_or_an_accent() {
        assert_eq!(shorten("abe\u{301}fgh", 4), "ab…", "the accent stays with its letter");
        assert_eq!(shorten("a👩\u{200d}👩\u{200d}👧 family", 4), "a…", "a joined family is one picture");
        assert_eq!(shorten("a👍\u{1f3fd} thumb", 3), "a…", "the skin tone stays with the hand");
        assert_eq!(shorten("𠀀𠀁𠀂𠀃", 3), "𠀀𠀁…", "beyond the basic plane");
        assert_eq!(shorten("👍👍👍👍", 3), "👍👍…");
    }

    #[test]
    fn a_pile_of_marks_is_cut_all_the_same() {
        let pile = format!("a{}", "\u{301}".repeat(1000));
        assert_eq!(shorten(&pile, 5).chars().count(), 5);
    }
}
