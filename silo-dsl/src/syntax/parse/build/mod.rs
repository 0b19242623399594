//! From the pairs of the parser to the tree, with the checks that are better made on a tree.
//!
//! Functions give nothing only where a pair has not the parts that the grammar says, which does not happen; so the
//! builder needs no panics and no error type.

mod expressions;
mod items;
mod operators;
mod statements;
mod text;
mod types;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::grammar::{Pair, Rule};
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use crate::syntax::hints;
use crate::syntax::prescan::{DocComment, Scan};
use crate::syntax::tree::{DocLine, Docs, Item, Name};

/// Builds the items of one file.
pub(super) struct Builder<'a> {
    file: FileId,
    text: &'a str,
    scan: &'a Scan,
    /// Where the text that is being parsed begins in the file.
    base: u32,
    names: FxHashMap<&'a str, Arc<str>>,
    /// Which documentation lines belong to something.
    claimed: Vec<bool>,
    /// How many loops are open.
    loops: u32,
    /// `.desc()` calls that are not the end of a key of `sort_by`, as far as is known.
    descending: Vec<Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(file: FileId, text: &'a str, scan: &'a Scan) -> Self {
        Self {
            file,
            text,
            scan,
            base: 0,
            names: FxHashMap::default(),
            claimed: vec![false; scan.docs.len()],
            loops: 0,
            descending: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Builds an item from a pair of a text that begins at `base` in the file.
    pub(super) fn item_at(&mut self, base: u32, pair: Pair<'a>) -> Option<Item> {
        self.base = base;
        self.loops = 0;
        let item = self.item(pair);
        for span in std::mem::take(&mut self.descending) {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::syntax::MISPLACED_DESC,
                    span,
                    "expected `.desc()` at the end of a key of `sort_by`, found it elsewhere",
                )
                .label("orders nothing here")
                .help("write `rows.sort_by(|row| row.field.desc())`, or `.reverse()` to turn a list round"),
            );
        }
        item
    }

    /// Takes the documentation in a stretch that holds no readable item for used.
    pub(super) fn give_up_docs(&mut self, start: u32, end: u32) {
        // Lines that lead to the stretch stand before it, lines behind its last token come right after it.
        let first = self.scan.docs.partition_point(|doc| doc.before < start);
        let docs = self.scan.docs.iter().zip(&mut self.claimed).skip(first);
        for (doc, claimed) in docs.take_while(|(doc, _)| doc.start < end || doc.after == end) {
            let leads = doc.before == start && !doc.trailing;
            *claimed |= doc.start >= start && (doc.start < end || doc.trailing) || leads;
        }
    }

    /// Ends the file: everything that was noticed while building.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        let mut lost: Vec<&[DocComment]> = Vec::new();
        let mut from = 0;
        // Lines that lead to the same token are one text.
        for run in self.scan.docs.chunk_by(|a, b| a.before == b.before && !a.trailing && !b.trailing) {
            let claimed = self.claimed.get(from..from + run.len()).unwrap_or_default();
            from += run.len();
            if claimed.iter().all(|claimed| !claimed) {
                lost.push(run);
            }
        }
        for run in lost {
            self.lost_docs(run);
        }
        self.diagnostics
    }

    fn lost_docs(&mut self, run: &[DocComment]) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let span = self.at(first.start, last.end);
        let mut diagnostic = Diagnostic::warning(
            codes::warnings::LOST_DOCS,
            span,
            "expected something to document, found nothing",
        )
        .label("documents nothing")
        .note("`///` documents the item, field, parameter or member that follows, or that stands before it on its line")
        .why("no agent ever reads this")
        .help("write `//` for a comment");
        if run.len() <= 20 {
            for doc in run {
                diagnostic = diagnostic.fix("make it a comment", self.at(doc.start, doc.start + 3), "//");
            }
        }
        self.diagnostics.push(diagnostic);
    }

    fn at(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    /// Where a pair stands in the file. A rule may end in blanks and comments, which are left out.
    fn span(&self, pair: &Pair<'_>) -> Span {
        let span = pair.as_span();
        let start = self.base.saturating_add(offset(span.start()));
        let end = self.base.saturating_add(offset(span.end()));
        let last = (end as usize).checked_sub(1).and_then(|index| self.text.as_bytes().get(index));
        let tight = last.is_some_and(|byte| !byte.is_ascii_whitespace()) && (end as usize) < self.text.len();
        let end = if tight { end } else { self.scan.token_before(end).map_or(end, |token| token.end.max(start)) };
        self.at(start, end)
    }

    /// The text of a span of this file.
    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    fn shared(&mut self, text: &'a str) -> Arc<str> {
        Arc::clone(self.names.entry(text).or_insert_with(|| Arc::from(text)))
    }

    fn name(&mut self, pair: &Pair<'a>) -> Name {
        Name { text: self.shared(pair.as_str()), span: self.span(pair) }
    }

    /// The documentation of what stands at `span`: the lines right before it and those behind it on its last line.
    fn docs(&mut self, span: Span) -> Docs {
        let mut docs = Docs::default();
        let first = self.scan.docs.partition_point(|doc| doc.before < span.start);
        let leading = |doc: &DocComment| doc.before == span.start && !doc.trailing;
        self.claim(first, &mut docs, |doc| doc.before == span.start, leading);
        let first = self.scan.docs.partition_point(|doc| doc.after < span.end);
        self.claim(first, &mut docs, |doc| doc.after == span.end, |doc| doc.trailing);
        docs
    }

    fn claim(
        &mut self,
        first: usize,
        docs: &mut Docs,
        near: impl Fn(&DocComment) -> bool,
        wanted: impl Fn(&DocComment) -> bool,
    ) {
        let scan = self.scan;
        let lines = scan.docs.iter().zip(&mut self.claimed).skip(first);
        for (doc, claimed) in lines.take_while(|(doc, _)| near(doc)).filter(|(doc, _)| wanted(doc)) {
            if *claimed {
                continue;
            }
            *claimed = true;
            let span = Span::new(self.file, doc.start, doc.end);
            let text = self.text.get(span.range()).unwrap_or_default().trim_start_matches("///");
            let text = text.strip_prefix(' ').unwrap_or(text).trim_end();
            docs.lines.push(DocLine { text: text.into(), span });
        }
    }

    /// Refuses the name of a local that looks like a type.
    fn check_lower(&mut self, what: &str, name: &Name) {
        let starts_upper = name.text.starts_with(|first: char| first.is_ascii_uppercase());
        if starts_upper {
            let better = snake_case(&name.text);
            self.diagnostics.push(
                Diagnostic::error(
                    codes::syntax::NAME_CASE,
                    name.span,
                    format!("expected {what} that begins with a lower-case letter, found `{name}`"),
                )
                .label(format!("write `{better}`"))
                .note("types begin with an upper-case letter and constants are in upper case"),
            );
        }
    }

    /// Refuses two things on one line without a comma between them.
    fn check_comma(&mut self, before: Option<Span>, after: Span) {
        let Some(before) = before else { return };
        if before.end > after.start {
            return;
        }
        let between = self.slice(self.at(before.end, after.start));
        if !between.contains(['\n', '\r', ',']) {
            self.diagnostics.push(
                Diagnostic::error(codes::syntax::SAME_LINE, before.after(), "expected `,` after this")
                    .label("the comma is missing")
                    .note("only a line end may stand in place of the comma")
                    .fix("insert the comma", before.after(), ","),
            );
        }
    }

    /// Refuses two statements or items on one line.
    fn check_line(&mut self, what: &str, before: Option<Span>, after: Span) {
        let Some(before) = before else { return };
        if before.end > after.start || self.slice(self.at(before.end, after.start)).contains(['\n', '\r']) {
            return;
        }
        let last = self.slice(before).rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        if let Some(habit) = hints::word(last).filter(|habit| habit.replacement == Some("")) {
            let start = before.end.saturating_sub(offset(last.len()));
            let word = self.at(start, before.end);
            self.diagnostics.push(habit.diagnostic(word).fix("remove it", self.at(start, after.start), ""));
            return;
        }
        self.diagnostics.push(
            Diagnostic::error(
                codes::syntax::SAME_LINE,
                after.before(),
                format!("expected a line of its own for this {what}"),
            )
            .label(format!("the {what} before it ends on the same line"))
            .also(before, "ends here")
            .help("begin a new line here"),
        );
    }

    /// Refuses two items on one line.
    pub(super) fn check_items(&mut self, before: Option<Span>, after: Span) {
        self.check_line("item", before, after);
    }
}

/// `HTTPServer` and `unitPrice` as `http_server` and `unit_price`.
fn snake_case(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 4);
    let mut letters = name.chars().peekable();
    let mut before = '_';
    while let Some(letter) = letters.next() {
        let ends_run = letters.peek().is_some_and(char::is_ascii_lowercase) && before.is_ascii_uppercase();
        let begins_run = before.is_ascii_lowercase() || before.is_ascii_digit();
        if letter.is_ascii_uppercase() && (begins_run || ends_run) {
            result.push('_');
        }
        result.push(letter.to_ascii_lowercase());
        before = letter;
    }
    result
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// True if a pair is of this rule.
fn is(pair: &Pair<'_>, rule: Rule) -> bool {
    pair.as_rule() == rule
}
