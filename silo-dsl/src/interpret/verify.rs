//! Verifiers: checks are judged one after the other, and none of them hides another. What a check reads may fail, and then the
//! check fails and says why; only a spent budget or a fault of the engine leaves no verdict.

use super::facts::blocks;
use super::frame::Frame;
use super::run::{Access, Flow, Hands, Machine};
use super::stop::{Eval, Stop};
use super::view::Scoped;
use crate::ir::{Body, CheckStmt, ExprId, ExprKind, FunctionId, Stmt, StmtKind, TextPart, VerifierId};
use silo_runtime::grade::Check;
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Decimal, Text};

/// The checks judged so far.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// The checks, in order.
    pub checks: Vec<Check>,
}

/// The label of `changes nothing` and `changes only …`.
pub(super) const CHANGES_NOTHING: &str = "changes nothing";
pub(super) const CHANGES_ONLY: &str = "changes only what is allowed";
pub(super) const SAME_WORLD: &str = "same world as reference";

impl<'m> Machine<'m> {
    /// Whether this is a verifier.
    pub(super) fn judges(&self) -> bool {
        matches!(self.hands, Hands::Verifier(_))
    }

    fn verdicts(&mut self) -> Eval<&mut Verdicts> {
        match &mut self.hands {
            Hands::Verifier(verdicts) => Ok(verdicts),
            _ => Err(Stop::broken("a check stands outside of verifiers")),
        }
    }

    /// Judges a statement of a verifier.
    pub(super) fn judge(&mut self, scope: Scoped<'m, '_>, statement: &'m Stmt) -> Eval<()> {
        let check = match &statement.kind {
            StmtKind::Check(check) => self.check(scope, check)?,
            StmtKind::Changes(specs) => {
                let label = if specs.is_empty() { CHANGES_NOTHING } else { CHANGES_ONLY };
                let outcome = self.reader().changes(specs);
                required(label, settle(outcome)?)
            }
            StmtKind::SameWorld { ignoring } => required(SAME_WORLD, settle(self.reader().same_world(ignoring))?),
            StmtKind::Verify { verifier, args } => return self.verify(scope, *verifier, args, statement),
            _ => return Err(Stop::broken("a statement that judges nothing was judged")),
        };
        self.verdicts()?.checks.push(check);
        Ok(())
    }

    fn check(&mut self, scope: Scoped<'m, '_>, check: &'m CheckStmt) -> Eval<Check> {
        let label = match told(self.eval(scope, check.label))? {
            Ok(Value::Text(label)) => label,
            Ok(_) => return Err(Stop::broken("a label is no text")),
            // A label whose holes cannot be filled says what it can.
            Err(_) => plain_label(self.body, check.label),
        };
        let (passed, detail) = settle(self.reader().explained(scope, check))?;
        Ok(Check { label, passed, required: check.required, weight: check.weight, detail })
    }

    /// `verify v(..)`.
    fn verify(
        &mut self,
        scope: Scoped<'m, '_>,
        verifier: VerifierId,
        args: &'m [Option<ExprId>],
        statement: &'m Stmt,
    ) -> Eval<()> {
        let declared = self.env.program.verifiers.get(verifier.0 as usize);
        let function = declared.ok_or_else(|| Stop::broken("a verifier is missing"))?.function;
        match told(self.arguments(scope, function, args))? {
            Ok(arguments) => self.run_verifier(function, arguments),
            Err(why) => self.fail_checks(vec![(self.function, statement)], why.into()),
        }
    }

    /// One of the verifiers of a task, which stand in the code of its head.
    pub(super) fn verify_task(&mut self, function: FunctionId, args: &'m [Option<ExprId>]) -> Eval<()> {
        match told(self.arguments(None, function, args))? {
            Ok(arguments) => self.run_verifier(function, arguments),
            Err(why) => {
                let block = &self.env.function(function)?.body.block;
                let open = block.statements.iter().rev().map(|statement| (function, statement)).collect();
                self.fail_checks(open, why.into())
            }
        }
    }

    /// The values of a function's arguments, defaults where they are left out.
    pub(super) fn arguments(
        &mut self,
        scope: Scoped<'m, '_>,
        function: FunctionId,
        args: &[Option<ExprId>],
    ) -> Eval<Vec<Value>> {
        let params = &self.env.function(function)?.params;
        let mut values = Vec::with_capacity(params.len());
        for (position, param) in params.iter().enumerate() {
            values.push(match args.get(position).copied().flatten() {
                Some(arg) => self.eval(scope, arg)?,
                None => param.default.clone().unwrap_or_default(),
            });
        }
        Ok(values)
    }

    /// Runs the code of a verifier.
    pub(super) fn run_verifier(&mut self, function: FunctionId, arguments: Vec<Value>) -> Eval<()> {
        let declared = self.env.function(function)?;
        let access = match &self.access {
            Access::Read(store) => Access::Read(store),
            Access::Write(_) => return Err(Stop::broken("a verifier may change the world")),
        };
        let (env, context, here, meter) = (self.env, self.context, self.here, self.meter);
        let mut machine = Machine {
            env,
            function,
            body: &declared.body,
            frame: Frame::new(declared.body.locals.len(), arguments),
            access,
            context,
            here,
            meter,
            hands: Hands::Verifier(self.verdicts()?),
            done: Vec::new(),
        };
        match machine.block(None, &declared.body.block)? {
            Flow::Next | Flow::Return(_) => Ok(()),
            _ => Err(Stop::broken("a verifier ended in the middle")),
        }
    }

    /// Fails every check in some statements, because it could not be found out which of them apply.
    pub(super) fn fail_checks(&mut self, mut open: Vec<(FunctionId, &'m Stmt)>, stop: Stop) -> Eval<()> {
        let why = match told::<()>(Err(stop))? {
            Ok(()) => return Ok(()),
            Err(error) => error.message.clone(),
        };
        // A verifier calls no verifier that calls it, so that this ends.
        while let Some((function, statement)) = open.pop() {
            let check = match &statement.kind {
                StmtKind::Check(check) => {
                    let label = plain_label(&self.env.function(function)?.body, check.label);
                    let (required, weight) = (check.required, check.weight);
                    Some(Check { label, passed: false, required, weight, detail: why.clone() })
                }
                StmtKind::Changes(specs) => {
                    let label = if specs.is_empty() { CHANGES_NOTHING } else { CHANGES_ONLY };
                    Some(required(label, (false, why.clone())))
                }
                StmtKind::SameWorld { .. } => Some(required(SAME_WORLD, (false, why.clone()))),
                StmtKind::Verify { verifier, .. } => {
                    let called = self.env.program.verifiers.get(verifier.0 as usize);
                    let function = called.ok_or_else(|| Stop::broken("a verifier is missing"))?.function;
                    let body = &self.env.function(function)?.body;
                    open.extend(body.block.statements.iter().rev().map(|statement| (function, statement)));
                    None
                }
                _ => {
                    let inner = blocks(statement).into_iter().flat_map(|block| &block.statements);
                    open.extend(inner.collect::<Vec<_>>().into_iter().rev().map(|statement| (function, statement)));
                    None
                }
            };
            if let Some(check) = check {
                self.verdicts()?.checks.push(check);
            }
        }
        Ok(())
    }
}

fn required(label: &str, (passed, detail): (bool, String)) -> Check {
    Check { label: label.into(), passed, required: true, weight: Decimal::ONE, detail }
}

/// Separates what a check can be told from what leaves no verdict.
pub(super) fn told<T>(result: Eval<T>) -> Eval<Result<T, silo_runtime::value::ToolError>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(stop) => match stop.tool_error() {
            Some(error) => Ok(Err(error.clone())),
            None => Err(stop),
        },
    }
}

/// The outcome of a check; one that failed to be judged has failed and says why.
fn settle(outcome: Eval<(bool, String)>) -> Eval<(bool, String)> {
    Ok(told(outcome)?.unwrap_or_else(|error| (false, error.message.clone())))
}

/// What a label says without its holes.
fn plain_label(body: &Body, label: ExprId) -> Text {
    match body.expr(label).map(|expr| &expr.kind) {
        Some(ExprKind::Text(parts)) => {
            let parts = parts.iter().map(|part| match part {
                TextPart::Literal(text) => &**text,
                TextPart::Hole(..) => "…",
            });
            parts.collect::<String>().into()
        }
        Some(ExprKind::Constant(Value::Text(text))) => text.clone(),
        _ => "a check".into(),
    }
}
