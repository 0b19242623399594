//! What an agent is told of a key that cannot stand, whatever the kind of table.

use crate::value::ToolError;
use crate::value::text::shorten;

/// Longest key shown in a message.
const SHOWN: usize = 60;

/// Another row has the key.
pub(crate) fn taken(entity: &str, key: &str) -> ToolError {
    ToolError::conflict(format!("there is already a {entity} `{}`", shorten(key, SHOWN)))
}

/// The key was left out and nothing makes one.
pub(crate) fn missing(entity: &str, field: &str) -> ToolError {
    ToolError::invalid_input(format!("a new {entity} needs its key: `{field}` is missing"))
}

/// The text cannot be a key.
pub(crate) fn no_key(entity: &str, key: &str) -> ToolError {
    ToolError::invalid_input(format!(
        "the key of a {entity} is text without control characters, not empty, but would be `{}`",
        shorten(key, SHOWN).escape_debug()
    ))
}

/// The key is made of a field that is null.
pub(crate) fn part_missing(entity: &str, field: &str) -> ToolError {
    ToolError::invalid_state(format!("the key of a {entity} is made of its `{field}`, which is null"))
}

/// The key is not the one that the row's fields make.
pub(crate) fn mismatch(entity: &str, expected: &str, found: &str) -> ToolError {
    ToolError::invalid_state(format!(
        "the key of this {entity} must be `{}`, as its fields say, but would be `{}`",
        shorten(expected, SHOWN),
        shorten(found, SHOWN)
    ))
}

/// No higher number is left.
pub(crate) fn used_up(entity: &str) -> ToolError {
    ToolError::limit_exceeded(format!("no number is left for the key of another {entity}"))
}
