//! Statements.

mod allowed;
mod assign;
mod changes;
mod flow;
mod loops;
mod place;
mod refusal;
mod verify;

use super::body::{Binding, Checker, Context};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{Block, ExprKind, Stmt, StmtKind, Type};
use crate::syntax::tree::{self, Let, Statement, StatementKind as Tree};

/// A checked block and whether the code after it is reached.
pub(crate) struct Checked {
    pub(crate) block: Block,
    /// Whether the block ends in `return`, `fail`, `break` or `continue` on every way through it.
    pub(crate) leaves: bool,
}

impl Checker<'_, '_, '_> {
    /// The statements of a block, in a scope of their own.
    pub(crate) fn block(&mut self, block: &tree::Block) -> Checked {
        let scope = self.scope.enter();
        let checked = self.statements(&block.statements);
        self.scope.leave(scope);
        checked
    }

    fn statements(&mut self, statements: &[Statement]) -> Checked {
        let mut checked = Checked { block: Block::default(), leaves: false };
        let mut told = false;
        for statement in statements {
            if checked.leaves && !told {
                told = true;
                let before = checked.block.statements.last();
                // What stands right after `return` and its like is refused when parsing.
                let leaves = |last: &Stmt| {
                    matches!(last.kind, StmtKind::Return(_) | StmtKind::Fail(_) | StmtKind::Break | StmtKind::Continue)
                };
                let before = before.filter(|last| !leaves(last)).map(|last| last.span);
                let Some(before) = before else { continue };
                let diagnostic =
                    Diagnostic::error(codes::effects::UNREACHABLE, statement.span, "this is never reached")
                        .also(before, "the code does not go on after this");
                self.report(diagnostic);
            }
            let (kind, leaves) = self.statement(statement);
            checked.leaves |= leaves;
            if let Some(kind) = kind {
                checked.block.statements.push(Stmt { kind, span: statement.span });
            }
        }
        checked
    }

    /// A statement, and whether the code after it is not reached. Nothing where it is an error.
    fn statement(&mut self, statement: &Statement) -> (Option<StmtKind>, bool) {
        if !self.may_stand(statement) {
            self.look_for_mistakes(statement);
            return (None, false);
        }
        let kind = match &statement.kind {
            Tree::Let(let_) => Some(self.let_(let_)),
            Tree::Assign(assign) => self.assign(assign),
            Tree::Run(call) => Some(self.run(call)),
            Tree::If(if_) => return self.if_stmt(if_),
            Tree::For(for_) => Some(self.for_stmt(for_)),
            Tree::Match(match_) => return self.match_stmt(match_),
            Tree::Require(require) => Some(self.require(require)),
            Tree::Fail(refusal) => {
                self.outline.fails = true;
                let refusal = self.refusal(refusal);
                return (Some(StmtKind::Fail(refusal)), true);
            }
            Tree::Return(value) => return (Some(self.return_(value.as_ref(), statement.span)), true),
            Tree::Break | Tree::Continue => {
                // Outside of loops they are refused when parsing.
                let kind = if statement.kind == Tree::Break { StmtKind::Break } else { StmtKind::Continue };
                return (Some(kind), true);
            }
            Tree::Check(check) => Some(self.check_stmt(check)),
            Tree::Changes(changes) => Some(self.changes(changes)),
            Tree::SameWorld(same) => Some(self.same_world(same, statement.span)),
            Tree::Verify(verify) => self.verify_stmt(verify),
            Tree::Answer(value) => Some(self.answer_stmt(value)),
        };
        (kind, false)
    }

    /// `let x = e`, `var x = e`, `let x = maybe else …`.
    fn let_(&mut self, let_: &Let) -> StmtKind {
        let declared = match &let_.ty {
            Some(tree) => {
                let resolved = self.shared.resolve(tree);
                Some(resolved.map_or(Type::Never, |(ty, _)| ty))
            }
            None => None,
        };
        let want = match (&declared, &let_.otherwise) {
            (Some(ty), Some(_)) => Some(ty.clone().optional()),
            (Some(ty), None) => Some(ty.clone()),
            (None, _) => None,
        };
        let value = match &want {
            Some(want) if *want != Type::Never => self.expect(&let_.value, want),
            _ => self.expr(&let_.value, None),
        };
        let found = self.ty(value);
        let mut ty = match declared {
            Some(declared) => declared,
            None => found.clone(),
        };
        let refusal = let_.otherwise.as_ref().map(|otherwise| {
            self.outline.fails = true;
            self.refusal(otherwise)
        });
        if refusal.is_some() {
            if !found.is_optional() && found != Type::Never && !matches!(self.kind(value), Some(ExprKind::Narrowed(_)))
            {
                let message = format!("`else` says what happens for null, but `{}` is never null", self.show(&found));
                self.report(Diagnostic::warning(codes::warnings::NEVER_NULL, let_.value.span, message));
            }
            ty = if ty == Type::Null { Type::Never } else { ty.required().clone() };
        }
        if let_.mutable && self.var_needs_type(let_, value, &ty) {
            ty = Type::Never;
        }
        self.no_shadowing(&let_.name);
        let binding = if let_.mutable { Binding::Var } else { Binding::Let };
        let slot = self.local(&let_.name.text, ty.clone(), let_.name.span, binding);
        let outcome = self.context == Context::Verifier && self.outcome_part(value).is_some();
        self.set_origin(slot, value, outcome);
        // `var x: int? = 5` is known not to be null until something else is assigned.
        if ty.is_optional() && !found.is_optional() && found != Type::Never {
            let path = super::facts::Path { root: super::facts::Root::Local(slot), steps: Vec::new() };
            self.facts.learn(path, &super::facts::Fact::present());
        }
        match refusal {
            Some(refusal) => StmtKind::LetElse { slot, value, refusal },
            None => StmtKind::Let { slot, value },
        }
    }

    /// `var xs = []`: nothing says what the list will hold. True if so, which is reported.
    fn var_needs_type(&mut self, let_: &Let, value: crate::ir::ExprId, ty: &Type) -> bool {
        if let_.ty.is_some() {
            return false;
        }
        let name = &let_.name;
        let what = match (self.kind(value), ty) {
            (Some(ExprKind::Constant(_)), Type::Null) => format!("`var {name}: …? = null`"),
            (Some(ExprKind::List(items)), _) if items.is_empty() => format!("`var {name}: list<…> = []`"),
            (Some(ExprKind::Record(members)), _) if members.is_empty() => format!("`var {name}: map<…> = {{}}`"),
            _ => return false,
        };
        let message = format!("nothing says what `{name}` will hold");
        let diagnostic =
            Diagnostic::error(codes::types::UNTYPED, let_.value.span, message).help(format!("write its type: {what}"));
        self.report(diagnostic);
        true
    }

    /// A call that is a statement.
    fn run(&mut self, call: &tree::Expr) -> StmtKind {
        self.discard = true;
        let id = self.expr(call, None);
        self.discard = false;
        let unused = matches!(
            self.kind(id),
            Some(ExprKind::Method { .. } | ExprKind::Where { .. } | ExprKind::Pick { .. } | ExprKind::Builtin { .. })
        );
        if unused && !self.is_broken(id) {
            let method = match self.kind(id) {
                Some(ExprKind::Method { .. }) => "this method changes nothing, and its value is not used",
                _ => "the value of this is not used",
            };
            let diagnostic = Diagnostic::warning(codes::warnings::UNUSED_VALUE, call.span, method)
                .help("bind it with `let`, assign it, or leave it out");
            self.report(diagnostic);
        }
        StmtKind::Run(id)
    }

    fn return_(&mut self, value: Option<&tree::Expr>, span: crate::diagnostics::Span) -> StmtKind {
        let Some(value) = value else {
            self.bare_return = self.bare_return.or(Some(span));
            return StmtKind::Return(None);
        };
        if self.context == Context::Setup {
            let diagnostic = Diagnostic::error(codes::effects::NOT_HERE, value.span, "a `setup` block gives no value");
            self.report(diagnostic);
        }
        let id = match self.expected_result.clone() {
            Some(want) => self.expect(value, &want),
            None => self.expr(value, None),
        };
        self.returns.push((id, value.span));
        StmtKind::Return(Some(id))
    }

    /// Checks the parts of a statement that may not stand here, so that mistakes in them are found all the same.
    fn look_for_mistakes(&mut self, statement: &Statement) {
        if let Tree::Let(let_) = &statement.kind {
            self.let_(let_);
        }
    }
}
