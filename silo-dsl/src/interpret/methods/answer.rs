use super::super::collection::entity_of;
use super::super::number::number;
use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View};
use super::{Arguments, unknown};
use crate::ir::{Arg, Method};
use silo_runtime::explain::Finding;
use silo_runtime::methods::answer::{AnswerText, Named};
use silo_runtime::value::dynamic::{DynRow, Value, WorldName};
use silo_runtime::value::{Decimal, Text};
use std::sync::Arc;

/// Whether a method is one of `answer`.
pub(super) fn is_of_answer(method: Method) -> bool {
    matches!(
        method,
        Method::AnswerNumber
            | Method::AnswerNumbers
            | Method::Mentions
            | Method::States
            | Method::Names
            | Method::NamesOnly
    )
}

impl<'a> Reader<'a> {
    /// A method of `answer`, on its text.
    pub(super) fn answer_method(&self, method: Method, args: &Arguments<'_, 'a, '_>) -> Eval<Value> {
        let answer = self.context.judged()?.text();
        Ok(match method {
            Method::AnswerNumber => answer.number().map_or(Value::Null, Value::Decimal),
            Method::AnswerNumbers => {
                Value::List(Arc::new(answer.numbers().iter().map(|number| Value::Decimal(*number)).collect()))
            }
            Method::Mentions => Value::Bool(answer.mentions(&args.text(0)?)),
            Method::States => {
                let (stated, tolerance) = stated(args)?;
                Value::Bool(answer.states(stated, tolerance))
            }
            Method::Names => {
                let row = self.named(args)?;
                Value::Bool(answer.names(&row.visible_key(), label(row)))
            }
            Method::NamesOnly => {
                let people = self.people(args)?;
                Value::Bool(answer.names_only(people.rows(), people.others()))
            }
            _ => return Err(unknown()),
        })
    }

    /// What a method of `answer` that is true or false came to.
    pub(in super::super) fn answer_finding(
        &self,
        scope: Scoped<'a, '_>,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<Finding> {
        let answer = self.context.judged()?.text();
        let args = Arguments { reader: self, scope, args };
        Ok(match method {
            Method::Mentions => Finding::mentions(answer, &args.text(0)?),
            Method::States => {
                let (stated, tolerance) = stated(&args)?;
                let code = args.code(0).ok_or_else(unknown)?;
                let wanted = self.part(code, &View::Own(Value::Decimal(stated)))?;
                Finding::states(answer, &wanted, stated, tolerance)
            }
            Method::Names => {
                let row = self.named(&args)?;
                Finding::names(answer, Named { key: &row.visible_key(), label: label(row) })
            }
            Method::NamesOnly => {
                let people = self.people(&args)?;
                Finding::names_only(answer, people.rows(), people.others())
            }
            _ => return Err(unknown()),
        })
    }

    /// The row of `names(row)`.
    fn named(&self, args: &Arguments<'_, 'a, '_>) -> Eval<&'a Arc<DynRow>> {
        match &args.value(0)? {
            Value::Row(row) => self.find(row),
            _ => Err(Stop::broken("a row was expected")),
        }
    }

    /// The rows of `names_only(rows)`, and all that their entity has in the initial or the final world.
    fn people(&self, args: &Arguments<'_, 'a, '_>) -> Eval<People<'a>> {
        let entity = args.code(0).and_then(|code| self.body.expr(code)).and_then(|rows| entity_of(&rows.ty));
        let entity = entity.ok_or_else(|| Stop::broken("a list of rows was expected"))?;
        let Value::List(items) = args.value(0)? else { return Err(Stop::broken("a list of rows was expected")) };
        let rows = items.iter().map(|item| match item {
            Value::Row(row) => self.find(row),
            _ => Err(Stop::broken("a row was expected")),
        });
        let rows = rows.collect::<Eval<Vec<_>>>()?;
        let mut others = Vec::new();
        for world in [WorldName::Initial, WorldName::Final] {
            let store = self.store(world)?;
            others.extend(store.keys(entity).iter().filter_map(|key| store.row(entity, key)));
        }
        self.charge(rows.len() + others.len())?;
        let with_keys = |rows: Vec<&'a Arc<DynRow>>| rows.into_iter().map(|row| (row, row.visible_key())).collect();
        Ok(People { rows: with_keys(rows), all: with_keys(others) })
    }
}

/// Rows with the keys that people see.
struct People<'a> {
    rows: Vec<(&'a Arc<DynRow>, Text)>,
    all: Vec<(&'a Arc<DynRow>, Text)>,
}

impl People<'_> {
    fn rows(&self) -> impl Iterator<Item = Named<'_>> {
        self.rows.iter().map(|(row, key)| Named { key, label: label(row) })
    }

    fn others(&self) -> impl Iterator<Item = Named<'_>> {
        self.all.iter().map(|(row, key)| Named { key, label: label(row) })
    }
}

/// The number and the tolerance of `states(n)`.
fn stated(args: &Arguments<'_, '_, '_>) -> Eval<(Decimal, Decimal)> {
    let decimal = |at: usize| Ok::<_, Stop>(number(&View::Own(args.value(at)?))?.decimal());
    let tolerance = if args.has(1) { decimal(1)? } else { AnswerText::default_tolerance() };
    Ok((decimal(0)?, tolerance))
}

/// How people call a row.
fn label(row: &DynRow) -> Option<&str> {
    match row.values.get(row.shape.label?.index())? {
        Value::Text(label) => Some(label),
        _ => None,
    }
}
