//! Diagnostics as text for people, and as JSON for programs.
//!
//! The only module that knows how a diagnostic looks. What it is given in any order is shown in the order of the files,
//! and a diagnostic given twice is shown once.

mod excerpt;
mod json;
mod order;
mod report;

pub use json::json;
pub use order::{ordered, summary};

use super::{Diagnostic, Sources};

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// With colours, as ANSI escape codes.
    pub styled: bool,
    /// How many characters a line may have; longer source lines are cut around what is marked.
    pub width: usize,
    /// How many diagnostics are shown; the others are counted.
    pub limit: usize,
}

impl Default for Look {
    fn default() -> Self {
        Self { styled: false, width: 120, limit: 50 }
    }
}

/// The diagnostics and a summary line as text; nothing at all for no diagnostics.
pub fn text(sources: &Sources, diagnostics: &[Diagnostic], look: Look) -> String {
    let all = ordered(diagnostics);
    let shown = order::most_important(&all, look.limit);
    let mut out = String::new();
    for diagnostic in &shown {
        out.push_str(&report::one(sources, diagnostic, look));
        out.push_str("\n\n");
    }
    if let Some(more) = all.len().checked_sub(shown.len()).filter(|more| *more > 0) {
        out.push_str("and ");
        out.push_str(&more.to_string());
        out.push_str(" more\n");
    }
    if let Some(summary) = summary(&all) {
        out.push_str(&summary);
        out.push('\n');
    }
    out
}

/// The diagnostics and a summary line as plain text.
pub fn plain(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    text(sources, diagnostics, Look::default())
}

/// The diagnostics and a summary line with colours.
pub fn styled(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    text(sources, diagnostics, Look { styled: true, ..Look::default() })
}

#[cfg(test)]
mod tests;
