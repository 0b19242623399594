//! What the interpreter knows of code before running it: what changes the world, and how deep it nests.

use super::children::{children, lazy_children};
use crate::ir::{
    Arg, Block, Body, Closure, ExprId, ExprKind, FunctionId, Member, Method, MutateOp, Place, PlaceRoot, PlaceStep,
    Program, RowMember, Stmt, StmtKind,
};
use rustc_hash::FxHashMap;
use silo_runtime::methods::pattern::Pattern;
use silo_runtime::value::dynamic::Value;

/// What is known of a function.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Whether running it may change the world.
    pub writes: bool,
    /// Its value, where its body is nothing but that: it runs without a frame.
    pub single: Option<ExprId>,
    /// Where a derived field that depends on nothing but its row is kept in the row.
    pub memo: Option<MemoPlace>,
    /// For each expression whether evaluating it changes the world or a local, or calls a tool.
    effects: Box<[bool]>,
    /// The patterns of its calls of `matches`, by the argument in which they stand.
    patterns: FxHashMap<u32, Pattern>,
    /// How deep its statements and expressions nest.
    height: usize,
}

impl Facts {
    /// Whether evaluating an expression changes nothing.
    pub(super) fn is_pure(&self, id: ExprId) -> bool {
        !self.effects.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The pattern that a literal spells.
    pub(super) fn pattern(&self, literal: ExprId) -> Option<&Pattern> {
        self.patterns.get(&literal.0)
    }
}

/// Where a derived field is kept in its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoPlace {
    /// Its number among those of the entity.
    pub number: usize,
    /// How many of the entity are kept.
    pub of: usize,
}

/// The deepest nesting of code, calls included, that fits the stack of the thread that runs it.
pub(super) const MAX_HEIGHT: usize = 4000;

/// Finds out about every function of a program. The function whose calls nest too deep comes as an error.
pub(super) fn facts(program: &Program) -> Result<Vec<Facts>, FunctionId> {
    let callees: Vec<Vec<FunctionId>> = program.functions.iter().map(|function| callees(&function.body)).collect();
    let writes = writers(program, &callees);
    let is_writer = |id: &FunctionId| writes.get(id.0 as usize).copied().unwrap_or_default();
    let mut facts: Vec<Facts> = program
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| Facts {
            writes: writes.get(index).copied().unwrap_or_default(),
            single: single(&function.body),
            memo: None,
            effects: effects(&function.body, is_writer),
            patterns: patterns(&function.body),
            height: height(&function.body),
        })
        .collect();
    check_heights(&facts, &callees)?;
    for (function, place) in super::rowwise::memos(program) {
        facts.get_mut(function.0 as usize).into_iter().for_each(|facts| facts.memo = Some(place));
    }
    Ok(facts)
}

/// The patterns of the calls of `matches`. The checker has refused those that are none.
fn patterns(body: &Body) -> FxHashMap<u32, Pattern> {
    let literals = body.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Method { method: Method::Matches, args, .. } => match args.as_slice() {
            [Arg::Value(literal)] => Some(*literal),
            _ => None,
        },
        _ => None,
    });
    let compiled = literals.filter_map(|literal| match &body.expr(literal)?.kind {
        ExprKind::Constant(Value::Text(source)) => Some((literal.0, Pattern::new(source).ok()?)),
        _ => None,
    });
    compiled.collect()
}

/// The value of a body that is one `return`, where evaluating it needs no locals but the parameters.
fn single(body: &Body) -> Option<ExprId> {
    match body.block.statements.as_slice() {
        [Stmt { kind: StmtKind::Return(Some(value)), .. }] => Some(*value),
        _ => None,
    }
}

/// Which functions change the world, through those that they call too.
fn writers(program: &Program, callees: &[Vec<FunctionId>]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); callees.len()];
    for (caller, called) in callees.iter().enumerate() {
        for id in called {
            callers.get_mut(id.0 as usize).into_iter().for_each(|callers| callers.push(caller));
        }
    }
    let mut writes = vec![false; callees.len()];
    let mut found: Vec<usize> = (0..callees.len())
        .filter(|index| program.functions.get(*index).is_some_and(|it| writes_itself(&it.body)))
        .collect();
    while let Some(index) = found.pop() {
        match writes.get_mut(index) {
            Some(known) if !*known => *known = true,
            _ => continue,
        }
        found.extend(callers.get(index).into_iter().flatten());
    }
    writes
}

/// Whether the code of a function itself changes the world.
fn writes_itself(body: &Body) -> bool {
    let in_expressions = body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Insert(_) | ExprKind::Remove(_) | ExprKind::Update { .. } => true,
        ExprKind::Mutate { place, .. } => is_in_world(place),
        _ => false,
    });
    in_expressions || {
        let mut found = false;
        each_statement(&body.block, &mut |statement| match &statement.kind {
            StmtKind::Assign { place, .. } | StmtKind::Adjust { place, .. } => found |= is_in_world(place),
            _ => {}
        });
        found
    }
}

fn is_in_world(place: &Place) -> bool {
    !matches!(place.root, PlaceRoot::Local(_))
}

/// For each expression whether evaluating it changes something. Children stand before their parents.
fn effects(body: &Body, is_writer: impl Fn(&FunctionId) -> bool) -> Box<[bool]> {
    let mut effects: Vec<bool> = Vec::with_capacity(body.exprs.len());
    for expr in &body.exprs {
        let own = match &expr.kind {
            ExprKind::Insert(_)
            | ExprKind::Remove(_)
            | ExprKind::Update { .. }
            | ExprKind::Mutate { .. }
            | ExprKind::ToolCall { .. } => true,
            ExprKind::Call { function, .. } => is_writer(function),
            _ => false,
        };
        let of = |id: &ExprId| effects.get(id.0 as usize).copied().unwrap_or_default();
        let any = own || children(&expr.kind).iter().any(of) || lazy_children(&expr.kind).iter().any(of);
        effects.push(any);
    }
    effects.into()
}

/// The functions that a body calls, derived fields included.
fn callees(body: &Body) -> Vec<FunctionId> {
    let mut called = Vec::new();
    let mut member = |member: &RowMember| match member {
        RowMember::Derived(function) => called.push(*function),
        RowMember::Field(_) => {}
    };
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Call { function, .. } | ExprKind::Derived { function, .. } => {
                member(&RowMember::Derived(*function));
            }
            ExprKind::Where { fields, .. } => fields.iter().for_each(|(of, _)| member(of)),
            ExprKind::Pick { members, .. } => members.iter().for_each(&mut member),
            ExprKind::Record(members) => spreads(members, &mut member),
            ExprKind::Insert(insertion) => spreads(&insertion.members, &mut member),
            _ => {}
        }
    }
    called
}

fn spreads(members: &[Member], each: &mut impl FnMut(&RowMember)) {
    for member in members {
        if let Member::Spread(_, map) = member {
            for (of, _) in map {
                each(of);
            }
        }
    }
}

/// How deep the statements and expressions of a body nest.
fn height(body: &Body) -> usize {
    let mut heights: Vec<usize> = Vec::with_capacity(body.exprs.len());
    for expr in &body.exprs {
        let of = |id: ExprId| heights.get(id.0 as usize).copied().unwrap_or_default();
        let parts = children(&expr.kind).into_iter().chain(lazy_children(&expr.kind)).chain(bodies(&expr.kind));
        let below = parts.map(of).max().unwrap_or_default();
        heights.push(below + 1);
    }
    heights.into_iter().max().unwrap_or_default() + block_height(&body.block)
}

/// Expressions in an expression that are no parts of it in the sense of [`children`].
fn bodies(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Method { args, .. } => args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Closure(Closure { body, .. }) => Some(*body),
                Arg::Value(_) => None,
            })
            .collect(),
        ExprKind::Mutate { place, op } => {
            let mut parts = place_parts(place);
            parts.extend(match op {
                MutateOp::Push(part) | MutateOp::RemoveAt(part) | MutateOp::RemoveKey(part) => Some(*part),
                MutateOp::Clear => None,
            });
            parts
        }
        _ => Vec::new(),
    }
}

fn place_parts(place: &Place) -> Vec<ExprId> {
    let root = match place.root {
        PlaceRoot::Row(row, _) => Some(row),
        PlaceRoot::Local(_) | PlaceRoot::State(_) => None,
    };
    let steps = place.steps.iter().filter_map(|step| match step {
        PlaceStep::Field(..) => None,
        PlaceStep::Index(part) | PlaceStep::Key(part) => Some(*part),
    });
    root.into_iter().chain(steps).collect()
}

fn block_height(block: &Block) -> usize {
    block
        .statements
        .iter()
        .map(|statement| blocks(statement).into_iter().map(block_height).max().unwrap_or_default())
        .max()
        .unwrap_or_default()
        + 1
}

/// The blocks in a statement.
pub(super) fn blocks(statement: &Stmt) -> Vec<&Block> {
    match &statement.kind {
        StmtKind::If { branches, otherwise } => branches.iter().map(|branch| &branch.then).chain(otherwise).collect(),
        StmtKind::For { body, .. } => vec![body],
        StmtKind::Match { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    }
}

/// Visits the statements of a block and those in them.
pub(super) fn each_statement<'b>(block: &'b Block, visit: &mut impl FnMut(&'b Stmt)) {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for statement in &block.statements {
            visit(statement);
            open.extend(blocks(statement));
        }
    }
}

/// Adds up the heights along the calls, those that call nothing first.
fn check_heights(facts: &[Facts], callees: &[Vec<FunctionId>]) -> Result<(), FunctionId> {
    let mut waiting: Vec<usize> = callees.iter().map(Vec::len).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); callees.len()];
    for (caller, called) in callees.iter().enumerate() {
        for id in called {
            callers.get_mut(id.0 as usize).into_iter().for_each(|callers| callers.push(caller));
        }
    }
    let mut below = vec![0_usize; callees.len()];
    let mut ready: Vec<usize> =
        waiting.iter().enumerate().filter(|(_, left)| **left == 0).map(|(index, _)| index).collect();
    while let Some(index) = ready.pop() {
        let own = facts.get(index).map_or(0, |facts| facts.height);
        let total = below.get(index).copied().unwrap_or_default() + own;
        if total > MAX_HEIGHT {
            return Err(FunctionId(u32::try_from(index).unwrap_or(u32::MAX)));
        }
        for caller in callers.get(index).into_iter().flatten() {
            if let Some(deepest) = below.get_mut(*caller) {
                *deepest = total.max(*deepest);
            }
            if let Some(left) = waiting.get_mut(*caller) {
                *left -= 1;
                if *left == 0 {
                    ready.push(*caller);
                }
            }
        }
    }
    Ok(())
}
