//! Invariants.

use crate::check::body::{Checker, Context, FunctionHead};
use crate::check::shared::Shared;
use crate::check::walk;
use crate::ir::{Arg, Closure, ExprId, ExprKind, FunctionKind, Invariant, Method, Slot, Type};
use silo_runtime::ids::StateId;
use silo_runtime::value::Text;

impl Shared<'_, '_> {
    /// Checks all invariants.
    pub(crate) fn check_invariants(&mut self) -> Vec<Invariant> {
        (0..self.declared.invariants.len()).filter_map(|at| self.check_invariant(at)).collect()
    }

    fn check_invariant(&mut self, at: usize) -> Option<Invariant> {
        let decl = self.declared.invariants.get(at)?.clone();
        let id = self.fresh_function();
        let mut checker = Checker::new(self, Context::Invariant);
        let condition = checker.condition(decl.condition);
        checker.return_only(condition, decl.condition.span);
        let rowwise = checker.rowwise(condition);
        let head = FunctionHead {
            name: decl.label.clone(),
            kind: FunctionKind::Invariant,
            params: Vec::new(),
            result: Type::Bool,
            docs: Text::from(""),
            span: decl.span,
        };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
        Some(Invariant { label: decl.label, function: id, rowwise, span: decl.span })
    }
}

impl Checker<'_, '_, '_> {
    /// `t.all(|r| …)` that reads nothing but r: the table, the row and the condition.
    fn rowwise(&self, condition: ExprId) -> Option<(StateId, Slot, ExprId)> {
        let ExprKind::Method { receiver, method: Method::All, args } = self.kind(condition)? else { return None };
        let ExprKind::State(state) = self.kind(*receiver)? else { return None };
        let [Arg::Closure(Closure { params, body, .. })] = args.as_slice() else { return None };
        let [row] = params.as_slice() else { return None };
        if !matches!(self.ty(*receiver), Type::Table(_)) {
            return None;
        }
        self.reads_only(*body, *row).then_some((*state, *row, *body))
    }

    /// Whether an expression reads fields of one row and nothing else that can change.
    fn reads_only(&self, id: ExprId, row: Slot) -> bool {
        let mut open = vec![id];
        while let Some(at) = open.pop() {
            let Some(kind) = self.kind(at) else { return false };
            let own = match kind {
                ExprKind::State(_)
                | ExprKind::WorldState(..)
                | ExprKind::Call { .. }
                | ExprKind::Derived { .. }
                | ExprKind::Parent(_)
                | ExprKind::Calls(_) => false,
                // A field of another row is one more thing that can change.
                ExprKind::Field { base, .. } => match self.ty(*base).required() {
                    Type::Entity(_) => matches!(self.kind(*base), Some(ExprKind::Local(slot)) if *slot == row),
                    _ => true,
                },
                ExprKind::Record(members) => !members.iter().any(|member| match member {
                    crate::ir::Member::Spread(base, _) => matches!(self.ty(*base), Type::Entity(_)),
                    crate::ir::Member::Set(..) => false,
                }),
                ExprKind::Pick { base, .. } => !matches!(self.ty(*base), Type::Entity(_)),
                ExprKind::Where { receiver, .. } => {
                    !matches!(Self::element_type(&self.ty(*receiver)), Some(Type::Entity(_)))
                }
                _ => true,
            };
            if !own {
                return false;
            }
            open.extend(walk::children(kind));
        }
        true
    }
}
