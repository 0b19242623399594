//! Running: statements, one after the other. What ends a block early is a state, [`Flow`], not an error.

use super::Interpreted;
use super::condition::truth;
use super::context::Context;
use super::frame::Frame;
use super::reader::{Reader, charge};
use super::solution::Player;
use super::stop::{Eval, Stop};
use super::verify::Verdicts;
use super::view::{Scoped, View};
use crate::ir::{Block, Body, Condition, ExprId, FunctionId, MatchArm, Refusal, Slot, Stmt, StmtKind};
use silo_runtime::limits::Meter;
use silo_runtime::store::Store;
use silo_runtime::value::dynamic::{Value, WorldName};
use silo_runtime::value::{Text, ToolError};
use silo_runtime::wire;

/// How a statement or a block ends.
pub(super) enum Flow {
    /// The next statement follows.
    Next,
    /// The loop around ends.
    Break,
    /// The loop around goes on with its next element.
    Continue,
    /// The function ends, with a value or without.
    Return(Option<Value>),
    /// In a rule: a `require` does not hold, and this is what it says.
    Refused(Text),
}

/// The world of running code.
pub(super) enum Access<'m> {
    /// Code that changes nothing.
    Read(&'m Store),
    /// Code that may change the world.
    Write(&'m mut Store),
}

/// What statements of some kinds of function work on.
pub(super) enum Hands<'m> {
    /// Functions, actions, tools, setups.
    None,
    /// A rule, whose `require` is no error.
    Rule,
    /// A verifier.
    Verifier(&'m mut Verdicts),
    /// A solution.
    Solution(Player<'m>),
}

/// A function that is being run.
pub(super) struct Machine<'m> {
    /// The environment.
    pub env: &'m Interpreted,
    /// The function.
    pub function: FunctionId,
    /// Its code.
    pub body: &'m Body,
    /// Its locals.
    pub frame: Frame,
    /// Its world.
    pub access: Access<'m>,
    /// What it sees beside the world.
    pub context: &'m Context<'m>,
    /// The world that its own state is read from.
    pub here: WorldName,
    /// The budget.
    pub meter: &'m Meter,
    /// What its statements work on.
    pub hands: Hands<'m>,
    /// Parts of the expression underway that have been evaluated, because a part of it changes the world.
    pub done: Vec<(ExprId, Value)>,
}

impl<'m> Machine<'m> {
    /// A reader of the world and the locals as they are now.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            env: self.env,
            function: self.function,
            body: self.body,
            frame: &self.frame,
            initial: self.store(),
            context: self.context,
            here: self.here,
            meter: self.meter,
            done: &self.done,
        }
    }

    /// The world.
    pub(super) fn store(&self) -> &Store {
        match &self.access {
            Access::Read(store) => store,
            Access::Write(store) => store,
        }
    }

    /// The world, to be changed.
    pub(super) fn store_mut(&mut self) -> Eval<&mut Store> {
        match &mut self.access {
            Access::Write(store) => Ok(store),
            Access::Read(_) => Err(Stop::broken("code that may change nothing changes the world")),
        }
    }

    /// The value of an expression, which may change the world.
    pub(super) fn eval(&mut self, scope: Scoped<'m, '_>, id: ExprId) -> Eval<Value> {
        if self.is_pure(id) { self.reader().eval(scope, id) } else { self.effect(scope, id) }
    }

    /// Whether a condition holds.
    pub(super) fn test(&mut self, scope: Scoped<'m, '_>, id: ExprId) -> Eval<bool> {
        if self.is_pure(id) { self.reader().test(scope, id) } else { truth(&View::Own(self.effect(scope, id)?)) }
    }

    /// Whether evaluating an expression changes nothing.
    pub(super) fn is_pure(&self, id: ExprId) -> bool {
        self.env.is_pure(self.function, id)
    }

    /// Runs the statements of a block.
    pub(super) fn block(&mut self, scope: Scoped<'m, '_>, block: &'m Block) -> Eval<Flow> {
        charge(self.meter, block.statements.len())?;
        for statement in &block.statements {
            match self.statement(scope, statement).map_err(|stop| stop.at(self.function, statement.span))? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, scope: Scoped<'m, '_>, statement: &'m Stmt) -> Eval<Flow> {
        match &statement.kind {
            StmtKind::Let { slot, value } => {
                if matches!(self.hands, Hands::Verifier(_)) {
                    self.frame.bind(*slot, *value)?;
                } else {
                    let value = self.eval(scope, *value)?;
                    self.frame.set(*slot, value)?;
                }
                Ok(Flow::Next)
            }
            StmtKind::LetElse { slot, value, refusal } => {
                let value = self.eval(scope, *value)?;
                if matches!(value, Value::Null) {
                    return self.refuse(scope, refusal);
                }
                self.frame.set(*slot, value)?;
                Ok(Flow::Next)
            }
            StmtKind::Assign { place, value } => self.assign(scope, place, *value).map(|()| Flow::Next),
            StmtKind::Adjust { place, subtract, value } => {
                self.adjust(scope, place, *subtract, *value).map(|()| Flow::Next)
            }
            StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::Match { .. } => {
                let flow = self.control(scope, statement);
                match flow {
                    // In a verifier checks fail by themselves: what failed here is what decides which of them apply.
                    Err(stop) if self.judges() && stop.tool_error().is_some() => {
                        self.fail_checks(vec![(self.function, statement)], stop).map(|()| Flow::Next)
                    }
                    flow => flow,
                }
            }
            StmtKind::Require { condition, refusal } => {
                if self.test(scope, *condition)? {
                    Ok(Flow::Next)
                } else {
                    self.refuse(scope, refusal)
                }
            }
            StmtKind::Fail(refusal) => self.refuse(scope, refusal),
            StmtKind::Return(value) => match value {
                Some(value) => self.eval(scope, *value).map(|value| Flow::Return(Some(value))),
                None => Ok(Flow::Return(None)),
            },
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Run(call) => self.eval(scope, *call).map(|_| Flow::Next),
            StmtKind::Answer(answer) => self.answered(scope, *answer).map(|()| Flow::Next),
            StmtKind::Check(_) | StmtKind::Changes(_) | StmtKind::SameWorld { .. } | StmtKind::Verify { .. } => {
                self.judge(scope, statement).map(|()| Flow::Next)
            }
        }
    }

    /// A statement that decides which statements run.
    fn control(&mut self, scope: Scoped<'m, '_>, statement: &'m Stmt) -> Eval<Flow> {
        match &statement.kind {
            StmtKind::If { branches, otherwise } => self.branch(scope, branches, otherwise.as_ref()),
            StmtKind::For { index, item, source, body } => self.repeat(scope, *index, *item, *source, body),
            StmtKind::Match { subject, arms } => self.choose(scope, *subject, arms),
            _ => Err(Stop::broken("a statement decides nothing")),
        }
    }

    fn branch(&mut self, scope: Scoped<'m, '_>, branches: &'m [Condition], otherwise: Option<&'m Block>) -> Eval<Flow> {
        for branch in branches {
            if self.test(scope, branch.when)? {
                return self.block(scope, &branch.then);
            }
        }
        otherwise.map_or(Ok(Flow::Next), |block| self.block(scope, block))
    }

    /// A loop runs over what there was when it began; rows removed meanwhile are skipped.
    fn repeat(
        &mut self,
        scope: Scoped<'m, '_>,
        index: Option<Slot>,
        item: Slot,
        source: ExprId,
        body: &'m Block,
    ) -> Eval<Flow> {
        for (position, (value, was_there)) in self.elements(scope, source)?.into_iter().enumerate() {
            if was_there && self.was_removed(&value) {
                continue;
            }
            if let Some(index) = index {
                self.frame.set(index, super::collection::position(position))?;
            }
            self.frame.set(item, value)?;
            match self.block(scope, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// The elements of a loop, and of each whether it is a row that is there.
    fn elements(&mut self, scope: Scoped<'m, '_>, source: ExprId) -> Eval<Vec<(Value, bool)>> {
        if !self.is_pure(source) {
            let Value::List(items) = self.effect(scope, source)? else {
                return Err(Stop::broken("a list was expected"));
            };
            return Ok(items.iter().map(|item| (item.clone(), !self.was_removed(item))).collect());
        }
        let reader = self.reader();
        let items = reader.source(scope, source)?.map(|item| match item {
            View::Row(..) => (item.into_value(), true),
            item => {
                let value = item.into_value();
                let there = !self.was_removed(&value);
                (value, there)
            }
        });
        Ok(items.collect())
    }

    /// Whether a value refers to a row of the tool's world that is not there.
    fn was_removed(&self, value: &Value) -> bool {
        match (&self.access, value) {
            (Access::Write(store), Value::Row(row)) => store.row(row.entity, &row.key).is_none(),
            _ => false,
        }
    }

    fn choose(&mut self, scope: Scoped<'m, '_>, subject: ExprId, arms: &'m [MatchArm]) -> Eval<Flow> {
        let subject = View::Own(self.eval(scope, subject)?);
        let reader = self.reader();
        let taken = arms.iter().find(|arm| reader.takes(&arm.pattern, &subject));
        taken.map_or(Ok(Flow::Next), |arm| self.block(scope, &arm.body))
    }

    /// A `require` that does not hold, a `fail`, a binding without a value.
    fn refuse(&mut self, scope: Scoped<'m, '_>, refusal: &Refusal) -> Eval<Flow> {
        let Value::Text(message) = self.eval(scope, refusal.message)? else {
            return Err(Stop::broken("a message is no text"));
        };
        if matches!(self.hands, Hands::Rule) {
            return Ok(Flow::Refused(message));
        }
        let mut error = ToolError::new(refusal.code.to_string(), &*message);
        if let Some(details) = refusal.details {
            let details = self.eval(scope, details)?;
            error = error.with_details(wire::to_json(&details, &self.env.program.model));
        }
        Err(error.into())
    }
}
