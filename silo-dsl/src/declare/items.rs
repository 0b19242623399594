//! What the items of a project declare, one type an item. Names are resolved and types known; code is still syntax tree.

use super::types::FieldDecl;
use crate::diagnostics::Span;
use crate::ir::{FunctionId, Param, Type};
use crate::syntax::tree;
use silo_runtime::environment::RewardMode;
use silo_runtime::ids::{EntityId, EnumId, RecordId, StateId, ToolId};
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;

/// What a name of a type stands for, and where it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeDef {
    /// What it is.
    pub kind: TypeKind,
    /// The name in its declaration.
    pub span: Span,
}

/// What a name of a type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// An enum.
    Enum(EnumId),
    /// A record.
    Record(RecordId),
    /// An entity.
    Entity(EntityId),
    /// An item that could not be read: what refers to it has no diagnostic of its own.
    Broken,
}

/// An enum's places in the source.
#[derive(Clone, Debug)]
pub struct EnumDecl {
    /// The name in its declaration.
    pub span: Span,
    /// Where each member is declared, and its documentation.
    pub members: Vec<(Span, Text)>,
}

/// A record: what the model does not hold of it.
#[derive(Clone, Debug)]
pub struct RecordDecl {
    /// The name in its declaration, or the shape of an anonymous one; none where it comes from no declaration.
    pub span: Option<Span>,
    /// The fields by id.
    pub fields: Vec<FieldDecl>,
}

/// An entity: what the model does not hold of it.
#[derive(Clone, Debug)]
pub struct EntityDecl {
    /// The name.
    pub name: Text,
    /// Where `local` stands, if its keys are unique only within their owner.
    pub local: Option<Span>,
    /// The name in its declaration.
    pub span: Span,
    /// The fields by id.
    pub fields: Vec<FieldDecl>,
    /// Its derived fields, in declared order: positions in [`Declared::derived`](super::Declared::derived).
    pub derived: Vec<(Text, usize)>,
    /// The fields of which keys are made; they are read-only.
    pub key_fields: Vec<silo_runtime::ids::FieldId>,
}

/// A derived field.
#[derive(Clone, Debug)]
pub struct DerivedDecl<'t> {
    /// The entity.
    pub entity: EntityId,
    /// The name in the source.
    pub name: Text,
    /// The name on the wire.
    pub wire: Text,
    /// Its declared type.
    pub ty: Type,
    /// Its schema.
    pub schema: Schema,
    /// The number of its code.
    pub function: FunctionId,
    /// How many stored fields of the entity stand before it.
    pub after: usize,
    /// The member of the tag's enum for which it exists, where it stands in a case.
    pub case: Option<u16>,
    /// Documentation, empty if none.
    pub docs: Text,
    /// The name in its declaration.
    pub span: Span,
    /// What it is computed from.
    pub value: &'t tree::Expr,
}

/// A state field.
#[derive(Clone, Debug)]
pub struct StateDecl<'t> {
    /// The field.
    pub id: StateId,
    /// The name in the source.
    pub name: Text,
    /// Its type.
    pub ty: Type,
    /// The name in its declaration.
    pub span: Span,
    /// What it starts with: filled in by the seed; null for tables.
    pub initial: Value,
    /// The declaration.
    pub tree: &'t tree::StateField,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct ConstDecl<'t> {
    /// The name.
    pub name: Text,
    /// Its type; `None` if that could not be read.
    pub ty: Option<Type>,
    /// Its schema.
    pub schema: Schema,
    /// The name in its declaration.
    pub span: Span,
    /// Its value; `None` if that is broken, with a diagnostic.
    pub value: Option<Value>,
    /// The declaration.
    pub tree: &'t tree::Const,
}

/// What a function, an action or a tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callable {
    /// `fn`
    Fn,
    /// `action`
    Action,
    /// `tool`
    Tool(ToolId),
}

impl Callable {
    /// How it is called in a message.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fn => "function",
            Self::Action => "action",
            Self::Tool(_) => "tool",
        }
    }
}

/// The code of a function, an action or a tool.
#[derive(Clone, Copy, Debug)]
pub enum Code<'t> {
    /// `= e`
    Expr(&'t tree::Expr),
    /// `{ … }`
    Block(&'t tree::Block),
}

/// A function, an action or a tool. Its place in [`Declared::functions`](super::Declared::functions) is its [`FunctionId`].
#[derive(Clone, Debug)]
pub struct FunctionDecl<'t> {
    /// The name.
    pub name: Text,
    /// What it is.
    pub kind: Callable,
    /// The name in its declaration.
    pub span: Span,
    /// Documentation, empty if none.
    pub docs: Text,
    /// The parameters, groups expanded in their place.
    pub params: Vec<ParamDecl>,
    /// What it gives, if declared.
    pub result: Option<(Type, Schema)>,
    /// The record of a tool's parameters, in their order.
    pub input: Option<RecordId>,
    /// `by NAME`.
    pub by: Option<Text>,
    /// Its code.
    pub code: Code<'t>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct ParamDecl {
    /// Name, type, default and place.
    pub param: Param,
    /// What it may hold.
    pub schema: Schema,
    /// The name on the wire.
    pub wire: Text,
    /// Documentation, empty if none.
    pub docs: Text,
    /// The record that a group took it from.
    pub group: Option<RecordId>,
}

/// A shared verifier.
#[derive(Clone, Debug)]
pub struct VerifierDecl<'t> {
    /// The name.
    pub name: Text,
    /// The name in its declaration.
    pub span: Span,
    /// The number of its code.
    pub function: FunctionId,
    /// Its parameters.
    pub params: Vec<ParamDecl>,
    /// Its code.
    pub body: &'t tree::Block,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct RuleDecl<'t> {
    /// The name.
    pub name: Text,
    /// The name in its declaration.
    pub span: Span,
    /// What it says, empty if it is not documented.
    pub docs: Text,
    /// The tools it is on, each with the parameters it binds (positions in the tool's parameters); unknown ones left out.
    pub on: Vec<RuleOn>,
    /// Its code.
    pub body: &'t tree::Block,
}

/// One tool that a rule is on.
#[derive(Clone, Debug)]
pub struct RuleOn {
    /// The tool, by its code.
    pub function: FunctionId,
    /// The tool.
    pub tool: ToolId,
    /// The parameters that the rule binds: their positions in the tool's parameters, and where the rule names them.
    pub binds: Vec<(usize, Span)>,
    /// Names that it binds though the tool has no such parameters, which is reported: nothing is said of their uses.
    pub unknown: Vec<(Text, Span)>,
}

/// An invariant.
#[derive(Clone, Debug)]
pub struct InvariantDecl<'t> {
    /// The label.
    pub label: Text,
    /// The label in the source.
    pub span: Span,
    /// What must hold.
    pub condition: &'t tree::Expr,
}

/// A task or a family of tasks.
#[derive(Clone, Debug)]
pub struct TaskDecl<'t> {
    /// The id, with holes for a family.
    pub id: &'t tree::Text,
    /// What a family runs over.
    pub family: Option<&'t tree::Family>,
    /// `title`.
    pub title: Option<&'t tree::Expr>,
    /// `instruction`; absent only with a diagnostic.
    pub instruction: Option<&'t tree::Expr>,
    /// `difficulty`.
    pub difficulty: Option<Text>,
    /// `tags`.
    pub tags: Vec<Text>,
    /// `answer`.
    pub answer: Option<(Type, Schema)>,
    /// `reward`.
    pub reward: Option<RewardMode>,
    /// `max_calls`.
    pub max_calls: Option<u32>,
    /// `timeout`, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Whether breaking a rule fails it.
    pub rules: bool,
    /// `setup`, at most one.
    pub setup: Option<&'t tree::Block>,
    /// `verify`, all of them in order.
    pub verify: Vec<&'t tree::VerifyPart>,
    /// `solution`, at most one.
    pub solution: Option<&'t tree::Block>,
    /// Where the id stands.
    pub span: Span,
}
