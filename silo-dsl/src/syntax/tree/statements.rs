//! Blocks and statements.

use super::{Args, Braced, Closure, Expr, Name, Pattern, Text, TypeExpr};
use crate::diagnostics::Span;

/// Statements in braces.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// Where it stands, the braces included.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements. Where each may stand is not checked here.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `let x = e`, `var x = e`, `let x = maybe else not_found "…"`
    Let(Let),
    /// `o.owner = x`
    Assign(Assign),
    /// A call: `audit(…)`, `xs.push(x)`, `call t(…)`.
    Run(Expr),
    /// `if c { … } else if d { … } else { … }`
    If(If),
    /// `for x in xs { … }`
    For(For),
    /// `match x { "a" -> { … } }`
    Match(Match),
    /// `require c else code "…" { … }`
    Require(Require),
    /// `fail code "…" { … }`
    Fail(Refusal),
    /// `return`, `return e`
    Return(Option<Expr>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `check "label": e`
    Check(Check),
    /// `changes nothing`, `changes only …`
    Changes(Changes),
    /// `same world as reference`
    SameWorld(SameWorld),
    /// `verify v(…)`
    Verify(VerifyUse),
    /// `answer e`
    Answer(Expr),
}

/// `let x: T = e else code "…"`
#[derive(Debug, Clone, PartialEq)]
pub struct Let {
    /// True for `var`.
    pub mutable: bool,
    /// The name that is bound.
    pub name: Name,
    /// Its type, if given.
    pub ty: Option<TypeExpr>,
    /// Its value.
    pub value: Expr,
    /// What happens if the value is null.
    pub otherwise: Option<Refusal>,
}

/// `place = e`, `place += e`
#[derive(Debug, Clone, PartialEq)]
pub struct Assign {
    /// What is assigned to.
    pub place: Place,
    /// How.
    pub op: AssignOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// The value.
    pub value: Expr,
}

/// The operators of assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// What can be assigned to: a name and steps from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The name it starts from.
    pub root: Name,
    /// The steps, in order.
    pub steps: Vec<PlaceStep>,
    /// Where it stands.
    pub span: Span,
}

/// A step of a place.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaceStep {
    /// `.name`
    Field(Name),
    /// `[index]`
    Index(Expr),
}

/// How something fails: `not_found "{id} is gone." { id }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The code; the default one if left out.
    pub code: Option<Name>,
    /// The message.
    pub message: Text,
    /// More for the agent to read.
    pub details: Option<Braced>,
    /// Where it stands.
    pub span: Span,
}

/// `if c { … } else if d { … } else { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct If {
    /// Conditions and their blocks; at least one.
    pub arms: Vec<IfArm>,
    /// The block of the last `else`.
    pub otherwise: Option<Block>,
}

/// A condition and its block.
#[derive(Debug, Clone, PartialEq)]
pub struct IfArm {
    /// The condition.
    pub condition: Expr,
    /// What is done when it holds.
    pub body: Block,
}

/// `for x in xs { … }`, `for i, x in xs { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct For {
    /// The name of the index, the first of two names.
    pub index: Option<Name>,
    /// The name of the element.
    pub element: Name,
    /// What the loop runs over.
    pub source: Expr,
    /// What is done for each.
    pub body: Block,
}

/// `match x { "a" -> { … } else -> { … } }`
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// What is looked at.
    pub subject: Expr,
    /// The arms, in order.
    pub arms: Vec<MatchArm>,
}

/// One arm of a `match` statement.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchArm {
    /// When it is taken.
    pub pattern: Pattern,
    /// What is done.
    pub body: Block,
}

/// `require c else code "…"`
#[derive(Debug, Clone, PartialEq)]
pub struct Require {
    /// What must hold.
    pub condition: Expr,
    /// What happens otherwise.
    pub refusal: Refusal,
}

/// `check optional "label" weight 2: e`
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Its label.
    pub label: Text,
    /// True for `check optional`.
    pub optional: bool,
    /// Its weight, if given: a number literal.
    pub weight: Option<Expr>,
    /// What must hold.
    pub condition: Expr,
}

/// `changes nothing` or `changes only …`
#[derive(Debug, Clone, PartialEq)]
pub enum Changes {
    /// Nothing may differ.
    Nothing,
    /// Only these may differ; at least one.
    Only(Vec<Change>),
}

/// What may differ: `orders.status changed where |o| …`
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The place in the world.
    pub path: StatePath,
    /// In which way, and where that is written.
    pub kind: Option<(ChangeKind, Span)>,
    /// For which rows.
    pub condition: Option<Closure>,
    /// Where it stands.
    pub span: Span,
}

/// In which way something may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// `added`
    Added,
    /// `removed`
    Removed,
    /// `changed`
    Changed,
}

/// A place in the world: `t`, `t.f`, `t.{f, g}`, `t[k].f`.
#[derive(Debug, Clone, PartialEq)]
pub struct StatePath {
    /// The state field.
    pub root: Name,
    /// The steps, in order.
    pub steps: Vec<PathStep>,
    /// Where it stands.
    pub span: Span,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum PathStep {
    /// `.f`
    Field(Name),
    /// `.{f, g}`
    Fields(Vec<Name>),
    /// `[k]`
    Index(Expr),
}

/// `same world as reference ignoring …`
#[derive(Debug, Clone, PartialEq)]
pub struct SameWorld {
    /// What may differ all the same.
    pub ignoring: Vec<StatePath>,
}

/// `verify v(…)`: a use of a verifier.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyUse {
    /// The verifier.
    pub verifier: Name,
    /// What stands in the parentheses.
    pub args: Args,
}
