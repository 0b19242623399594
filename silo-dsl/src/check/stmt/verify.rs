//! `check`, `verify` and `answer`.

use crate::check::body::Checker;
use crate::check::body::one_line;
use crate::check::expr::ParamView;
use crate::check::suggest::nearest;
use crate::check::walk;
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{CheckStmt, ExprId, ExprKind, StmtKind, Type, VerifierId};
use crate::syntax::tree::{self, ExprKind as Tree, Name, VerifyUse};
use silo_runtime::value::dynamic::WorldName;
use silo_runtime::value::{Decimal, Text};

impl Checker<'_, '_, '_> {
    pub(super) fn check_stmt(&mut self, check: &tree::Check) -> StmtKind {
        let label = self.text(&check.label, None);
        self.no_outcome(label, "the label of a check");
        let weight = check.weight.as_ref().map_or_else(|| Decimal::from(1), |weight| self.weight(weight));
        let condition = self.expr(&check.condition, Some(&Type::Bool));
        let ty = self.ty(condition);
        // Null counts as false.
        let condition = match ty.required() {
            Type::Bool | Type::Never | Type::Null => condition,
            _ => self.must_be_bool(condition, &check.condition),
        };
        let source = Text::from(one_line(self.shared.sources.text(check.condition.span)));
        StmtKind::Check(CheckStmt { label, required: !check.optional, weight, condition, source })
    }

    fn weight(&mut self, weight: &tree::Expr) -> Decimal {
        let value = match &weight.kind {
            Tree::Int(digits) | Tree::Decimal(digits) => digits.parse::<Decimal>().ok(),
            _ => None,
        };
        match value {
            Some(value) if value > Decimal::from(0) => value,
            _ => {
                let diagnostic =
                    Diagnostic::error(codes::tasks::WEIGHT, weight.span, "a weight is a number above zero")
                        .note("it is the check's share of the reward");
                self.report(diagnostic);
                Decimal::from(1)
            }
        }
    }

    /// `verify v(…)` inside a verifier.
    pub(super) fn verify_stmt(&mut self, verify: &VerifyUse) -> Option<StmtKind> {
        let (verifier, args) = self.verify_use(verify)?;
        for arg in args.iter().flatten() {
            self.no_outcome(*arg, "the argument of a verifier");
        }
        Some(StmtKind::Verify { verifier, args })
    }

    /// A use of a shared verifier: which, and its arguments.
    pub(crate) fn verify_use(&mut self, verify: &VerifyUse) -> Option<(VerifierId, Vec<Option<ExprId>>)> {
        let name = &verify.verifier;
        let Some(id) = self.shared.verifiers.get(name.as_str()).copied() else {
            self.check_unknown_args(&verify.args);
            if !self.shared.is_broken(name.as_str()) {
                let diagnostic = self.unknown_verifier(name);
                self.report(diagnostic);
            }
            return None;
        };
        let decl = self.shared.declared.verifiers.get(id.0 as usize)?;
        let (declared, function) = (decl.span, decl.function);
        let params: Vec<ParamView> = decl.params.iter().map(ParamView::of).collect();
        self.note_call(function, name.span);
        let args = self.arguments(&verify.args, &params, &format!("`{name}`"), name.span, Some(declared))?;
        Some((id, args))
    }

    fn unknown_verifier(&self, name: &Name) -> Diagnostic {
        let diagnostic =
            Diagnostic::error(codes::names::UNKNOWN_FUNCTION, name.span, format!("there is no verifier `{name}`"));
        let names = self.shared.declared.verifiers.iter().map(|decl| &*decl.name);
        match nearest(name.as_str(), names) {
            Some(near) => {
                diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near)
            }
            None => diagnostic,
        }
    }

    /// `answer e`, in a solution.
    pub(super) fn answer_stmt(&mut self, value: &tree::Expr) -> StmtKind {
        let id = match self.answer.clone() {
            Some(answer) => {
                let want = self.shared.as_written(&answer);
                self.expect(value, &want)
            }
            None => self.expr(value, None),
        };
        StmtKind::Answer(id)
    }

    /// The part of an expression that depends on what the agent did, if one does.
    pub(crate) fn outcome_part(&self, id: ExprId) -> Option<ExprId> {
        let mut open = vec![id];
        let mut seen: rustc_hash::FxHashSet<ExprId> = rustc_hash::FxHashSet::default();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Some(kind) = self.kind(at) else { continue };
            match kind {
                ExprKind::WorldState(WorldName::Final | WorldName::Reference, _)
                | ExprKind::Answer
                | ExprKind::AnswerText
                | ExprKind::Calls(_)
                | ExprKind::Call { world: Some(WorldName::Final | WorldName::Reference), .. } => return Some(at),
                ExprKind::Local(slot) if self.local_info(*slot).is_some_and(|info| info.outcome) => return Some(at),
                _ => open.extend(walk::children(kind)),
            }
        }
        None
    }
}
