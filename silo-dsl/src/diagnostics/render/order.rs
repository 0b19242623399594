//! Which diagnostics are shown, and in which order.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, FileId, Severity};

/// The diagnostics by file, place, severity and code, each once.
pub fn ordered(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut all = diagnostics.to_vec();
    let key = |one: &Diagnostic| (one.span(), one.severity, one.code);
    all.sort_by(|a, b| {
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)).then_with(|| a.labels.cmp(&b.labels))
    });
    all.dedup();
    all
}

/// At most `limit` diagnostics, in the same order; warnings are left out before errors.
pub(super) fn most_important(ordered: &[Diagnostic], limit: usize) -> Vec<&Diagnostic> {
    let errors = ordered.iter().filter(|one| one.is_error()).count();
    let mut warnings_left = limit.saturating_sub(errors);
    let mut errors_left = limit;
    let mut shown = Vec::with_capacity(limit.min(ordered.len()));
    for diagnostic in ordered {
        let left = if diagnostic.is_error() { &mut errors_left } else { &mut warnings_left };
        if *left > 0 {
            *left -= 1;
            shown.push(diagnostic);
        }
    }
    shown
}

/// "3 errors and 1 warning in 2 files", or nothing if there is nothing to report.
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity: Severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    let files: BTreeSet<FileId> = diagnostics.iter().map(|one| one.span().file).collect();
    let parts: Vec<String> = [Severity::Error, Severity::Warning]
        .into_iter()
        .filter_map(|severity| counted(count(severity), severity.word()))
        .collect();
    Some(format!("{} in {}", (!parts.is_empty()).then(|| parts.join(" and "))?, counted(files.len(), "file")?))
}

fn counted(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    }
}
