//! Methods of text. Lengths and positions count Unicode scalar values; nothing depends on a locale.

use crate::value::decimal::{Decimal, Lexeme};
use crate::value::error::{ToolError, ToolResult};
use crate::value::text::Text;

/// The longest text a method makes, in bytes: 16 MiB.
pub const LONGEST: usize = 16 * 1024 * 1024;

/// `s.lower()`.
pub fn lower(text: &str) -> Text {
    text.to_lowercase().into()
}

/// `s.upper()`.
pub fn upper(text: &str) -> Text {
    text.to_uppercase().into()
}

/// `s.trim()`: without white space (as Unicode has it) at both ends.
pub fn trim(text: &str) -> Text {
    text.trim().into()
}

/// `s.len()`: Unicode scalar values.
pub fn len(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// `s.contains(part)`.
pub fn contains(text: &str, part: &str) -> bool {
    text.contains(part)
}

/// `s.starts_with(part)`.
pub fn starts_with(text: &str, part: &str) -> bool {
    text.starts_with(part)
}

/// `s.ends_with(part)`.
pub fn ends_with(text: &str, part: &str) -> bool {
    text.ends_with(part)
}

/// `s.replace(from, to)`: every place where `from` stands, from left to right; an empty `from` stands between all
/// characters and at both ends.
///
/// # Errors
/// `limit_exceeded`, if the result is longer than [`LONGEST`].
pub fn replace(text: &str, from: &str, to: &str) -> ToolResult<Text> {
    if to.len() > from.len() {
        let found = text.matches(from).count();
        let size = found.checked_mul(to.len() - from.len()).and_then(|more| more.checked_add(text.len()));
        check_size(size, "replace")?;
    }
    Ok(text.replace(from, to).into())
}

/// `s.split(separator)`: the parts between the separators, empty ones too; with an empty separator the characters.
///
/// ```
/// use silo_runtime::methods::text::split;
/// let parts: Vec<_> = split("a,,b", ",").collect();
/// assert_eq!(parts, ["a".into(), "".into(), "b".into()] as [std::sync::Arc<str>; 3]);
/// ```
pub fn split<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = Text> + 'a {
    let characters = separator.is_empty().then(|| text.char_indices());
    let parts = (!separator.is_empty()).then(|| text.split(separator));
    let character = |(at, c): (usize, char)| text.get(at..at + c.len_utf8()).unwrap_or_default();
    characters.into_iter().flatten().map(character).chain(parts.into_iter().flatten()).map(Text::from)
}

/// `s.slice(from, to?)`: the characters from position `from` up to, but not with, position `to`. Positions outside the
/// text are moved to its ends, a negative one to 0; nothing counts from the end.
pub fn slice(text: &str, from: i64, to: Option<i64>) -> Text {
    let from = usize::try_from(from.max(0)).unwrap_or(usize::MAX);
    let to = to.map_or(usize::MAX, |to| usize::try_from(to.max(0)).unwrap_or(usize::MAX));
    let start = byte_at(text, from);
    let rest = text.get(start..).unwrap_or_default();
    rest.get(..byte_at(rest, to.saturating_sub(from))).unwrap_or_default().into()
}

/// The byte at which a character begins; past the last one the end.
fn byte_at(text: &str, position: usize) -> usize {
    if position >= text.len() {
        return text.len();
    }
    text.char_indices().nth(position).map_or(text.len(), |(at, _)| at)
}

/// `s.pad_start(n, with)`: filled up to `n` characters by repeating `with` in front, cut where it does not come out even.
/// A text that is long enough, or nothing to fill with, leaves it as it is.
///
/// ```
/// # use silo_runtime::methods::text::pad_start;
/// assert_eq!(&*pad_start("7", 3, "0")?, "007");
/// assert_eq!(&*pad_start("7", 6, "ab")?, "ababa7");
/// # Ok::<(), silo_runtime::value::ToolError>(())
/// ```
///
/// # Errors
/// `limit_exceeded`, if the result is longer than [`LONGEST`].
pub fn pad_start(text: &str, width: i64, with: &str) -> ToolResult<Text> {
    let missing = width.saturating_sub(len(text));
    let Some(missing) = usize::try_from(missing).ok().filter(|missing| *missing > 0 && !with.is_empty()) else {
        return Ok(text.into());
    };
    // A character takes a byte at least, so that this cannot be too strict.
    check_size(missing.checked_add(text.len()), "pad_start")?;
    let mut padded: String = with.chars().cycle().take(missing).collect();
    check_size(padded.len().checked_add(text.len()), "pad_start")?;
    padded.push_str(text);
    Ok(padded.into())
}

/// `xs.join(separator)` over texts.
///
/// # Errors
/// `limit_exceeded`, if the result is longer than [`LONGEST`].
pub fn join<T: AsRef<str>>(parts: impl IntoIterator<Item = T>, separator: &str) -> ToolResult<Text> {
    let mut joined = String::new();
    for (index, part) in parts.into_iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(part.as_ref());
        check_size(Some(joined.len()), "join")?;
    }
    Ok(joined.into())
}

/// `s.to_int()`: the int that the text writes in the grammar of JSON numbers (`5`, `5.0`, `5e0`), without anything around
/// it; nothing if it is no such number, not whole, or does not fit.
pub fn to_int(text: &str) -> Option<i64> {
    Lexeme::read(text)?.to_int()
}

/// `s.to_decimal()`: the decimal that the text writes in the grammar of JSON numbers, without anything around it; nothing
/// if it is no such number or does not fit 28 digits.
pub fn to_decimal(text: &str) -> Option<Decimal> {
    Lexeme::read(text)?.to_decimal()
}

/// What a `search` looks for: the text trimmed, without regard to case.
///
/// ```
/// use silo_runtime::methods::text::Needle;
/// let needle = Needle::new(" north ").expect("there is something to look for");
/// assert!(needle.is_in("Northwind Traders"));
/// assert!(Needle::new("  ").is_none(), "a blank search keeps all");
/// ```
#[derive(Clone, Debug)]
pub struct Needle {
    lower: String,
}

impl Needle {
    /// `None` if the text is blank, so that everything is found.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self { lower: text.to_lowercase() })
    }

    /// Whether it stands in a text.
    pub fn is_in(&self, text: &str) -> bool {
        if text.is_ascii() && self.lower.is_ascii() {
            let needle = self.lower.as_bytes();
            return text.as_bytes().windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
        }
        text.to_lowercase().contains(&self.lower)
    }
}

fn check_size(size: Option<usize>, method: &str) -> ToolResult<()> {
    if size.is_some_and(|size| size <= LONGEST) {
        return Ok(());
    }
    Err(ToolError::limit_exceeded(format!("`{method}` would make a text of more than {} MiB", LONGEST / 1024 / 1024)))
}

#[cfg(test)]
mod tests;
