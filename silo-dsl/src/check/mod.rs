//! Names, types and effects of all code: from syntax and declarations to the typed IR.
//!
//! [`check`] reads every body once, functions before those that call them, and gives a [`Program`] in which every expression
//! has a type and nothing has to be looked up by name. What is expected of an expression flows into it, what it is flows out
//! of it; an expression with an error has the type [`Never`](crate::ir::Type::Never), which fits everywhere, so that one
//! mistake is one diagnostic.
//!
//! | part | holds |
//! |---|---|
//! | `assign`, `shapes`, `fields` | what types are to each other, and what they are made of |
//! | `facts`, `narrow` | what tests have shown at a point of the code |
//! | `expr`, `methods`, `stmt` | one construct a file |
//! | `items`, `graph`, `seen` | functions, rules, tasks; who calls whom; what an agent sees |
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod assign;
mod body;
mod errors;
mod expr;
mod facts;
mod fails;
mod fields;
mod foreign;
mod graph;
mod items;
pub mod methods;
mod narrow;
mod scope;
mod seen;
mod shapes;
mod shared;
mod stmt;
mod suggest;
mod walk;

use crate::declare::{Callable, Declared};
use crate::diagnostics::{Diagnostic, Sources};
use crate::ir::{Const, Derived, FunctionId, Program, StateDecl, Tool, Type};
use shared::Shared;
use std::sync::Arc;

/// Checks all code of a project. There is a program if no diagnostic is an error; the caller must also look at those of the
/// declarations.
pub fn check(declared: Declared<'_>, sources: &Sources) -> (Option<Program>, Vec<Diagnostic>) {
    let mut shared = Shared::new(declared, sources);
    for id in shared.checking_order() {
        shared.check_function(id);
    }
    for at in 0..shared.declared.derived.len() {
        shared.check_derived(at);
    }
    let invariants = shared.check_invariants();
    let rules = shared.check_rules();
    let verifiers = shared.check_verifiers();
    shared.report_cycles();
    let tasks = shared.check_tasks();
    let tools = tools(&mut shared);
    shared.note_uses();
    let mut diagnostics = std::mem::take(&mut shared.diagnostics);
    sort(&mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let effects = shared.closed_effects();
    let mut functions = Vec::with_capacity(shared.code.len());
    for (code, (reads, writes)) in shared.code.into_iter().zip(effects) {
        // Everything that has a number has been checked; without that there is no program.
        let Some(mut function) = code else { return (None, diagnostics) };
        function.reads = reads;
        function.writes = writes;
        functions.push(function);
    }
    let declared = shared.declared;
    let program = Program {
        environment: declared.environment,
        derived: declared.derived.into_iter().map(derived).collect(),
        state: declared.state.into_iter().map(state).collect(),
        consts: declared.consts.into_iter().map(constant).collect(),
        model: Arc::new(declared.types.model),
        functions,
        tools,
        rules,
        invariants,
        verifiers,
        tasks,
    };
    (Some(program), diagnostics)
}

/// The order of the source: file, place, code; and each text once.
fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| a.span().cmp(&b.span()).then_with(|| a.code.cmp(&b.code)));
    diagnostics.dedup_by(|a, b| a.code == b.code && a.span() == b.span() && a.message == b.message);
}

fn tools(shared: &mut Shared<'_, '_>) -> Vec<Tool> {
    let mut tools = Vec::new();
    for at in 0..shared.declared.functions.len() {
        let Some(decl) = shared.declared.functions.get(at) else { continue };
        let (Callable::Tool(_), Some(input)) = (decl.kind, decl.input) else { continue };
        let by = decl.by.clone();
        let function = FunctionId(shared::number(at));
        let (output, result) = shared.output(function);
        let seen = shared.seen(&result);
        tools.push(Tool { function, input, output, seen, by });
    }
    tools
}

fn derived(decl: crate::declare::DerivedDecl<'_>) -> Derived {
    Derived {
        entity: decl.entity,
        name: decl.name,
        wire: decl.wire,
        ty: decl.ty,
        schema: decl.schema,
        function: decl.function,
        after: decl.after,
        case: decl.case,
    }
}

fn state(decl: crate::declare::StateDecl<'_>) -> StateDecl {
    StateDecl { id: decl.id, ty: decl.ty, initial: decl.initial, span: decl.span }
}

fn constant(decl: crate::declare::ConstDecl<'_>) -> Const {
    Const {
        name: decl.name,
        ty: decl.ty.unwrap_or(Type::Never),
        value: decl.value.unwrap_or_default(),
        span: decl.span,
    }
}
