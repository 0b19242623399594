//! A small shop and code over it, built by hand: for what no checked program shows, such as nodes that contradict each other
//! and the exact count of steps.

use crate::diagnostics::{FileId, Sources, Span};
use crate::interpret::{Interpreted, link};
use crate::ir::{
    Arg, Arith, Block, Body, Closure, Compare, EnvironmentInfo, Expr, ExprId, ExprKind, Function, FunctionId,
    FunctionKind, Insertion, Local, Member, Method, NumberKind, Param, Place, PlaceRoot, PlaceStep, Program, Slot,
    StateDecl, Stmt, StmtKind, Tool, Type,
};
use silo_runtime::ids::{EntityId, FieldId, RecordId, StateId, ToolId};
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::model::{EntityShape, Field, Model, RecordShape, StateField};
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::store::{Seed, SeedBuilder};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

pub(super) const ITEM: EntityId = EntityId(0);
pub(super) const ITEMS: StateId = StateId(0);
pub(super) const ID: FieldId = FieldId(0);
pub(super) const STOCK: FieldId = FieldId(1);
/// The record of no members, for tools without parameters.
pub(super) const NOTHING: RecordId = RecordId(0);
/// `{ before: int, made: string, after: int }`.
pub(super) const REPORT: RecordId = RecordId(1);

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

fn field(name: &str, schema: Schema) -> Field {
    Field {
        name: name.into(),
        wire: name.into(),
        schema,
        default: None,
        docs: Text::default(),
        cases: Vec::new(),
        omit_null: false,
    }
}

/// Items with a stock of at least 0, under keys `ITM-1`, `ITM-2`, ….
pub(super) fn model() -> Arc<Model> {
    let pattern = KeyPattern::Text(vec![KeyPart::Literal("ITM-".into()), KeyPart::Counter(1)]);
    let item = EntityShape {
        id: ITEM,
        name: "Item".into(),
        fields: vec![field("id", Schema::TEXT), field("stock", Schema::Int { min: Some(0), max: None })],
        tag: None,
        key: ID,
        pattern,
        local: false,
        label: None,
        parent: None,
        docs: Text::default(),
    };
    let report = vec![field("before", Schema::INT), field("made", Schema::TEXT), field("after", Schema::INT)];
    let record = |fields| Arc::new(RecordShape::new(None, fields, None, Text::default()));
    Arc::new(Model {
        enums: Vec::new(),
        records: vec![record(Vec::new()), record(report)],
        entities: vec![Arc::new(item)],
        state: vec![StateField {
            name: "items".into(),
            wire: "items".into(),
            schema: Schema::Table { entity: ITEM, wire: TableWire::Array },
            docs: Text::default(),
        }],
    })
}

/// A seed with items of these stocks.
pub(super) fn seed(model: &Arc<Model>, stocks: &[i64]) -> Arc<Seed> {
    let mut builder = SeedBuilder::new(model.clone());
    for stock in stocks {
        builder.row(ITEMS, vec![Value::Null, Value::Int(*stock)]).unwrap();
    }
    Arc::new(builder.finish())
}

/// Code under construction.
#[derive(Default)]
pub(super) struct Code {
    body: Body,
}

impl Code {
    pub(super) fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span: NOWHERE, can_fail: true });
        ExprId(u32::try_from(self.body.exprs.len() - 1).unwrap())
    }

    pub(super) fn local(&mut self, ty: Type) -> Slot {
        self.body.locals.push(Local { name: None, ty, mutable: true, span: NOWHERE });
        Slot(u32::try_from(self.body.locals.len() - 1).unwrap())
    }

    pub(super) fn int(&mut self, number: i64) -> ExprId {
        self.push(ExprKind::Constant(Value::Int(number)), Type::Int)
    }

    pub(super) fn read(&mut self, slot: Slot, ty: Type) -> ExprId {
        self.push(ExprKind::Local(slot), ty)
    }

    pub(super) fn items(&mut self) -> ExprId {
        self.push(ExprKind::State(ITEMS), Type::Table(ITEM))
    }

    pub(super) fn stock(&mut self, item: ExprId) -> ExprId {
        self.push(ExprKind::Field { base: item, field: STOCK }, Type::Int)
    }

    pub(super) fn method(&mut self, receiver: ExprId, method: Method, args: Vec<Arg>, ty: Type) -> ExprId {
        self.push(ExprKind::Method { receiver, method, args }, ty)
    }

    /// `items.count()`.
    pub(super) fn count(&mut self) -> ExprId {
        let items = self.items();
        self.method(items, Method::Count, Vec::new(), Type::Int)
    }

    /// `items.insert({ stock })`.
    pub(super) fn insert(&mut self, stock: ExprId) -> ExprId {
        let table = self.items();
        let members = vec![Member::Set(STOCK, stock, false)];
        self.push(ExprKind::Insert(Insertion { table, entity: ITEM, members }), Type::Entity(ITEM))
    }

    /// `|i| i.stock > n`.
    pub(super) fn above(&mut self, n: i64) -> Arg {
        let slot = self.local(Type::Entity(ITEM));
        let item = self.read(slot, Type::Entity(ITEM));
        let (left, right) = (self.stock(item), self.int(n));
        let body = self.push(ExprKind::Compare { op: Compare::Greater, left, right }, Type::Bool);
        Arg::Closure(Closure { params: vec![slot], body, captures: Vec::new(), descending: false })
    }

    /// `a / b` of ints, as `div`.
    pub(super) fn div(&mut self, first: ExprId, by: ExprId) -> ExprId {
        self.push(ExprKind::Arith { first, rest: vec![(Arith::FloorDivide, NumberKind::Int, by)] }, Type::Int)
    }

    pub(super) fn then(&mut self, kind: StmtKind) {
        self.body.block.statements.push(Stmt { kind, span: NOWHERE });
    }

    /// The code of a tool without parameters.
    pub(super) fn tool(self, result: Type) -> Function {
        function(FunctionKind::Tool(ToolId(0)), Vec::new(), self.body, result)
    }

    /// The code of an action.
    pub(super) fn action(self, params: Vec<Param>) -> Function {
        function(FunctionKind::Action, params, self.body, Type::Null)
    }
}

/// `item.stock = value`, of an item in a slot.
pub(super) fn stock_of(item: ExprId) -> Place {
    let (root, steps) = (PlaceRoot::Row(item, ITEM), vec![PlaceStep::Field(STOCK, None)]);
    Place { root, steps, ty: Type::Int, span: NOWHERE }
}

pub(super) fn block(statements: Vec<StmtKind>) -> Block {
    Block { statements: statements.into_iter().map(|kind| Stmt { kind, span: NOWHERE }).collect() }
}

fn function(kind: FunctionKind, params: Vec<Param>, body: Body, result: Type) -> Function {
    let (reads, writes, docs) = (Vec::new(), Vec::new(), Text::default());
    Function { name: "f".into(), kind, params, result, body, reads, writes, docs, span: NOWHERE }
}

/// An environment whose one tool is the first of these functions.
pub(super) fn environment(stocks: &[i64], functions: Vec<Function>) -> Interpreted {
    let model = model();
    let seed = seed(&model, stocks);
    let state = StateDecl { id: ITEMS, ty: Type::Table(ITEM), initial: Value::Null, span: NOWHERE };
    let tool = Tool { function: FunctionId(0), input: NOTHING, output: Schema::INT, seen: Type::Int, by: None };
    let program = Program {
        environment: EnvironmentInfo { name: "shop".into(), ..EnvironmentInfo::default() },
        model,
        derived: Vec::new(),
        state: vec![state],
        consts: Vec::new(),
        functions,
        tools: vec![tool],
        rules: Vec::new(),
        invariants: Vec::new(),
        verifiers: Vec::new(),
        tasks: Vec::new(),
    };
    link(program, seed, Arc::new(Sources::new()), "hash".into()).unwrap()
}
