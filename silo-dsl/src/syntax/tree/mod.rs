//! The syntax tree: what the author wrote, with the place of every part.
//!
//! Names are not resolved and nothing is typed here. Two properties hold of every tree that [`parse`](super::parse)
//! gives, however hostile the source:
//!
//! - **It is shallow.** Brackets, holes and blocks nest at most [`MAX_DEPTH`] deep, and everything that can be long
//!   without brackets is one flat node: chains of `or`, `and`, `??`, sums, products, `not not`, `.a.b.c`, `else if`.
//!   So a recursive visit, and the drop of a tree, need a bounded stack.
//! - **Spans are exact.** A node's span runs from its first to its last character, brackets included, blanks and
//!   comments at its borders not.

mod expressions;
mod items;
mod statements;
mod types;

use std::fmt;
use std::sync::Arc;

pub use expressions::{
    Arg, Args, Arith, ArithOp, Braced, CallTool, Closure, CompareOp, Expr, ExprKind, Format, FunctionCall, IfExpr,
    Link, LinkKind, Literal, LiteralKind, MatchExpr, MatchExprArm, Member, MemberKind, Pattern, Piece, Text,
};
pub use items::{
    Action, BrokenItem, Case, Const, DataSource, Derived, Entity, Enum, EnumMember, Environment, Family, Field,
    FieldMember, FieldType, Function, FunctionBody, Group, Init, Invariant, Item, ItemKind, ItemWord, KeyKind, KeyType,
    LabelField, Param, ParamKind, Params, Record, Rule, RuleTarget, Setting, State, StateField, Task, TaskPart,
    TaskPartKind, Tool, Use, Verifier, VerifyPart,
};
pub use statements::{
    Assign, AssignOp, Block, Change, ChangeKind, Changes, Check, For, If, IfArm, Let, Match, MatchArm, PathStep, Place,
    PlaceStep, Refusal, Require, SameWorld, StatePath, Statement, StatementKind, VerifyUse,
};
pub use types::{Limit, ShapeField, TypeExpr, TypeKind};

use crate::diagnostics::{FileId, Span};

/// How deep brackets, holes and blocks may nest.
pub const MAX_DEPTH: u32 = 100;

/// One source file.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its id.
    pub id: FileId,
    /// The items that could be read, in order.
    pub items: Vec<Item>,
    /// The items that could not be read, in order. Each has a diagnostic; their names are not unknown names.
    pub broken: Vec<BrokenItem>,
    /// Every `//` comment that is not documentation, in order.
    pub comments: Vec<Comment>,
    /// The start of each blank line, in order; a formatter keeps one where the author left some.
    pub blank_lines: Vec<u32>,
}

impl File {
    /// A file without items.
    pub fn empty(id: FileId) -> Self {
        Self { id, items: Vec::new(), broken: Vec::new(), comments: Vec::new(), blank_lines: Vec::new() }
    }
}

/// A `//` comment, up to the end of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// What follows the slashes, without blanks at either end.
    pub text: Box<str>,
    /// The comment with its slashes.
    pub span: Span,
    /// True if something else stands before it on its line.
    pub trailing: bool,
}

/// A name as it is written.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}..{}", self.text, self.span.start, self.span.end)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.text == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.text == *other
    }
}

/// A string that holds no interpolation: a path, a label, an enum's member. Escapes are decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The text between the quotes.
    pub text: Arc<str>,
    /// The string with its quotes.
    pub span: Span,
}

impl Quoted {
    /// The text between the quotes.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The documentation of what it is attached to: the `///` lines before it, or the `///` behind it on its last line.
///
/// It is what an agent reads of tools, parameters and fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Docs {
    /// The lines in order.
    pub lines: Vec<DocLine>,
}

impl Docs {
    /// True if there is no documentation.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines joined by line ends, without blank lines at either end; nothing if no words are left.
    pub fn text(&self) -> Option<String> {
        let lines: Vec<&str> = self.lines.iter().map(|line| &*line.text).collect();
        let text = lines.join("\n");
        let text = text.trim_matches('\n');
        (!text.trim().is_empty()).then(|| text.to_owned())
    }

    /// From the first line to the last.
    pub fn span(&self) -> Option<Span> {
        Some(self.lines.first()?.span.to(self.lines.last()?.span))
    }
}

/// One `///` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocLine {
    /// What follows the slashes and one blank, without blanks at its end.
    pub text: Box<str>,
    /// The line from its slashes on.
    pub span: Span,
}
