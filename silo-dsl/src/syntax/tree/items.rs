//! Items: what stands at the left margin of a file.

use super::{Block, Docs, Expr, Limit, Name, Quoted, Text, TypeExpr, VerifyUse};
use crate::diagnostics::Span;

/// An item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its documentation.
    pub docs: Docs,
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands, without its documentation.
    pub span: Span,
}

/// The kinds of items.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemKind {
    /// `use "file.silo"`
    Use(Use),
    /// `environment crm { … }`
    Environment(Environment),
    /// `enum Role { "rep", "manager" }`
    Enum(Enum),
    /// `record Paging { … }`
    Record(Record),
    /// `entity User { … }`
    Entity(Entity),
    /// `const RATE: decimal = 0.08`
    Const(Const),
    /// `state { … }`
    State(State),
    /// `fn pipeline(): decimal = …`
    Function(Function),
    /// `action audit(…) { … }`
    Action(Action),
    /// `tool list_users(…) { … }`
    Tool(Tool),
    /// `rule r on t(actor) { … }`
    Rule(Rule),
    /// `invariant "…" { e }`
    Invariant(Invariant),
    /// `verifier v(…) { … }`
    Verifier(Verifier),
    /// `task "TASK-001" { … }`
    Task(Task),
}

impl ItemKind {
    /// The word that starts it.
    pub fn word(&self) -> ItemWord {
        match self {
            Self::Use(_) => ItemWord::Use,
            Self::Environment(_) => ItemWord::Environment,
            Self::Enum(_) => ItemWord::Enum,
            Self::Record(_) => ItemWord::Record,
            Self::Entity(_) => ItemWord::Entity,
            Self::Const(_) => ItemWord::Const,
            Self::State(_) => ItemWord::State,
            Self::Function(_) => ItemWord::Fn,
            Self::Action(_) => ItemWord::Action,
            Self::Tool(_) => ItemWord::Tool,
            Self::Rule(_) => ItemWord::Rule,
            Self::Invariant(_) => ItemWord::Invariant,
            Self::Verifier(_) => ItemWord::Verifier,
            Self::Task(_) => ItemWord::Task,
        }
    }

    /// The name it declares, if it declares one as a word.
    pub fn name(&self) -> Option<&Name> {
        match self {
            Self::Environment(item) => Some(&item.name),
            Self::Enum(item) => Some(&item.name),
            Self::Record(item) => Some(&item.name),
            Self::Entity(item) => Some(&item.name),
            Self::Const(item) => Some(&item.name),
            Self::Function(item) => Some(&item.name),
            Self::Action(item) => Some(&item.name),
            Self::Tool(item) => Some(&item.name),
            Self::Rule(item) => Some(&item.name),
            Self::Verifier(item) => Some(&item.name),
            Self::Use(_) | Self::State(_) | Self::Invariant(_) | Self::Task(_) => None,
        }
    }
}

/// The word that starts an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemWord {
    /// `use`
    Use,
    /// `environment`
    Environment,
    /// `enum`
    Enum,
    /// `record`
    Record,
    /// `entity`
    Entity,
    /// `const`
    Const,
    /// `state`
    State,
    /// `fn`
    Fn,
    /// `action`
    Action,
    /// `tool`
    Tool,
    /// `rule`
    Rule,
    /// `invariant`
    Invariant,
    /// `verifier`
    Verifier,
    /// `task`
    Task,
}

impl ItemWord {
    /// Every word, in the order of the language reference.
    pub const ALL: [Self; 14] = [
        Self::Use,
        Self::Environment,
        Self::Enum,
        Self::Record,
        Self::Entity,
        Self::Const,
        Self::State,
        Self::Fn,
        Self::Action,
        Self::Tool,
        Self::Rule,
        Self::Invariant,
        Self::Verifier,
        Self::Task,
    ];

    /// How it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Environment => "environment",
            Self::Enum => "enum",
            Self::Record => "record",
            Self::Entity => "entity",
            Self::Const => "const",
            Self::State => "state",
            Self::Fn => "fn",
            Self::Action => "action",
            Self::Tool => "tool",
            Self::Rule => "rule",
            Self::Invariant => "invariant",
            Self::Verifier => "verifier",
            Self::Task => "task",
        }
    }

    /// The word written so, if there is one.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|item| item.as_str() == word)
    }
}

/// An item that could not be read. What refers to its name is not an unknown name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenItem {
    /// What it starts with, if that is the word of an item.
    pub word: Option<ItemWord>,
    /// The name that follows the word, or the quoted id of a task.
    pub name: Option<Name>,
    /// What a `state` may have declared: words of it that look like names of fields.
    pub fields: Vec<Name>,
    /// Where it stands, up to the next item.
    pub span: Span,
}

/// `use "tools/leads.silo"`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The path.
    pub path: Quoted,
}

/// `environment crm { version: "1.0" }`
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    /// Its name.
    pub name: Name,
    /// Its settings, in order.
    pub settings: Vec<Setting>,
}

/// `version: "1.0"`
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `enum Role { "rep", "manager" }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// Its members, in order.
    pub members: Vec<EnumMember>,
}

/// One member of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumMember {
    /// Its documentation.
    pub docs: Docs,
    /// The member.
    pub value: Quoted,
}

/// `record Paging { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its name.
    pub name: Name,
    /// What stands in the braces, in order.
    pub members: Vec<FieldMember>,
}

/// `entity User { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Its name.
    pub name: Name,
    /// What stands in the braces, in order.
    pub members: Vec<FieldMember>,
}

/// What may stand in the braces of a record, an entity or a case.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldMember {
    /// `name: type`
    Field(Field),
    /// `derived name: type = e`
    Derived(Derived),
    /// `case "gift_card" { … }`
    Case(Case),
    /// `label name`
    Label(LabelField),
}

/// `limit: int(min: 1) as "pageSize" = 20`
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its documentation.
    pub docs: Docs,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: FieldType,
    /// Its name on the wire, if given with `as`.
    pub wire: Option<Quoted>,
    /// Its default.
    pub default: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// The type of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldType {
    /// A type.
    Type(TypeExpr),
    /// `key …`
    Key(KeyType),
}

impl FieldType {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Type(ty) => ty.span,
            Self::Key(key) => key.span,
        }
    }
}

/// `key`, `key int`, `key "OPP-000"`, `key local "L0"`
#[derive(Debug, Clone, PartialEq)]
pub struct KeyType {
    /// `int` or `local`, and where that stands.
    pub kind: Option<(KeyKind, Span)>,
    /// The pattern; its holes are names of fields, or `parent`.
    pub pattern: Option<Text>,
    /// Where it stands.
    pub span: Span,
}

/// What may follow `key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// `key int`: a whole number.
    Int,
    /// `key local`: unique in its table only.
    Local,
}

/// `derived stale: bool = e`
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// Its documentation.
    pub docs: Docs,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its name on the wire, if given with `as`.
    pub wire: Option<Quoted>,
    /// What it is computed from.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `case "gift_card" { balance: decimal }`
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its documentation.
    pub docs: Docs,
    /// The member of the enum.
    pub value: Quoted,
    /// What stands in the braces, in order.
    pub members: Vec<FieldMember>,
    /// Where it stands.
    pub span: Span,
}

/// `label name`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelField {
    /// The field that people call a row by.
    pub field: Name,
    /// Where it stands.
    pub span: Span,
}

/// `state { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Its fields, in order.
    pub fields: Vec<StateField>,
}

/// `users: table<User> from "data/users.json"`
#[derive(Debug, Clone, PartialEq)]
pub struct StateField {
    /// Its documentation.
    pub docs: Docs,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its name on the wire, if given with `as`.
    pub wire: Option<Quoted>,
    /// What it starts with.
    pub init: Option<Init>,
    /// Where it stands.
    pub span: Span,
}

/// What a state field or a constant starts with.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// `= e`
    Value(Expr),
    /// `from "data/users.json"`
    From(DataSource),
}

/// A data file: `"x.csv"(null: "NULL")`.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSource {
    /// The path, with the part of the file behind a `#`.
    pub path: Quoted,
    /// How to read it.
    pub options: Vec<Limit>,
    /// Where it stands.
    pub span: Span,
}

/// `const RATE: decimal = 0.08`
#[derive(Debug, Clone, PartialEq)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// What it is.
    pub init: Init,
}

/// What stands in the parentheses of a function, an action, a tool or a verifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The parameters, in order.
    pub items: Vec<Param>,
    /// Where they stand, the parentheses included.
    pub span: Span,
}

/// One parameter, or a group of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its documentation.
    pub docs: Docs,
    /// What it is.
    pub kind: ParamKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of parameters.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly all parameters are of the larger kind")]
pub enum ParamKind {
    /// `limit: int = 20`
    One {
        /// Its name.
        name: Name,
        /// Its type.
        ty: TypeExpr,
        /// Its name on the wire, if given with `as`.
        wire: Option<Quoted>,
        /// Its default.
        default: Option<Expr>,
    },
    /// `...Paging`: the fields of a record.
    Group(Group),
}

/// `...Paging`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The record.
    pub record: Name,
}

/// `fn pipeline(): decimal = e` or `fn pipeline() { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Params,
    /// What it gives, if said.
    pub result: Option<TypeExpr>,
    /// What it does.
    pub body: FunctionBody,
}

/// The body of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum FunctionBody {
    /// `= e`
    Expr(Expr),
    /// `{ … }`
    Block(Block),
}

/// `action audit(…) { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Params,
    /// What it gives, if said.
    pub result: Option<TypeExpr>,
    /// What it does.
    pub body: Block,
}

/// `tool list_users(…) by manager { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Params,
    /// The actor it is for, if said.
    pub by: Option<Name>,
    /// What it does.
    pub body: Block,
}

/// `rule r on t(actor), u(actor) { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Its name.
    pub name: Name,
    /// The tools it watches; at least one.
    pub targets: Vec<RuleTarget>,
    /// What must hold.
    pub body: Block,
}

/// `reassign_opportunity(actor)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTarget {
    /// The tool.
    pub tool: Name,
    /// The parameters of the tool that the rule reads.
    pub params: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `invariant "…" { e }`
#[derive(Debug, Clone, PartialEq)]
pub struct Invariant {
    /// Its label.
    pub label: Quoted,
    /// What must hold.
    pub condition: Expr,
}

/// `verifier v(…) { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Verifier {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Params,
    /// What it checks.
    pub body: Block,
}

/// `task "TASK-001" { … }`, `task "T-{u.id}" for u in users { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its id; for a family, with holes.
    pub id: Text,
    /// What the tasks of a family run over.
    pub family: Option<Family>,
    /// What stands in the braces, in order.
    pub parts: Vec<TaskPart>,
}

/// `for u in users.filter(…)`
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// The name of the row.
    pub name: Name,
    /// The rows.
    pub source: Expr,
}

/// A part of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskPart {
    /// What it is.
    pub kind: TaskPartKind,
    /// Where it stands.
    pub span: Span,
}

/// The parts of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskPartKind {
    /// `title: "…"`
    Setting(Setting),
    /// `answer: { rep: User }`
    Answer(TypeExpr),
    /// `setup { … }`
    Setup(Block),
    /// `verify { … }`, `verify v(…)`
    Verify(VerifyPart),
    /// `solution { … }`
    Solution(Block),
}

/// How a task is verified.
#[derive(Debug, Clone, PartialEq)]
pub enum VerifyPart {
    /// `verify { … }`
    Block(Block),
    /// `verify v(…)`
    Use(VerifyUse),
}
