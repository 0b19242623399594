//! Calls of functions and derived fields.

use super::condition::truth;
use super::frame::Frame;
use super::number::{Number, number};
use super::reader::Reader;
use super::run::{Access, Flow, Hands, Machine};
use super::stop::{Eval, Stop};
use super::view::{Scope, Scoped, View};
use crate::ir::{Expr, ExprId, Function, FunctionId, Slot};
use silo_runtime::value::dynamic::{Computed, DynRow, Value, WorldName};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A derived field of a row, in the row's world.
    pub(super) fn derived(
        &self,
        row: &'a Arc<DynRow>,
        world: WorldName,
        function: FunctionId,
        at: &Expr,
    ) -> Eval<View<'a, 'a>> {
        let Some(place) = self.env.facts(function)?.memo else {
            return self.invoke(function, &[View::Row(row, world)], world, at, Self::eval, Ok).map(View::Own);
        };
        if let Some(known) = row.memo.get(place.number) {
            self.charge(usize::try_from(known.steps).unwrap_or(usize::MAX))?;
            return Ok(View::Ref(&known.value));
        }
        let before = self.meter.left();
        let value = self.invoke(function, &[View::Row(row, world)], world, at, Self::eval, Ok)?;
        let steps = before.saturating_sub(self.meter.left());
        // Where another thread was faster, both have computed the same.
        let _ = row.memo.keep(place.number, place.of, Computed { value: value.clone(), steps });
        Ok(View::Own(value))
    }

    /// A derived field of a row that is a number.
    pub(super) fn derived_number(
        &self,
        row: &'a Arc<DynRow>,
        world: WorldName,
        function: FunctionId,
        at: &Expr,
    ) -> Eval<Number> {
        if self.env.facts(function)?.memo.is_some() {
            return number(&self.derived(row, world, function, at)?);
        }
        let made = |value| number(&View::Own(value));
        self.invoke(function, &[View::Row(row, world)], world, at, Self::number, made)
    }

    /// A derived field of a row that is a bool.
    pub(super) fn derived_truth(
        &self,
        row: &'a Arc<DynRow>,
        world: WorldName,
        function: FunctionId,
        at: &Expr,
    ) -> Eval<bool> {
        if self.env.facts(function)?.memo.is_some() {
            return truth(&self.derived(row, world, function, at)?);
        }
        let made = |value| truth(&View::Own(value));
        self.invoke(function, &[View::Row(row, world)], world, at, Self::test, made)
    }

    /// A call of a function in code.
    pub(super) fn call(
        &self,
        scope: Scoped<'a, '_>,
        at: &Expr,
        function: FunctionId,
        args: &[Option<ExprId>],
        world: Option<WorldName>,
    ) -> Eval<Value> {
        let declared = self.env.function(function)?;
        let mut views = Vec::with_capacity(declared.params.len());
        for (position, param) in declared.params.iter().enumerate() {
            views.push(match args.get(position).copied().flatten() {
                Some(arg) => self.view(scope, arg)?,
                None => View::Own(param.default.clone().unwrap_or_default()),
            });
        }
        self.invoke(function, &views, world.unwrap_or(self.here), at, Self::eval, Ok)
    }

    /// Runs a function that changes nothing. Its arguments stay on the stack, rows at hand. A body that is one value is evaluated
    /// as `read` does; what statements return is turned into that by `made`.
    #[inline]
    fn invoke<R>(
        &self,
        function: FunctionId,
        arguments: &[View<'a, '_>],
        here: WorldName,
        at: &Expr,
        read: impl for<'u> FnOnce(&Self, Scoped<'a, 'u>, ExprId) -> Eval<R>,
        made: impl FnOnce(Value) -> Eval<R>,
    ) -> Eval<R> {
        let declared = self.env.function(function)?;
        let facts = self.env.facts(function)?;
        if facts.writes {
            return Err(Stop::broken("a function that changes the world was called where none may"));
        }
        let params = Scope { first: Slot(0), arguments, outer: None };
        let result = match facts.single {
            Some(value) => self.charge(1).and_then(|()| {
                let reader = Reader { function, body: &declared.body, frame: Frame::EMPTY, here, done: &[], ..*self };
                read(&reader, Some(&params), value)
            }),
            None => self.run(function, declared, &params, here).and_then(made),
        };
        result.map_err(|stop| stop.at(self.function, at.span))
    }

    /// Runs a function that changes nothing and has statements.
    fn run(
        &self,
        function: FunctionId,
        declared: &'a Function,
        params: &Scope<'a, '_>,
        here: WorldName,
    ) -> Eval<Value> {
        let mut machine = Machine {
            env: self.env,
            function,
            body: &declared.body,
            frame: Frame::new(declared.body.locals.len(), Vec::new()),
            access: Access::Read(self.initial),
            context: self.context,
            here,
            meter: self.meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        finish(machine.block(Some(params), &declared.body.block))
    }
}

/// The value with which a function ended.
pub(super) fn finish(flow: Eval<Flow>) -> Eval<Value> {
    match flow? {
        Flow::Return(value) => Ok(value.unwrap_or_default()),
        Flow::Next => Ok(Value::Null),
        _ => Err(Stop::broken("a function ended in the middle")),
    }
}
