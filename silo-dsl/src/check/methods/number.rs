//! Methods of ints and decimals.

use super::{Gives, Kind, MethodSpec, Own, ParamSpec, optional, own, param, plain};
use crate::ir::Method;

const N: ParamSpec = param("n", "N", Kind::Special);

pub(super) const METHODS: &[MethodSpec] = &[
    own(
        "round",
        &[optional("n", "int", Kind::Int)],
        "int / decimal",
        Own::Round,
        "The nearest int, or with `n` the nearest decimal of `n` places; halves away from zero.",
    ),
    plain("floor", &[], "int", (Method::Floor, Gives::Int), "The greatest int that is not above it."),
    plain("ceil", &[], "int", (Method::Ceil, Gives::Int), "The least int that is not below it."),
    own("abs", &[], "N", Own::Abs, "Without its sign."),
    own("min", &[N], "N", Own::WithNumber(Method::NumberMin), "The lesser of it and `n`."),
    own("max", &[N], "N", Own::WithNumber(Method::NumberMax), "The greater of it and `n`."),
    own(
        "clamp",
        &[param("a", "N", Kind::Special), param("b", "N", Kind::Special)],
        "N",
        Own::Clamp,
        "The nearest number from `a` to `b`.",
    ),
];
