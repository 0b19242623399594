//! Methods of tables beside those of lists.

use super::{Gives, Kind, MethodSpec, Own, own, param, plain};
use crate::ir::Method;

pub(super) const METHODS: &[MethodSpec] = &[
    plain(
        "get",
        &[param("key", "string | E", Kind::RowKey)],
        "E?",
        (Method::Get, Gives::MaybeElement),
        "The row with this key.",
    ),
    plain("keys", &[], "list<string>", (Method::Keys, Gives::Texts), "The keys of all rows."),
    own(
        "insert",
        &[param("row", "{ .. }", Kind::Special)],
        "E",
        Own::Insert,
        "Adds a row and gives it; a key that is left out is made by the pattern.",
    ),
    own(
        "remove",
        &[param("row", "E", Kind::Special)],
        "",
        Own::RemoveRow,
        "Takes a row out, with the rows nested in it.",
    ),
    own(
        "added",
        &[],
        "list<E>",
        Own::Difference(Method::Added),
        "Rows of the final world that the initial one has not.",
    ),
    own(
        "removed",
        &[],
        "list<E>",
        Own::Difference(Method::Removed),
        "Rows of the initial world that the final one has not.",
    ),
    own(
        "changed",
        &[],
        "list<E>",
        Own::Difference(Method::Changed),
        "Rows of both worlds that differ, as they are in the final one.",
    ),
];
