//! What is known of a file before it is parsed.
//!
//! One pass over the text, whatever the text is, finds the tokens, the comments and documentation, the borders of the
//! items, and everything that is wrong below the level of the grammar: strings and brackets that are never closed,
//! nesting that is too deep, characters that mean nothing. It needs no stack and time in proportion to the text.
//!
//! Parsing relies on it: nothing that nests deeper than [`MAX_DEPTH`](super::tree::MAX_DEPTH) reaches the parser, and
//! an item that cannot be parsed ends where the next one begins.

mod borders;
mod brackets;
mod decode;
mod faults;
mod lexer;
mod text;
mod trivia;

pub(super) use borders::Region;
pub(super) use brackets::{Bracket, Unclosed};
pub use decode::decode;
pub(super) use faults::{FORMATS, Fault, FaultKind};
pub(super) use trivia::{DocComment, RawComment};

use super::tree::MAX_DEPTH;
use crate::diagnostics::{Diagnostic, FileId, Span, codes};

/// How many bytes a source file may have.
pub const MAX_SOURCE: usize = 4 << 20;

/// The smallest piece of source that means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    /// The bytes of the token as a range of indices.
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A date or a point in time.
    Date,
    /// A string without holes.
    Text,
    /// A string up to and with the brace of its first hole.
    TextStart,
    /// A string from one hole to the next, both braces included.
    TextMiddle,
    /// A string from its last hole on, with the brace.
    TextEnd,
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// Any other sign, one of the language's or of another one's.
    Sign,
    /// What means nothing; it has a fault.
    Stray,
}

/// What the pass found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The tokens, in order.
    pub(super) tokens: Vec<Token>,
    /// The documentation lines, in order.
    pub(super) docs: Vec<DocComment>,
    /// The other comments, in order.
    pub(super) comments: Vec<RawComment>,
    /// The start of each blank line.
    pub(super) blank_lines: Vec<u32>,
    /// The stretches of the file that hold one item each, in order.
    pub(super) regions: Vec<Region>,
    /// What is wrong, in the order in which it was noticed.
    pub(super) faults: Vec<Fault>,
    /// True if some `"""` text holds a line that looks like the head of an item: a sign that quotes are missing.
    pub(super) suspicious_text: bool,
}

impl Scan {
    /// Looks at a whole file. With `recover`, `"""` text ends where a line looks like the head of an item.
    pub(super) fn of(text: &str, recover: bool) -> Self {
        lexer::Lexer::new(text, recover).run()
    }

    /// The last token that ends at or before `offset`.
    pub(super) fn token_before(&self, offset: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| token.end <= offset);
        index.checked_sub(1).and_then(|index| self.tokens.get(index)).copied()
    }

    /// The first token that ends after `offset`.
    pub(super) fn token_at(&self, offset: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| token.end <= offset);
        self.tokens.get(index).copied()
    }

    /// The token that follows the one that begins at `start`.
    pub(super) fn token_after(&self, start: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| token.start <= start);
        self.tokens.get(index).copied()
    }
}

/// The diagnostic for a file that is too large to read, if it is.
pub(super) fn check_size(file: FileId, text: &str) -> Option<Diagnostic> {
    (text.len() > MAX_SOURCE).then(|| {
        let megabytes = MAX_SOURCE >> 20;
        Diagnostic::error(
            codes::syntax::TOO_LARGE,
            Span::new(file, 0, 0),
            format!("expected a source file of at most {megabytes} MiB, found {} bytes", text.len()),
        )
        .help("move data into a data file and read it with `from`, or split the file and join the parts with `use`")
    })
}

/// The diagnostic for nesting that is too deep.
fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::syntax::TOO_DEEP,
        span,
        format!("expected brackets that nest at most {MAX_DEPTH} deep, found one more"),
    )
    .label("nested too deep")
    .help("give the inner parts names with `let`, or move them into a function")
}
