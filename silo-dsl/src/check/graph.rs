//! Who calls whom: the order in which functions are checked, cycles, and what functions read and write by way of others.

use super::shared::{Set, Shared};
use super::walk::{self, Node};
use crate::declare::Code;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::FunctionId;
use crate::syntax::tree::ExprKind as Tree;
use rustc_hash::{FxHashMap, FxHashSet};
use silo_runtime::ids::StateId;

/// How far a function has been looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Shared<'_, '_> {
    /// Functions, actions and tools in an order in which each stands after those that it calls, but for cycles: so the result
    /// of a function is known where it is called.
    pub(crate) fn checking_order(&self) -> Vec<FunctionId> {
        let calls: Vec<Vec<usize>> = self.declared.functions.iter().map(|decl| self.called_by(decl.code)).collect();
        let mut marks = vec![Mark::New; calls.len()];
        let mut order = Vec::with_capacity(calls.len());
        for start in 0..calls.len() {
            let mut open: Vec<(usize, usize)> = vec![(start, 0)];
            while let Some((at, next)) = open.pop() {
                let mark = marks.get(at).copied().unwrap_or(Mark::Done);
                if mark == Mark::Done || (next == 0 && mark == Mark::Open) {
                    continue;
                }
                set(&mut marks, at, Mark::Open);
                if let Some(callee) = calls.get(at).and_then(|calls| calls.get(next)) {
                    open.push((at, next + 1));
                    open.push((*callee, 0));
                } else {
                    set(&mut marks, at, Mark::Done);
                    order.push(FunctionId(super::shared::number(at)));
                }
            }
        }
        order
    }

    fn called_by(&self, code: Code<'_>) -> Vec<usize> {
        let mut called: Set<usize> = Set::default();
        let mut visit = |node: Node<'_>| {
            if let Node::Expr(expr) = node
                && let Tree::Function(call) = &expr.kind
                && let Some(id) = self.functions.get(&call.name.text)
            {
                called.insert(id.0 as usize);
            }
        };
        match code {
            Code::Expr(expr) => walk::expr(expr, &mut visit),
            Code::Block(block) => walk::block(block, &mut visit),
        }
        called.into_iter().collect()
    }

    /// Reports every cycle of calls once, where its first function is declared.
    pub(crate) fn report_cycles(&mut self) {
        let mut marks = vec![Mark::New; self.outlines.len()];
        let mut told: FxHashSet<FunctionId> = FxHashSet::default();
        let mut found: Vec<Vec<FunctionId>> = Vec::new();
        for start in 0..self.outlines.len() {
            let mut open: Vec<(usize, usize)> = vec![(start, 0)];
            while let Some((at, next)) = open.pop() {
                let mark = marks.get(at).copied().unwrap_or(Mark::Done);
                if mark == Mark::Done {
                    continue;
                }
                if next == 0 && mark == Mark::Open {
                    // On the way here already: what stands between is a cycle.
                    let from = open.iter().position(|(other, _)| *other == at).unwrap_or_default();
                    let ids = open.iter().skip(from).map(|(other, _)| FunctionId(super::shared::number(*other)));
                    let cycle: Vec<FunctionId> = ids.collect();
                    if cycle.iter().all(|id| told.insert(*id)) {
                        found.push(cycle);
                    }
                    continue;
                }
                set(&mut marks, at, Mark::Open);
                let callee = self.outlines.get(at).and_then(|outline| outline.calls.get_index(next)).map(|(id, _)| *id);
                match callee {
                    Some(callee) => {
                        open.push((at, next + 1));
                        open.push((callee.0 as usize, 0));
                    }
                    None => set(&mut marks, at, Mark::Done),
                }
            }
        }
        for cycle in found {
            let diagnostic = self.cycle(&cycle);
            self.diagnostics.extend(diagnostic);
        }
    }

    fn cycle(&self, cycle: &[FunctionId]) -> Option<Diagnostic> {
        // It is shown from the function that is declared first, whichever was found first.
        let first = cycle.iter().enumerate().min_by_key(|(_, id)| id.0).map(|(at, _)| at)?;
        let turned: Vec<FunctionId> = cycle.iter().cycle().skip(first).take(cycle.len()).copied().collect();
        let names: Vec<String> = turned.iter().map(|id| self.function_name(*id)).collect();
        let (head, span) = (names.first()?, self.function_span(*turned.first()?)?);
        let message = if names.len() == 1 {
            format!("`{head}` calls itself")
        } else {
            let way = names.join("` calls `");
            format!("calls go round in a circle: `{way}` calls `{head}`")
        };
        let mut diagnostic = Diagnostic::error(codes::effects::CYCLE, span, message);
        for (at, id) in turned.iter().enumerate() {
            let next = turned.get((at + 1) % turned.len())?;
            let call = self.outline(*id)?.calls.get(next)?;
            let name = names.get((at + 1) % names.len())?;
            diagnostic = diagnostic.also(*call, format!("`{name}` is used here"));
        }
        Some(
            diagnostic
                .note("nothing may call itself, directly or through others: so every call ends")
                .help("write a loop over the data instead"),
        )
    }

    /// The name of a function for a message.
    fn function_name(&self, id: FunctionId) -> String {
        let at = id.0 as usize;
        let functions = self.declared.functions.len();
        let derived = self.declared.derived.len();
        if let Some(decl) = self.declared.functions.get(at) {
            return decl.name.to_string();
        }
        if let Some(decl) = at.checked_sub(functions).and_then(|at| self.declared.derived.get(at)) {
            let entity = self.show(&crate::ir::Type::Entity(decl.entity));
            return format!("{entity}.{}", decl.name);
        }
        let verifier = at.checked_sub(functions + derived).and_then(|at| self.declared.verifiers.get(at));
        verifier.map_or_else(|| "this".to_owned(), |decl| decl.name.to_string())
    }

    fn function_span(&self, id: FunctionId) -> Option<Span> {
        let at = id.0 as usize;
        let functions = self.declared.functions.len();
        let derived = self.declared.derived.len();
        if let Some(decl) = self.declared.functions.get(at) {
            return Some(decl.span);
        }
        if let Some(decl) = at.checked_sub(functions).and_then(|at| self.declared.derived.get(at)) {
            return Some(decl.span);
        }
        at.checked_sub(functions + derived).and_then(|at| self.declared.verifiers.get(at)).map(|decl| decl.span)
    }

    /// Says of each mistake in code that others share how many use it: it is told once, where it is.
    pub(crate) fn note_uses(&mut self) {
        if self.diagnostics.is_empty() {
            return;
        }
        let mut uses: FxHashMap<FunctionId, usize> = FxHashMap::default();
        for outline in &self.outlines {
            for callee in outline.calls.keys() {
                *uses.entry(*callee).or_default() += 1;
            }
        }
        let functions = self.declared.functions.iter().enumerate().map(|(at, decl)| {
            let span = match decl.code {
                Code::Expr(expr) => expr.span,
                Code::Block(block) => block.span,
            };
            (FunctionId(super::shared::number(at)), decl.name.clone(), span)
        });
        let verifiers = self.declared.verifiers.iter().map(|decl| (decl.function, decl.name.clone(), decl.body.span));
        let shared = functions.chain(verifiers).filter_map(|(id, name, span)| {
            let count = uses.get(&id).copied().filter(|count| *count > 1)?;
            Some((span, format!("`{name}` is used by {count} others")))
        });
        let shared: Vec<(Span, String)> = shared.collect();
        for diagnostic in &mut self.diagnostics {
            let at = diagnostic.span();
            if let Some((_, note)) = shared.iter().find(|(span, _)| span.holds(at)) {
                diagnostic.notes.push(note.clone());
            }
        }
    }

    /// What each function reads and writes, by way of what it calls, too.
    pub(crate) fn closed_effects(&self) -> Vec<(Vec<StateId>, Vec<StateId>)> {
        let count = self.outlines.len();
        let mut reads: Vec<Set<StateId>> = self.outlines.iter().map(|outline| outline.reads.clone()).collect();
        let mut writes: Vec<Set<StateId>> = self.outlines.iter().map(|outline| outline.writes.clone()).collect();
        let mut marks = vec![Mark::New; count];
        for start in 0..count {
            let mut open: Vec<(usize, usize)> = vec![(start, 0)];
            while let Some((at, next)) = open.pop() {
                let mark = marks.get(at).copied().unwrap_or(Mark::Done);
                if mark == Mark::Done || (next == 0 && mark == Mark::Open) {
                    continue;
                }
                set(&mut marks, at, Mark::Open);
                let calls = self.outlines.get(at).map(|outline| &outline.calls);
                if let Some((callee, _)) = calls.and_then(|calls| calls.get_index(next)) {
                    open.push((at, next + 1));
                    open.push((callee.0 as usize, 0));
                } else {
                    set(&mut marks, at, Mark::Done);
                    let callees: Vec<usize> =
                        calls.map(|c| c.keys().map(|id| id.0 as usize).collect()).unwrap_or_default();
                    for callee in callees {
                        merge(&mut reads, at, callee);
                        merge(&mut writes, at, callee);
                    }
                }
            }
        }
        let sorted = |set: Set<StateId>| {
            let mut ids: Vec<StateId> = set.into_iter().collect();
            ids.sort();
            ids
        };
        reads.into_iter().zip(writes).map(|(reads, writes)| (sorted(reads), sorted(writes))).collect()
    }
}

fn set(marks: &mut [Mark], at: usize, mark: Mark) {
    if let Some(place) = marks.get_mut(at) {
        *place = mark;
    }
}

fn merge(sets: &mut [Set<StateId>], into: usize, from: usize) {
    if into == from {
        return;
    }
    let Some(found) = sets.get(from).cloned() else { return };
    if let Some(place) = sets.get_mut(into) {
        place.extend(found);
    }
}
