//! Diagnostics as text.

use super::{Diagnostic, Sources};

/// The diagnostics as plain text.
pub fn plain(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let span = diagnostic.span();
        let name = sources.get(span.file).map_or("?", super::Source::name);
        out.push_str(&format!(
            "{}[{}]: {}\n --> {name}:{}\n",
            diagnostic.severity.word(),
            diagnostic.code,
            diagnostic.message,
            sources.position(span)
        ));
    }
    out
}
