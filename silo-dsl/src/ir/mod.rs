//! The typed intermediate representation: what a checked environment means. Every expression has a type, every field access is
//! a resolved path, every local a slot, every method a member of [`Method`]; nothing downstream looks up a name.
//!
//! Sugar is kept (`where`, spreads, parameter groups, shorthand members), because the flow analysis and the emitter read it.

mod body;
#[expect(missing_docs, reason = "the fields of a variant are told of in its own documentation")]
mod expression;
mod item;
mod method;
#[expect(missing_docs, reason = "the fields of a variant are told of in its own documentation")]
mod statement;
mod ty;

pub use body::{Body, ExprId, Local, Slot};
pub use expression::{
    Arg, Arith, Arm, Builtin, Closure, Compare, Expr, ExprKind, IndexKind, Insertion, Logic, MapMember, Member,
    MutateOp, NumberFormat, NumberKind, Pattern, Place, PlaceRoot, PlaceStep, RowMember, TextPart,
};
pub use item::{
    Const, ConstId, Derived, EnvironmentInfo, Family, Function, FunctionId, FunctionKind, Invariant, Param, Program,
    Rule, RuleHook, StateDecl, Task, Tool, Verifier, VerifierId,
};
pub use method::Method;
pub use statement::{
    Block, ChangeKind, ChangePath, ChangeSpec, ChangeStep, CheckStmt, Condition, MatchArm, Refusal, Stmt, StmtKind,
};
pub use ty::Type;
