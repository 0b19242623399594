//! Trying out what would mend an item.
//!
//! A sign is called missing, and a fix offered, only after the item has been parsed with the sign in its place. The
//! work is bounded: large items are not tried, and a file has a budget.

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::{Rule, SiloParser};
use crate::diagnostics::{Diagnostic, FileId};
use crate::syntax::prescan::{Region, Scan};

/// The longest item that is tried.
const MAX_ITEM: usize = 32 << 10;
/// How many bytes are parsed again for one file.
const BUDGET: usize = 512 << 10;

/// Where parsing stopped, and what could stand there.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    /// The byte in the file.
    pub(super) at: u32,
    pub(super) expected: Vec<Rule>,
}

impl Stop {
    /// Where an error in the text of a region stands in the file.
    pub(super) fn of(region: Region, error: Error<Rule>) -> Self {
        let at = region.start.saturating_add(offset(place(&error)));
        let expected = match error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives,
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Self { at, expected }
    }
}

/// A change of the text: what stands from `start` to `end` becomes `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) text: String,
}

impl Change {
    pub(super) fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { start: at, end: at, text: text.into() }
    }
}

/// How far an item is read after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All of it.
    Whole,
    /// Up to this byte of the text as it was.
    Until(u32),
    /// Not known, or no better.
    Nowhere,
}

/// Tries changes on the items of one file.
pub(super) struct Repairer<'a> {
    text: &'a str,
    spent: usize,
}

impl<'a> Repairer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, spent: 0 }
    }

    /// Where parsing a region stops; nothing if it does not.
    pub(super) fn stop(&self, region: Region) -> Option<Stop> {
        let slice = self.text.get(region.start as usize..region.end as usize)?;
        SiloParser::parse(Rule::one_item, slice).err().map(|error| Stop::of(region, error))
    }

    /// What becomes of a region with a change.
    pub(super) fn attempt(&mut self, region: Region, change: &Change) -> Outcome {
        let length = (region.end - region.start) as usize;
        if length > MAX_ITEM || self.spent + length > BUDGET {
            return Outcome::Nowhere;
        }
        self.spent += length;
        let before = self.text.get(region.start as usize..change.start as usize);
        let after = self.text.get(change.end as usize..region.end as usize);
        let (Some(before), Some(after)) = (before, after) else { return Outcome::Nowhere };
        let changed = [before, &change.text, after].concat();
        let Some(at) = stops_at(&changed) else {
            let scan = Scan::of(&changed, false);
            let sound = scan.faults.is_empty()
                && super::whole(FileId(0), &changed, &scan)
                    .is_some_and(|(_, diagnostics)| !diagnostics.iter().any(Diagnostic::is_error));
            return if sound { Outcome::Whole } else { Outcome::Nowhere };
        };
        match at.checked_sub(before.len() + change.text.len()) {
            Some(behind) => Outcome::Until(change.end.saturating_add(offset(behind))),
            None => Outcome::Nowhere,
        }
    }
}

/// Where parsing the text as one item stops.
fn stops_at(text: &str) -> Option<usize> {
    SiloParser::parse(Rule::one_item, text).err().map(|error| place(&error))
}

fn place(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    }
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
