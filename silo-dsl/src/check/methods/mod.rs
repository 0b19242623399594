//! The methods of the language, one table a kind of receiver. The tables are closed: what is not in them is no method. They
//! are data, so that the language reference is written from them.

mod answer;
mod apply;
mod changing;
mod collections;
mod date;
mod list;
mod map;
mod mutate;
mod number;
mod row;
mod scalars;
mod table;
mod text;

pub(crate) use apply::Call;

use crate::ir::{Method, Type};

/// A method.
#[derive(Clone, Copy, Debug)]
pub struct MethodSpec {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [ParamSpec],
    /// Its result, as the language reference writes it: `T` is the element, `U` what a closure gives.
    pub result: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    pub(crate) rule: Rule,
}

/// A parameter of a method.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// Its name, by which it may be given.
    pub name: &'static str,
    /// Its type, as the language reference writes it.
    pub ty: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    pub(crate) kind: Kind,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Decimal,
    Text,
    /// A string that stands in the source, for patterns and formats.
    Literal,
    /// The element of the list.
    Element,
    /// The element or null.
    MaybeElement,
    /// Of the receiver's type.
    Receiver,
    /// The key of the map.
    MapKey,
    /// The key of a row, as text or as a row.
    RowKey,
    /// A closure that gives a bool.
    Test,
    /// What a rule of its own checks.
    Special,
}

/// How a method is checked and what it gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// By its parameters; the result follows from the receiver.
    Plain(Method, Gives),
    /// By a function of its own.
    Own(Own),
}

/// The result of a plain method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    Bool,
    Int,
    MaybeInt,
    Decimal,
    MaybeDecimal,
    Text,
    Texts,
    Date,
    Receiver,
    /// `T?`
    MaybeElement,
    /// `list<T>`
    Elements,
    /// `V?` of a map.
    MaybeValue,
    /// `list<K>` of a map: its keys are text on the wire, but enum members and rows in code.
    Keys,
    /// `list<V>` of a map.
    Values,
}

/// Methods whose types follow rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Map,
    FlatMap,
    MinBy,
    MaxBy,
    Sum,
    Average,
    Min,
    Max,
    Sort,
    SortBy,
    GroupBy,
    Concat,
    Where,
    Search,
    Page,
    Join,
    ToMap,
    Fold,
    Entries,
    /// `added()`, `removed()`, `changed()` of a table of the final world.
    Difference(Method),
    Insert,
    RemoveRow,
    Push,
    RemoveAt,
    Clear,
    RemoveKey,
    Pick,
    Omit,
    Update,
    Round,
    WithNumber(Method),
    Clamp,
    Abs,
    Matches,
    Format,
}

/// What a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Lists and tables.
    List,
    /// A list that can be changed: in a row, in state, or a `var`.
    StoredList,
    /// Tables.
    Table,
    /// Maps.
    Map,
    /// A map that can be changed.
    StoredMap,
    /// Rows.
    Row,
    /// Strings.
    Text,
    /// Ints and decimals.
    Number,
    /// Dates.
    Date,
    /// Points in time.
    DateTime,
    /// `answer`, in a verifier.
    Answer,
}

impl Receiver {
    /// All of them, in the order of the language reference.
    pub const ALL: [Self; 11] = [
        Self::List,
        Self::StoredList,
        Self::Table,
        Self::Map,
        Self::StoredMap,
        Self::Row,
        Self::Text,
        Self::Number,
        Self::Date,
        Self::DateTime,
        Self::Answer,
    ];

    /// Its methods.
    pub fn methods(self) -> &'static [MethodSpec] {
        match self {
            Self::List => list::METHODS,
            Self::StoredList => mutate::LIST,
            Self::Table => table::METHODS,
            Self::Map => map::METHODS,
            Self::StoredMap => mutate::MAP,
            Self::Row => row::METHODS,
            Self::Text => text::METHODS,
            Self::Number => number::METHODS,
            Self::Date => date::DATE,
            Self::DateTime => date::DATETIME,
            Self::Answer => answer::METHODS,
        }
    }
}

/// The tables that hold the methods of a type.
pub(crate) fn receivers(ty: &Type) -> &'static [Receiver] {
    match ty {
        Type::List(_) => &[Receiver::List, Receiver::StoredList],
        Type::Table(_) | Type::RecordTable(..) => &[Receiver::List, Receiver::Table],
        Type::Map(..) => &[Receiver::Map, Receiver::StoredMap],
        Type::Entity(_) | Type::Record(_) => &[Receiver::Row],
        Type::Text | Type::Enum(_) => &[Receiver::Text],
        Type::Int | Type::Decimal => &[Receiver::Number],
        Type::Date => &[Receiver::Date],
        Type::DateTime => &[Receiver::DateTime],
        Type::Never | Type::Null | Type::Bool | Type::AnyEntity | Type::Optional(_) => &[],
    }
}

/// The methods of a type.
pub(crate) fn of(ty: &Type) -> impl Iterator<Item = &'static MethodSpec> {
    receivers(ty).iter().flat_map(|receiver| receiver.methods())
}

/// Whether a type has a method.
pub(crate) fn exists(ty: &Type, name: &str) -> bool {
    of(ty).any(|method| method.name == name)
}

const fn param(name: &'static str, ty: &'static str, kind: Kind) -> ParamSpec {
    ParamSpec { name, ty, optional: false, kind }
}

const fn optional(name: &'static str, ty: &'static str, kind: Kind) -> ParamSpec {
    ParamSpec { name, ty, optional: true, kind }
}

const fn plain(
    name: &'static str,
    params: &'static [ParamSpec],
    result: &'static str,
    (method, gives): (Method, Gives),
    doc: &'static str,
) -> MethodSpec {
    MethodSpec { name, params, result, doc, rule: Rule::Plain(method, gives) }
}

const fn own(
    name: &'static str,
    params: &'static [ParamSpec],
    result: &'static str,
    own: Own,
    doc: &'static str,
) -> MethodSpec {
    MethodSpec { name, params, result, doc, rule: Rule::Own(own) }
}
