//! Pages of lists. What a `map` makes of elements that are not on the page is seen by nobody: of those only what can fail is
//! evaluated, and what takes steps, so that a failure and a spent budget are the same as if everything had been made.

use super::super::number;
use super::super::reader::{Reader, record};
use super::super::stop::Eval;
use super::super::view::{Scoped, View};
use crate::ir::{Arg, Closure, Expr, ExprId, ExprKind, Member, Method, RowMember};
use silo_runtime::methods::collection::{Page, page, skip, take};
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// `xs.page(limit, offset)`.
    pub(super) fn page(
        &self,
        scope: Scoped<'a, '_>,
        expr: &Expr,
        receiver: ExprId,
        limit: ExprId,
        offset: ExprId,
    ) -> Eval<Value> {
        let page = match self.mapped(receiver, limit, offset)? {
            Some((source, closure)) => self.mapped_page(scope, source, closure, limit, offset)?,
            None => {
                let items = self.source(scope, receiver)?.collect();
                page(items, self.int(scope, limit)?, self.int(scope, offset)?)
            }
        };
        self.charge(page.results.len())?;
        let results = page.results.into_iter().map(View::into_value).collect();
        let (total, count, offset) = (Value::Int(page.total), Value::Int(page.count), Value::Int(page.offset));
        let values = vec![total, count, offset, Value::List(Arc::new(results))];
        Ok(record(self.shape_of(&expr.ty)?, values))
    }

    fn int(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<i64> {
        number::int(&self.view(scope, id)?)
    }

    /// What a list is mapped from and by, where nothing hinders to know the page before.
    fn mapped(&self, list: ExprId, limit: ExprId, offset: ExprId) -> Eval<Option<(ExprId, &'a Closure)>> {
        let ExprKind::Method { receiver, method: Method::Map, args } = &self.expr(list)?.kind else { return Ok(None) };
        let [Arg::Closure(closure)] = args.as_slice() else { return Ok(None) };
        let early = !self.expr(limit)?.can_fail && !self.expr(offset)?.can_fail && self.done.is_empty();
        Ok(early.then_some((*receiver, closure)))
    }

    fn mapped_page<'t>(
        &self,
        scope: Scoped<'a, 't>,
        source: ExprId,
        closure: &'a Closure,
        limit: ExprId,
        offset: ExprId,
    ) -> Eval<Page<View<'a, 't>>>
    where
        'a: 't,
    {
        let source = self.source(scope, source)?;
        let (whole, offset) = (source.size_hint().0, self.int(scope, offset)?);
        let start = skip(whole, offset);
        let count = take(whole - start, self.int(scope, limit)?);
        let shown = start..start + count;
        let mut results = Vec::with_capacity(count);
        for (index, item) in source.enumerate() {
            if shown.contains(&index) {
                results.push(self.apply(scope, closure, &item, index)?);
            } else {
                self.within(scope, closure, &item, index, |reader, scope| reader.probe(scope, closure.body))?;
            }
        }
        let wide = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Ok(Page { total: wide(whole), count: wide(count), offset: offset.max(0), results })
    }

    /// Evaluates of an expression what can fail and what takes steps, and forgets its value.
    fn probe(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<()> {
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Const(_) => Ok(()),
            ExprKind::Record(members) => members.iter().try_for_each(|member| match member {
                Member::Set(_, value, _) => self.probe(scope, *value),
                Member::Spread(base, map) => match &self.expr(*base)?.kind {
                    ExprKind::Pick { base, members } => self.probe_members(scope, expr, *base, members.iter()),
                    _ => self.probe_members(scope, expr, *base, map.iter().map(|(member, _)| member)),
                },
            }),
            _ => self.view(scope, id).map(|_| ()),
        }
    }

    /// Of the members of a row only derived ones can fail, once the row is there.
    fn probe_members<'m>(
        &self,
        scope: Scoped<'a, '_>,
        expr: &Expr,
        base: ExprId,
        mut members: impl Iterator<Item = &'m RowMember>,
    ) -> Eval<()> {
        let base = self.view(scope, base)?;
        if let Some(Value::Record(_)) = base.value() {
            return Ok(());
        }
        let (row, world) = self.row_of(&base)?;
        members.try_for_each(|member| match member {
            RowMember::Field(_) => Ok(()),
            RowMember::Derived(function) => self.derived(row, world, *function, expr).map(|_| ()),
        })
    }
}
