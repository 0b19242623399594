//! Trying out what would mend an item.
//!
//! A sign is called missing, and a fix offered, only after the item has been parsed with the sign in its place. The
//! work is bounded: large items are not tried, and a file has a budget.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::grammar::{Rule, SiloParser};
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
        let (at, expected) = parse(slice)?;
        Some(Stop { at: region.start.saturating_add(offset(at)), expected })
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
        let Some((at, _)) = parse(&changed) else {
            let sound = Scan::of(&changed, false).faults.is_empty();
            return if sound { Outcome::Whole } else { Outcome::Nowhere };
        };
        match at.checked_sub(before.len() + change.text.len()) {
            Some(behind) => Outcome::Until(change.end.saturating_add(offset(behind))),
            None => Outcome::Nowhere,
        }
    }
}

/// Where parsing the text as one item stops, and what could stand there.
fn parse(text: &str) -> Option<(usize, Vec<Rule>)> {
    let error = SiloParser::parse(Rule::one_item, text).err()?;
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let expected = match error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    Some((at, expected))
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
