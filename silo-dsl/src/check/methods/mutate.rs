//! Methods that change a list or a map in its place: in a row, in state, or in a `var`.

use super::{Kind, MethodSpec, Own, own, param};

pub(super) const LIST: &[MethodSpec] = &[
    own("push", &[param("x", "T", Kind::Special)], "", Own::Push, "Adds an element at the end."),
    own(
        "remove_at",
        &[param("i", "int", Kind::Special)],
        "",
        Own::RemoveAt,
        "Takes out the element at a position; `not_found` if there is none.",
    ),
    own("clear", &[], "", Own::Clear, "Takes out everything."),
];

pub(super) const MAP: &[MethodSpec] = &[
    own(
        "remove",
        &[param("key", "K", Kind::Special)],
        "",
        Own::RemoveKey,
        "Takes out the entry of a key, if there is one.",
    ),
    own("clear", &[], "", Own::Clear, "Takes out everything."),
];
