//! What can be wrong below the level of the grammar.

use super::{Unclosed, too_deep};
use crate::diagnostics::{Diagnostic, FileId, Span, codes};

/// Something wrong, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) struct Fault {
    pub(in crate::syntax) kind: FaultKind,
    pub(in crate::syntax) start: u32,
    pub(in crate::syntax) end: u32,
}

/// What formats there are.
pub(in crate::syntax) const FORMATS: &str =
    "the formats are `:,` (groups of thousands), `:.2` (digits behind the point) and `:,.2` (both)";

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) enum FaultKind {
    /// A `"` string that its line ends; the fault is at its opening quote.
    OpenText {
        /// The end of the line.
        line_end: u32,
    },
    /// A `"""` string without end; the fault is at its opening quotes.
    OpenTriple {
        /// Where it was taken to end.
        until: u32,
    },
    /// The hole of a `"` string that its line ends; the fault is at its brace.
    OpenHole {
        /// The end of the line.
        line_end: u32,
    },
    /// A backslash and what follows it.
    Escape,
    /// A single `}` in a string.
    LoneBrace,
    /// A string in `'` or `` ` ``; the fault is the whole string, or the quote if the line has no other one.
    ForeignQuote {
        /// True if the string ends on its line.
        closed: bool,
    },
    /// A word with letters of other alphabets.
    Letters,
    /// A character that means nothing.
    Stray(char),
    /// A number with letters or a point at its end.
    Number,
    /// `@` and what follows.
    Date,
    /// A bracket that nests too deep.
    TooDeep,
    /// A bracket that is never closed.
    Unclosed(Unclosed),
    /// A closing bracket that nothing opened.
    Unmatched,
}

impl FaultKind {
    /// True if it is about brackets: what the parser says of the same item may be better.
    pub(in crate::syntax) fn is_bracket(self) -> bool {
        matches!(self, Self::Unclosed(_) | Self::Unmatched)
    }

    /// True if a string was torn: what follows it in its item means little.
    pub(in crate::syntax) fn is_torn(self) -> bool {
        matches!(self, Self::OpenText { .. } | Self::OpenTriple { .. } | Self::OpenHole { .. })
    }
}

impl Fault {
    /// The diagnostic of the fault.
    pub(in crate::syntax) fn diagnostic(self, file: FileId, text: &str) -> Diagnostic {
        let span = Span::new(file, self.start, self.end);
        let found = text.get(span.range()).unwrap_or_default();
        match self.kind {
            FaultKind::OpenText { line_end } => open_text(span, line_end),
            FaultKind::OpenTriple { until } => {
                Diagnostic::error(codes::syntax::OPEN_TEXT, span, "expected `\"\"\"` to end this text, found none")
                    .label("this text is never closed")
                    .also(Span::new(file, until, until), "it would run up to here")
                    .help("write `\"\"\"` on a line of its own after the text")
            }
            FaultKind::OpenHole { line_end } => Diagnostic::error(
                codes::syntax::OPEN_TEXT,
                span,
                "expected `}` to end this hole of the string, found the end of the line",
            )
            .label("this brace is never closed")
            .also(Span::new(file, line_end, line_end), "the line ends here")
            .help("close the hole with `}`, or write `{{` for a brace in the text"),
            FaultKind::Escape => escape(span, text),
            FaultKind::LoneBrace => Diagnostic::error(
                codes::syntax::LONE_BRACE,
                span,
                "expected `}}` for a brace in a string, found a single `}`",
            )
            .label("closes no hole")
            .help("write `}}` for a brace, or `{` where the hole begins")
            .fix("double the brace", span, "}}"),
            FaultKind::ForeignQuote { closed } => foreign_quote(span, found, closed),
            FaultKind::Letters => Diagnostic::error(
                codes::syntax::STRAY,
                span,
                format!("expected a name in the letters `a` to `z`, found `{}`", cut(found)),
            )
            .label("has letters that names cannot have")
            .help("names are written in the letters `a` to `z`, digits and `_`; any text may stand in strings and comments"),
            FaultKind::Stray(character) => stray(span, character),
            FaultKind::Number if is_format(text, self.start) => format_letters(span, found),
            FaultKind::Number => Diagnostic::error(
                codes::syntax::NUMBER,
                span,
                format!("expected a number such as `1_000` or `0.5`, found `{}`", cut(found)),
            )
            .label("not a number")
            .help("numbers are written in decimal digits, without exponent or suffix, with digits on both sides of the point"),
            FaultKind::Date => Diagnostic::error(
                codes::syntax::DATE,
                span,
                format!(
                    "expected a date such as `@2026-03-31` or `@2026-03-31T09:00:00Z`, found `{}`",
                    cut(found)
                ),
            )
            .label("not a date")
            .help("write four digits for the year and two for month, day, hour and minute, and `Z` after a time"),
            FaultKind::TooDeep => too_deep(span),
            FaultKind::Unclosed(unclosed) => unclosed_bracket(file, unclosed),
            FaultKind::Unmatched => Diagnostic::error(
                codes::syntax::BRACKET,
                span,
                format!("expected an opening bracket before `{found}`, found none"),
            )
            .label("closes nothing")
            .help("remove it, or open the bracket that it should close"),
        }
    }
}

fn open_text(span: Span, line_end: u32) -> Diagnostic {
    Diagnostic::error(codes::syntax::OPEN_TEXT, span, "expected `\"` to end this string, found the end of the line")
        .label("this string is never closed")
        .also(Span::new(span.file, line_end, line_end), "the line ends here")
        .help("write `\"` where the string ends; text of several lines stands between `\"\"\"`")
}

/// True if a number at `start` is that of a format: `:.2`, `:,.2`.
fn is_format(text: &str, start: u32) -> bool {
    text.get(..start as usize).is_some_and(|before| before.ends_with(":.") || before.ends_with(":,."))
}

/// `"{x:.2f}"`.
fn format_letters(span: Span, found: &str) -> Diagnostic {
    let digits = found.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    Diagnostic::error(codes::syntax::NUMBER, span, format!("expected the digits of a format, found `{}`", cut(found)))
        .label("formats have no letters")
        .help(FORMATS)
        .fix("leave the letters out", span, digits)
}

fn escape(span: Span, text: &str) -> Diagnostic {
    let found = text.get(span.range()).unwrap_or_default();
    let code = text.get(span.start as usize..).and_then(|rest| rest.strip_prefix("\\u{"));
    let code = code.and_then(|rest| rest.split_once('}')).map(|(code, _)| code);
    let is_code = |code: &&str| matches!(code.len(), 1..=6) && code.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(code) = code.filter(is_code) {
        let message = format!("expected the code of a character, found `\\u{{{code}}}`");
        return Diagnostic::error(codes::syntax::ESCAPE, span, message)
            .label("no character has this code")
            .help("write the character itself, or its code: `10FFFF` at most, and none from `D800` to `DFFF`");
    }
    Diagnostic::error(codes::syntax::ESCAPE, span, format!("expected an escape such as `\\n`, found `{found}`"))
        .label("no escape of the language")
        .help("the escapes are `\\n`, `\\t`, `\\r`, `\\\"`, `\\\\` and `\\u{1F600}`; write `\\\\` for a backslash")
}

fn foreign_quote(span: Span, found: &str, closed: bool) -> Diagnostic {
    let quote = found.chars().next().unwrap_or('\'');
    let kind = if quote == '`' { "backticks" } else { "single quotes" };
    let diagnostic = Diagnostic::error(
        codes::syntax::QUOTE,
        span,
        format!("expected a string in double quotes, found one in {kind}"),
    )
    .label("write `\"…\"`");
    let inner = found.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    match inner {
        Some(inner) if closed && !inner.contains(['\\', '{', '}']) => {
            let inner = inner.replace('"', "\\\"");
            diagnostic.fix("write the string in double quotes", span, format!("\"{inner}\""))
        }
        _ => diagnostic.help("in a string, `\\\"` stands for a double quote and `{name}` for a value"),
    }
}

fn stray(span: Span, character: char) -> Diagnostic {
    let code = u32::from(character);
    let diagnostic =
        |what: String| Diagnostic::error(codes::syntax::STRAY, span, format!("expected source text, found {what}"));
    match character {
        '\u{feff}' => diagnostic("the invisible character U+FEFF (a byte order mark)".to_owned())
            .label("an invisible character stands here")
            .help("remove it: a byte order mark may stand only at the very start of a file")
            .fix("remove it", span, ""),
        '\0' => diagnostic("the character U+0000".to_owned())
            .label("a zero byte stands here")
            .help("save the file as UTF-8 text"),
        '“' | '”' | '„' | '‘' | '’' => diagnostic(format!("the typographic quote `{character}`"))
            .label("write `\"`")
            .help("strings stand in straight double quotes"),
        '#' => diagnostic("`#`".to_owned()).label("no sign of the language").help("comments begin with `//`"),
        _ if character.is_control() || is_invisible(character) => {
            diagnostic(format!("the invisible character U+{code:04X}")).label("an invisible character stands here").fix(
                if is_blank(character) { "write a space" } else { "remove it" },
                span,
                if is_blank(character) { " " } else { "" },
            )
        }
        _ => diagnostic(format!("`{character}`")).label("no sign of the language"),
    }
}

/// Characters that show nothing or turn the direction of the text, and blanks that look like a space.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}')
}

/// Blanks that look like a space and part words as one does.
fn is_blank(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

fn unclosed_bracket(file: FileId, unclosed: Unclosed) -> Diagnostic {
    let closer = unclosed.bracket.closer();
    let opener = unclosed.bracket.opener();
    let missing = Span::new(file, unclosed.missing_at, unclosed.missing_at);
    Diagnostic::error(
        codes::syntax::BRACKET,
        Span::new(file, unclosed.at, unclosed.at + 1),
        format!("expected `{closer}` to close this `{opener}`, found none"),
    )
    .label("this bracket is never closed")
    .also(
        missing,
        if unclosed.by_indent {
            format!("by the indentation, `{closer}` is missing here")
        } else {
            format!("`{closer}` is missing here at the latest")
        },
    )
}

/// A text for a message: at most 40 characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
