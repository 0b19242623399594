//! The one pass over the text.

use super::borders::{Region, begins_anew, begins_item};
use super::brackets::{Bracket, Brackets, Closing, Opener};
use super::{DocComment, Fault, FaultKind, RawComment, Scan, Token, TokenKind};
use crate::syntax::tree::{ItemWord, MAX_DEPTH};

/// Faults kept of one item: more would only repeat the first ones.
const MAX_FAULTS: usize = 20;

/// Signs of more than one character, the longer ones first. Those of other languages are here too: a message about
/// `===` should not speak of `==`.
const SIGNS: [&str; 28] = [
    "...", "===", "!==", "**=", "??=", "||=", "&&=", "==", "!=", "<=", ">=", "=>", "->", "?.", "??", "||", "&&", "++",
    "--", "+=", "-=", "*=", "/=", "%=", "::", ":=", "**", "..",
];

pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) recover: bool,
    pub(super) pos: usize,
    pub(super) line_start: usize,
    /// True once a token, a comment or documentation stands on the current line.
    pub(super) line_used: bool,
    /// True once a token stands on the current line.
    pub(super) line_has_token: bool,
    pub(super) indent: u32,
    pub(super) brackets: Brackets,
    /// How many `list<`, `map<`, `table<` are open.
    pub(super) angles: u32,
    region: Option<OpenRegion>,
    /// Documentation lines that wait for the token behind them.
    waiting_docs: usize,
    /// The end of the last token that is not a comma.
    after: u32,
    pub(super) scan: Scan,
}

struct OpenRegion {
    start: u32,
    word: Option<ItemWord>,
    faults: usize,
    has_bracket_fault: bool,
    has_letters: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, recover: bool) -> Self {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            bytes: text.as_bytes(),
            recover,
            pos: start,
            line_start: start,
            line_used: false,
            line_has_token: false,
            indent: 0,
            brackets: Brackets::default(),
            angles: 0,
            region: None,
            waiting_docs: 0,
            after: 0,
            scan: Scan::default(),
        }
    }

    pub(super) fn run(mut self) -> Scan {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' => self.pos += 1,
                b'\n' | b'\r' => self.newline(),
                b'/' if self.peek(1) == Some(b'/') => self.comment(),
                _ => self.token(byte),
            }
        }
        self.leave_line_holes();
        self.end_region();
        self.release_docs(offset(self.bytes.len()));
        self.scan
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.pos + ahead).copied()
    }

    pub(super) fn starts_with(&self, sign: &str) -> bool {
        self.bytes.get(self.pos..).is_some_and(|rest| rest.starts_with(sign.as_bytes()))
    }

    pub(super) fn here(&self) -> u32 {
        offset(self.pos)
    }

    fn last_end(&self) -> u32 {
        self.scan.tokens.last().map_or(0, |token| token.end)
    }

    /// The end of the current line, its line end left out.
    pub(super) fn line_end(&self) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        self.pos + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
    }

    /// Skips a line end: LF, CRLF or CR.
    fn newline(&mut self) {
        self.leave_line_holes();
        if !self.line_used {
            self.scan.blank_lines.push(offset(self.line_start));
        }
        self.pos += if self.starts_with("\r\n") { 2 } else { 1 };
        self.begin_line();
    }

    /// Ends the holes of strings that their line ends.
    fn leave_line_holes(&mut self) {
        if let Some(hole) = self.brackets.leave_line() {
            let line_end = self.here();
            self.fault(FaultKind::OpenHole { line_end }, hole.at, hole.at + 1);
        }
    }

    pub(super) fn begin_line(&mut self) {
        self.line_start = self.pos;
        self.line_used = false;
        self.line_has_token = false;
    }

    fn comment(&mut self) {
        let (start, end) = (self.pos, self.line_end());
        let is_doc = self.peek(2) == Some(b'/') && self.peek(3) != Some(b'/');
        let (start, end_offset, trailing) = (offset(start), offset(end), self.line_has_token);
        if is_doc {
            self.scan.docs.push(DocComment { start, end: end_offset, after: self.after, before: end_offset, trailing });
            self.waiting_docs += 1;
        } else {
            self.scan.comments.push(RawComment { start, end: end_offset, trailing });
        }
        self.line_used = true;
        self.pos = end;
    }

    /// Tells the documentation that waits for a token where that token begins.
    fn release_docs(&mut self, before: u32) {
        let first = self.scan.docs.len().saturating_sub(self.waiting_docs);
        for doc in self.scan.docs.iter_mut().skip(first) {
            doc.before = before;
        }
        self.waiting_docs = 0;
    }

    fn token(&mut self, byte: u8) {
        let start = self.here();
        self.release_docs(start);
        self.open_line(byte);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'@' => self.date(),
            b'"' => self.text_start(),
            b'\'' | b'`' => self.foreign_quote(byte),
            b'(' => self.open(Bracket::Round),
            b'[' => self.open(Bracket::Square),
            b'{' => self.open(Bracket::Curly),
            b')' => self.close(Bracket::Round),
            b']' => self.close(Bracket::Square),
            b'}' => self.close(Bracket::Curly),
            _ => self.sign(byte),
        }
    }

    /// What the first token of a line tells: the indentation, and whether an item begins.
    fn open_line(&mut self, byte: u8) {
        let first = !self.line_has_token;
        self.line_used = true;
        self.line_has_token = true;
        if first {
            self.indent = offset(self.pos - self.line_start);
        }
        if first && self.pos == self.line_start && byte.is_ascii_alphabetic() {
            let length = word_length(self.bytes.get(self.pos..).unwrap_or_default());
            let word = self.text.get(self.pos..self.pos + length).unwrap_or_default();
            let rest = self.text.get(self.pos + length..self.line_end()).unwrap_or_default();
            let closed = self.scan.tokens.last().is_some_and(|token| token.kind == TokenKind::Close(Bracket::Curly));
            // Nothing ends inside brackets where a local is declared: the line is only not indented.
            let local = matches!(word, "let" | "var") && self.brackets.depth() > 0;
            if (begins_item(word, rest) && !local) || (closed && self.brackets.depth() == 0 && begins_anew(word)) {
                self.end_region();
                self.begin_region(ItemWord::find(word));
            }
        }
        if self.region.is_none() {
            self.begin_region(None);
        }
        if first {
            let last_end = self.last_end();
            self.brackets.begin_line(self.indent, matches!(byte, b')' | b']' | b'}'), last_end);
        }
    }

    fn begin_region(&mut self, word: Option<ItemWord>) {
        self.angles = 0;
        let start = self.here();
        self.region = Some(OpenRegion { start, word, faults: 0, has_bracket_fault: false, has_letters: false });
    }

    fn end_region(&mut self) {
        let last_end = self.last_end();
        if let Some(unclosed) = self.brackets.finish(last_end) {
            self.fault(FaultKind::Unclosed(unclosed), unclosed.at, unclosed.at + 1);
        }
        if let Some(region) = self.region.take() {
            self.scan.regions.push(Region { start: region.start, end: last_end, word: region.word });
        }
    }

    pub(super) fn fault(&mut self, kind: FaultKind, start: u32, end: u32) {
        let Some(region) = &mut self.region else { return };
        if region.faults >= MAX_FAULTS || (kind.is_bracket() && region.has_bracket_fault) {
            return;
        }
        region.faults += 1;
        region.has_bracket_fault |= kind.is_bracket();
        self.scan.faults.push(Fault { kind, start, end });
    }

    /// Adds a token that begins at `start` and ends here.
    pub(super) fn push(&mut self, kind: TokenKind, start: u32) {
        let end = self.here();
        let is_comma = kind == TokenKind::Sign && self.bytes.get(start as usize) == Some(&b',');
        if !is_comma {
            self.after = end;
        }
        self.scan.tokens.push(Token { kind, start, end });
    }

    fn word(&mut self) {
        let start = self.here();
        // Two words in a row never stand in a type: what looked like `list<` before them was a comparison.
        if self.scan.tokens.last().is_some_and(|token| token.kind == TokenKind::Word) {
            self.angles = self.brackets.innermost().map_or(0, |opener| opener.angles);
        }
        self.pos += word_length(self.bytes.get(self.pos..).unwrap_or_default());
        self.push(TokenKind::Word, start);
    }

    fn number(&mut self) {
        let start = self.pos;
        self.pos += digits_length(self.bytes.get(self.pos..).unwrap_or_default());
        if self.peek(0) == Some(b'.') && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) {
            self.pos += 1;
            self.pos += self.run_of(|byte| byte.is_ascii_digit());
        }
        let sound = self.pos;
        self.pos += self.run_of(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.pos > sound {
            self.fault(FaultKind::Number, offset(start), self.here());
        }
        self.push(TokenKind::Number, offset(start));
    }

    fn run_of(&self, fits: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        rest.iter().take_while(|byte| fits(**byte)).count()
    }

    fn date(&mut self) {
        let start = self.here();
        self.pos += 1;
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        let length = datetime_length(rest).or_else(|| date_length(rest)).unwrap_or(0);
        let follows = rest.get(length).is_some_and(u8::is_ascii_alphanumeric);
        if length == 0 || follows {
            self.pos += self.run_of(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.' | b'+'));
            self.fault(FaultKind::Date, start, self.here());
        } else {
            self.pos += length;
        }
        self.push(TokenKind::Date, start);
    }

    fn sign(&mut self, byte: u8) {
        let start = self.here();
        if let Some(sign) = SIGNS.iter().find(|sign| self.starts_with(sign)) {
            self.pos += sign.len();
            return self.push(TokenKind::Sign, start);
        }
        match byte {
            b'<' => return self.angle(),
            b'>' => self.angles = self.angles.saturating_sub(1),
            b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'!' | b'?' | b':' | b',' | b'.' | b'|' | b'&' | b';' | b'^'
            | b'~' => {}
            _ => return self.stray(),
        }
        self.pos += 1;
        self.push(TokenKind::Sign, start);
    }

    fn angle(&mut self) {
        let at = self.here();
        let opens = self.scan.tokens.last().is_some_and(|token| {
            token.kind == TokenKind::Word && matches!(self.text.get(token.range()), Some("list" | "map" | "table"))
        });
        self.pos += 1;
        self.push(TokenKind::Sign, at);
        if opens {
            self.angles += 1;
            self.check_depth(at);
        }
    }

    fn stray(&mut self) {
        let start = self.here();
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let character = rest.chars().next().unwrap_or('\u{fffd}');
        if character.is_alphabetic() {
            // The whole word is at fault, and its first letters were read as one.
            let word = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            self.pos += word.unwrap_or(rest.len());
            let begun = self.scan.tokens.last().filter(|token| token.kind == TokenKind::Word && token.end == start);
            let begun = begun.map_or(start, |token| token.start);
            self.letters(begun);
        } else {
            self.pos += character.len_utf8();
            self.fault(FaultKind::Stray(character), start, self.here());
        }
        self.push(TokenKind::Stray, start);
    }

    /// Notes a word in letters of another alphabet, once in an item: it will be used again.
    fn letters(&mut self, start: u32) {
        let end = self.here();
        if self.region.as_ref().is_some_and(|region| !region.has_letters) {
            self.fault(FaultKind::Letters, start, end);
        }
        if let Some(region) = &mut self.region {
            region.has_letters = true;
        }
    }

    fn foreign_quote(&mut self, quote: u8) {
        let start = self.pos;
        let inner = self.bytes.get(start + 1..).unwrap_or_default();
        let end = inner.iter().position(|byte| *byte == quote || matches!(byte, b'\n' | b'\r'));
        let length = end.filter(|end| inner.get(*end) == Some(&quote));
        self.pos += length.map_or(1, |length| length + 2);
        self.fault(FaultKind::ForeignQuote { closed: length.is_some() }, offset(start), self.here());
        self.push(TokenKind::Stray, offset(start));
    }

    fn open(&mut self, bracket: Bracket) {
        let at = self.here();
        self.pos += 1;
        self.push(TokenKind::Open(bracket), at);
        self.push_opener(Opener { bracket, at, indent: self.indent, triple: false, text_at: 0, angles: self.angles });
    }

    pub(super) fn push_opener(&mut self, opener: Opener) {
        self.brackets.push(opener);
        self.check_depth(opener.at);
    }

    fn check_depth(&mut self, at: u32) {
        let depth = self.brackets.depth() + self.angles as usize;
        if depth > MAX_DEPTH as usize {
            // Said whatever else was said of the item: nothing else keeps it from the parser.
            self.scan.faults.push(Fault { kind: FaultKind::TooDeep, start: at, end: at + 1 });
            self.skip_item();
        }
    }

    /// Skips to the next item. So no more brackets are open at any time than may be.
    fn skip_item(&mut self) {
        self.brackets = Brackets::default();
        loop {
            self.pos = self.line_end();
            if self.peek(0).is_none() {
                return;
            }
            self.pos += if self.starts_with("\r\n") { 2 } else { 1 };
            let line = self.text.get(self.pos..self.line_end()).unwrap_or_default();
            let (word, rest) = line.split_at_checked(word_length(line.as_bytes())).unwrap_or_default();
            if begins_item(word, rest) {
                return self.begin_line();
            }
        }
    }

    fn close(&mut self, bracket: Bracket) {
        let start = self.here();
        let innermost = self.brackets.innermost();
        if let (Bracket::Curly, Some(hole)) = (bracket, innermost.filter(|opener| opener.bracket == Bracket::Hole)) {
            self.brackets.pop();
            self.angles = hole.angles;
            self.pos += 1;
            return self.text(start, hole.text_at, hole.triple, TokenKind::TextEnd, TokenKind::TextMiddle);
        }
        if let Some(opener) = innermost {
            self.angles = opener.angles;
        }
        let last_end = self.last_end();
        match self.brackets.close(bracket, last_end) {
            Closing::Closed => {}
            Closing::Skipped(unclosed) => self.fault(FaultKind::Unclosed(unclosed), unclosed.at, unclosed.at + 1),
            Closing::Unmatched => self.fault(FaultKind::Unmatched, start, start + 1),
        }
        self.pos += 1;
        self.push(TokenKind::Close(bracket), start);
    }
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// The length of digits with single `_` between them.
fn digits_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let group = bytes.iter().skip(length).take_while(|byte| byte.is_ascii_digit()).count();
        length += group;
        let next_group = bytes.get(length) == Some(&b'_') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        if group == 0 || !next_group {
            return length;
        }
        length += 1;
    }
}

/// The length of `2026-03-31` at the start.
fn date_length(bytes: &[u8]) -> Option<usize> {
    shape_length(bytes, b"0000-00-00")
}

/// The length of `2026-03-31T09:00:00.5Z` at the start; seconds may be left out.
fn datetime_length(bytes: &[u8]) -> Option<usize> {
    let mut length = shape_length(bytes, b"0000-00-00T00:00")?;
    if let Some(seconds) = shape_length(bytes.get(length..)?, b":00") {
        length += seconds;
        let fraction = bytes.get(length + 1..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if bytes.get(length) == Some(&b'.') && fraction > 0 {
            length += fraction + 1;
        }
    }
    (bytes.get(length) == Some(&b'Z')).then_some(length + 1)
}

/// The length of `shape` if the bytes begin so, where `0` in the shape stands for any digit.
fn shape_length(bytes: &[u8], shape: &[u8]) -> Option<usize> {
    let begins = bytes.get(..shape.len())?;
    let fits =
        begins.iter().zip(shape).all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form });
    fits.then_some(shape.len())
}

/// An index as an offset; a file that is read is far smaller than 4 GiB.
pub(super) fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
