//! Assignment.

use crate::check::body::{Binding, Checker, Effects};
use crate::check::facts::{Fact, Path};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{ExprId, ExprKind, PlaceRoot, StmtKind, Type};
use crate::syntax::tree::{self, AssignOp, Link, LinkKind, PlaceStep};

impl Checker<'_, '_, '_> {
    pub(super) fn assign(&mut self, assign: &tree::Assign) -> Option<StmtKind> {
        if self.is_new_name(assign) {
            return self.assign_new(assign);
        }
        let read = self.read_place(&assign.place, assign.op == AssignOp::Set);
        if self.is_broken(read) {
            self.expr(&assign.value, None);
            return None;
        }
        let before = self.shared.diagnostics.len();
        let Some(place) = self.place(read, assign.place.span) else {
            if self.shared.diagnostics.len() == before {
                let diagnostic = Diagnostic::error(
                    codes::effects::COPY,
                    assign.place.span,
                    "this is no place that could be changed",
                );
                self.report(diagnostic);
            }
            self.expr(&assign.value, None);
            return None;
        };
        if matches!(place.ty, Type::Table(_)) {
            let diagnostic = Diagnostic::error(
                codes::effects::READ_ONLY,
                assign.place.span,
                "a table cannot be assigned as a whole",
            )
            .help("its rows are added by `insert`, taken out by `remove`, and changed by assigning their fields");
            self.report(diagnostic);
            self.expr(&assign.value, None);
            return None;
        }
        if !matches!(place.root, PlaceRoot::Local(_)) {
            let allowed = self.effects == Effects::Allowed && self.context.writes();
            if !allowed {
                self.may_write(assign.place.span, "the world is changed");
                self.expr(&assign.value, None);
                return None;
            }
        }
        // What is set need not have been there; all on the way to it must.
        let way = if assign.op == AssignOp::Set { self.base_of(read) } else { Some(read) };
        let held = way.map(|way| self.held_on_the_way(way)).unwrap_or_default();
        let kind = match assign.op {
            AssignOp::Set => {
                let because = self.declared_place(read);
                let value = self.expect_because(&assign.value, &place.ty, because);
                self.must_still_hold(&held, assign);
                self.write_place(&place);
                // What was just assigned is known not to be null.
                if place.ty.is_optional()
                    && !self.ty(value).is_optional()
                    && !self.is_broken(value)
                    && let Some(path) = self.path_of(read)
                {
                    self.facts.learn(path, &Fact::present());
                }
                StmtKind::Assign { place, value }
            }
            AssignOp::Add | AssignOp::Subtract => {
                let subtract = assign.op == AssignOp::Subtract;
                let value = self.adjustment(assign, read)?;
                self.must_still_hold(&held, assign);
                self.write_place(&place);
                if place.ty.is_optional()
                    && let Some(path) = self.path_of(read)
                {
                    self.facts.learn(path, &Fact::present());
                }
                self.outline.fails = true;
                StmtKind::Adjust { place, subtract, value }
            }
        };
        Some(kind)
    }

    fn base_of(&self, read: ExprId) -> Option<ExprId> {
        let mut at = read;
        loop {
            match self.kind(at)? {
                ExprKind::Narrowed(inner) | ExprKind::NonNull(inner) => at = *inner,
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => return Some(*base),
                _ => return None,
            }
        }
    }

    /// What tests have shown not to be null on the way to a place.
    fn held_on_the_way(&self, to: ExprId) -> Vec<Path> {
        let mut held = Vec::new();
        let mut at = to;
        loop {
            at = match self.kind(at) {
                Some(ExprKind::Narrowed(inner)) => {
                    let path = self.path_of(*inner);
                    held.extend(path.filter(|path| self.facts.get(path).is_some_and(|fact| fact.present)));
                    *inner
                }
                Some(ExprKind::NonNull(base) | ExprKind::Field { base, .. } | ExprKind::Index { base, .. }) => *base,
                _ => return held,
            };
        }
    }

    /// The place is found once the value is known: what the value calls may not have cut the way to it.
    fn must_still_hold(&mut self, held: &[Path], assign: &tree::Assign) {
        if held.iter().all(|path| self.facts.get(path).is_some_and(|fact| fact.present)) {
            return;
        }
        let message = "what is assigned calls an action that may have set this to null, or a part of it";
        let diagnostic = Diagnostic::error(codes::types::MAYBE_NULL, assign.place.span, message)
            .also(assign.value.span, "this is computed first")
            .help("bind the value by `let` before, test again, and assign then");
        self.report(diagnostic);
    }

    /// Whether a name is assigned that stands for nothing.
    fn is_new_name(&self, assign: &tree::Assign) -> bool {
        let root = &assign.place.root;
        assign.op == AssignOp::Set
            && assign.place.steps.is_empty()
            && self.meaning(root.as_str()).is_none()
            && !self.shared.is_broken(root.as_str())
            && !matches!(root.as_str(), "self" | "world" | "answer" | "calls")
            && !crate::check::expr::WORLDS.contains(&root.as_str())
    }

    /// `kept = …` for what nothing declares, a habit from other languages. It is declared all the same, so that it is told once.
    fn assign_new(&mut self, assign: &tree::Assign) -> Option<StmtKind> {
        let root = &assign.place.root;
        if let Some(diagnostic) = self.unknown_name(root, None) {
            let plain = diagnostic.fix.is_none();
            let diagnostic =
                diagnostic.help(format!("a new name is declared: `let {root} = …`, or by `var` if it changes"));
            let diagnostic = if plain { diagnostic.fix("declare it", root.span.before(), "let ") } else { diagnostic };
            self.report(diagnostic);
        }
        self.expr(&assign.value, None);
        self.local(&root.text, Type::Never, root.span, Binding::Var);
        None
    }

    /// `x += e`: both are numbers, and the sum is of the type of x.
    fn adjustment(&mut self, assign: &tree::Assign, read: ExprId) -> Option<ExprId> {
        let ty = self.ty(read);
        if matches!(ty, Type::Int | Type::Decimal) {
            return Some(self.expect(&assign.value, &ty));
        }
        self.expr(&assign.value, None);
        let op = if assign.op == AssignOp::Add { "+=" } else { "-=" };
        let diagnostic = if ty.is_optional() && matches!(ty.required(), Type::Int | Type::Decimal) {
            self.maybe_null(read, &ty, assign.place.span, &format!("`{op}` needs a number"))
        } else {
            let message = format!("`{op}` needs a number, and this is `{}`", self.show(&ty));
            let diagnostic = Diagnostic::error(codes::types::BAD_OPERAND, assign.op_span, message);
            let place = self.source(assign.place.span);
            match ty.required() {
                Type::Text => diagnostic.help(format!("write `{place} = \"{{{place}}}…\"`")),
                Type::List(_) => diagnostic.help(format!(
                    "write `{place}.push(x)` for one element, `{place} = {place}.concat(xs)` for several"
                )),
                _ => diagnostic,
            }
        };
        self.report(diagnostic);
        None
    }

    /// The value at a place. A place that is only set is not read.
    fn read_place(&mut self, place: &tree::Place, set: bool) -> ExprId {
        let reads = self.outline.reads.len();
        let root = &place.root;
        let mut steps = place.steps.as_slice();
        let mut at = if root.as_str() == "world" && self.meaning("world").is_none() && self.context.has_world() {
            match steps.split_first() {
                Some((PlaceStep::Field(name), rest)) => {
                    steps = rest;
                    let kind = LinkKind::Field { name: name.clone(), optional: false };
                    let link = Link { kind, span: name.span };
                    self.explicit_state(root, &[link])
                }
                _ => self.name(root, None),
            }
        } else {
            self.name(root, None)
        };
        if set && steps.is_empty() {
            self.outline.reads.truncate(reads);
        }
        let last = steps.len();
        for (n, step) in steps.iter().enumerate() {
            let reads = self.outline.reads.len();
            at = match step {
                PlaceStep::Field(name) => {
                    let id = self.field(at, name, root.span.to(name.span));
                    if set && n + 1 == last {
                        self.outline.reads.truncate(reads);
                    }
                    id
                }
                PlaceStep::Index(index) => self.index(at, index, root.span.to(index.span)),
            };
        }
        at
    }

    /// Where what is assigned is declared, for a message about its type.
    fn declared_place(&self, read: ExprId) -> Option<(crate::diagnostics::Span, String)> {
        let mut at = read;
        loop {
            match self.kind(at)? {
                ExprKind::Narrowed(inner) | ExprKind::NonNull(inner) => at = *inner,
                ExprKind::Field { base, field } => {
                    let types = &self.shared.declared.types;
                    let ty = self.ty(*base);
                    let decl = match ty.required() {
                        Type::Entity(id) => types.entity_decl(*id).and_then(|decl| decl.field(*field)),
                        Type::Record(id) => types.record_decl(*id).and_then(|decl| decl.field(*field)),
                        _ => None,
                    }?;
                    return decl.span.map(|span| (span, format!("`{}` is declared here", decl.name)));
                }
                ExprKind::Local(slot) => {
                    let local = self.body.locals.get(slot.0 as usize)?;
                    return Some((local.span, "it is declared here".to_owned()));
                }
                ExprKind::State(id) => {
                    let decl = self.shared.declared.state.get(id.index())?;
                    return Some((decl.span, format!("`{}` is declared here", decl.name)));
                }
                _ => return None,
            }
        }
    }
}
