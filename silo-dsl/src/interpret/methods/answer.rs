use super::super::collection::entity_of;
use super::super::number::number;
use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::View;
use super::{Arguments, unknown};
use crate::ir::Method;
use silo_runtime::ids::EntityId;
use silo_runtime::methods::answer::{AnswerText, Named};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Value, WorldName};
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
                let decimal = |at: usize| Ok::<_, Stop>(number(&View::Own(args.value(at)?))?.decimal());
                let tolerance = if args.has(1) { decimal(1)? } else { AnswerText::default_tolerance() };
                Value::Bool(answer.states(decimal(0)?, tolerance))
            }
            Method::Names => {
                let row = args.value(0)?;
                let Value::Row(row) = &row else { return Err(Stop::broken("a row was expected")) };
                let row = self.find(row)?;
                Value::Bool(answer.names(&row.visible_key(), label(row)))
            }
            Method::NamesOnly => {
                let entity = args.code(0).and_then(|code| self.body.expr(code)).and_then(|rows| entity_of(&rows.ty));
                let entity = entity.ok_or_else(|| Stop::broken("a list of rows was expected"))?;
                Value::Bool(self.names_only(answer, entity, &args.value(0)?)?)
            }
            _ => return Err(unknown()),
        })
    }

    /// Whether the answer names these rows and no other row that their entity has in the initial or the final world.
    fn names_only(&self, answer: &AnswerText, entity: EntityId, rows: &Value) -> Eval<bool> {
        let Value::List(items) = rows else { return Err(Stop::broken("a list of rows was expected")) };
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
        let keys = |rows: &[&Arc<DynRow>]| rows.iter().map(|row| row.visible_key()).collect::<Vec<Text>>();
        let (row_keys, other_keys) = (keys(&rows), keys(&others));
        Ok(answer.names_only(named(&rows, &row_keys), named(&others, &other_keys)))
    }
}

fn named<'n>(rows: &'n [&Arc<DynRow>], keys: &'n [Text]) -> impl Iterator<Item = Named<'n>> {
    rows.iter().zip(keys).map(|(row, key)| Named { key, label: label(row) })
}

/// How people call a row.
fn label(row: &DynRow) -> Option<&str> {
    match row.values.get(row.shape.label?.index())? {
        Value::Text(label) => Some(label),
        _ => None,
    }
}
