//! Methods of lists and tables.

use super::{Gives, Kind, MethodSpec, Own, ParamSpec, optional, own, param, plain};
use crate::ir::Method;

const TEST: ParamSpec = param("f", "|x, i| bool", Kind::Test);
const EACH: ParamSpec = param("f", "|x, i| U", Kind::Special);
const ORDER: ParamSpec = param("f", "|x, i| O", Kind::Special);
const NUMBER: ParamSpec = optional("f", "|x, i| N", Kind::Special);
const N: ParamSpec = param("n", "int", Kind::Int);

pub(super) const METHODS: &[MethodSpec] = &[
    plain("filter", &[TEST], "list<T>", (Method::Filter, Gives::Elements), "The elements for which `f` is true."),
    own("map", &[EACH], "list<U>", Own::Map, "What `f` gives for each element."),
    own(
        "flat_map",
        &[param("f", "|x, i| list<U>", Kind::Special)],
        "list<U>",
        Own::FlatMap,
        "The lists that `f` gives, one after the other.",
    ),
    plain("find", &[TEST], "T?", (Method::Find, Gives::MaybeElement), "The first element for which `f` is true."),
    plain("first", &[], "T?", (Method::First, Gives::MaybeElement), "The first element."),
    plain("last", &[], "T?", (Method::Last, Gives::MaybeElement), "The last element."),
    own("min_by", &[ORDER], "T?", Own::MinBy, "The element with the least key, the first of equal ones."),
    own("max_by", &[ORDER], "T?", Own::MaxBy, "The element with the greatest key, the first of equal ones."),
    plain(
        "find_index",
        &[TEST],
        "int?",
        (Method::FindIndex, Gives::MaybeInt),
        "The position of the first element for which `f` is true.",
    ),
    plain(
        "index_of",
        &[param("x", "T", Kind::Element)],
        "int?",
        (Method::IndexOf, Gives::MaybeInt),
        "The position of the first element equal to `x`.",
    ),
    plain(
        "any",
        &[optional("f", "|x, i| bool", Kind::Test)],
        "bool",
        (Method::Any, Gives::Bool),
        "Whether `f` is true for any element; without `f`, whether there is one.",
    ),
    plain("all", &[TEST], "bool", (Method::All, Gives::Bool), "Whether `f` is true for every element."),
    plain(
        "contains",
        &[param("x", "T?", Kind::MaybeElement)],
        "bool",
        (Method::Contains, Gives::Bool),
        "Whether an element equals `x`; null never does.",
    ),
    plain(
        "count",
        &[optional("f", "|x, i| bool", Kind::Test)],
        "int",
        (Method::Count, Gives::Int),
        "How many elements there are, or for how many `f` is true.",
    ),
    own("sum", &[NUMBER], "N", Own::Sum, "The sum of the elements, or of what `f` gives; 0 if there are none."),
    own("min", &[], "T?", Own::Min, "The least element."),
    own("max", &[], "T?", Own::Max, "The greatest element."),
    own(
        "average",
        &[NUMBER],
        "decimal?",
        Own::Average,
        "The average of the elements, or of what `f` gives; null if there are none.",
    ),
    own("sort", &[], "list<T>", Own::Sort, "The elements in order; equal ones stay as they were."),
    own(
        "sort_by",
        &[param("f", "|x, i| O, ..", Kind::Special)],
        "list<T>",
        Own::SortBy,
        "The elements ordered by a key, or several; a key that ends in `.desc()` is turned round, null comes last either way.",
    ),
    own(
        "group_by",
        &[param("f", "|x, i| K", Kind::Special)],
        "list<{ key: K, items: list<T> }>",
        Own::GroupBy,
        "The elements grouped by a key, in the order of first appearance.",
    ),
    plain("take", &[N], "list<T>", (Method::Take, Gives::Elements), "The first `n` elements."),
    plain("skip", &[N], "list<T>", (Method::Skip, Gives::Elements), "All but the first `n` elements."),
    plain("reverse", &[], "list<T>", (Method::Reverse, Gives::Elements), "The elements from last to first."),
    plain(
        "distinct",
        &[],
        "list<T>",
        (Method::Distinct, Gives::Elements),
        "The elements without repetition, each where it stands first.",
    ),
    own("concat", &[param("xs", "list<T>", Kind::Special)], "list<T>", Own::Concat, "These elements and then those."),
    own(
        "where",
        &[param("fields", "{ field: U?, .. }", Kind::Special)],
        "list<T>",
        Own::Where,
        "The elements whose fields have these values; null stands for any value.",
    ),
    own(
        "search",
        &[param("text", "string?", Kind::Special), param("f", "|x, i| list<string?>", Kind::Special)],
        "list<T>",
        Own::Search,
        "The elements with a text that contains `text` in any case; a blank or null `text` keeps all.",
    ),
    own(
        "page",
        &[param("limit", "int", Kind::Int), param("offset", "int", Kind::Int)],
        "{ total, count, offset, results: list<T> }",
        Own::Page,
        "One page of the elements, and how many there are in all.",
    ),
    own(
        "join",
        &[param("separator", "string", Kind::Text)],
        "string",
        Own::Join,
        "The elements as one string, the separator between them.",
    ),
    own(
        "to_map",
        &[param("key", "|x, i| K", Kind::Special), param("value", "|x, i| U", Kind::Special)],
        "map<K, U>",
        Own::ToMap,
        "A map from keys to values; the last of equal keys wins, in first position.",
    ),
    own(
        "fold",
        &[param("init", "U", Kind::Special), param("f", "|acc, x, i| U", Kind::Special)],
        "U",
        Own::Fold,
        "What `f` makes of each element and what it made of those before, beginning with `init`.",
    ),
];
