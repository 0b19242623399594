//! Checks that explain themselves: what their condition came to, in the forms of [`silo_runtime::explain`].

mod shown;

use super::condition::order;
use super::reader::Reader;
use super::stop::{Eval, Stop};
use super::verify::told;
use super::view::{Scoped, View};
use crate::ir::{Arg, Arm, CheckStmt, Closure, Compare, ExprId, ExprKind, Logic, MapMember, Member, Method, Slot};
use silo_runtime::explain::{Finding, Part, Relation};
use silo_runtime::value::dynamic::Value;

impl<'a> Reader<'a> {
    /// Whether the condition of a check holds, and what was seen. Null counts as false.
    pub(super) fn explained(&self, scope: Scoped<'a, '_>, check: &CheckStmt) -> Eval<(bool, String)> {
        let finding = self.finding(scope, check.condition)?;
        Ok((finding.holds(), finding.detail()))
    }

    /// What a condition came to.
    pub(super) fn finding(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Finding> {
        match &self.expr(id)?.kind {
            ExprKind::Narrowed(inner) => self.finding(scope, *inner),
            ExprKind::Local(slot) => self.bound_finding(scope, id, *slot),
            ExprKind::Not(inner) => self.finding(scope, *inner).map(Finding::negated),
            ExprKind::Logic { op, terms } => self.combined(scope, *op, terms),
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    if self.test(scope, *condition)? {
                        return self.finding(scope, *value);
                    }
                }
                self.finding(scope, *otherwise)
            }
            ExprKind::Match { subject, arms } => self.arm_finding(scope, *subject, arms),
            ExprKind::Compare { op, left, right } => self.compared(scope, *op, *left, *right),
            ExprKind::In { item, source, negated } => {
                let found = self.found(scope, *source, *item)?;
                Ok(if *negated { Finding::negated(found) } else { found })
            }
            ExprKind::Method { receiver, method, args } => self.method_finding(scope, id, *receiver, *method, args),
            _ => self.held(scope, id),
        }
    }

    /// Methods that can say more than whether they hold.
    fn method_finding(
        &self,
        scope: Scoped<'a, '_>,
        id: ExprId,
        receiver: ExprId,
        method: Method,
        args: &'a [Arg],
    ) -> Eval<Finding> {
        match (method, args) {
            (Method::Contains, [Arg::Value(item)]) => self.found(scope, receiver, *item),
            (Method::All, [Arg::Closure(closure)]) => self.all_of(scope, receiver, closure),
            (Method::Any, [Arg::Closure(closure)]) => self.any_of(scope, receiver, closure),
            (Method::Any, []) => {
                let items: Vec<View<'a, '_>> = self.source(scope, receiver)?.collect();
                let source = self.source_of(receiver)?;
                Ok(match items.first() {
                    Some(first) => Finding::any(source, items.len(), &self.shown(first)),
                    None => Finding::none(source, "", 0, Vec::new()),
                })
            }
            (Method::States | Method::Mentions | Method::Names | Method::NamesOnly, args) => {
                self.answer_finding(scope, method, args)
            }
            (Method::ContainsText | Method::StartsWith | Method::EndsWith | Method::Matches, _) => {
                let of = self.part(receiver, &self.view(scope, receiver)?)?;
                Ok(Finding::held_of(self.source_of(id)?, of, self.test(scope, id)?))
            }
            _ => self.held(scope, id),
        }
    }

    fn compared(&self, scope: Scoped<'a, '_>, op: Compare, left: ExprId, right: ExprId) -> Eval<Finding> {
        let (a, b) = (self.view(scope, left)?, self.view(scope, right)?);
        let (relation, holds) = match op {
            Compare::Equal => (Relation::Equal, self.equal(&a, &b)),
            Compare::NotEqual => (Relation::NotEqual, !self.equal(&a, &b)),
            Compare::Less => (Relation::Less, order(&a, &b)?.is_lt()),
            Compare::LessOrEqual => (Relation::LessOrEqual, order(&a, &b)?.is_le()),
            Compare::Greater => (Relation::Greater, order(&a, &b)?.is_gt()),
            Compare::GreaterOrEqual => (Relation::GreaterOrEqual, order(&a, &b)?.is_ge()),
        };
        let (first, second) = (self.part(left, &a)?, self.part(right, &b)?);
        if matches!(relation, Relation::Equal | Relation::NotEqual) {
            let answer = self.context.judged.map(super::context::Judged::text);
            let wanted = match (self.is_answer_number(left)?, self.is_answer_number(right)?) {
                (true, false) => Some(&second),
                (false, true) => Some(&first),
                _ => None,
            };
            if let (Some(answer), Some(wanted)) = (answer, wanted) {
                return Ok(Finding::number(answer, relation, wanted.clone(), holds));
            }
        }
        Ok(Finding::compared(relation, first, second, holds))
    }

    /// A condition that was bound to a name says what it came to where it was bound.
    fn bound_finding(&self, scope: Scoped<'a, '_>, id: ExprId, slot: Slot) -> Eval<Finding> {
        let held = self.held(scope, id)?;
        let argument = scope.is_some_and(|scope| scope.find(slot).is_some());
        match self.frame.lazy(slot) {
            Some(lazy) if !argument && !held.holds() => self.finding(None, lazy.code),
            _ => Ok(held),
        }
    }

    fn arm_finding(&self, scope: Scoped<'a, '_>, subject: ExprId, arms: &'a [Arm]) -> Eval<Finding> {
        let subject = self.view(scope, subject)?;
        match self.arm(&subject, arms) {
            Some(value) => self.finding(scope, value),
            None => Err(Stop::broken("no arm takes a value")),
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
            let finding = match told(self.decide_for(scope, closure, item, index))? {
                Ok(true) => continue,
                Ok(false) => self.finding_for(scope, closure, item, index)?,
                Err(error) => Finding::failed(error.message.as_str()),
            };
            return Ok(Finding::all(self.source_of(receiver)?, items.len(), Some((self.shown(item), finding))));
        }
        Ok(Finding::all(self.source_of(receiver)?, items.len(), None))
    }

    fn any_of(&self, scope: Scoped<'a, '_>, receiver: ExprId, closure: &Closure) -> Eval<Finding> {
        let items: Vec<View<'a, '_>> = self.source(scope, receiver)?.collect();
        let source = self.source_of(receiver)?;
        for (index, item) in items.iter().enumerate() {
            if self.decide_for(scope, closure, item, index)? {
                return Ok(Finding::any(source, items.len(), &self.shown(item)));
            }
        }
        let mut tried = Vec::new();
        if Finding::tells_each(items.len()) {
            for (index, item) in items.iter().enumerate() {
                tried.push((self.shown(item), self.finding_for(scope, closure, item, index)?));
            }
        }
        Ok(Finding::none(source, self.source_of(closure.body)?, items.len(), tried))
    }

    /// What the condition of a closure came to for an element.
    fn finding_for(
        &self,
        scope: Scoped<'a, '_>,
        closure: &Closure,
        item: &View<'a, '_>,
        index: usize,
    ) -> Eval<Finding> {
        self.within(scope, closure, item, index, |reader, scope| reader.finding(scope, closure.body))
    }

    fn found(&self, scope: Scoped<'a, '_>, source: ExprId, item: ExprId) -> Eval<Finding> {
        let holds = self.contains(scope, source, item)?;
        let part = self.part(item, &self.view(scope, item)?)?;
        let elements = self.shown_elements(self.source(scope, source)?);
        let within = if self.is_literal(source)? {
            Part::literal(&elements)
        } else {
            Part::new(self.source_of(source)?, &elements)
        };
        Ok(Finding::contains(part, within, holds))
    }

    fn held(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Finding> {
        let view = self.view(scope, id)?;
        if view.is_null() {
            return Ok(Finding::equal(self.part(id, &view)?, Part::literal("true"), false));
        }
        let holds = matches!(view.value(), Some(Value::Bool(true)));
        Ok(Finding::held(self.source_of(id)?, holds))
    }

    /// A part of a condition: its source and its value, or a literal.
    pub(super) fn part(&self, id: ExprId, view: &View<'a, '_>) -> Eval<Part> {
        let (source, value) = (self.source_of(id)?, self.shown(view));
        let literal = source == value || self.is_literal(id)?;
        Ok(if literal { Part::literal(&value) } else { Part::new(source, &value) })
    }

    /// Whether an expression says its value itself.
    fn is_literal(&self, id: ExprId) -> Eval<bool> {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match &self.expr(self.bare(id)?)?.kind {
                ExprKind::Constant(_) => {}
                ExprKind::List(items) => open.extend(items),
                ExprKind::Map(members) => {
                    for member in members {
                        match member {
                            MapMember::Entry(key, value) => open.extend([*key, *value]),
                            MapMember::Spread(_) => return Ok(false),
                        }
                    }
                }
                ExprKind::Record(members) => {
                    for member in members {
                        match member {
                            Member::Set(_, value, _) => open.push(*value),
                            Member::Spread(..) => return Ok(false),
                        }
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether an expression is `answer.number`.
    fn is_answer_number(&self, id: ExprId) -> Eval<bool> {
        let expr = self.expr(self.bare(id)?)?;
        Ok(matches!(expr.kind, ExprKind::Method { method: Method::AnswerNumber, .. }))
    }

    /// An expression without what the checker has put around it.
    fn bare(&self, mut id: ExprId) -> Eval<ExprId> {
        while let ExprKind::Narrowed(inner) | ExprKind::Coerce(inner) = self.expr(id)?.kind {
            id = inner;
        }
        Ok(id)
    }

    /// An expression as the author wrote it.
    fn source_of(&self, id: ExprId) -> Eval<&'a str> {
        let expr = self.expr(id)?;
        // Its place is that of the word `answer`, to which methods of its text are attached too.
        if matches!(expr.kind, ExprKind::AnswerText) {
            return Ok("answer.text");
        }
        Ok(self.env.sources.text(expr.span))
    }
}
