//! The evaluators of expressions: [`view`](Reader::view) borrows what stands somewhere, [`eval`](Reader::eval) keeps,
//! [`test`](Reader::test) decides.

use super::number::{self, Number};
use super::reader::{Reader, field_of_row, record};
use super::stop::{Eval, Stop};
use super::view::{Scope, Scoped, View, reference};
use crate::ir::{Builtin, Expr, ExprId, ExprKind, IndexKind, RowMember, Slot, TextPart};
use silo_runtime::ids::FieldId;
use silo_runtime::keys;
use silo_runtime::methods;
use silo_runtime::value::dynamic::{DynRow, RowRef, Value, WorldName};
use silo_runtime::value::{Text, ToolError};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// The value of an expression, for keeping.
    pub(super) fn eval(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Value> {
        self.view(scope, id).map(View::into_value)
    }

    /// The value of an expression, borrowed where it stands somewhere.
    pub(super) fn view<'t>(&self, scope: Scoped<'a, 't>, id: ExprId) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        if !self.done.is_empty()
            && let Some((_, value)) = self.done.iter().rev().find(|(done, _)| *done == id)
        {
            return Ok(View::Ref(value));
        }
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::Constant(value) => Ok(self.constant(value)),
            ExprKind::Local(slot) => self.local(scope, *slot),
            ExprKind::Field { base, field } => self.read(scope, *base, *field),
            ExprKind::State(state) => self.state(self.here, *state),
            ExprKind::WorldState(world, state) => self.state(*world, *state),
            ExprKind::Const(id) => match self.env.program.consts.get(id.0 as usize) {
                Some(declared) => Ok(self.constant(&declared.value)),
                None => Err(Stop::broken("a const is missing")),
            },
            ExprKind::Derived { base, function } => {
                let (row, world) = self.row(scope, *base)?;
                self.derived(row, world, *function, expr)
            }
            ExprKind::Narrowed(inner) => self.view(scope, *inner),
            ExprKind::NonNull(inner) => {
                let view = self.view(scope, *inner)?;
                if view.is_null() { Err(self.null_asserted(*inner)) } else { Ok(view) }
            }
            ExprKind::Not(_) | ExprKind::Logic { .. } | ExprKind::Compare { .. } | ExprKind::In { .. } => {
                self.decide(scope, expr).map(|truth| View::Own(Value::Bool(truth)))
            }
            ExprKind::Coalesce(terms) => self.coalesce(scope, terms),
            ExprKind::Optional { subject, slot, rest } => {
                let subject = self.view(scope, *subject)?;
                if subject.is_null() { Ok(View::Own(Value::Null)) } else { self.bound(scope, *slot, subject, *rest) }
            }
            ExprKind::If { branches, otherwise } => {
                for (when, value) in branches {
                    if self.test(scope, *when)? {
                        return self.view(scope, *value);
                    }
                }
                self.view(scope, *otherwise)
            }
            ExprKind::Match { subject, arms } => {
                let subject = self.view(scope, *subject)?;
                match self.arm(&subject, arms) {
                    Some(value) => self.view(scope, value),
                    None => Err(Stop::broken("no arm of a match takes a value")),
                }
            }
            ExprKind::Index { base, index, kind } => self.index(scope, *base, *index, *kind),
            ExprKind::Method { receiver, method, args } => self.method(scope, expr, *receiver, *method, args),
            ExprKind::Where { .. } => self.list(scope, id).map(View::Own),
            _ => self.make(scope, expr).map(View::Own),
        }
    }

    /// Expressions whose value is always new.
    fn make(&self, scope: Scoped<'a, '_>, expr: &'a Expr) -> Eval<Value> {
        match &expr.kind {
            ExprKind::Text(parts) => self.text(scope, parts).map(Value::Text),
            ExprKind::Key(base) => self.key(scope, *base),
            ExprKind::Parent(base) => {
                let (row, world) = self.row(scope, *base)?;
                match &row.owner {
                    Some(owner) => Ok(Value::Row(RowRef { world, entity: owner.entity, key: owner.key.clone() })),
                    None => Err(Stop::broken("a row without an owner was asked for it")),
                }
            }
            ExprKind::Record(members) => self.record(scope, expr, members),
            ExprKind::Pick { base, members } => {
                let base = self.view(scope, *base)?;
                let part = self.parts_of(&base)?;
                let values = members.iter().map(|member| part.member(*member, expr).map(View::into_value));
                Ok(record(self.shape_of(&expr.ty)?, values.collect::<Eval<_>>()?))
            }
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.eval(scope, *item)).collect::<Eval<Vec<_>>>()?;
                Ok(Value::List(Arc::new(items)))
            }
            ExprKind::Map(members) => self.map_literal(scope, members),
            ExprKind::Arith { first, rest } => self.chain(scope, *first, rest).map(Number::into_value),
            ExprKind::Negate(inner) => number::negate(&self.view(scope, *inner)?),
            ExprKind::Coerce(inner) => self.coerce(scope, *inner, &expr.ty),
            ExprKind::Call { function, args, world } => self.call(scope, expr, *function, args, *world),
            ExprKind::Builtin { function, args } => self.builtin(scope, *function, args),
            ExprKind::Calls(tool) => self.calls(&expr.ty, *tool),
            ExprKind::Answer => self.answer(),
            ExprKind::AnswerText => Ok(Value::Text(self.context.judged()?.answer.text.clone())),
            _ => Err(Stop::broken("an expression that changes the world stands where none may")),
        }
    }

    /// `x!` of null, in the author's words.
    #[cold]
    fn null_asserted(&self, id: ExprId) -> Stop {
        match self.expr(id) {
            Ok(expr) => ToolError::null_asserted(self.env.sources.text(expr.span)).into(),
            Err(stop) => stop,
        }
    }

    /// A constant; a literal reference is read in the function's own world.
    fn constant(&self, value: &'a Value) -> View<'a, 'a> {
        match value {
            Value::Row(_) | Value::List(_) | Value::Record(_) | Value::Map(_) if self.here != WorldName::Initial => {
                View::Own(super::reader::moved(value, self.here))
            }
            value => View::Ref(value),
        }
    }

    /// A field of what an expression is. Rows at hand, which closures mostly read from, are not even looked at as values.
    #[inline]
    fn read<'t>(&self, scope: Scoped<'a, 't>, base: ExprId, field: FieldId) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        if let Some(scope) = scope
            && let ExprKind::Local(slot) = self.expr(base)?.kind
            && let Some(View::Row(row, WorldName::Initial)) = scope.find(slot)
            && let Some(value) = row.values.get(field.index())
            && !matches!(value, Value::Rows(_))
        {
            return Ok(View::Ref(value));
        }
        let base = self.view(scope, base)?;
        self.field(base, field)
    }

    /// A member of a record or row.
    pub(super) fn field<'t>(&self, base: View<'a, 't>, field: FieldId) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let missing = || Stop::broken("a record lacks a field");
        match base {
            View::Row(row, world) => Ok(listed(field_of_row(row, world, field)?, world)),
            View::Ref(Value::Record(record)) => record.values.get(field.index()).map(View::Ref).ok_or_else(missing),
            View::Own(Value::Record(record)) => {
                record.values.get(field.index()).cloned().map(View::Own).ok_or_else(missing)
            }
            View::Ref(Value::Row(row)) => Ok(listed(field_of_row(self.find(row)?, row.world, field)?, row.world)),
            View::Own(Value::Row(row)) => Ok(listed(field_of_row(self.find(&row)?, row.world, field)?, row.world)),
            _ => Err(Stop::broken("a field of something that has none was read")),
        }
    }

    /// A member that a row shows.
    pub(super) fn member_of_row(
        &self,
        row: &'a Arc<DynRow>,
        world: WorldName,
        member: RowMember,
        expr: &Expr,
    ) -> Eval<View<'a, 'a>> {
        match member {
            RowMember::Field(field) => field_of_row(row, world, field),
            RowMember::Derived(function) => self.derived(row, world, function, expr),
        }
    }

    /// `row.key`: its text, or for an any-reference too.
    fn key(&self, scope: Scoped<'a, '_>, base: ExprId) -> Eval<Value> {
        match self.view(scope, base)?.row_key() {
            Some(key) => Ok(Value::Text(keys::visible(key))),
            None => Err(Stop::broken("a key of something that is no row was read")),
        }
    }

    /// Evaluates an expression with a value in a slot of its own.
    fn bound<'t>(&self, scope: Scoped<'a, 't>, slot: Slot, value: View<'a, '_>, rest: ExprId) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let inner = Scope { first: slot, arguments: &[value], outer: scope };
        self.view(Some(&inner), rest).map(View::kept)
    }

    fn coalesce<'t>(&self, scope: Scoped<'a, 't>, terms: &'a [ExprId]) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        let mut last = View::Own(Value::Null);
        for term in terms {
            last = self.view(scope, *term)?;
            if !last.is_null() {
                break;
            }
        }
        Ok(last)
    }

    fn index<'t>(&self, scope: Scoped<'a, 't>, base: ExprId, index: ExprId, kind: IndexKind) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        match kind {
            IndexKind::Table => {
                let table = self.table(scope, base)?;
                let key = self.view(scope, index)?;
                let text = self.key_text(&key)?;
                table
                    .get(self, &text)?
                    .ok_or_else(|| ToolError::no_row(self.entity_name(base), &keys::visible(&text)).into())
            }
            IndexKind::List => {
                let list = self.view(scope, base)?;
                let index = number::int(&self.view(scope, index)?)?;
                element(&list, index)
            }
            IndexKind::Map => {
                let map = self.view(scope, base)?;
                let key = self.view(scope, index)?;
                let key = self.key_text(&key)?;
                entry(map, &key).ok_or_else(|| ToolError::no_entry(&key).into())
            }
            IndexKind::RecordTable => {
                let key = self.view(scope, index)?;
                let key = self.key_text(&key)?;
                let found = self.seen_row(scope, base, &key)?;
                found.ok_or_else(|| ToolError::not_found(format!("there is no row `{key}`")).into())
            }
        }
    }

    /// What a key is written as: text as it stands, an enum's member, a row's key.
    pub(super) fn key_text(&self, key: &View<'a, '_>) -> Eval<Text> {
        if let Some(key) = key.row_key() {
            return Ok(key.clone());
        }
        match key.value() {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(Value::Int(number)) => Ok(number.to_string().into()),
            Some(Value::Enum(of, member)) => {
                self.env.program.model.member(*of, *member).ok_or_else(|| Stop::broken("an enum lacks a member"))
            }
            _ => Err(Stop::broken("a key was expected")),
        }
    }

    fn text(&self, scope: Scoped<'a, '_>, parts: &[TextPart]) -> Eval<Text> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Literal(literal) => text.push_str(literal),
                TextPart::Hole(hole, format) => {
                    let view = self.view(scope, *hole)?;
                    self.write(&mut text, &view, *format)?;
                }
            }
        }
        self.finished(text)
    }

    fn builtin(&self, scope: Scoped<'a, '_>, function: Builtin, args: &[ExprId]) -> Eval<Value> {
        let number = |position: usize| match args.get(position) {
            Some(arg) => number::int(&self.view(scope, *arg)?),
            None => Err(Stop::broken("an argument is missing")),
        };
        match function {
            Builtin::Range => {
                let (from, to) = (number(0)?, number(1)?);
                let numbers = methods::collection::range(from, to)?;
                self.charge(usize::try_from(numbers.end.saturating_sub(numbers.start)).unwrap_or(0))?;
                Ok(Value::List(Arc::new(numbers.map(Value::Int).collect())))
            }
            Builtin::Date => Ok(Value::Date(methods::date::date(number(0)?, number(1)?, number(2)?)?)),
        }
    }
}

/// A nested table as a value of code: the rows it has now.
fn listed<'a>(view: View<'a, 'a>, world: WorldName) -> View<'a, 'a> {
    match view {
        View::Ref(Value::Rows(rows)) => {
            let rows = rows.values().map(|row| reference(row, world)).collect();
            View::Own(Value::List(Arc::new(rows)))
        }
        view => view,
    }
}

/// An element of a list by position.
fn element<'a, 't>(list: &View<'a, 't>, index: i64) -> Eval<View<'a, 't>> {
    let pick = |items: &[Value]| usize::try_from(index).ok().filter(|index| *index < items.len());
    let found = match list {
        View::Ref(Value::List(items)) => pick(items).and_then(|at| items.get(at)).map(View::Ref),
        View::Own(Value::List(items)) => pick(items).and_then(|at| items.get(at)).cloned().map(View::Own),
        _ => return Err(Stop::broken("a list was expected")),
    };
    let count = match list.value() {
        Some(Value::List(items)) => items.len(),
        _ => 0,
    };
    found.ok_or_else(|| ToolError::no_element(index, count).into())
}

/// An entry of a map.
pub(super) fn entry<'a, 't>(map: View<'a, 't>, key: &str) -> Option<View<'a, 't>> {
    match map {
        View::Ref(Value::Map(entries)) => entries.get(key).map(View::Ref),
        View::Own(Value::Map(entries)) => entries.get(key).cloned().map(View::Own),
        _ => None,
    }
}
