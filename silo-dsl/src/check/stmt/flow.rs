//! `if` and `match` as statements.

use super::Checked;
use crate::check::body::{Checker, Context};
use crate::check::facts::Delta;
use crate::ir::{Condition, ExprId, MatchArm, StmtKind};
use crate::syntax::tree;

impl Checker<'_, '_, '_> {
    pub(super) fn if_stmt(&mut self, if_: &tree::If) -> (Option<StmtKind>, bool) {
        let start = self.facts.mark();
        let mut branches = Vec::with_capacity(if_.arms.len());
        let mut ends: Vec<Delta> = Vec::new();
        for arm in &if_.arms {
            let when = self.condition(&arm.condition);
            self.no_outcome(when, "the condition of an `if`");
            let mark = self.facts.mark();
            self.assume(when, true);
            let Checked { block, leaves } = self.block(&arm.body);
            if !leaves {
                ends.push(self.facts.since(start));
            }
            self.facts.forget_since(mark);
            self.assume(when, false);
            branches.push(Condition { when, then: block });
        }
        let mut otherwise = None;
        let mut leaves = false;
        if let Some(tree) = &if_.otherwise {
            let checked = self.block(tree);
            leaves = checked.leaves;
            otherwise = Some(checked.block);
        }
        if !leaves {
            ends.push(self.facts.since(start));
        }
        self.facts.forget_since(start);
        let leaves = ends.is_empty();
        self.facts.join(ends);
        (Some(StmtKind::If { branches, otherwise }), leaves)
    }

    pub(super) fn match_stmt(&mut self, match_: &tree::Match) -> (Option<StmtKind>, bool) {
        let subject = self.expr(&match_.subject, None);
        self.no_outcome(subject, "the subject of a `match`");
        let mut coverage = self.coverage(subject, &match_.subject);
        let start = self.facts.mark();
        let mut arms = Vec::with_capacity(match_.arms.len());
        let mut ends: Vec<Delta> = Vec::new();
        for arm in &match_.arms {
            let pattern = self.pattern(&arm.pattern, &mut coverage);
            let Checked { block, leaves } = self.block(&arm.body);
            if !leaves {
                ends.push(self.facts.since(start));
            }
            self.facts.forget_since(start);
            arms.push(MatchArm { pattern, body: block });
        }
        let complete = self.require_complete(&coverage, match_.subject.span);
        if !complete {
            ends.push(self.facts.since(start));
        }
        let leaves = ends.is_empty() && !match_.arms.is_empty();
        self.facts.join(ends);
        (Some(StmtKind::Match { subject, arms }), leaves)
    }

    /// In a verifier, what is checked may not depend on what the agent did: the checks of a task are the same in every run.
    pub(super) fn no_outcome(&mut self, id: ExprId, what: &str) {
        use crate::diagnostics::{Diagnostic, codes};
        if self.context != Context::Verifier {
            return;
        }
        let Some(part) = self.outcome_part(id) else { return };
        let message = format!("{what} depends on what the agent did");
        let diagnostic = Diagnostic::error(codes::tasks::OUTCOME, self.span(part), message)
            .label("this is known only after the run")
            .note("the checks of a task are the same in every run, or their reward could not be compared")
            .help("write the condition into the check: `check \"…\": not condition or …`");
        self.report(diagnostic);
    }
}
