//! Expressions, texts, arguments and patterns.

use std::sync::Arc;

use super::{Name, Quoted};
use crate::diagnostics::Span;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
///
/// Operators of one precedence are one flat node, so `a or b or c` has three parts. A comparison has two: chains of
/// them are refused when parsing.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number: its digits, without `_`. It may be too large for an `int`.
    Int(Arc<str>),
    /// A number with a point: its digits and the point, without `_`.
    Decimal(Arc<str>),
    /// A date: what follows the `@`. Its shape is right, but the day may not exist.
    Date(Arc<str>),
    /// A point in time: what follows the `@`. Its shape is right, but the time may not exist.
    Datetime(Arc<str>),
    /// A string, with its holes.
    Text(Text),
    /// A name: a local, a parameter, a field, a constant, state, `self`, `initial`, …
    Name(Name),
    /// `[a, b]`
    List(Vec<Expr>),
    /// A record or a map: `{ a: 1, ...b }`, `{ "k": v }`.
    Braced(Braced),
    /// `(e)`
    Paren(Box<Expr>),
    /// A call of a function or an action: `audit(actor, "…")`.
    Function(FunctionCall),
    /// A call of a tool, in a solution: `call list_users(limit: 100)`.
    CallTool(Box<CallTool>),
    /// Members, methods and indexes read from left to right: `o.stage.name`, `xs[0]!.f(x)`. At least one link.
    Chain {
        /// What the first link is applied to; never a chain itself.
        atom: Box<Expr>,
        /// The links, in order.
        links: Vec<Link>,
    },
    /// `a or b or c`: two parts or more.
    Or(Vec<Expr>),
    /// `a and b and c`: two parts or more.
    And(Vec<Expr>),
    /// `not x`, `not not x`
    Not {
        /// How often `not` is written.
        times: u32,
        /// What follows.
        operand: Box<Expr>,
    },
    /// `a == b`, `x in xs`, …
    Compare {
        /// The left side.
        left: Box<Expr>,
        /// The operator.
        op: CompareOp,
        /// Where the operator stands.
        op_span: Span,
        /// The right side.
        right: Box<Expr>,
    },
    /// `a ?? b ?? c`: two parts or more.
    Coalesce(Vec<Expr>),
    /// Sums and products, evaluated from left to right: `a + b - c`, `a * b / c`. The operators of one node have one
    /// precedence.
    Arith(Arith),
    /// `-x`, `--x`
    Negate {
        /// How often `-` is written.
        times: u32,
        /// What follows.
        operand: Box<Expr>,
    },
    /// `if a { x } else if b { y } else { z }`
    If(IfExpr),
    /// `match x { "a" -> 1, else -> 2 }`
    Match(MatchExpr),
}

/// `a + b - c`
#[derive(Debug, Clone, PartialEq)]
pub struct Arith {
    /// The first part.
    pub first: Box<Expr>,
    /// The operators, their places, and what follows each. At least one.
    pub rest: Vec<(ArithOp, Span, Expr)>,
}

/// The operators of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `div`
    FloorDivide,
}

impl ArithOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::FloorDivide => "div",
        }
    }
}

/// The operators of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `in`
    In,
    /// `not in`
    NotIn,
}

impl CompareOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

/// One step of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// What it does.
    pub kind: LinkKind,
    /// Where it stands, its dot or bracket included.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Debug, Clone, PartialEq)]
pub enum LinkKind {
    /// `.name`, `?.name`
    Field {
        /// The name.
        name: Name,
        /// True for `?.`.
        optional: bool,
    },
    /// `.name(…)`, `?.name(…)`
    Method {
        /// The name.
        name: Name,
        /// True for `?.`.
        optional: bool,
        /// What stands in the parentheses.
        args: Args,
    },
    /// `[index]`
    Index(Box<Expr>),
    /// `!`
    NonNull,
}

/// `audit(actor, "…")`
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    /// The function or action.
    pub name: Name,
    /// What stands in the parentheses.
    pub args: Args,
}

/// What stands in the parentheses of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Args {
    /// The arguments, in order.
    pub items: Vec<Arg>,
    /// Where they stand, the parentheses included.
    pub span: Span,
}

/// One argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// By place. A bare word is a [`ExprKind::Name`]; for `pick` and `omit` it is the name of a field, and may then
    /// be a reserved word.
    Positional(Expr),
    /// By name: `limit: 20`.
    Named {
        /// The name.
        name: Name,
        /// The value.
        value: Expr,
    },
    /// `...paging`
    Spread {
        /// What is spread.
        value: Expr,
        /// Where it stands, the dots included.
        span: Span,
    },
    /// `|o| o.amount`
    Closure(Closure),
}

impl Arg {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Positional(value) => value.span,
            Self::Named { name, value } => name.span.to(value.span),
            Self::Spread { span, .. } => *span,
            Self::Closure(closure) => closure.span,
        }
    }
}

/// `|o, i| o.amount * i`
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Its parameters; at least one.
    pub params: Vec<Name>,
    /// What it gives.
    pub body: Box<Expr>,
    /// Where it stands, the bars included.
    pub span: Span,
}

/// A call of a tool in a solution: `call t(a: x) by "u" expect not_found`.
#[derive(Debug, Clone, PartialEq)]
pub struct CallTool {
    /// The tool.
    pub tool: Name,
    /// What stands in the parentheses.
    pub args: Args,
    /// Who calls, if said.
    pub by: Option<Name>,
    /// The code with which the call must fail, if said.
    pub expect: Option<Name>,
}

/// A record or map literal: what stands in the braces.
#[derive(Debug, Clone, PartialEq)]
pub struct Braced {
    /// The members, in order.
    pub members: Vec<Member>,
    /// Where it stands, the braces included.
    pub span: Span,
}

impl Braced {
    /// True if its names are quoted or computed: a map. Members of both kinds in one literal are refused when parsing.
    pub fn is_map(&self) -> bool {
        self.members.iter().any(|member| matches!(member.kind, MemberKind::Quoted { .. } | MemberKind::Computed { .. }))
    }
}

/// One member of a record or map literal.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// What it is.
    pub kind: MemberKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of members.
#[derive(Debug, Clone, PartialEq)]
pub enum MemberKind {
    /// `...row`
    Spread(Expr),
    /// `name: value`, `name`, `name?: value`, `name?`
    Named {
        /// The name.
        name: Name,
        /// The place of the `?`: a null value drops the member.
        optional: Option<Span>,
        /// The value; left out, it is what the name stands for.
        value: Option<Expr>,
    },
    /// `"key": value`
    Quoted {
        /// The key.
        key: Quoted,
        /// The value.
        value: Expr,
    },
    /// `[key]: value`
    Computed {
        /// The key.
        key: Expr,
        /// The value.
        value: Expr,
    },
}

/// A string with its holes; escapes are decoded, doubled braces are single.
///
/// In `"""` text, the line end after the opening quotes, the last line if it is blank, and the blanks that all lines
/// that are not blank begin with are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Literal text and holes, in order; never two literals in a row, none of them empty.
    pub pieces: Vec<Piece>,
    /// True for `"""` text.
    pub triple: bool,
    /// Where it stands, the quotes included.
    pub span: Span,
}

impl Text {
    /// The text if it has no hole.
    pub fn as_plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal { text, .. }] => Some(text),
            _ => None,
        }
    }
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text as it is.
    Literal {
        /// The text.
        text: Arc<str>,
        /// Where it stands.
        span: Span,
    },
    /// `{expr}`, `{expr:format}`
    Hole {
        /// What is shown.
        value: Box<Expr>,
        /// How, if said.
        format: Option<Format>,
        /// Where it stands, the braces included.
        span: Span,
    },
}

/// How a number is shown: `,` for groups of three digits, `.2` for two digits after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Groups of three digits are parted by commas.
    pub thousands: bool,
    /// How many digits after the point, if said.
    pub digits: Option<u32>,
    /// Where it stands, without the colon.
    pub span: Span,
}

/// `if a { x } else if b { y } else { z }`
#[derive(Debug, Clone, PartialEq)]
pub struct IfExpr {
    /// Conditions and what is taken when they hold; at least one.
    pub arms: Vec<(Expr, Expr)>,
    /// What is taken otherwise.
    pub otherwise: Box<Expr>,
}

/// `match x { "a" | "b" -> 1, else -> 2 }`
#[derive(Debug, Clone, PartialEq)]
pub struct MatchExpr {
    /// What is looked at.
    pub subject: Box<Expr>,
    /// The arms, in order; at least one.
    pub arms: Vec<MatchExprArm>,
}

/// One arm of a `match` that gives a value.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchExprArm {
    /// When it is taken.
    pub pattern: Pattern,
    /// What it gives.
    pub value: Expr,
}

/// When an arm is taken.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// `else`, at this place.
    Else(Span),
    /// One of some literals: `"a" | "b"`. At least one.
    Literals(Vec<Literal>),
}

impl Pattern {
    /// Where it stands, from its first literal to its last; nothing for a pattern without literals.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Else(span) => Some(*span),
            Self::Literals(literals) => Some(literals.first()?.span.to(literals.last()?.span)),
        }
    }
}

/// A literal of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// What it is.
    pub kind: LiteralKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of literals in patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiteralKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number: a `-` if there is one, and its digits.
    Int(Arc<str>),
    /// A number with a point: a `-` if there is one, its digits and the point.
    Decimal(Arc<str>),
    /// A date: what follows the `@`.
    Date(Arc<str>),
    /// A point in time: what follows the `@`.
    Datetime(Arc<str>),
    /// A string.
    Text(Arc<str>),
}
