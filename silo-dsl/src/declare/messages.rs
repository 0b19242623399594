//! Diagnostics that several declarations share.

use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::Name;
use silo_runtime::methods::nearest::nearest;
use silo_runtime::value::Text;

/// Adds the nearest of some names as a fix, or else what to do.
pub(crate) fn did_you_mean<'a>(
    diagnostic: Diagnostic,
    name: &Name,
    names: impl Iterator<Item = &'a str>,
    otherwise: &str,
) -> Diagnostic {
    match nearest(name.as_str(), names) {
        Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), name.span, near),
        None => diagnostic.help(otherwise),
    }
}

/// Something is declared twice.
pub(crate) fn twice(what: &str, name: &Name, first: Span) -> Diagnostic {
    duplicate(what, name.as_str(), name.span, first)
}

/// Something is declared twice.
pub(crate) fn duplicate(what: &str, name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(codes::names::DUPLICATE, second, format!("the {what} `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give one of them another name, or take it away")
}

/// Two names become one on the wire.
pub(crate) fn wire_clash(name: &str, wire: &Text, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::names::WIRE_CLASH,
        second,
        format!("`{name}` is called `{wire}` on the wire, and so is another"),
    )
    .label(format!("becomes `{wire}`"))
    .also(first, format!("becomes `{wire}` too"))
    .why("in JSON the two could not be told apart")
    .help("rename one, or give it a name on the wire with `as \"…\"`")
}
