//! Habits from other languages, and what is written here instead.

use crate::diagnostics::{Diagnostic, Span};
use crate::ir::Type;

/// What to write instead.
pub(crate) struct Hint {
    help: String,
    /// A replacement of the word, where that is all there is to do.
    word: Option<&'static str>,
}

impl Hint {
    fn text(help: impl Into<String>) -> Self {
        Self { help: help.into(), word: None }
    }

    fn word(word: &'static str, help: impl Into<String>) -> Self {
        Self { help: help.into(), word: Some(word) }
    }

    /// Adds it to a diagnostic about the word at a place.
    pub(crate) fn add_to(self, diagnostic: Diagnostic, span: Span) -> Diagnostic {
        let diagnostic = diagnostic.help(self.help);
        match self.word {
            Some(word) => diagnostic.fix(format!("write `{word}`"), span, word),
            None => diagnostic,
        }
    }
}

/// A name that other languages know.
pub(crate) fn name_hint(name: &str) -> Option<Hint> {
    match name {
        "None" | "undefined" | "nil" | "NULL" | "Null" => Some(Hint::word("null", "what is absent is written `null`")),
        "True" | "TRUE" => Some(Hint::word("true", "written in lower case: `true`")),
        "False" | "FALSE" => Some(Hint::word("false", "written in lower case: `false`")),
        "this" => Some(Hint::word("self", "the row of a derived field is `self`")),
        "Math" => Some(Hint::text("numbers have methods: `x.round()`, `x.floor()`, `x.abs()`, `x.max(y)`")),
        "Date" | "datetime" => {
            Some(Hint::text("there is no clock; what the time is, is state of the world, such as a field `now: date`"))
        }
        "Object" => Some(Hint::text("a map has `keys()`, `values()` and `entries()`")),
        "console" => Some(Hint::text("nothing is printed; a tool returns what the agent should read")),
        _ => None,
    }
}

/// A function that other languages know.
pub(crate) fn function_hint(name: &str) -> Option<Hint> {
    let text = match name {
        "len" | "length" => "write `xs.count()` for a list, `s.len()` for a string",
        "str" | "String" => "put it into a string: `\"{x}\"`",
        "int" | "parseInt" => "read an int from text with `s.to_int()`, which gives null if it is none",
        "float" | "Number" | "parseFloat" | "Decimal" => {
            "read a number from text with `s.to_decimal()`, which gives null if it is none"
        }
        "print" | "log" => "nothing is printed; a tool returns what the agent should read",
        "sorted" => "write `xs.sort_by(|x| …)`",
        "now" | "today" | "time" => {
            "there is no clock; what the time is, is state of the world, such as a field `now: date`"
        }
        "random" | "rand" | "uuid" => "nothing is random; keys of new rows are made by their pattern",
        "enumerate" => "write `for i, x in xs`, or a closure with two parameters: `|x, i| …`",
        "Error" | "raise" | "throw" | "panic" => "write `fail code \"message\"`",
        "isinstance" | "typeof" => "every type is known: test a case with `x.kind == \"…\"`, null with `x != null`",
        _ => return None,
    };
    Some(Hint::text(text))
}

/// A field that other languages know.
pub(crate) fn field_hint(ty: &Type, name: &str) -> Option<Hint> {
    match (ty, name) {
        (
            Type::List(_) | Type::Table(_) | Type::RecordTable(..) | Type::Map(..),
            "length" | "size" | "len" | "count",
        ) => Some(Hint::word("count()", "how many there are is `.count()`")),
        (Type::Text | Type::Enum(_), "length" | "size" | "len" | "count") => {
            Some(Hint::word("len()", "how many characters there are is `.len()`"))
        }
        (Type::Enum(_), "value" | "name") => Some(Hint::text("an enum's member is its text: leave `.value` out")),
        (Type::Entity(_), "id" | "key_" | "_id") => Some(Hint::word("key", "the key of a row is `.key`")),
        _ => None,
    }
}

/// A method that other languages know.
pub(crate) fn method_hint(ty: &Type, name: &str) -> Option<Hint> {
    let list = matches!(ty, Type::List(_) | Type::Table(_) | Type::RecordTable(..));
    let stored = matches!(ty, Type::List(_));
    let text = matches!(ty, Type::Text | Type::Enum(_));
    let map = matches!(ty, Type::Map(..));
    let number = matches!(ty, Type::Int | Type::Decimal);
    let date = matches!(ty, Type::Date | Type::DateTime);
    let hint = match name {
        "length" | "size" | "len" if list || map => Hint::word("count", "how many there are is `.count()`"),
        "length" | "size" | "count" if text => Hint::word("len", "how many characters there are is `.len()`"),
        "includes" | "has" | "include" | "in" if list || text || map => {
            Hint::word("contains", "written `.contains(…)`, or `x in xs`")
        }
        "some" | "exists" if list => Hint::word("any", "written `.any(|x| …)`"),
        "every" if list => Hint::word("all", "written `.all(|x| …)`"),
        "forEach" | "for_each" | "each" if list => Hint::text("write a loop: `for x in xs { … }`"),
        "append" | "add" if stored => Hint::word("push", "written `.push(…)`"),
        "push" | "append" | "add" | "create" if list => Hint::word("insert", "a row is added by `.insert({ … })`"),
        "reduce" if list => Hint::text("written `.fold(init, |so_far, x| …)`"),
        "select" if list => Hint::word("map", "written `.map(|x| …)`"),
        "findIndex" if list => Hint::word("find_index", "written `.find_index(|x| …)`"),
        "indexOf" if list => Hint::word("index_of", "written `.index_of(x)`"),
        "flatMap" if list => Hint::word("flat_map", "written `.flat_map(|x| …)`"),
        "groupBy" if list => Hint::word("group_by", "written `.group_by(|x| …)`"),
        "orderBy" | "sorted" | "sortBy" | "order_by" if list => Hint::word("sort_by", "written `.sort_by(|x| …)`"),
        "unique" | "uniq" if list => Hint::word("distinct", "written `.distinct()`"),
        "limit" if list => Hint::word("take", "written `.take(n)`"),
        "offset" if list => Hint::word("skip", "written `.skip(n)`"),
        "slice" if list => Hint::text("written `.skip(i).take(n)`"),
        "reversed" if list => Hint::word("reverse", "written `.reverse()`"),
        "pop" | "shift" if list => Hint::text("read `.last()` or `.first()`, take out with `.remove_at(i)`"),
        "delete" | "del" | "drop" if list || map => Hint::word("remove", "written `.remove(…)`"),
        "is_empty" | "isEmpty" | "empty" if list => Hint::text("write `not xs.any()`, or `xs.count() == 0`"),
        "items" if map => Hint::word("entries", "written `.entries()`"),
        "has_key" | "hasOwnProperty" if map => Hint::word("contains", "written `.contains(key)`"),
        "set" | "put" | "insert" if map => Hint::text("written `m[key] = value`"),
        "toLowerCase" | "to_lower" | "lowercase" if text => Hint::word("lower", "written `.lower()`"),
        "toUpperCase" | "to_upper" | "uppercase" if text => Hint::word("upper", "written `.upper()`"),
        "startsWith" | "startswith" if text => Hint::word("starts_with", "written `.starts_with(…)`"),
        "endsWith" | "endswith" if text => Hint::word("ends_with", "written `.ends_with(…)`"),
        "strip" if text => Hint::word("trim", "written `.trim()`"),
        "substring" | "substr" | "slice_" if text => Hint::word("slice", "written `.slice(i, j)`"),
        "padStart" | "zfill" | "rjust" if text => Hint::word("pad_start", "written `.pad_start(n, s)`"),
        "replaceAll" if text => Hint::word("replace", "written `.replace(a, b)`, which replaces all"),
        "concat" if text => Hint::text("write one string with holes: `\"{a}{b}\"`"),
        "match" | "test" if text => Hint::word("matches", "written `.matches(\"…\")`, which matches the whole string"),
        "format" if text => Hint::text("write a string with holes: `\"{a} of {b}\"`"),
        "parseInt" | "toInt" if text => Hint::word("to_int", "written `.to_int()`"),
        "toFixed" if number => Hint::text("write `.round(2)`; to show places put it into a string: `\"{x:.2}\"`"),
        "toString" | "to_string" | "str" => Hint::text("put it into a string: `\"{x}\"`"),
        "plus" | "add" | "addDays" if date => Hint::word("add_days", "written `.add_days(n)`"),
        "days_since" | "diff" | "daysUntil" | "days_between" if date => {
            Hint::text("written from the earlier to the later: `from.days_until(to)`")
        }
        "getFullYear" if date => Hint::word("year", "written `.year()`"),
        "unwrap" | "expect" => Hint::text("a value that may be null is asserted by `!`"),
        "unwrap_or" | "getOrElse" | "or_else" => Hint::text("give a value for null with `??`"),
        "save" | "commit" => Hint::text("an assignment changes the world at once: leave this out"),
        _ => return None,
    };
    Some(hint)
}
