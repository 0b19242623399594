//! Invariants about single rows: `t.all(|r| …)` where a change of one row cannot break what holds for another.

use super::children::{children, lazy_children};
use crate::ir::{
    Arg, Body, Closure, ExprId, ExprKind, FunctionId, Invariant, Member, Method, Program, RowMember, Slot, Stmt, StmtKind,
    Type,
};
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::schema::Schema;

/// The table, the row's slot and the condition of an invariant about single rows.
pub(super) fn rowwise(program: &Program, invariant: &Invariant) -> Option<(StateId, Slot, ExprId)> {
    if invariant.rowwise.is_some() {
        return invariant.rowwise;
    }
    let body = &program.functions.get(invariant.function.0 as usize)?.body;
    let ExprKind::Method { receiver, method: Method::All, args } = &body.expr(value(body)?)?.kind else { return None };
    let ExprKind::State(state) = body.expr(*receiver)?.kind else { return None };
    let [Arg::Closure(Closure { params, body: condition, .. })] = args.as_slice() else { return None };
    let [slot] = params.as_slice() else { return None };
    let entity = table_entity(program, state)?;
    reads_own(program, body, *condition, *slot, entity).then_some((state, *slot, *condition))
}

/// The value of a body that is nothing else.
fn value(body: &Body) -> Option<ExprId> {
    match body.block.statements.as_slice() {
        [Stmt { kind: StmtKind::Return(Some(value)), .. }] => Some(*value),
        _ => None,
    }
}

fn table_entity(program: &Program, state: StateId) -> Option<EntityId> {
    match program.model.state_field(state)?.schema {
        Schema::Table { entity, .. } => Some(entity),
        _ => None,
    }
}

/// Whether an expression reads no row of an entity but the one in a slot. Rows of other entities it may read: writing those is
/// noticed by itself.
fn reads_own(program: &Program, body: &Body, root: ExprId, row: Slot, entity: EntityId) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let Some(expr) = body.expr(id) else { return false };
        let is_row = |base: ExprId| matches!(body.expr(base).map(|base| &base.kind), Some(ExprKind::Local(slot)) if *slot == row);
        let other = |base: ExprId| {
            let ty = body.expr(base).map(|base| base.ty.required());
            !matches!(ty, Some(Type::Entity(of)) if *of == entity)
        };
        let function = |function: FunctionId| reads_no(program, function, entity);
        let member = |base: ExprId, member: &RowMember| match member {
            RowMember::Field(_) => is_row(base) || other(base),
            RowMember::Derived(derived) => derived_reads_own(program, *derived, entity, is_row(base), other(base)),
        };
        let fine = match &expr.kind {
            ExprKind::State(state) => table_entity(program, *state) != Some(entity),
            ExprKind::Call { function: called, .. } => function(*called),
            ExprKind::Field { base, .. } | ExprKind::Parent(base) => is_row(*base) || other(*base),
            ExprKind::Derived { base, function } => member(*base, &RowMember::Derived(*function)),
            ExprKind::Pick { base, members } => members.iter().all(|of| member(*base, of)),
            ExprKind::Record(members) => members.iter().all(|of| match of {
                Member::Spread(base, map) => map.iter().all(|(of, _)| member(*base, of)),
                Member::Set(..) => true,
            }),
            ExprKind::Where { fields, .. } => fields.iter().all(|(of, _)| match of {
                RowMember::Field(_) => true,
                RowMember::Derived(derived) => function(*derived),
            }),
            ExprKind::WorldState(..) | ExprKind::Calls(_) => false,
            _ => true,
        };
        // The owner of a row, or the rows of a table in it, may lead back to the entity by their own fields.
        if !fine || matches!(expr.ty.required(), Type::AnyEntity) {
            return false;
        }
        open.extend(children(&expr.kind));
        open.extend(lazy_children(&expr.kind));
        if let ExprKind::Method { args, .. } = &expr.kind {
            open.extend(args.iter().filter_map(|arg| match arg {
                Arg::Closure(closure) => Some(closure.body),
                Arg::Value(_) => None,
            }));
        }
    }
    true
}

/// Whether a derived field of the row itself reads no other row of its entity, or one of another row none of the entity.
fn derived_reads_own(program: &Program, derived: FunctionId, entity: EntityId, of_row: bool, of_other: bool) -> bool {
    if !of_row {
        return of_other && reads_no(program, derived, entity);
    }
    let Some(function) = program.functions.get(derived.0 as usize) else { return false };
    value(&function.body).is_some_and(|value| reads_own(program, &function.body, value, Slot(0), entity))
}

/// Whether a function reads no row of an entity.
fn reads_no(program: &Program, function: FunctionId, entity: EntityId) -> bool {
    let Some(function) = program.functions.get(function.0 as usize) else { return false };
    function.reads.iter().all(|state| table_entity(program, *state) != Some(entity))
}
