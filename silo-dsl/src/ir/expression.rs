use super::{ConstId, ExprId, FunctionId, Method, Slot, Type};
use crate::diagnostics::Span;
use silo_runtime::ids::{EntityId, FieldId, RecordId, StateId, ToolId};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{Value, WorldName};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type, after narrowing.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// Whether evaluating it, its parts included, can fail.
    pub can_fail: bool,
}

/// The kinds of expression. Chains are flat: no node nests deeper than the brackets of the source.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, an enum member, or a literal reference (in the frame's world).
    Constant(Value),
    /// A string with holes.
    Text(Vec<TextPart>),
    /// A local.
    Local(Slot),
    /// A `const`.
    Const(ConstId),
    /// A state field of the frame's world.
    State(StateId),
    /// A state field of a world named in a verifier: `final.users`.
    WorldState(WorldName, StateId),
    /// The fields of a record, a row. Of an optional base only under [`ExprKind::Optional`].
    Field { base: ExprId, field: FieldId },
    /// A derived field of a row.
    Derived { base: ExprId, function: FunctionId },
    /// `row.key`.
    Key(ExprId),
    /// `row.parent`.
    Parent(ExprId),
    /// The typed answer; its members are read with [`ExprKind::Field`].
    Answer,
    /// `answer.text`.
    AnswerText,
    /// `calls`, or `calls.of(tool)`: a list of records. The former's members are `tool`, `by`, `failed`, the latter's `input`,
    /// `output`, `failed`, `by`.
    Calls(Option<ToolId>),
    /// `a?.rest`: null if the subject is null, else `rest` with the subject in the slot.
    Optional { subject: ExprId, slot: Slot, rest: ExprId },
    /// `base[index]`.
    Index { base: ExprId, index: ExprId, kind: IndexKind },
    /// `x!`.
    NonNull(ExprId),
    /// A value that a test has shown not to be null, or a case field that a test of the tag has made readable.
    Narrowed(ExprId),
    /// A method with its arguments in the order of its signature.
    Method { receiver: ExprId, method: Method, args: Vec<Arg> },
    /// `xs.where({ field: value })`.
    Where { receiver: ExprId, fields: Vec<(RowMember, ExprId)> },
    /// `row.pick(..)`, `row.omit(..)`, resolved to the members of the resulting record, in its order.
    Pick { base: ExprId, members: Vec<RowMember> },
    /// A call of a function, action or tool in code; `world` where a function is called on a world in a verifier. An argument
    /// left out is the parameter's default.
    Call { function: FunctionId, args: Vec<Option<ExprId>>, world: Option<WorldName> },
    /// `range(a, b)`, `date(y, m, d)`.
    Builtin { function: Builtin, args: Vec<ExprId> },
    /// `call t(..)` in a solution: arguments by parameter.
    ToolCall { tool: ToolId, args: Vec<(FieldId, ExprId)>, by: Option<Text>, expect: Option<Text> },
    /// A list literal.
    List(Vec<ExprId>),
    /// A record literal; its shape is the expression's type.
    Record(Vec<Member>),
    /// A map literal.
    Map(Vec<MapMember>),
    /// `if … else …`; branches of `else if` in order.
    If { branches: Vec<(ExprId, ExprId)>, otherwise: ExprId },
    /// `match`.
    Match { subject: ExprId, arms: Vec<Arm> },
    /// `not x`.
    Not(ExprId),
    /// A chain of `and` or of `or`.
    Logic { op: Logic, terms: Vec<ExprId> },
    /// A comparison.
    Compare { op: Compare, left: ExprId, right: ExprId },
    /// `x in xs`, `x not in xs`.
    In { item: ExprId, source: ExprId, negated: bool },
    /// `a ?? b ?? c`.
    Coalesce(Vec<ExprId>),
    /// A chain of operators of one level, from left to right. The number kind says how each step computes; an int so far is
    /// widened where a step is decimal.
    Arith { first: ExprId, rest: Vec<(Arith, NumberKind, ExprId)> },
    /// `-x`.
    Negate(ExprId),
    /// A conversion to the expression's type: int to decimal, enum to string, table to list, record to record with defaults
    /// filled in; in lists, maps and optionals too.
    Coerce(ExprId),
    /// `table.insert({ .. })`: the row.
    Insert(Insertion),
    /// `table.remove(row)`.
    Remove(ExprId),
    /// `row.update({ a?, b: v })`: a member with `true` is left alone where its value is null.
    Update { row: ExprId, fields: Vec<(FieldId, ExprId, bool)> },
    /// `xs.push(x)`, `xs.remove_at(i)`, `m.remove(k)`, `xs.clear()` on a stored place or a `var`.
    Mutate { place: Place, op: MutateOp },
}

/// A part of a string with holes.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Text as it stands.
    Literal(Text),
    /// A value, written in a format.
    Hole(ExprId, Option<NumberFormat>),
}

/// `{x:,.2}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberFormat {
    /// Whether thousands are separated by commas.
    pub thousands: bool,
    /// The number of places, rounded half away from zero.
    pub places: Option<u8>,
}

/// What is indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexKind {
    /// A table by key text or by a row of any world.
    Table,
    /// A map by its key.
    Map,
    /// A list by position.
    List,
    /// A solution's table of records by key.
    RecordTable,
}

/// What a row or record shows of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowMember {
    /// A stored field.
    Field(FieldId),
    /// A derived field.
    Derived(FunctionId),
}

/// A member of a record literal.
#[derive(Clone, Debug)]
pub enum Member {
    /// `name: value`; with `true` as `name?: value`, dropped when null.
    Set(FieldId, ExprId, bool),
    /// `...base`: which members of the base go to which fields.
    Spread(ExprId, Vec<(RowMember, FieldId)>),
}

/// A member of a map literal. The last of equal keys wins, in first position.
#[derive(Clone, Debug)]
pub enum MapMember {
    /// `"key": value`, `[key]: value`.
    Entry(ExprId, ExprId),
    /// `...map`.
    Spread(ExprId),
}

/// `table.insert({ .. })`.
#[derive(Clone, Debug)]
pub struct Insertion {
    /// The table: a state field or a nested table of a row.
    pub table: ExprId,
    /// Its entity.
    pub entity: EntityId,
    /// The members, as of a record of the entity's fields. What is left out is null or its default; a key may be left out
    /// where a pattern makes it.
    pub members: Vec<Member>,
}

/// An argument of a method.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A value.
    Value(ExprId),
    /// A closure.
    Closure(Closure),
}

/// `|x, i| body`.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Slots of the parameters, in the frame of the body.
    pub params: Vec<Slot>,
    /// The body.
    pub body: ExprId,
    /// The locals of the surrounding body that it reads.
    pub captures: Vec<Slot>,
    /// For a key of `sort_by`: whether it ends in `.desc()`.
    pub descending: bool,
}

/// A function of the language itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `range(a, b)`: a list of ints, the end excluded.
    Range,
    /// `date(y, m, d)`.
    Date,
}

/// An arm of a `match` expression.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it takes.
    pub pattern: Pattern,
    /// Its value.
    pub value: ExprId,
}

/// What an arm takes.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// One of these values.
    Values(Vec<Value>),
    /// Whatever is left.
    Else,
}

/// `and`, `or`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// `and`.
    And,
    /// `or`.
    Or,
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
}

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`: always decimal.
    Divide,
    /// `div`: floor.
    FloorDivide,
    /// `%`: of floor.
    Modulo,
}

/// How a step of arithmetic computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    /// 64-bit, checked.
    Int,
    /// Exact decimal.
    Decimal,
}

/// Something that can be assigned.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: PlaceRoot,
    /// The way into it.
    pub steps: Vec<PlaceStep>,
    /// The type of what stands there.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// Where a place starts.
#[derive(Clone, Debug)]
pub enum PlaceRoot {
    /// A `var`.
    Local(Slot),
    /// A state field that is no table.
    State(StateId),
    /// A row; the first step is one of its fields.
    Row(ExprId, EntityId),
}

/// A step into a place.
#[derive(Clone, Debug)]
pub enum PlaceStep {
    /// A field of a row or record; the record it belongs to, where it is one.
    Field(FieldId, Option<RecordId>),
    /// An element of a list.
    Index(ExprId),
    /// An entry of a map.
    Key(ExprId),
}

/// A change of a list or map in its place.
#[derive(Clone, Debug)]
pub enum MutateOp {
    /// `xs.push(x)`.
    Push(ExprId),
    /// `xs.remove_at(i)`.
    RemoveAt(ExprId),
    /// `m.remove(k)`.
    RemoveKey(ExprId),
    /// `xs.clear()`, `m.clear()`.
    Clear,
}
