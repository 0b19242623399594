//! Expressions that change the world, and those that have such parts. A part that changes the world, and every part before it,
//! is evaluated first, in order; a [`Reader`](super::reader::Reader) then evaluates the whole with their values at hand.

use super::call::finish;
use super::children::children;
use super::collection::is_stored_table;
use super::frame::Frame;
use super::record::Values;
use super::run::{Access, Hands, Machine};
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Expr, ExprId, ExprKind, FunctionId, Insertion, Logic};
use silo_runtime::store::TablePlace;
use silo_runtime::value::dynamic::{RowRef, Value, WorldName};

impl<'m> Machine<'m> {
    /// The value of an expression that changes the world.
    pub(super) fn effect(&mut self, scope: Scoped<'m, '_>, id: ExprId) -> Eval<Value> {
        let expr = self.body.expr(id).ok_or_else(|| Stop::broken("an expression has no place in its body"))?;
        match &expr.kind {
            ExprKind::Insert(insertion) => self.insert(scope, expr, insertion),
            ExprKind::Remove(row) => {
                let row = self.row_ref(scope, *row)?;
                self.store_mut()?.remove(row.entity, &row.key)?;
                Ok(Value::Null)
            }
            ExprKind::Update { row, fields } => self.update(scope, *row, fields),
            ExprKind::Mutate { place, op } => self.mutate(scope, place, op),
            ExprKind::Call { function, args, .. } if self.env.facts(*function)?.writes => {
                self.call(scope, expr, *function, args)
            }
            ExprKind::ToolCall { tool, args, expect, .. } => self.call_tool(scope, expr, *tool, args, expect.as_ref()),
            ExprKind::If { branches, otherwise } => {
                for (when, value) in branches {
                    if self.test(scope, *when)? {
                        return self.eval(scope, *value);
                    }
                }
                self.eval(scope, *otherwise)
            }
            ExprKind::Match { subject, arms } => {
                let subject = View::Own(self.eval(scope, *subject)?);
                let reader = self.reader();
                let taken = arms.iter().find(|arm| reader.takes(&arm.pattern, &subject)).map(|arm| arm.value);
                self.eval(scope, taken.ok_or_else(|| Stop::broken("no arm of a match takes a value"))?)
            }
            ExprKind::Logic { op, terms } => {
                let decisive = *op == Logic::Or;
                for term in terms {
                    if self.test(scope, *term)? == decisive {
                        return Ok(Value::Bool(decisive));
                    }
                }
                Ok(Value::Bool(!decisive))
            }
            ExprKind::Coalesce(terms) => {
                let mut last = Value::Null;
                for term in terms {
                    last = self.eval(scope, *term)?;
                    if !matches!(last, Value::Null) {
                        break;
                    }
                }
                Ok(last)
            }
            ExprKind::Optional { subject, slot, rest } => {
                let subject = self.eval(scope, *subject)?;
                if matches!(subject, Value::Null) {
                    return Ok(Value::Null);
                }
                self.frame.set(*slot, subject)?;
                self.eval(scope, *rest)
            }
            _ => {
                let mark = self.settle(scope, expr)?;
                let value = self.reader().eval(scope, id);
                self.done.truncate(mark);
                value
            }
        }
    }

    /// Evaluates the parts of an expression up to the last that changes the world, and remembers their values. Gives how many
    /// were remembered before.
    pub(super) fn settle(&mut self, scope: Scoped<'m, '_>, expr: &'m Expr) -> Eval<usize> {
        let mark = self.done.len();
        let parts = children(&expr.kind);
        let upto = parts.iter().rposition(|part| !self.is_pure(*part)).map_or(0, |last| last + 1);
        for part in parts.into_iter().take(upto) {
            // A table is a place, not a value: its rows are read when the method runs.
            if self.body.expr(part).is_some_and(is_stored_table) {
                continue;
            }
            let value = self.eval(scope, part)?;
            self.done.push((part, value));
        }
        Ok(mark)
    }

    /// Runs an action or a tool that another one calls.
    fn call(&mut self, scope: Scoped<'m, '_>, at: &Expr, function: FunctionId, args: &[Option<ExprId>]) -> Eval<Value> {
        let declared = self.env.function(function)?;
        let mut arguments = Vec::with_capacity(declared.body.locals.len());
        for (position, param) in declared.params.iter().enumerate() {
            arguments.push(match args.get(position).copied().flatten() {
                Some(arg) => self.eval(scope, arg)?,
                None => param.default.clone().unwrap_or_default(),
            });
        }
        let (env, context, here, meter, from) = (self.env, self.context, self.here, self.meter, self.function);
        let mut machine = Machine {
            env,
            function,
            body: &declared.body,
            frame: Frame::new(declared.body.locals.len(), arguments),
            access: Access::Write(self.store_mut()?),
            context,
            here,
            meter,
            hands: Hands::None,
            done: Vec::new(),
        };
        finish(machine.block(None, &declared.body.block)).map_err(|stop| stop.at(from, at.span))
    }

    fn insert(&mut self, scope: Scoped<'m, '_>, expr: &'m Expr, insertion: &'m Insertion) -> Eval<Value> {
        let mark = self.settle(scope, expr)?;
        let place = self.table_place(scope, insertion.table)?;
        let model = &self.env.program.model;
        let shape = model.entity(insertion.entity).ok_or_else(|| Stop::broken("an entity has no shape"))?;
        let mut values = Values::new(&shape.fields);
        self.reader().fill(scope, expr, &insertion.members, &mut values)?;
        let values = values.finish(shape.tag);
        self.done.truncate(mark);
        let row = self.store_mut()?.insert(&place, values)?;
        Ok(Value::Row(RowRef { world: WorldName::Initial, entity: insertion.entity, key: row.key.clone() }))
    }

    /// Where a table is stored.
    fn table_place(&mut self, scope: Scoped<'m, '_>, table: ExprId) -> Eval<TablePlace> {
        let expr = self.body.expr(table).ok_or_else(|| Stop::broken("an expression has no place in its body"))?;
        match &expr.kind {
            ExprKind::State(state) => Ok(TablePlace::State(*state)),
            ExprKind::Field { base, field } => {
                let row = self.row_ref(scope, *base)?;
                Ok(TablePlace::Nested { entity: row.entity, key: row.key, field: *field })
            }
            ExprKind::Narrowed(inner) => self.table_place(scope, *inner),
            _ => Err(Stop::broken("a table is not where tables are stored")),
        }
    }

    /// The reference to a row that an expression gives.
    pub(super) fn row_ref(&mut self, scope: Scoped<'m, '_>, id: ExprId) -> Eval<RowRef> {
        match self.eval(scope, id)? {
            Value::Row(row) => Ok(row),
            _ => Err(Stop::broken("a row was expected")),
        }
    }
}
