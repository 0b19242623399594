//! What is wrong with an item that cannot be read.

use super::expected;
use super::grammar::Rule;
use super::repair::{Change, Outcome, Repairer, Stop};
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use crate::syntax::prescan::{Bracket, FORMATS, Fault, FaultKind, Region, Scan, Token, TokenKind, Unclosed};
use crate::syntax::tree::ItemWord;

/// Signs that may be missing. Those that end something come first: they are forgotten more often than those that begin
/// something.
const ORDER: [&str; 14] = [",", ":", ")", "]", "}", "|", "->", "=", ">", "{", "(", "[", "<", "..."];

/// Explains the broken items of one file.
pub(super) struct Diagnoser<'a> {
    file: FileId,
    pub(super) text: &'a str,
    pub(super) scan: &'a Scan,
    repairer: Repairer<'a>,
}

/// A broken item, and where parsing it stopped.
pub(super) struct Scene {
    pub(super) region: Region,
    pub(super) stop: Stop,
    /// The last token that was read.
    pub(super) before: Option<Token>,
    /// The token that could not be read; nothing at the end of the item.
    pub(super) found: Option<Token>,
}

impl<'a> Diagnoser<'a> {
    pub(super) fn new(file: FileId, text: &'a str, scan: &'a Scan) -> Self {
        Self { file, text, scan, repairer: Repairer::new(text) }
    }

    /// What to say of a region: mostly one thing, the first that is wrong.
    pub(super) fn diagnose(&mut self, region: Region, faults: &[Fault], stop: Option<Stop>) -> Vec<Diagnostic> {
        let said = |fault: &Fault| fault.diagnostic(self.file, self.text);
        if let Some(deep) = faults.iter().find(|fault| fault.kind == FaultKind::TooDeep) {
            return vec![said(deep)];
        }
        let torn = faults.iter().position(|fault| fault.kind.is_torn());
        let until = torn.map_or(faults.len(), |torn| torn + 1);
        // What was noticed on the line of text that never ends, or inside the text, is no fault of its own.
        let torn_line = torn.and_then(|torn| faults.get(torn)).map_or(u32::MAX, |torn| self.line_start(torn.start));
        let lexical: Vec<&Fault> = faults
            .iter()
            .take(until)
            .filter(|fault| !fault.kind.is_bracket() && (fault.start < torn_line || fault.kind.is_torn()))
            .collect();
        if let [Fault { kind: FaultKind::OpenText { line_end }, start, .. }] = lexical.as_slice() {
            return vec![self.open_text(region, *start, *line_end)];
        }
        if !lexical.is_empty() {
            return lexical.into_iter().map(said).collect();
        }
        let bracket = faults.iter().find(|fault| fault.kind.is_bracket());
        vec![match stop.or_else(|| self.repairer.stop(region)).map(|stop| self.scene_at(region, stop)) {
            Some(scene) => self.explain(&scene, bracket),
            None => bracket.map_or_else(|| self.unreadable(region), said),
        }]
    }

    /// Where the line of a byte begins.
    fn line_start(&self, at: u32) -> u32 {
        let before = self.text.get(..at as usize).unwrap_or_default();
        before.rfind(['\n', '\r']).map_or(0, |end| u32::try_from(end + 1).unwrap_or(at))
    }

    fn scene(&self, region: Region) -> Option<Scene> {
        Some(self.scene_at(region, self.repairer.stop(region)?))
    }

    fn scene_at(&self, region: Region, stop: Stop) -> Scene {
        let found = self.scan.token_at(stop.at).filter(|token| token.start < region.end);
        let before = self.scan.token_before(found.map_or(region.end, |token| token.start));
        let before = before.filter(|token| token.start >= region.start);
        Scene { region, stop, before, found }
    }

    pub(super) fn at(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    pub(super) fn span(&self, token: Token) -> Span {
        self.at(token.start, token.end)
    }

    pub(super) fn word(&self, token: Token) -> &'a str {
        self.text.get(token.range()).unwrap_or_default()
    }

    fn explain(&mut self, scene: &Scene, bracket: Option<&Fault>) -> Diagnostic {
        if let Some(diagnostic) = self.slip(scene).or_else(|| self.habit(scene, bracket.is_some())) {
            return diagnostic;
        }
        if let Some(Fault { kind: FaultKind::Unclosed(unclosed), .. }) = bracket
            && let Some(diagnostic) = self.closer_by_indent(scene.region, *unclosed)
        {
            return diagnostic;
        }
        if let Some(fault @ Fault { kind: FaultKind::Unmatched, .. }) = bracket
            && scene.found.is_some_and(|found| found.start == fault.start)
        {
            return self.bracket(scene.region, fault);
        }
        if let Some(diagnostic) = self.missing_sign(scene, bracket) {
            return diagnostic;
        }
        match bracket {
            Some(fault) => self.bracket(scene.region, fault),
            None => self.unexpected(scene),
        }
    }

    /// The bracket that the indentation shows to be missing, if the item is whole with it.
    fn closer_by_indent(&mut self, region: Region, unclosed: Unclosed) -> Option<Diagnostic> {
        let change = self.closing(unclosed);
        let whole = unclosed.by_indent && self.repairer.attempt(region, &change) == Outcome::Whole;
        whole.then(|| self.with_fix(self.unclosed(unclosed), "insert the bracket", &change))
    }

    /// The change that closes a bracket: a brace on a line of its own where its block had lines of its own.
    fn closing(&self, unclosed: Unclosed) -> Change {
        let closer = unclosed.bracket.closer();
        let inside = self.text.get(unclosed.at as usize..unclosed.missing_at as usize).unwrap_or_default();
        let own_line = unclosed.bracket == Bracket::Curly && inside.contains('\n');
        if !own_line {
            let blank = if unclosed.bracket == Bracket::Curly { " " } else { "" };
            return Change::insert(unclosed.missing_at, format!("{blank}{closer}"));
        }
        let before = self.text.get(..unclosed.at as usize).unwrap_or_default();
        let line = before.rfind('\n').and_then(|end| before.get(end + 1..)).unwrap_or(before);
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let indent = line.get(..indent).unwrap_or_default();
        Change::insert(unclosed.missing_at, format!("\n{indent}{closer}"))
    }

    fn unclosed(&self, unclosed: Unclosed) -> Diagnostic {
        let fault = Fault { kind: FaultKind::Unclosed(unclosed), start: unclosed.at, end: unclosed.at + 1 };
        fault.diagnostic(self.file, self.text)
    }

    fn with_fix(&self, diagnostic: Diagnostic, message: &str, change: &Change) -> Diagnostic {
        diagnostic.fix(message, self.at(change.start, change.end), change.text.clone())
    }

    /// A bracket without a partner that no inserted sign would mend.
    fn bracket(&mut self, region: Region, fault: &Fault) -> Diagnostic {
        let (change, message) = match fault.kind {
            FaultKind::Unclosed(unclosed) => (self.closing(unclosed), "insert the bracket"),
            _ => (Change { start: fault.start, end: fault.end, text: String::new() }, "remove the bracket"),
        };
        let diagnostic = fault.diagnostic(self.file, self.text);
        match self.repairer.attempt(region, &change) {
            Outcome::Whole => self.with_fix(diagnostic, message, &change),
            _ => diagnostic,
        }
    }

    /// A sign without which the item cannot be read and with which it can, or can much further.
    fn missing_sign(&mut self, scene: &Scene, bracket: Option<&Fault>) -> Option<Diagnostic> {
        let before = scene.before?;
        let mut furthest: Option<(u32, &'static str, Change)> = None;
        for (sign, change) in self.candidates(scene, bracket) {
            match self.repairer.attempt(scene.region, &change) {
                Outcome::Whole => return Some(self.missing(scene, bracket, sign, &change, true)),
                Outcome::Until(at) if furthest.as_ref().is_none_or(|(best, ..)| at > *best) => {
                    furthest = Some((at, sign, change));
                }
                _ => {}
            }
        }
        let (at, sign, change) = furthest?;
        // Another fault may follow in the item; a sign that only carries the parser one token on explains nothing.
        let found = scene.found?;
        let next = self.scan.token_after(found.start).map_or(found.end, |token| token.end);
        let same_item = bracket.is_none() && before.end <= found.start;
        (same_item && at > next).then(|| self.missing(scene, bracket, sign, &change, false))
    }

    fn candidates(&self, scene: &Scene, bracket: Option<&Fault>) -> Vec<(&'static str, Change)> {
        let Some(before) = scene.before else { return Vec::new() };
        let mut signs: Vec<&'static str> =
            scene.stop.expected.iter().filter_map(|rule| expected::sign(*rule)).collect();
        if let Some(Fault { kind: FaultKind::Unmatched, start, .. }) = bracket {
            signs.push(match self.text.as_bytes().get(*start as usize) {
                Some(b')') => "(",
                Some(b']') => "[",
                _ => "{",
            });
        }
        let mut candidates: Vec<(&'static str, Change)> = Vec::new();
        for sign in ORDER.into_iter().filter(|sign| signs.contains(sign)) {
            let closes = bracket.and_then(|fault| match fault.kind {
                FaultKind::Unclosed(unclosed) if unclosed.bracket.closer() == sign => Some(unclosed),
                _ => None,
            });
            candidates.push(match closes.filter(|unclosed| unclosed.at < before.end) {
                Some(unclosed) => (sign, self.closing(Unclosed { missing_at: before.end, ..unclosed })),
                None => (sign, self.insertion(sign, before, scene.found)),
            });
        }
        if let Some(Fault { kind: FaultKind::Unmatched, .. }) = bracket
            && let Some(opener) = signs.last()
        {
            let blank = if *opener == "{" { " " } else { "" };
            candidates.push((opener, Change::insert(before.start, format!("{opener}{blank}"))));
        }
        if scene.found.is_some_and(|found| self.word(found) == "|")
            && let Some(first) = self.first_parameter(before, scene.region)
        {
            candidates.push(("|", Change::insert(first, "|")));
        }
        candidates
    }

    /// How a sign is put after a token.
    fn insertion(&self, sign: &'static str, before: Token, found: Option<Token>) -> Change {
        let gap = found.map(|found| (found.start, self.text.get(before.end as usize..found.start as usize)));
        match (sign, gap) {
            // `f a: int)` becomes `f(a: int)`.
            ("(" | "[" | "<", Some((start, Some(gap)))) if !gap.contains(['\n', '\r', '/']) => {
                Change { start: before.end, end: start, text: sign.to_owned() }
            }
            ("{" | "->" | "=" | "}", _) => Change::insert(before.end, format!(" {sign}")),
            _ => Change::insert(before.end, sign),
        }
    }

    /// Where the parameters of a closure begin that end with `last`.
    fn first_parameter(&self, last: Token, region: Region) -> Option<u32> {
        let mut first = None;
        let mut token = Some(last);
        while let Some(word) = token.filter(|token| token.start >= region.start && token.kind == TokenKind::Word) {
            first = Some(word.start);
            token = self.scan.token_before(word.start).filter(|comma| self.word(*comma) == ",");
            token = token.and_then(|comma| self.scan.token_before(comma.start));
        }
        first
    }

    fn missing(&self, scene: &Scene, bracket: Option<&Fault>, sign: &str, change: &Change, sure: bool) -> Diagnostic {
        let place = self.at(change.start, change.start);
        let goes_before = scene.before.is_some_and(|before| change.start < before.end);
        let side = if goes_before { "before" } else { "after" };
        let closes = bracket.and_then(|fault| match fault.kind {
            FaultKind::Unclosed(unclosed) if unclosed.bracket.closer() == sign => Some(unclosed),
            _ => None,
        });
        let code = if closes.is_some() { codes::syntax::BRACKET } else { codes::syntax::UNEXPECTED };
        let mut diagnostic = Diagnostic::error(code, place, format!("expected `{sign}` {side} this"))
            .label(format!("`{sign}` is missing here"));
        if let Some(unclosed) = closes {
            diagnostic = diagnostic.also(self.at(unclosed.at, unclosed.at + 1), "to close this");
        }
        if sure { self.with_fix(diagnostic, &format!("insert `{sign}`"), change) } else { diagnostic }
    }

    /// A string that its line ends: often the quote before it is the one that is missing.
    fn open_text(&mut self, region: Region, start: u32, line_end: u32) -> Diagnostic {
        let fault = Fault { kind: FaultKind::OpenText { line_end }, start, end: start + 1 };
        let diagnostic = fault.diagnostic(self.file, self.text);
        let scene = self.scene(region).filter(|scene| scene.stop.at < start);
        if let Some(scene) = scene
            && let Some(found) = scene.found.filter(|found| found.kind == TokenKind::Word)
            && !self.text.get(found.start as usize..start as usize).is_some_and(|text| text.contains(['\n', '\r']))
            && scene.before.is_some_and(|before| before.kind != TokenKind::Text)
        {
            let change = Change::insert(found.start, "\"");
            if self.repairer.attempt(region, &change) == Outcome::Whole {
                let place = self.at(found.start, found.start);
                let rest = self.text.get(found.start as usize..start as usize + 1).unwrap_or_default();
                let closer = found.start + u32::try_from(rest.find('"').unwrap_or(0)).unwrap_or(0);
                let missing = Diagnostic::error(codes::syntax::OPEN_TEXT, place, "expected `\"` before this")
                    .label("the quote that opens the string is missing")
                    .also(self.at(closer, closer + 1), "closes it");
                return self.with_fix(missing, "insert the quote", &change);
            }
        }
        let inner = self.text.get(start as usize + 1..line_end as usize).unwrap_or_default();
        let end = start + 1 + u32::try_from(inner.trim_end().len()).unwrap_or(0);
        let change = Change::insert(end, "\"");
        let plain = !inner.contains(['"', ',', ')', ']', '}', '/', '|']);
        if plain && self.repairer.attempt(region, &change) == Outcome::Whole {
            return self.with_fix(diagnostic, "close the string", &change);
        }
        diagnostic
    }

    /// Neither the parser nor the brackets say what is wrong.
    fn unreadable(&self, region: Region) -> Diagnostic {
        let span = self.at(region.start, region.start.saturating_add(1).min(region.end.max(region.start)));
        Diagnostic::error(codes::syntax::UNEXPECTED, span, "expected an item, found something that cannot be read")
    }

    /// The plain words: what could stand here, and what does.
    fn unexpected(&self, scene: &Scene) -> Diagnostic {
        let wanted = expected::list(&scene.stop.expected);
        let Some(found) = scene.found else {
            let end = scene.before.map_or(scene.region.end, |token| token.end);
            let message = format!("expected {wanted}, found the end of the item");
            return Diagnostic::error(codes::syntax::UNEXPECTED, self.at(end, end), message)
                .label("the item ends here");
        };
        if found.kind == TokenKind::TextStart && scene.stop.at > found.start {
            return self.hole(found);
        }
        if scene.stop.expected.contains(&Rule::TypeName) && self.is_lower(found) {
            return self.lower_type(found);
        }
        let message = format!("expected {wanted}, found {}", self.describe(found));
        let diagnostic =
            Diagnostic::error(codes::syntax::UNEXPECTED, self.span(found), message).label("not expected here");
        if scene.stop.expected.contains(&Rule::format) {
            return diagnostic.help(FORMATS);
        }
        let misspelt = scene.before.is_none() || scene.stop.expected.contains(&Rule::EOI);
        match self.nearest_item(found).filter(|_| misspelt && found.kind == TokenKind::Word) {
            Some(word) => diagnostic.help(format!("did you mean `{}`?", word.as_str())).fix(
                "write it so",
                self.span(found),
                word.as_str(),
            ),
            None => self.reserved(scene, found, diagnostic),
        }
    }

    /// Says so where a reserved word stands in place of a name.
    fn reserved(&self, scene: &Scene, found: Token, diagnostic: Diagnostic) -> Diagnostic {
        const RESERVED: [&str; 19] = [
            "and", "or", "not", "true", "false", "null", "let", "var", "if", "else", "for", "in", "return", "require",
            "fail", "match", "break", "continue", "div",
        ];
        let word = self.word(found);
        if scene.stop.expected.contains(&Rule::name) && RESERVED.contains(&word) {
            return diagnostic.help(format!("`{word}` is a reserved word: choose another name"));
        }
        diagnostic
    }

    fn is_lower(&self, token: Token) -> bool {
        token.kind == TokenKind::Word && self.word(token).starts_with(|first: char| first.is_ascii_lowercase())
    }

    /// A type in the case of other names.
    fn lower_type(&self, found: Token) -> Diagnostic {
        let word = self.word(found);
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let better: String = first.into_iter().chain(letters).collect();
        let message =
            format!("expected the name of a type, which begins with an upper-case letter, found `{}`", cut(word));
        Diagnostic::error(codes::syntax::NAME_CASE, self.span(found), message)
            .label(format!("write `{}`", cut(&better)))
            .fix("begin it with an upper-case letter", self.span(found), better)
    }

    /// A string with a hole where only plain text can stand.
    fn hole(&self, found: Token) -> Diagnostic {
        let brace = self.at(found.end.saturating_sub(1), found.end);
        Diagnostic::error(codes::syntax::UNEXPECTED, brace, "expected a string without holes, found a hole in it")
            .label("this brace begins a hole")
            .help("write `{{` for a brace in the text")
    }

    fn nearest_item(&self, found: Token) -> Option<ItemWord> {
        let word = self.word(found);
        let near = |item: &ItemWord| strsim::damerau_levenshtein(item.as_str(), word) <= 2 && word.len() > 2;
        ItemWord::ALL.into_iter().filter(near).min_by_key(|item| strsim::damerau_levenshtein(item.as_str(), word))
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Text | TokenKind::TextStart => "a string".to_owned(),
            TokenKind::TextMiddle | TokenKind::TextEnd => "the end of the hole".to_owned(),
            _ => format!("`{}`", cut(self.word(token))),
        }
    }
}

/// A text for a message: at most 40 characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
