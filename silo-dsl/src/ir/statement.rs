use super::{ExprId, Pattern, Place, Slot, VerifierId};
use crate::diagnostics::Span;
use silo_runtime::ids::{FieldId, StateId};
use silo_runtime::value::Text;
use silo_runtime::value::decimal::Decimal;

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let`, `var`. In a verifier a binding is evaluated when first read.
    Let { slot: Slot, value: ExprId },
    /// `let x = maybe else CODE "…"`.
    LetElse { slot: Slot, value: ExprId, refusal: Refusal },
    /// `place = value`.
    Assign { place: Place, value: ExprId },
    /// `place += value`, `place -= value`: the value's kind is that of the place.
    Adjust { place: Place, subtract: bool, value: ExprId },
    /// `if`, with `else if` in order.
    If { branches: Vec<Condition>, otherwise: Option<Block> },
    /// `for x in xs`, `for i, x in xs`.
    For { index: Option<Slot>, item: Slot, source: ExprId, body: Block },
    /// `match`.
    Match { subject: ExprId, arms: Vec<MatchArm> },
    /// `require COND else …`.
    Require { condition: ExprId, refusal: Refusal },
    /// `fail …`.
    Fail(Refusal),
    /// `return`.
    Return(Option<ExprId>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// A call that stands alone.
    Run(ExprId),
    /// `check`.
    Check(CheckStmt),
    /// `changes nothing` (no specs), `changes only …`.
    Changes(Vec<ChangeSpec>),
    /// `same world as reference [ignoring …]`.
    SameWorld { ignoring: Vec<ChangePath> },
    /// `verify v(..)` inside a verifier.
    Verify { verifier: VerifierId, args: Vec<Option<ExprId>> },
    /// `answer e`.
    Answer(ExprId),
}

/// A branch of an `if` statement.
#[derive(Clone, Debug)]
pub struct Condition {
    /// When it is taken.
    pub when: ExprId,
    /// What it does.
    pub then: Block,
}

/// An arm of a `match` statement.
#[derive(Clone, Debug)]
pub struct MatchArm {
    /// What it takes.
    pub pattern: Pattern,
    /// What it does.
    pub body: Block,
}

/// `else CODE "message" { details }`.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The error code; `invalid_state` where none is written. Rules have none.
    pub code: Text,
    /// The message.
    pub message: ExprId,
    /// A record of details.
    pub details: Option<ExprId>,
}

/// `check [optional] "label" [weight n]: condition`.
#[derive(Clone, Debug)]
pub struct CheckStmt {
    /// The label, possibly with holes.
    pub label: ExprId,
    /// Whether the task needs it.
    pub required: bool,
    /// Its weight, above zero.
    pub weight: Decimal,
    /// What must hold; null counts as false.
    pub condition: ExprId,
    /// The condition as it stands in the source, on one line.
    pub source: Text,
}

/// One permission of `changes only`.
#[derive(Clone, Debug)]
pub struct ChangeSpec {
    /// Where.
    pub path: ChangePath,
    /// Which kind of difference; any where none is written.
    pub kind: Option<ChangeKind>,
    /// `where |row| …`: the row's slot and the condition.
    pub filter: Option<(Slot, ExprId)>,
}

/// Kinds of difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// A row that is new.
    Added,
    /// A row that is gone.
    Removed,
    /// A row with other values.
    Changed,
}

/// `t`, `t.f`, `t.{f, g}` (a path each), `t[k].f`, and longer.
#[derive(Clone, Debug)]
pub struct ChangePath {
    /// The state field.
    pub state: StateId,
    /// The way into it.
    pub steps: Vec<ChangeStep>,
    /// Where it is written.
    pub span: Span,
}

/// A step of a path of changes.
#[derive(Clone, Debug)]
pub enum ChangeStep {
    /// A row or an entry by its key, an element by its position.
    Key(ExprId),
    /// One of these fields of a row or record.
    Fields(Vec<FieldId>),
}
