//! Parsing: the whole file at once, and item by item where that fails.

mod build;
mod errors;
mod expected;
mod grammar;
mod habits;
mod repair;
mod slips;

use pest::Parser;

use self::build::Builder;
use self::grammar::{Rule, SiloParser};
use self::repair::Stop;
use super::prescan::{Bracket, Region, Scan, TokenKind, check_size};
use super::tree::{BrokenItem, Comment, File, Item, ItemWord, Name};
use crate::diagnostics::{Diagnostic, FileId, Span, codes};

/// How many bytes of stack parsing needs at most, with much to spare, in a build without optimisation.
const STACK: usize = 4 << 20;

/// How many broken items of a file are explained.
const MAX_BROKEN: usize = 100;

/// The syntax tree of a file and what is wrong with it.
///
/// Never fails and never panics: items that cannot be read are left out of [`File::items`], named in
/// [`File::broken`], and have a diagnostic each. Time grows with the length of the text.
///
/// ```
/// use silo_dsl::diagnostics::FileId;
/// use silo_dsl::syntax::parse;
///
/// let (file, diagnostics) = parse(FileId(0), "enum Role { \"rep\", \"manager\" }\nentity User { id key }\n");
/// assert_eq!(file.items.len(), 1);
/// assert_eq!(file.broken.len(), 1);
/// assert_eq!(diagnostics[0].message, "expected `:` after this");
/// ```
pub fn parse(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    // What nests no deeper than it may is read on every thread, however small its stack.
    stacker::maybe_grow(STACK, STACK, || read(file, text))
}

fn read(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    if let Some(diagnostic) = check_size(file, text) {
        return (File::empty(file), vec![diagnostic]);
    }
    let mut scan = Scan::of(text, false);
    if scan.faults.is_empty()
        && let Some(done) = whole(file, text, &scan)
    {
        return done;
    }
    if scan.suspicious_text {
        scan = Scan::of(text, true);
    }
    item_by_item(file, text, &scan)
}

/// Parses the file at once, if nothing is wrong with it.
fn whole(file: FileId, text: &str, scan: &Scan) -> Option<(File, Vec<Diagnostic>)> {
    let base = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let pairs = SiloParser::parse(Rule::file, text.get(base..)?).ok()?;
    let base = u32::try_from(base).ok()?;
    let mut builder = Builder::new(file, text, scan);
    let mut items: Vec<Item> = Vec::new();
    for pair in pairs.flat_map(pest::iterators::Pair::into_inner).filter(|pair| pair.as_rule() == Rule::item) {
        let item = builder.item_at(base, pair)?;
        builder.check_items(items.last().map(|before| before.span), item.span);
        items.push(item);
    }
    let (comments, blank_lines) = trivia(file, text, scan);
    Some((File { id: file, items, broken: Vec::new(), comments, blank_lines }, builder.finish()))
}

/// Parses each item alone, so that one that is broken hides nothing of the others.
fn item_by_item(file: FileId, text: &str, scan: &Scan) -> (File, Vec<Diagnostic>) {
    let mut builder = Builder::new(file, text, scan);
    let mut diagnoser = errors::Diagnoser::new(file, text, scan);
    let mut tree = File::empty(file);
    let mut diagnostics = Vec::new();
    let mut faults = scan.faults.as_slice();
    for region in &scan.regions {
        let split = faults.partition_point(|fault| fault.start < region.end.max(region.start + 1));
        let (here, later) = faults.split_at_checked(split).unwrap_or((faults, &[]));
        faults = later;
        let mut stop = None;
        if here.is_empty() {
            match one(text, *region, &mut builder) {
                Ok(item) => {
                    tree.items.push(item);
                    continue;
                }
                Err(at) => stop = at,
            }
        }
        builder.give_up_docs(region.start, region.end);
        tree.broken.push(broken_item(file, text, scan, *region));
        match tree.broken.len() {
            count if count <= MAX_BROKEN => diagnostics.extend(diagnoser.diagnose(*region, here, stop)),
            count if count == MAX_BROKEN + 1 => diagnostics.push(too_many(file, *region)),
            _ => {}
        }
    }
    (tree.comments, tree.blank_lines) = trivia(file, text, scan);
    diagnostics.extend(builder.finish());
    (tree, diagnostics)
}

/// The item of a region if it is whole, else where parsing it stopped.
fn one<'a>(text: &'a str, region: Region, builder: &mut Builder<'a>) -> Result<Item, Option<Stop>> {
    let slice = text.get(region.start as usize..region.end as usize).ok_or(None)?;
    let pairs = SiloParser::parse(Rule::one_item, slice).map_err(|error| Some(Stop::of(region, error)))?;
    let mut items = pairs.flat_map(pest::iterators::Pair::into_inner).filter(|pair| pair.as_rule() == Rule::item);
    items.next().and_then(|item| builder.item_at(region.start, item)).ok_or(None)
}

/// What can be told of an item that cannot be read: its word and its name.
fn broken_item(file: FileId, text: &str, scan: &Scan, region: Region) -> BrokenItem {
    let span = Span::new(file, region.start, region.end);
    let name = region.word.and_then(|_| scan.token_after(region.start)).filter(|token| token.end <= region.end);
    let name = name.and_then(|token| {
        let written = text.get(token.range())?;
        let written = match token.kind {
            TokenKind::Word => written,
            TokenKind::Text => written.trim_matches('"'),
            _ => return None,
        };
        Some(Name { text: written.into(), span: Span::new(file, token.start, token.end) })
    });
    let fields = if region.word == Some(ItemWord::State) { fields_of(file, text, scan, region) } else { Vec::new() };
    BrokenItem { word: region.word, name, fields, span }
}

/// The words of a broken `state` that may name its fields: those before a colon and those that begin a line.
fn fields_of(file: FileId, text: &str, scan: &Scan, region: Region) -> Vec<Name> {
    let mut names = Vec::new();
    let mut before = scan.token_at(region.start);
    while let Some(last) = before {
        let Some(token) = scan.token_after(last.start).filter(|token| token.end <= region.end) else { break };
        let gap = text.get(last.end as usize..token.start as usize).unwrap_or_default();
        let first = gap.contains(['\n', '\r']) || last.kind == TokenKind::Open(Bracket::Curly);
        let named = || scan.token_after(token.start).and_then(|next| text.get(next.range())) == Some(":");
        if token.kind == TokenKind::Word && (first || named()) {
            let written = text.get(token.range()).unwrap_or_default();
            names.push(Name { text: written.into(), span: Span::new(file, token.start, token.end) });
        }
        before = Some(token);
    }
    names
}

fn too_many(file: FileId, region: Region) -> Diagnostic {
    Diagnostic::error(
        codes::syntax::TOO_MANY,
        Span::new(file, region.start, region.start + 1),
        format!("expected at most {MAX_BROKEN} broken items in a file, found more"),
    )
    .label("not looked at from here on")
    .help("mend the ones above first")
}

/// The comments and blank lines of the file.
fn trivia(file: FileId, text: &str, scan: &Scan) -> (Vec<Comment>, Vec<u32>) {
    let comment = |comment: &super::prescan::RawComment| {
        let span = Span::new(file, comment.start, comment.end);
        let words = text.get(span.range()).unwrap_or_default().trim_start_matches('/').trim();
        Comment { text: words.into(), span, trailing: comment.trailing }
    };
    (scan.comments.iter().map(comment).collect(), scan.blank_lines.clone())
}
