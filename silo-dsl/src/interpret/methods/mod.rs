//! Methods of single values. What they mean is in [`silo_runtime::methods`]; here their arguments are evaluated.

mod answer;
mod date;
mod map;
mod number;
mod text;

use super::collection::is_stage;
use super::number::int;
use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Arg, Expr, ExprId, Method, Type};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;

impl<'a> Reader<'a> {
    /// A method call.
    pub(super) fn method<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &'a Expr,
        receiver: ExprId,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        if is_stage(method) {
            let items = self.stage(scope, expr, receiver, method, args)?.into_iter().map(View::into_value).collect();
            return Ok(View::Own(Value::List(std::sync::Arc::new(items))));
        }
        match self.expr(receiver)?.ty.required() {
            Type::List(_) | Type::Table(_) | Type::RecordTable(..) | Type::Never => {
                return self.conclude(scope, expr, receiver, method, args);
            }
            Type::Map(..) => return self.map_method(scope, expr, receiver, method, args),
            _ => {}
        }
        let receiver = self.view(scope, receiver)?;
        let given = Arguments { reader: self, scope, args };
        match receiver.value() {
            Some(Value::Text(_)) if answer::is_of_answer(method) => self.answer_method(method, &given),
            Some(Value::Text(text)) => self.text_method(text, method, &given),
            // An enum is text wherever its methods are called.
            Some(Value::Enum(..)) => {
                let text = self.key_text(&receiver)?;
                self.text_method(&text, method, &given)
            }
            Some(number @ (Value::Int(_) | Value::Decimal(_))) => number::method(number, method, &given),
            Some(Value::Date(date)) => date::of_date(*date, method, &given),
            Some(Value::DateTime(instant)) => date::of_instant(*instant, method, &given),
            _ => Err(unknown()),
        }
        .map(View::Own)
    }
}

/// The arguments of a method, evaluated as they are asked for.
struct Arguments<'r, 'a, 't> {
    reader: &'r Reader<'a>,
    scope: Scoped<'a, 't>,
    args: &'a [Arg],
}

impl Arguments<'_, '_, '_> {
    /// Whether an argument is given.
    fn has(&self, position: usize) -> bool {
        self.args.len() > position
    }

    /// An argument.
    fn value(&self, position: usize) -> Eval<Value> {
        match self.args.get(position) {
            Some(Arg::Value(value)) => self.reader.eval(self.scope, *value),
            _ => Err(Stop::broken("an argument of a method is missing")),
        }
    }

    /// The expression of an argument.
    fn code(&self, position: usize) -> Option<ExprId> {
        match self.args.get(position)? {
            Arg::Value(value) => Some(*value),
            Arg::Closure(_) => None,
        }
    }

    /// An argument that is an int.
    fn int(&self, position: usize) -> Eval<i64> {
        int(&View::Own(self.value(position)?))
    }

    /// An argument that is text.
    fn text(&self, position: usize) -> Eval<Text> {
        match self.value(position)? {
            Value::Text(text) => Ok(text),
            other => self.reader.key_text(&View::Own(other)),
        }
    }
}

#[cold]
fn unknown() -> Stop {
    Stop::broken("a method was called on a value that does not have it")
}
