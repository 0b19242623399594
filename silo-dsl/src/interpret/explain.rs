//! Checks that explain themselves: what their condition came to, in the forms of [`silo_runtime::explain`].

use super::condition::order;
use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::verify::told;
use super::view::{Scoped, View};
use crate::ir::{Arg, CheckStmt, Closure, Compare, ExprId, ExprKind, Logic, Method};
use silo_runtime::explain::{Finding, Part, Relation};
use silo_runtime::value::dynamic::Value;
use silo_runtime::{keys, wire};

impl<'a> Reader<'a> {
    /// Whether the condition of a check holds, and what was seen. Null counts as false.
    pub(super) fn explained(&self, scope: Scoped<'a, '_>, check: &CheckStmt) -> Eval<(bool, String)> {
        let finding = self.finding(scope, check.condition)?;
        Ok((finding.holds(), finding.detail()))
    }

    fn finding(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Finding> {
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::Narrowed(inner) => self.finding(scope, *inner),
            ExprKind::Not(inner) => self.finding(scope, *inner).map(Finding::negated),
            ExprKind::Logic { op, terms } => self.combined(scope, *op, terms),
            ExprKind::Compare { op, left, right } => {
                let (a, b) = (self.view(scope, *left)?, self.view(scope, *right)?);
                let (relation, holds) = match op {
                    Compare::Equal => (Relation::Equal, self.equal(&a, &b)),
                    Compare::NotEqual => (Relation::NotEqual, !self.equal(&a, &b)),
                    Compare::Less => (Relation::Less, order(&a, &b)?.is_lt()),
                    Compare::LessOrEqual => (Relation::LessOrEqual, order(&a, &b)?.is_le()),
                    Compare::Greater => (Relation::Greater, order(&a, &b)?.is_gt()),
                    Compare::GreaterOrEqual => (Relation::GreaterOrEqual, order(&a, &b)?.is_ge()),
                };
                Ok(Finding::compared(relation, self.part(*left, &a)?, self.part(*right, &b)?, holds))
            }
            ExprKind::In { item, source, negated } => {
                let found = self.found(scope, *source, *item)?;
                Ok(if *negated { Finding::negated(found) } else { found })
            }
            ExprKind::Method { receiver, method: Method::Contains, args } => match args.as_slice() {
                [Arg::Value(item)] => self.found(scope, *receiver, *item),
                _ => Err(Stop::broken("a method of a list has other arguments")),
            },
            ExprKind::Method { receiver, method: Method::All, args } => match args.as_slice() {
                [Arg::Closure(closure)] => self.all_of(scope, *receiver, closure),
                _ => Err(Stop::broken("a method of a list has other arguments")),
            },
            ExprKind::Method { receiver, method: Method::Any, args } => match args.as_slice() {
                [Arg::Closure(closure)] => self.any_of(scope, *receiver, closure),
                _ => self.held(scope, id),
            },
            _ => self.held(scope, id),
        }
    }

    /// Terms of `and` or `or`, as far as they are evaluated.
    fn combined(&self, scope: Scoped<'a, '_>, op: Logic, terms: &[ExprId]) -> Eval<Finding> {
        let mut findings = Vec::with_capacity(terms.len());
        for term in terms {
            let finding = self.finding(scope, *term)?;
            let decided = finding.holds() == (op == Logic::Or);
            findings.push(finding);
            if decided {
                break;
            }
        }
        Ok(match op {
            Logic::And => Finding::and(findings),
            Logic::Or => Finding::or(findings),
        })
    }

    fn all_of(&self, scope: Scoped<'a, '_>, receiver: ExprId, closure: &Closure) -> Eval<Finding> {
        let items: Vec<View<'a, '_>> = self.source(scope, receiver)?.collect();
        for (index, item) in items.iter().enumerate() {
            let finding = self.within(scope, closure, item, index, |reader, scope| reader.finding(scope, closure.body));
            let finding = told(finding)?.unwrap_or_else(|error| Finding::failed(error.message.as_str()));
            if !finding.holds() {
                let broken = (self.shown(item), finding);
                return Ok(Finding::all(self.source_of(receiver)?, items.len(), Some(broken)));
            }
        }
        Ok(Finding::all(self.source_of(receiver)?, items.len(), None))
    }

    fn any_of(&self, scope: Scoped<'a, '_>, receiver: ExprId, closure: &Closure) -> Eval<Finding> {
        let items: Vec<View<'a, '_>> = self.source(scope, receiver)?.collect();
        for (index, item) in items.iter().enumerate() {
            if self.decide_for(scope, closure, item, index)? {
                return Ok(Finding::any(self.source_of(receiver)?, items.len(), Some(self.shown(item))));
            }
        }
        Ok(Finding::any(self.source_of(receiver)?, items.len(), None))
    }

    fn found(&self, scope: Scoped<'a, '_>, source: ExprId, item: ExprId) -> Eval<Finding> {
        let holds = self.contains(scope, source, item)?;
        let part = self.part(item, &self.view(scope, item)?)?;
        Ok(Finding::contains(part, self.source_of(source)?, holds))
    }

    fn held(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Finding> {
        let view = self.view(scope, id)?;
        let holds = matches!(view.value(), Some(Value::Bool(true)));
        Ok(Finding::held(self.source_of(id)?, holds))
    }

    fn part(&self, id: ExprId, view: &View<'a, '_>) -> Eval<Part> {
        Ok(match self.expr(id)?.kind {
            ExprKind::Constant(_) => Part::literal(&self.shown(view)),
            _ => Part::new(self.source_of(id)?, &self.shown(view)),
        })
    }

    /// An expression as the author wrote it.
    fn source_of(&self, id: ExprId) -> Eval<&'a str> {
        Ok(self.env.sources.text(self.expr(id)?.span))
    }

    /// A value as people read it: a row is its key, a member of an enum its name, anything else as in JSON.
    fn shown(&self, view: &View<'a, '_>) -> String {
        if let Some(key) = view.row_key() {
            return keys::visible(key).to_string();
        }
        let model = &self.env.program.model;
        match view.value() {
            Some(Value::Enum(of, member)) => {
                model.member(*of, *member).map_or_else(String::new, |name| name.to_string())
            }
            Some(value) => wire::to_json(value, model).to_string(),
            None => String::new(),
        }
    }
}
