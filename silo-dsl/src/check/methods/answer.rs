//! Methods of the answer's text, in a verifier.

use super::{Gives, Kind, MethodSpec, optional, param, plain};
use crate::ir::Method;

pub(super) const METHODS: &[MethodSpec] = &[
    plain(
        "mentions",
        &[param("s", "string", Kind::Text)],
        "bool",
        (Method::Mentions, Gives::Bool),
        "Whether the text holds `s` as whole words, in any case.",
    ),
    plain(
        "states",
        &[param("n", "decimal", Kind::Decimal), optional("tolerance", "decimal", Kind::Decimal)],
        "bool",
        (Method::States, Gives::Bool),
        "Whether the number occurs in a text with at most eight different numbers; `tolerance` is 0.01 if not given.",
    ),
    plain(
        "names",
        &[param("row", "E", Kind::Special)],
        "bool",
        (Method::Names, Gives::Bool),
        "Whether the text has the row's key or label as whole words.",
    ),
    plain(
        "names_only",
        &[param("rows", "list<E>", Kind::Special)],
        "bool",
        (Method::NamesOnly, Gives::Bool),
        "Whether the text names these rows and no other row of their entity.",
    ),
];
