//! Which statements may stand in which code.

use crate::check::body::{Checker, Context};
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::tree::{Statement, StatementKind as Tree};

impl Checker<'_, '_, '_> {
    /// Whether a statement may stand in this code; reported if not.
    pub(super) fn may_stand(&mut self, statement: &Statement) -> bool {
        let Some((what, where_)) = forbidden(&statement.kind, self.context) else { return true };
        let message = format!("{what} cannot stand in {}", self.context.phrase());
        let diagnostic = Diagnostic::error(codes::effects::NOT_HERE, statement.span, message).note(where_);
        let diagnostic = match (&statement.kind, self.context) {
            (Tree::Require(_) | Tree::Fail(_), Context::Verifier) => {
                diagnostic.help("write what must hold as `check \"label\": condition`")
            }
            (Tree::Fail(_), Context::Rule) => diagnostic.help("write `require condition else \"message\"`"),
            (Tree::Check(_), _) if self.context.writes() => {
                diagnostic.help("write what must hold as `require condition else code \"message\"`")
            }
            (Tree::Return(_), Context::Solution) => diagnostic.help("a solution ends with `answer …`"),
            (Tree::Return(_), Context::Rule) => diagnostic.help("put what follows into an `if`"),
            _ => diagnostic,
        };
        self.report(diagnostic);
        false
    }
}

/// What a statement is called and where it may stand, if it may not stand here.
fn forbidden(kind: &Tree, context: Context) -> Option<(&'static str, &'static str)> {
    use Context::{Action, Fn, Rule, Setup, Solution, Tool, Verifier};
    let acts = matches!(context, Action | Tool | Setup);
    let (what, allowed, where_) = match kind {
        Tree::Let(let_) if let_.otherwise.is_some() => (
            "`let … else`",
            acts || matches!(context, Fn | Rule),
            "it fails, as `require` does: it may stand in functions, actions, tools, `setup` and rules",
        ),
        Tree::Assign(_) => (
            "an assignment",
            acts || matches!(context, Fn | Solution),
            "only tools, actions and `setup` change the world; functions and solutions may assign to a `var`",
        ),
        Tree::Require(_) => (
            "`require`",
            acts || matches!(context, Fn | Rule),
            "it may stand in functions, actions, tools, `setup` and rules",
        ),
        Tree::Fail(_) => ("`fail`", acts || context == Fn, "it may stand in functions, actions, tools and `setup`"),
        Tree::Return(_) => ("`return`", acts || context == Fn, "it may stand in functions, actions, tools and `setup`"),
        Tree::Check(_) => ("`check`", context == Verifier, "it may stand in `verify` blocks and verifiers"),
        Tree::Changes(_) => ("`changes`", context == Verifier, "it may stand in `verify` blocks and verifiers"),
        Tree::SameWorld(_) => ("`same world`", context == Verifier, "it may stand in `verify` blocks and verifiers"),
        Tree::Verify(_) => ("`verify`", context == Verifier, "it may stand in tasks, `verify` blocks and verifiers"),
        Tree::Answer(_) => ("`answer`", context == Solution, "it may stand in solutions"),
        Tree::Let(_) | Tree::Run(_) | Tree::If(_) | Tree::For(_) | Tree::Match(_) | Tree::Break | Tree::Continue => {
            return None;
        }
    };
    (!allowed).then_some((what, where_))
}
