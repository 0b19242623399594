mod build;

use super::Interpreted;
use crate::ir::{Arg, ExprKind, FunctionId, Member, Method, StmtKind, Type};
use build::{Code, ID, ITEM, REPORT, block, environment, stock_of};
use silo_runtime::environment::{CallError, Environment};
use silo_runtime::ids::{FieldId, ToolId};
use silo_runtime::limits::Meter;
use silo_runtime::value::Json;

/// Calls the tool on a fresh world with so many steps.
fn call(environment: &Interpreted, steps: u64) -> Result<Json, CallError> {
    let mut world = environment.seed();
    let input = environment.decode(&world, ToolId(0), &Json::object::<&str, Json>([])).unwrap();
    environment.call(&mut world, ToolId(0), &input, &mut Meter::new(steps)).map(|output| output.json)
}

fn output(environment: &Interpreted) -> String {
    call(environment, 1000).unwrap().to_string()
}

/// The least number of steps with which the tool ends.
fn steps(environment: &Interpreted) -> u64 {
    (0..1000).find(|steps| call(environment, *steps).is_ok()).unwrap()
}

#[test]
fn parts_of_an_expression_see_the_world_as_it_is_when_their_turn_comes() {
    let mut code = Code::default();
    let before = code.count();
    let five = code.int(5);
    let row = code.insert(five);
    let made = code.push(ExprKind::Key(row), Type::Text);
    let after = code.count();
    let members = [before, made, after].into_iter().enumerate();
    let members = members.map(|(field, value)| Member::Set(FieldId::from(field), value, false)).collect();
    let report = code.push(ExprKind::Record(members), Type::Record(REPORT));
    code.then(StmtKind::Return(Some(report)));
    let environment = environment(&[1, 2], vec![code.tool(Type::Record(REPORT))]);
    assert_eq!(output(&environment), r#"{"before":2,"made":"ITM-3","after":3}"#);
}

#[test]
fn what_is_not_evaluated_changes_nothing() {
    let mut code = Code::default();
    let (yes, five) =
        (code.push(ExprKind::Constant(silo_runtime::value::dynamic::Value::Bool(true)), Type::Bool), code.int(5));
    let kept = code.count();
    let row = code.insert(five);
    let stock = code.stock(row);
    let chosen = code.push(ExprKind::If { branches: vec![(yes, kept)], otherwise: stock }, Type::Int);
    let slot = code.local(Type::Int);
    code.then(StmtKind::Let { slot, value: chosen });
    let after = code.count();
    code.then(StmtKind::Return(Some(after)));
    assert_eq!(output(&environment(&[1], vec![code.tool(Type::Int)])), "1");
}

#[test]
fn a_call_in_the_middle_of_an_expression_changes_what_follows() {
    let mut action = Code::default();
    let five = action.int(5);
    let row = action.insert(five);
    action.then(StmtKind::Run(row));
    let count = action.count();
    action.then(StmtKind::Return(Some(count)));
    let mut code = Code::default();
    let called = code.push(ExprKind::Call { function: FunctionId(1), args: Vec::new(), world: None }, Type::Int);
    let before = code.count();
    let rest = vec![
        (crate::ir::Arith::Multiply, crate::ir::NumberKind::Int, called),
        (crate::ir::Arith::Multiply, crate::ir::NumberKind::Int, before),
    ];
    let first = code.count();
    let product = code.push(ExprKind::Arith { first, rest }, Type::Int);
    code.then(StmtKind::Return(Some(product)));
    // 1 row before, 2 rows when the action and what follows it count.
    let environment = environment(&[1], vec![code.tool(Type::Int), action.action(Vec::new())]);
    assert_eq!(output(&environment), "4");
}

#[test]
fn steps_are_statements_closure_calls_and_elements_visited() {
    let mut code = Code::default();
    let items = code.items();
    let above = code.above(1);
    let filtered = code.method(items, Method::Filter, vec![above], Type::Entity(ITEM).list());
    let count = code.method(filtered, Method::Count, Vec::new(), Type::Int);
    code.then(StmtKind::Return(Some(count)));
    let filtering = environment(&[1, 2, 3], vec![code.tool(Type::Int)]);
    assert_eq!((output(&filtering), steps(&filtering)), ("2".to_owned(), 4), "one statement, three closure calls");

    let mut code = Code::default();
    let items = code.items();
    let reversed = code.method(items, Method::Reverse, Vec::new(), Type::Entity(ITEM).list());
    let count = code.method(reversed, Method::Count, Vec::new(), Type::Int);
    code.then(StmtKind::Return(Some(count)));
    assert_eq!(steps(&environment(&[1, 2, 3], vec![code.tool(Type::Int)])), 4, "one statement, three elements");

    let mut code = Code::default();
    let items = code.items();
    let item = code.local(Type::Entity(ITEM));
    let row = code.read(item, Type::Entity(ITEM));
    let zero = code.int(0);
    let body = block(vec![StmtKind::Assign { place: stock_of(row), value: zero }, StmtKind::Continue]);
    code.then(StmtKind::For { index: None, item, source: items, body });
    assert_eq!(steps(&environment(&[1, 2, 3], vec![code.tool(Type::Null)])), 7, "the loop, and its block three times");
}

#[test]
fn a_spent_budget_is_told_to_the_agent() {
    let mut code = Code::default();
    let count = code.count();
    code.then(StmtKind::Return(Some(count)));
    let Err(CallError::Tool(error)) = call(&environment(&[1], vec![code.tool(Type::Int)]), 0) else {
        panic!("the call has no steps to take")
    };
    assert_eq!(error.code, "limit_exceeded");
}

#[test]
fn any_stops_early_and_filter_does_not() {
    for (method, ty, fails) in [(Method::Any, Type::Bool, false), (Method::Filter, Type::Entity(ITEM).list(), true)] {
        let mut code = Code::default();
        let items = code.items();
        let slot = code.local(Type::Entity(ITEM));
        let item = code.read(slot, Type::Entity(ITEM));
        let (ten, stock) = (code.int(10), code.stock(item));
        let left = code.div(ten, stock);
        let right = code.int(1);
        let body = code.push(ExprKind::Compare { op: crate::ir::Compare::Greater, left, right }, Type::Bool);
        let closure = crate::ir::Closure { params: vec![slot], body, captures: Vec::new(), descending: false };
        let found = code.method(items, method, vec![Arg::Closure(closure)], ty.clone());
        code.then(StmtKind::Return(Some(found)));
        let environment = environment(&[1, 0], vec![code.tool(ty)]);
        assert_eq!(call(&environment, 100).is_err(), fails);
    }
}

#[test]
fn code_that_contradicts_itself_is_a_fault_and_no_panic() {
    let wrong: Vec<(ExprKind, Type)> = vec![
        (ExprKind::Local(crate::ir::Slot(7)), Type::Int),
        (ExprKind::Field { base: crate::ir::ExprId(0), field: FieldId(9) }, Type::Int),
        (ExprKind::Field { base: crate::ir::ExprId(1), field: ID }, Type::Int),
        (ExprKind::Not(crate::ir::ExprId(1)), Type::Bool),
        (ExprKind::Negate(crate::ir::ExprId(0)), Type::Int),
        (ExprKind::Const(crate::ir::ConstId(3)), Type::Int),
        (ExprKind::Call { function: FunctionId(9), args: Vec::new(), world: None }, Type::Int),
        (ExprKind::WorldState(silo_runtime::value::dynamic::WorldName::Final, build::ITEMS), Type::Table(ITEM)),
        (ExprKind::Method { receiver: crate::ir::ExprId(0), method: Method::Lower, args: Vec::new() }, Type::Text),
        (ExprKind::Method { receiver: crate::ir::ExprId(0), method: Method::Filter, args: Vec::new() }, Type::Text),
        (ExprKind::Answer, Type::Int),
        (ExprKind::Calls(None), Type::Int),
        (ExprKind::Record(Vec::new()), Type::Int),
        (ExprKind::Match { subject: crate::ir::ExprId(1), arms: Vec::new() }, Type::Int),
        (ExprKind::ToolCall { tool: ToolId(0), args: Vec::new(), by: None, expect: None }, Type::Int),
    ];
    for (kind, ty) in wrong {
        let mut code = Code::default();
        let shown = format!("{kind:?}");
        code.items();
        code.int(1);
        let value = code.push(kind, ty.clone());
        code.then(StmtKind::Return(Some(value)));
        let result = call(&environment(&[1], vec![code.tool(ty)]), 100);
        let Err(CallError::Fault(fault)) = result else {
            panic!("{shown} gives {:?}", result.map(|json| json.to_string()))
        };
        assert!(fault.message.contains("the engine is at fault"), "{shown}: {}", fault.message);
    }
}
