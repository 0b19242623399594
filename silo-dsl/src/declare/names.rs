//! How names may be written, and which have a meaning of their own.

use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::Name;

/// How long a name on the wire may be: model providers' interfaces refuse longer ones.
pub(crate) const WIRE_LENGTH: usize = 64;

/// Names that code has a meaning for wherever it stands.
pub(crate) const EVERYWHERE: [&str; 2] = ["self", "world"];
/// Names that rules have a meaning for, besides.
pub(crate) const IN_RULES: [&str; 1] = ["calls"];
/// Names that verifiers have a meaning for, besides.
pub(crate) const IN_VERIFIERS: [&str; 5] = ["initial", "final", "reference", "answer", "calls"];

/// The functions of the language itself.
pub(crate) const FUNCTIONS: [&str; 2] = ["range", "date"];

/// A name on the wire: what the interfaces of models take as the name of a property.
pub(crate) fn check_wire_name(name: &str, span: Span, sink: &mut Vec<Diagnostic>) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let what = if name.is_empty() {
        "it is empty".to_owned()
    } else if let Some(stray) = name.chars().find(|c| !allowed(*c)) {
        format!("`{}` is not allowed", stray.escape_debug())
    } else if name.len() > WIRE_LENGTH {
        format!("it has {} characters", name.len())
    } else {
        return;
    };
    let shown = silo_runtime::value::text::shorten(name, 80);
    sink.push(
        Diagnostic::error(codes::names::WIRE_NAME, span, format!("`{}` cannot be a name on the wire: {what}", shown.escape_debug()))
            .label("refused by tool interfaces")
            .why("Anthropic's interface takes properties of 1 to 64 letters, digits, `_`, `.` and `-`; one name outside that makes it refuse all tools")
            .help("use up to 64 ASCII letters, digits, `_`, `.` and `-`"),
    );
}

/// A name of a tool: what the interfaces of models take.
pub(crate) fn check_tool_name(name: &Name, sink: &mut Vec<Diagnostic>) {
    let length = name.as_str().len();
    if length <= WIRE_LENGTH {
        return;
    }
    sink.push(
        Diagnostic::error(codes::names::WIRE_NAME, name.span, format!("the name of this tool has {length} characters"))
            .label("at most 64 are allowed")
            .why("OpenAI's and Anthropic's interfaces take tools named by 1 to 64 letters, digits, `_` and `-`; one longer name makes them refuse all tools")
            .help("shorten the name, and say the rest in the tool's documentation"),
    );
}

/// A name that code has a meaning for already.
pub(crate) fn check_reserved(what: &str, name: &Name, reserved: &[&str], sink: &mut Vec<Diagnostic>) {
    if reserved.contains(&name.as_str()) {
        sink.push(
            Diagnostic::error(codes::names::RESERVED, name.span, format!("a {what} cannot be called `{name}`"))
                .label("has a meaning of its own")
                .help("choose another name; with `as \"…\"` it can still be called so on the wire"),
        );
    }
}
