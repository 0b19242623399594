//! `require`, `fail` and what they say.

use crate::check::body::{Checker, Context};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{Refusal, StmtKind};
use crate::syntax::tree;
use silo_runtime::value::Text;

impl Checker<'_, '_, '_> {
    /// `require c else …`: afterwards the condition is known to hold.
    pub(super) fn require(&mut self, require: &tree::Require) -> StmtKind {
        self.outline.fails = true;
        let condition = self.condition(&require.condition);
        let mark = self.facts.mark();
        self.assume(condition, false);
        let refusal = self.refusal(&require.refusal);
        self.facts.forget_since(mark);
        self.assume(condition, true);
        StmtKind::Require { condition, refusal }
    }

    pub(super) fn refusal(&mut self, refusal: &tree::Refusal) -> Refusal {
        if let Some(code) = &refusal.code {
            let text = code.as_str();
            let snake = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if self.context == Context::Rule {
                let diagnostic = Diagnostic::error(codes::effects::NOT_HERE, code.span, "a rule has no code")
                    .note("the agent notices nothing of a rule: what it says is recorded and judged")
                    .fix("leave the code out", code.span, "");
                self.report(diagnostic);
            } else if !snake {
                let message = format!("the code `{text}` is not in lower case");
                let diagnostic = Diagnostic::error(codes::effects::BAD_CODE, code.span, message)
                    .note("codes are words such as `not_found`, `invalid_state`, `not_allowed`, `conflict`");
                self.report(diagnostic);
            }
        }
        let message = self.text(&refusal.message, None);
        let details = refusal.details.as_ref().map(|details| self.braced(details, None));
        let code = refusal.code.as_ref().map_or_else(|| Text::from("invalid_state"), |code| code.text.clone());
        Refusal { code, message, details }
    }
}
