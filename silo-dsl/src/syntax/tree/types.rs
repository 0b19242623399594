//! Types as they are written.

use super::{Expr, Name};
use crate::diagnostics::Span;

/// A type: `int(min: 0)?`.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// The type without limits and `?`.
    pub kind: TypeKind,
    /// The limits in parentheses, in order.
    pub limits: Vec<Limit>,
    /// The place of the `?`, if there is one.
    pub optional: Option<Span>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of types.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `string`
    String,
    /// `int`
    Int,
    /// `decimal`
    Decimal,
    /// `date`
    Date,
    /// `datetime`
    Datetime,
    /// An enum, record or entity.
    Named(Name),
    /// `table<Entity>`
    Table(Name),
    /// `list<T>`
    List(Box<TypeExpr>),
    /// `map<T>` or `map<K, T>`.
    Map {
        /// The type of the keys, text if left out.
        key: Option<Box<TypeExpr>>,
        /// The type of the values.
        value: Box<TypeExpr>,
    },
    /// An anonymous record: `{ rep: User, count: int }`.
    Shape(Vec<ShapeField>),
}

/// A field of an anonymous record type.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeField {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Where it stands.
    pub span: Span,
}

/// A limit of a type, or an option of a data file: `min: 0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}
