//! Methods that make one value of a list.

use super::super::number::{self, Number};
use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::{Scope, Scoped, View};
use crate::ir::{Arg, Arith, Closure, Expr, ExprId, Method, NumberKind, Type};
use silo_runtime::methods::collection::Direction;
use silo_runtime::methods::text::LONGEST;
use silo_runtime::value::dynamic::{Value, ValueMap};
use silo_runtime::value::{Checked, Decimal};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A method that makes one value of a list.
    pub(super) fn aggregate<'t>(
        &self,
        scope: Scoped<'a, 't>,
        expr: &Expr,
        receiver: ExprId,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let null = || View::Own(Value::Null);
        match (method, args) {
            (Method::MinBy, [Arg::Closure(closure)]) => {
                Ok(self.extreme_by(scope, receiver, closure, Direction::Ascending)?.unwrap_or_else(null))
            }
            (Method::MaxBy, [Arg::Closure(closure)]) => {
                Ok(self.extreme_by(scope, receiver, closure, Direction::Descending)?.unwrap_or_else(null))
            }
            (Method::Min, []) => Ok(self.extreme(scope, receiver, Direction::Ascending)?.unwrap_or_else(null)),
            (Method::Max, []) => Ok(self.extreme(scope, receiver, Direction::Descending)?.unwrap_or_else(null)),
            (Method::Sum, args) => {
                let kind = if *expr.ty.required() == Type::Int { NumberKind::Int } else { NumberKind::Decimal };
                let (sum, _) = self.sum(scope, receiver, optional_closure(args), kind)?;
                Ok(View::Own(sum.into_value()))
            }
            (Method::Average, args) => {
                let (sum, count) = self.sum(scope, receiver, optional_closure(args), NumberKind::Decimal)?;
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                if count == 0 {
                    return Ok(null());
                }
                Ok(View::Own(Value::Decimal(sum.decimal().over(Decimal::from(count))?)))
            }
            (Method::Join, [Arg::Value(separator)]) => self.join(scope, receiver, *separator).map(View::Own),
            (Method::ToMap, [Arg::Closure(key), Arg::Closure(value)]) => {
                let mut map = ValueMap::default();
                for (index, item) in self.source(scope, receiver)?.enumerate() {
                    let key = self.apply(scope, key, &item, index)?;
                    let value = self.apply(scope, value, &item, index)?;
                    map.insert(self.key_text(&key)?, value.into_value());
                }
                Ok(View::Own(Value::Map(Arc::new(map))))
            }
            (Method::Fold, [Arg::Value(start), Arg::Closure(closure)]) => self.fold(scope, receiver, *start, closure),
            (Method::Keys, []) => {
                let keys = self.all(scope, receiver)?.into_iter().map(|row| match row.row_key() {
                    Some(key) => Ok(Value::Text(silo_runtime::keys::visible(key))),
                    None => Err(Stop::broken("a row was expected")),
                });
                Ok(View::Own(Value::List(Arc::new(keys.collect::<Eval<_>>()?))))
            }
            _ => Err(Stop::broken("a method of a list has other arguments")),
        }
    }

    /// The sum of the elements, or of what a closure makes of them, and their number; nulls are passed over.
    fn sum(
        &self,
        scope: Scoped<'a, '_>,
        receiver: ExprId,
        closure: Option<&Closure>,
        kind: NumberKind,
    ) -> Eval<(Number, usize)> {
        let mut sum = match kind {
            NumberKind::Int => Number::Int(0),
            NumberKind::Decimal => Number::Decimal(Decimal::ZERO),
        };
        let mut count = 0;
        for (index, item) in self.source(scope, receiver)?.enumerate() {
            let term = if let Some(closure) = closure {
                self.within(scope, closure, &item, index, |reader, scope| reader.number(scope, closure.body))?
            } else {
                self.charge(1)?;
                number::number(&item)?
            };
            sum = number::step(Arith::Add, kind, sum, term)?;
            count += 1;
        }
        Ok((sum, count))
    }

    fn join(&self, scope: Scoped<'a, '_>, receiver: ExprId, separator: ExprId) -> Eval<Value> {
        let items = self.all(scope, receiver)?;
        let separator = self.eval(scope, separator)?;
        let Value::Text(separator) = separator else { return Err(Stop::broken("a text was expected")) };
        let mut text = String::new();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                text.push_str(&separator);
            }
            self.write(&mut text, item, None)?;
            // A long list of long texts ends here, not when memory does.
            if text.len() > LONGEST {
                break;
            }
        }
        self.finished(text).map(Value::Text)
    }

    fn fold<'t>(&self, scope: Scoped<'a, 't>, receiver: ExprId, start: ExprId, closure: &Closure) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let [so_far, rest @ ..] = closure.params.as_slice() else {
            return Err(Stop::broken("a closure takes another number of values"));
        };
        let source = self.source(scope, receiver)?;
        let mut result = self.view(scope, start)?;
        for (index, item) in source.enumerate() {
            let made = {
                let outer = Scope { first: *so_far, arguments: &[result.reborrow()], outer: scope };
                self.within_params(Some(&outer), rest, &item, index, |reader, scope| {
                    reader.view(scope, closure.body).map(View::kept)
                })?
            };
            result = made;
        }
        Ok(result)
    }
}

fn optional_closure(args: &[Arg]) -> Option<&Closure> {
    match args {
        [Arg::Closure(closure)] => Some(closure),
        _ => None,
    }
}
