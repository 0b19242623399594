//! What depends on single rows alone: invariants `t.all(|r| …)` that a change of one row cannot break for another, and derived
//! fields that are good for as long as their row stays as it is.

use super::children::{children, lazy_children};
use super::facts::MemoPlace;
use crate::ir::{
    Arg, Body, Closure, ExprId, ExprKind, FunctionId, Invariant, Member, Method, Program, RowMember, Slot, Stmt,
    StmtKind, Type,
};
use rustc_hash::FxHashMap;
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
    let mut known = Known::default();
    reads_own(program, body, *condition, *slot, entity, &mut known).then_some((state, *slot, *condition))
}

/// What has been found out of derived fields, so that each is looked at once.
type Known = FxHashMap<u32, bool>;

/// The value of a body that is nothing else.
pub(super) fn value(body: &Body) -> Option<ExprId> {
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
fn reads_own(program: &Program, body: &Body, root: ExprId, row: Slot, entity: EntityId, known: &mut Known) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let Some(expr) = body.expr(id) else { return false };
        let is_row = |base: ExprId| matches!(body.expr(base).map(|base| &base.kind), Some(ExprKind::Local(slot)) if *slot == row);
        let other = |base: ExprId| {
            let ty = body.expr(base).map(|base| base.ty.required());
            !matches!(ty, Some(Type::Entity(of)) if *of == entity)
        };
        let function = |function: FunctionId| reads_no(program, function, entity);
        let mut member = |base: ExprId, member: &RowMember| match member {
            RowMember::Field(_) => is_row(base) || other(base),
            RowMember::Derived(derived) => {
                if is_row(base) {
                    derived_reads_own(program, *derived, entity, known)
                } else {
                    other(base) && function(*derived)
                }
            }
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

/// Whether a derived field of the row itself reads no other row of its entity.
fn derived_reads_own(program: &Program, derived: FunctionId, entity: EntityId, known: &mut Known) -> bool {
    if let Some(known) = known.get(&derived.0) {
        return *known;
    }
    let body = program.functions.get(derived.0 as usize).map(|function| &function.body);
    let found = body
        .is_some_and(|body| value(body).is_some_and(|value| reads_own(program, body, value, Slot(0), entity, known)));
    known.insert(derived.0, found);
    found
}

/// Whether a function reads no row of an entity.
fn reads_no(program: &Program, function: FunctionId, entity: EntityId) -> bool {
    let Some(function) = program.functions.get(function.0 as usize) else { return false };
    function.reads.iter().all(|state| table_entity(program, *state) != Some(entity))
}

/// The derived fields that depend on nothing but their row and are worth keeping in it, because they go through a list.
pub(super) fn memos(program: &Program) -> Vec<(FunctionId, MemoPlace)> {
    let mut known = Known::default();
    let mut kept = |entity: EntityId| {
        let of_entity = program.derived.iter().filter(move |derived| derived.entity == entity);
        of_entity
            .map(|derived| derived.function)
            .filter(|function| is_kept(program, *function, &mut known))
            .collect::<Vec<_>>()
    };
    let entities = program.model.entities.iter().map(|shape| kept(shape.id));
    let places = entities.flat_map(|kept| {
        let of = kept.len();
        kept.into_iter().enumerate().map(move |(number, function)| (function, MemoPlace { number, of }))
    });
    places.collect()
}

fn is_kept(program: &Program, derived: FunctionId, known: &mut Known) -> bool {
    let Some(function) = program.functions.get(derived.0 as usize) else { return false };
    let loops = function.body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Method { args, .. } => args.iter().any(|arg| matches!(arg, Arg::Closure(_))),
        _ => false,
    });
    loops && is_plain(&function.result) && depends_on_row(program, derived, known)
}

/// Whether values of a type hold no references.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Text | Type::Int | Type::Decimal | Type::Date | Type::DateTime | Type::Enum(_) => true,
        Type::Optional(inner) => is_plain(inner),
        _ => false,
    }
}

/// Whether a derived field reads nothing but the stored fields of its row and of the rows nested in it.
fn depends_on_row(program: &Program, derived: FunctionId, known: &mut Known) -> bool {
    if let Some(known) = known.get(&derived.0) {
        return *known;
    }
    let body = program.functions.get(derived.0 as usize).map(|function| &function.body);
    let found = body.is_some_and(|body| value(body).is_some_and(|root| is_of_row(program, body, root, known)));
    known.insert(derived.0, found);
    found
}

fn is_of_row(program: &Program, body: &Body, root: ExprId, known: &mut Known) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let Some(expr) = body.expr(id) else { return false };
        let fine = match &expr.kind {
            // A row that a local is bound to: the row itself, or one of a table in it.
            ExprKind::Field { base, .. } | ExprKind::Derived { base, .. } | ExprKind::Key(base) => {
                is_own(body, *base, 0)
                    && match &expr.kind {
                        ExprKind::Derived { function, .. } => depends_on_row(program, *function, known),
                        _ => true,
                    }
            }
            ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Narrowed(_)
            | ExprKind::NonNull(_)
            | ExprKind::List(_)
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
            | ExprKind::Not(_)
            | ExprKind::Logic { .. }
            | ExprKind::Compare { .. }
            | ExprKind::In { .. }
            | ExprKind::Coalesce(_)
            | ExprKind::Arith { .. }
            | ExprKind::Negate(_)
            | ExprKind::Coerce(_)
            | ExprKind::Method { .. } => true,
            _ => false,
        };
        if !fine {
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

/// Whether an expression is the row itself, a row of a table in it or a record in it, and not what a reference leads to.
fn is_own(body: &Body, base: ExprId, deep: usize) -> bool {
    /// Records nest no deeper than this in a row that is worth it.
    const DEEPEST: usize = 16;
    let Some(expr) = body.expr(base) else { return false };
    match (&expr.kind, expr.ty.required()) {
        (ExprKind::Local(slot), Type::Entity(_)) => *slot == Slot(0) || is_nested_row(body, *slot),
        (ExprKind::Local(_), Type::Record(_)) => true,
        (ExprKind::Field { base, .. }, Type::Record(_) | Type::Table(_) | Type::List(_) | Type::Map(..)) => {
            deep < DEEPEST && is_own(body, *base, deep + 1)
        }
        (ExprKind::Narrowed(inner), _) => deep < DEEPEST && is_own(body, *inner, deep + 1),
        _ => false,
    }
}

/// Whether a slot is the parameter of a closure over the rows of a table in the row.
fn is_nested_row(body: &Body, slot: Slot) -> bool {
    body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Method { receiver, method, args } if *method != Method::Fold => {
            let binds =
                args.iter().any(|arg| matches!(arg, Arg::Closure(closure) if closure.params.first() == Some(&slot)));
            binds && is_nested_table(body, *receiver)
        }
        _ => false,
    })
}

/// Whether an expression is a table in the row, or elements chosen from one.
fn is_nested_table(body: &Body, id: ExprId) -> bool {
    let mut at = id;
    loop {
        match body.expr(at).map(|expr| &expr.kind) {
            Some(ExprKind::Method {
                receiver,
                method: Method::Filter | Method::SortBy | Method::Take | Method::Skip,
                ..
            }) => {
                at = *receiver;
            }
            Some(ExprKind::Field { base, .. }) => {
                let table = matches!(body.expr(at).map(|expr| &expr.ty), Some(Type::Table(_)));
                return table && is_own(body, *base, 1);
            }
            _ => return false,
        }
    }
}
