//! Methods of rows; `pick` and `omit` work on records too.

use super::{Kind, MethodSpec, Own, own, param};

pub(super) const METHODS: &[MethodSpec] = &[
    own("pick", &[param("fields", "a, b, ..", Kind::Special)], "record", Own::Pick, "A record of these fields."),
    own("omit", &[param("fields", "a, b, ..", Kind::Special)], "record", Own::Omit, "A record of all other fields."),
    own(
        "update",
        &[param("fields", "{ a?, b: v }", Kind::Special)],
        "",
        Own::Update,
        "Sets these fields; one written `a?` only where its value is not null.",
    ),
];
