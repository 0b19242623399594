//! Habits from other languages, and what Silo writes instead.
//!
//! The parser asks for signs and words that its grammar does not know; what parses and only means nothing, such as
//! `None` or `.length`, is asked for by those who resolve names and methods.

use std::fmt;

use crate::diagnostics::{Diagnostic, Span, codes};

/// What an author wrote out of habit, and what to write here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habit {
    /// What was written.
    pub found: &'static str,
    /// What Silo writes, as it would be said in a message.
    pub instead: &'static str,
    /// Why, or what to know about it; may be empty.
    pub because: &'static str,
    /// The text that can simply take its place, where there is one.
    pub replacement: Option<&'static str>,
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.because {
            because if self.instead == "nothing" => write!(f, "leave it out: {because}"),
            "" => write!(f, "write {}", self.instead),
            because => write!(f, "write {}: {because}", self.instead),
        }
    }
}

impl Habit {
    /// A diagnostic for the habit at `span`, without its fix.
    pub(super) fn diagnostic(self, span: Span) -> Diagnostic {
        let message = match self.instead {
            "nothing" => format!("expected no `{}` here", self.found),
            instead => format!("expected {instead}, found `{}`", self.found),
        };
        Diagnostic::error(codes::syntax::FOREIGN, span, message).label(self.to_string())
    }
}

/// A habit with a text that can take its place.
pub(super) const fn swap(found: &'static str, instead: &'static str, replacement: &'static str) -> Habit {
    Habit { found, instead, because: "", replacement: Some(replacement) }
}

/// A habit that needs some thought.
pub(super) const fn advice(found: &'static str, instead: &'static str) -> Habit {
    Habit { found, instead, because: "", replacement: None }
}

impl Habit {
    /// The same with a reason.
    pub(super) const fn because(self, because: &'static str) -> Self {
        Self { because, ..self }
    }
}

/// Signs of other languages.
const SIGNS: &[Habit] = &[
    swap("||", "`or`", "or"),
    swap("&&", "`and`", "and"),
    swap("===", "`==`", "=="),
    swap("!==", "`!=`", "!="),
    swap(";", "nothing", "").because("a line end ends a statement"),
    swap("++", "`+= 1`", " += 1"),
    swap("--", "`-= 1`", " -= 1"),
    swap("::", "`.`", "."),
    swap(":=", "`=`", "="),
    advice("**", "a product").because("there is no power operator"),
    advice("*=", "`x = x * y`"),
    advice("/=", "`x = x / y`"),
    advice("%=", "`x = x % y`"),
    advice("??=", "`x = x ?? y`"),
    advice("?", "`if a { b } else { c }`"),
    advice("&", "`and`").because("there are no operators on bits"),
    advice("^", "something else").because("there are no operators on bits"),
    advice("~", "something else").because("there are no operators on bits"),
];

/// Words of other languages that begin a statement or an item.
const WORDS: &[Habit] = &[
    swap("elif", "`else if`", "else if"),
    swap("elseif", "`else if`", "else if"),
    swap("elsif", "`else if`", "else if"),
    swap("const", "`let`", "let"),
    swap("def", "`fn`", "fn"),
    swap("function", "`fn`", "fn"),
    swap("func", "`fn`", "fn"),
    swap("fun", "`fn`", "fn"),
    swap("import", "`use`", "use"),
    swap("include", "`use`", "use"),
    swap("switch", "`match`", "match"),
    swap("foreach", "`for`", "for"),
    swap("export", "nothing", "").because("all files share their names"),
    swap("public", "nothing", "").because("all files share their names"),
    swap("async", "nothing", "").because("a call is done when it returns"),
    swap("await", "nothing", "").because("a call is done when it returns"),
    swap("new", "nothing", "").because("a record is written `{ name: value }`, a row is inserted into its table"),
    advice("while", "`for x in xs`").because("loops run over collections, so that every call ends"),
    advice("loop", "`for x in xs`").because("loops run over collections, so that every call ends"),
    advice("try", "`require` or `let x = maybe else …`").because("what fails ends the call and is undone"),
    advice("catch", "`require` or `let x = maybe else …`").because("what fails ends the call and is undone"),
    advice("throw", "`fail not_found \"…\"`"),
    advice("raise", "`fail not_found \"…\"`"),
    advice("assert", "`require condition else \"…\"`"),
    advice("unless", "`if not`"),
    advice("as", "`\"{x}\"` for text").because("there are no casts"),
    advice("delete", "`rows.remove(row)`"),
    advice("del", "`rows.remove(row)`"),
    advice("lambda", "`|x| …`"),
    advice("class", "`entity` for rows of a table, `record` for values"),
    advice("struct", "`record`, or `entity` for rows of a table"),
    advice("interface", "`record`, or `entity` for rows of a table"),
    swap("is", "`==`", "=="),
    advice("type", "`record`, `entity` or `enum`"),
];

/// Names of other languages for what is a literal or a name here.
const NAMES: &[Habit] = &[
    swap("None", "`null`", "null"),
    swap("undefined", "`null`", "null"),
    swap("nil", "`null`", "null"),
    swap("NULL", "`null`", "null"),
    swap("True", "`true`", "true"),
    swap("False", "`false`", "false"),
    swap("this", "`self`", "self"),
];

/// Types of other languages.
const TYPES: &[Habit] = &[
    swap("str", "`string`", "string"),
    swap("text", "`string`", "string"),
    swap("String", "`string`", "string"),
    swap("boolean", "`bool`", "bool"),
    swap("Boolean", "`bool`", "bool"),
    swap("Bool", "`bool`", "bool"),
    swap("integer", "`int`", "int"),
    swap("Integer", "`int`", "int"),
    swap("Int", "`int`", "int"),
    swap("long", "`int`", "int"),
    swap("i64", "`int`", "int"),
    swap("float", "`decimal`", "decimal").because("numbers are exact"),
    swap("double", "`decimal`", "decimal").because("numbers are exact"),
    swap("Decimal", "`decimal`", "decimal"),
    advice("number", "`int` or `decimal`"),
    swap("Date", "`date`", "date"),
    swap("timestamp", "`datetime`", "datetime"),
    swap("DateTime", "`datetime`", "datetime"),
    swap("array", "`list`", "list"),
    swap("Array", "`list`", "list"),
    swap("List", "`list`", "list"),
    swap("dict", "`map`", "map"),
    swap("Map", "`map`", "map"),
    swap("Record", "`map`", "map"),
    advice("object", "the members: `{ name: string }`"),
    advice("any", "the type itself").because("every value has one"),
];

/// Members and methods of other languages.
const METHODS: &[Habit] = &[
    advice("length", "`.count()` for a list, `.len()` for text"),
    advice("size", "`.count()`"),
    swap("includes", "`.contains(…)`", "contains"),
    swap("has", "`.contains(…)`", "contains"),
    advice("forEach", "`for x in xs { … }`"),
    swap("some", "`.any(…)`", "any"),
    swap("every", "`.all(…)`", "all"),
    swap("append", "`.push(…)`", "push"),
    swap("add", "`.push(…)` for a list, `.insert(…)` for a table", "push"),
    swap("toLowerCase", "`.lower()`", "lower"),
    swap("toUpperCase", "`.upper()`", "upper"),
    swap("strip", "`.trim()`", "trim"),
    swap("startsWith", "`.starts_with(…)`", "starts_with"),
    swap("startswith", "`.starts_with(…)`", "starts_with"),
    swap("endsWith", "`.ends_with(…)`", "ends_with"),
    swap("endswith", "`.ends_with(…)`", "ends_with"),
    swap("indexOf", "`.index_of(…)`", "index_of"),
    swap("findIndex", "`.find_index(…)`", "find_index"),
    swap("flatMap", "`.flat_map(…)`", "flat_map"),
    swap("groupBy", "`.group_by(…)`", "group_by"),
    swap("sortBy", "`.sort_by(…)`", "sort_by"),
    swap("sorted", "`.sort()`", "sort"),
    swap("reduce", "`.fold(start, |acc, x| …)`", "fold"),
    swap("substring", "`.slice(from, to)`", "slice"),
    swap("padStart", "`.pad_start(…)`", "pad_start"),
    advice("toString", "`\"{x}\"`"),
    advice("to_string", "`\"{x}\"`"),
    advice("toFixed", "`\"{x:.2}\"` for text, `.round(2)` for a number"),
    swap("filter_map", "`.flat_map(…)`, or `.filter(…)` and `.map(…)`", "flat_map"),
];

fn find(table: &'static [Habit], found: &str) -> Option<Habit> {
    table.iter().find(|habit| habit.found == found).copied()
}

/// The habit behind a sign that the grammar does not know: `||`, `;`.
pub fn sign(found: &str) -> Option<Habit> {
    find(SIGNS, found)
}

/// The habit behind a word that begins a statement or an item: `elif`, `def`.
pub fn word(found: &str) -> Option<Habit> {
    find(WORDS, found)
}

/// The habit behind a name that means nothing: `None`, `this`.
pub fn name(found: &str) -> Option<Habit> {
    find(NAMES, found)
}

/// The habit behind a type that does not exist: `str`, `float`.
pub fn type_name(found: &str) -> Option<Habit> {
    find(TYPES, found)
}

/// The habit behind a member or method that does not exist: `length`, `includes`.
///
/// ```
/// let habit = silo_dsl::syntax::hints::method("includes").unwrap();
/// assert_eq!(habit.to_string(), "write `.contains(…)`");
/// ```
pub fn method(found: &str) -> Option<Habit> {
    find(METHODS, found)
}
