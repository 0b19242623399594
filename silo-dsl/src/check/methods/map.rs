//! Methods of maps.

use super::{Gives, Kind, MethodSpec, Own, ParamSpec, own, param, plain};
use crate::ir::Method;

const KEY: ParamSpec = param("key", "K", Kind::MapKey);

pub(super) const METHODS: &[MethodSpec] = &[
    plain("get", &[KEY], "T?", (Method::Get, Gives::MaybeValue), "The value of a key."),
    plain("contains", &[KEY], "bool", (Method::Contains, Gives::Bool), "Whether the map has this key."),
    plain("count", &[], "int", (Method::Count, Gives::Int), "How many entries there are."),
    plain("keys", &[], "list<K>", (Method::Keys, Gives::Keys), "The keys, in the order of insertion."),
    plain("values", &[], "list<T>", (Method::Values, Gives::Values), "The values, in the order of insertion."),
    own("entries", &[], "list<{ key: K, value: T }>", Own::Entries, "The entries, in the order of insertion."),
];
