//! Methods of strings; an enum's member is one, too.

use super::{Gives, Kind, MethodSpec, Own, ParamSpec, optional, own, param, plain};
use crate::ir::Method;

const S: ParamSpec = param("s", "string", Kind::Text);

pub(super) const METHODS: &[MethodSpec] = &[
    plain("lower", &[], "string", (Method::Lower, Gives::Text), "In lower case."),
    plain("upper", &[], "string", (Method::Upper, Gives::Text), "In upper case."),
    plain("trim", &[], "string", (Method::Trim, Gives::Text), "Without blanks at both ends."),
    plain("len", &[], "int", (Method::Len, Gives::Int), "How many characters (Unicode scalar values) it has."),
    plain("contains", &[S], "bool", (Method::ContainsText, Gives::Bool), "Whether `s` occurs in it."),
    plain("starts_with", &[S], "bool", (Method::StartsWith, Gives::Bool), "Whether it begins with `s`."),
    plain("ends_with", &[S], "bool", (Method::EndsWith, Gives::Bool), "Whether it ends with `s`."),
    plain(
        "replace",
        &[param("a", "string", Kind::Text), param("b", "string", Kind::Text)],
        "string",
        (Method::Replace, Gives::Text),
        "With `b` for every `a`.",
    ),
    plain("split", &[S], "list<string>", (Method::Split, Gives::Texts), "The parts between the `s`."),
    plain(
        "slice",
        &[param("i", "int", Kind::Int), optional("j", "int", Kind::Int)],
        "string",
        (Method::Slice, Gives::Text),
        "The characters from `i` to before `j`, or to the end; what lies outside is left out.",
    ),
    plain(
        "pad_start",
        &[param("n", "int", Kind::Int), S],
        "string",
        (Method::PadStart, Gives::Text),
        "At least `n` characters long, filled with `s` in front.",
    ),
    own(
        "matches",
        &[param("pattern", "literal", Kind::Literal)],
        "bool",
        Own::Matches,
        "Whether the whole string matches a pattern.",
    ),
    plain("to_int", &[], "int?", (Method::ToInt, Gives::MaybeInt), "The int it spells, null if none."),
    plain(
        "to_decimal",
        &[],
        "decimal?",
        (Method::ToDecimal, Gives::MaybeDecimal),
        "The decimal it spells, null if none.",
    ),
    plain(
        "calculate",
        &[],
        "decimal",
        (Method::Calculate, Gives::Decimal),
        "The value of `+ - * /` and parentheses; `invalid_input` where it is no such expression.",
    ),
];
