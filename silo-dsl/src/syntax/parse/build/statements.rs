//! Blocks and statements.

use super::{Builder, is};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::parse::grammar::{Pair, Parts, Rule};
use crate::syntax::tree::{
    Assign, AssignOp, Block, Change, ChangeKind, Changes, Check, For, If, IfArm, Let, Match, MatchArm, PathStep, Place,
    PlaceStep, Refusal, Require, SameWorld, StatePath, Statement, StatementKind, VerifyUse,
};

impl<'a> Builder<'a> {
    pub(super) fn block(&mut self, pair: Pair<'a>) -> Option<Block> {
        let span = self.span(&pair);
        let mut statements: Vec<Statement> = Vec::new();
        let mut unreachable = false;
        for part in Parts::of(pair) {
            let statement = self.statement(part)?;
            let before = statements.last().map(|before| before.span);
            let noticed = self.diagnostics.len();
            self.check_line("statement", before, statement.span);
            let said = self.diagnostics.len() > noticed;
            if let Some(before) = statements.last().filter(|before| leaves(&before.kind) && !unreachable && !said) {
                let (before, after) = (before.span, statement.span);
                unreachable = true;
                self.unreachable(before, after);
            }
            statements.push(statement);
        }
        Some(Block { statements, span })
    }

    fn unreachable(&mut self, leaving: Span, after: Span) {
        let word = self.slice(leaving).split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        self.diagnostics.push(
            Diagnostic::error(
                codes::syntax::UNREACHABLE,
                after,
                format!("expected `{word}` to end its block, found a statement after it"),
            )
            .label("never reached")
            .also(leaving, "the block is left here")
            .help("remove the statements that follow, or make the one before depend on an `if`"),
        );
    }

    fn statement(&mut self, pair: Pair<'a>) -> Option<Statement> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).next()?;
        let kind = match pair.as_rule() {
            Rule::let_ => StatementKind::Let(self.let_(pair)?),
            Rule::assign => StatementKind::Assign(self.assign(pair)?),
            Rule::run => StatementKind::Run(self.run(pair)?),
            Rule::if_ => StatementKind::If(self.if_(pair)?),
            Rule::for_ => StatementKind::For(self.for_(pair)?),
            Rule::match_ => StatementKind::Match(self.match_(pair)?),
            Rule::require_ => {
                let mut parts = Parts::of(pair);
                parts.next_if(Rule::kw_require)?;
                let condition = self.expr(parts.next_if(Rule::expr)?)?;
                parts.next_if(Rule::kw_else)?;
                StatementKind::Require(Require { condition, refusal: self.refusal(parts.next()?)? })
            }
            Rule::fail_ => {
                let refusal = Parts::of(pair).find(|part| is(part, Rule::refusal))?;
                StatementKind::Fail(self.refusal(refusal)?)
            }
            Rule::return_ => StatementKind::Return(match Parts::of(pair).find(|part| is(part, Rule::expr)) {
                Some(value) => Some(self.expr(value)?),
                None => None,
            }),
            Rule::kw_break | Rule::kw_continue => {
                self.check_loop(span);
                if is(&pair, Rule::kw_break) { StatementKind::Break } else { StatementKind::Continue }
            }
            Rule::check => StatementKind::Check(self.check(pair)?),
            Rule::changes => StatementKind::Changes(self.changes(pair)?),
            Rule::same_world => {
                let paths = Parts::of(pair).filter(|part| is(part, Rule::path));
                let ignoring = paths.map(|path| self.path(path)).collect::<Option<_>>()?;
                StatementKind::SameWorld(SameWorld { ignoring })
            }
            Rule::verify_use => StatementKind::Verify(self.verify_use(pair)?),
            Rule::answer_ => {
                let value = Parts::of(pair).find(|part| is(part, Rule::expr))?;
                StatementKind::Answer(self.expr(value)?)
            }
            _ => return None,
        };
        Some(Statement { kind, span })
    }

    fn check_loop(&mut self, span: Span) {
        if self.loops > 0 {
            return;
        }
        let word = self.slice(span);
        self.diagnostics.push(
            Diagnostic::error(codes::syntax::LOOP_WORD, span, format!("expected `{word}` in a loop, found it outside"))
                .label("no loop to leave or to go on with")
                .help("use `return` to leave a function, an action or a tool"),
        );
    }

    fn let_(&mut self, pair: Pair<'a>) -> Option<Let> {
        let mut parts = Parts::of(pair);
        let mutable = is(&parts.next()?, Rule::kw_var);
        let name = self.name(&parts.next_if(Rule::name)?);
        self.check_lower("the name of a local", &name);
        let ty = match parts.next_if(Rule::type_) {
            Some(ty) => Some(self.ty(ty)?),
            None => None,
        };
        let value = self.expr(parts.next_if(Rule::expr)?)?;
        let otherwise = match parts.find(|part| is(part, Rule::refusal)) {
            Some(refusal) => Some(self.refusal(refusal)?),
            None => None,
        };
        Some(Let { mutable, name, ty, value, otherwise })
    }

    fn assign(&mut self, pair: Pair<'a>) -> Option<Assign> {
        let mut parts = Parts::of(pair);
        let place = self.place(parts.next_if(Rule::place)?)?;
        let op = parts.next_if(Rule::assign_op)?;
        let op_span = self.span(&op);
        let op = match op.as_str() {
            "+=" => AssignOp::Add,
            "-=" => AssignOp::Subtract,
            _ => AssignOp::Set,
        };
        Some(Assign { place, op, op_span, value: self.expr(parts.next()?)? })
    }

    fn place(&mut self, pair: Pair<'a>) -> Option<Place> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let root = self.name(&parts.next_if(Rule::name)?);
        let mut steps = Vec::new();
        for part in parts {
            steps.push(match part.as_rule() {
                Rule::word => PlaceStep::Field(self.name(&part)),
                _ => PlaceStep::Index(self.expr(part)?),
            });
        }
        Some(Place { root, steps, span })
    }

    fn refusal(&mut self, pair: Pair<'a>) -> Option<Refusal> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let code = parts.next_if(Rule::name).map(|name| self.name(&name));
        let message = self.string(parts.next_if(Rule::string)?)?;
        let details = match parts.next_if(Rule::record_lit) {
            Some(details) => Some(self.braced(details)?),
            None => None,
        };
        Some(Refusal { code, message, details, span })
    }

    fn if_(&mut self, pair: Pair<'a>) -> Option<If> {
        let mut parts = Parts::of(pair);
        let mut arms = Vec::new();
        let mut otherwise = None;
        while let Some(part) = parts.next() {
            match part.as_rule() {
                Rule::expr_nr => {
                    let condition = self.expr(part)?;
                    arms.push(IfArm { condition, body: self.block(parts.next_if(Rule::block)?)? });
                }
                Rule::block => otherwise = Some(self.block(part)?),
                _ => {}
            }
        }
        Some(If { arms, otherwise })
    }

    fn for_(&mut self, pair: Pair<'a>) -> Option<For> {
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_for)?;
        let first = self.name(&parts.next_if(Rule::name)?);
        let second = parts.next_if(Rule::name).map(|name| self.name(&name));
        let (index, element) = match second {
            Some(second) => (Some(first), second),
            None => (None, first),
        };
        for name in index.iter().chain([&element]) {
            self.check_lower("the name of a local", name);
        }
        parts.next_if(Rule::kw_in)?;
        let source = self.expr(parts.next()?)?;
        self.loops += 1;
        let body = self.block(parts.next_if(Rule::block)?);
        self.loops -= 1;
        Some(For { index, element, source, body: body? })
    }

    fn match_(&mut self, pair: Pair<'a>) -> Option<Match> {
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_match)?;
        let subject = self.expr(parts.next()?)?;
        let mut arms = Vec::new();
        let mut before = None;
        for arm in parts {
            let span = self.span(&arm);
            self.check_comma(before, span);
            before = Some(span);
            let mut parts = Parts::of(arm);
            let pattern = self.pattern(parts.next_if(Rule::pattern)?)?;
            arms.push(MatchArm { pattern, body: self.block(parts.next()?)? });
        }
        Some(Match { subject, arms })
    }

    fn check(&mut self, pair: Pair<'a>) -> Option<Check> {
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_check)?;
        let optional = parts.next_if(Rule::kw_optional).is_some();
        let label = self.string(parts.next_if(Rule::string)?)?;
        let weight = match parts.next_if(Rule::kw_weight) {
            Some(_) => Some(self.number(&parts.next_if(Rule::number)?)),
            None => None,
        };
        Some(Check { label, optional, weight, condition: self.expr(parts.next()?)? })
    }

    fn changes(&mut self, pair: Pair<'a>) -> Option<Changes> {
        let changes = Parts::of(pair).filter(|part| is(part, Rule::change));
        let changes: Vec<Change> = changes.map(|change| self.change(change)).collect::<Option<_>>()?;
        Some(if changes.is_empty() { Changes::Nothing } else { Changes::Only(changes) })
    }

    fn change(&mut self, pair: Pair<'a>) -> Option<Change> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let path = self.path(parts.next_if(Rule::path)?)?;
        let (mut kind, mut condition) = (None, None);
        for part in parts {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::kw_added => kind = Some((ChangeKind::Added, place)),
                Rule::kw_removed => kind = Some((ChangeKind::Removed, place)),
                Rule::kw_changed => kind = Some((ChangeKind::Changed, place)),
                Rule::closure => condition = Some(self.closure(part)?),
                _ => {}
            }
        }
        Some(Change { path, kind, condition, span })
    }

    fn path(&mut self, pair: Pair<'a>) -> Option<StatePath> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let root = self.name(&parts.next_if(Rule::name)?);
        let mut steps = Vec::new();
        for part in parts {
            steps.push(match part.as_rule() {
                Rule::word => PathStep::Field(self.name(&part)),
                Rule::path_fields => PathStep::Fields(Parts::of(part).map(|word| self.name(&word)).collect()),
                _ => PathStep::Index(self.expr(part)?),
            });
        }
        Some(StatePath { root, steps, span })
    }

    /// A `verify_use` or `task_verify` that names a verifier.
    pub(super) fn verify_use(&mut self, pair: Pair<'a>) -> Option<VerifyUse> {
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_verify)?;
        let verifier = self.name(&parts.next_if(Rule::name)?);
        Some(VerifyUse { verifier, args: self.args(parts.next()?)? })
    }
}

/// True for statements after which nothing runs.
fn leaves(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Return(_) | StatementKind::Fail(_) | StatementKind::Break | StatementKind::Continue)
}
