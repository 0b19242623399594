//! Where items begin.

use crate::syntax::tree::ItemWord;

/// A stretch of a file that holds one item, or something at the left margin that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) struct Region {
    /// The start of its first token.
    pub(in crate::syntax) start: u32,
    /// The end of its last token.
    pub(in crate::syntax) end: u32,
    /// The word it begins with, if that begins an item.
    pub(in crate::syntax) word: Option<ItemWord>,
}

/// Words that begin what other languages have at the left margin.
const FOREIGN: [&str; 14] = [
    "def",
    "function",
    "func",
    "class",
    "struct",
    "interface",
    "type",
    "import",
    "export",
    "async",
    "let",
    "var",
    "test",
    "module",
];

/// True if the line that begins with `word`, followed by `rest`, begins an item: the word of an item, blanks, and a
/// name, a quote or a brace. A field at the left margin is followed by a colon.
pub(super) fn begins_item(word: &str, rest: &str) -> bool {
    if ItemWord::find(word).is_none() && !FOREIGN.contains(&word) {
        return false;
    }
    let after = rest.trim_start_matches([' ', '\t']);
    match after.bytes().next() {
        Some(b'"' | b'{') => true,
        Some(byte) if byte.is_ascii_alphabetic() => after.len() < rest.len() && !begins_with_operator(after),
        _ => false,
    }
}

/// True if a word at the left margin, after a closing brace that closed everything, begins something new: it goes on
/// with nothing.
pub(super) fn begins_anew(word: &str) -> bool {
    !begins_with_operator(word)
}

fn begins_with_operator(text: &str) -> bool {
    let end = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    matches!(text.get(..end), Some("and" | "or" | "not" | "in" | "div" | "else" | "by"))
}

/// True if a line of text looks so much like the head of an item that it will hardly be prose: `tool f(`, `task "`.
pub(super) fn is_head(line: &str) -> bool {
    let word = leading_word(line);
    let rest = line.get(word.len()..).unwrap_or_default();
    let after = rest.trim_start_matches([' ', '\t']);
    let name = leading_word(after);
    let behind = after.get(name.len()..).unwrap_or_default().trim_start_matches([' ', '\t']);
    match ItemWord::find(word) {
        Some(ItemWord::Use | ItemWord::Invariant | ItemWord::Task) => after.starts_with('"'),
        Some(ItemWord::State) => after.starts_with('{'),
        Some(ItemWord::Fn | ItemWord::Action | ItemWord::Tool | ItemWord::Verifier) => {
            !name.is_empty() && behind.starts_with('(')
        }
        Some(ItemWord::Environment | ItemWord::Enum | ItemWord::Record | ItemWord::Entity) => {
            !name.is_empty() && behind.starts_with('{')
        }
        Some(ItemWord::Const) => !name.is_empty() && behind.starts_with(':'),
        Some(ItemWord::Rule) => !name.is_empty() && behind.starts_with("on "),
        None => false,
    }
}

fn leading_word(text: &str) -> &str {
    let end = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    text.get(..end).unwrap_or_default()
}
