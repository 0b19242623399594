//! What a test shows of the locals and field paths in it.

use super::body::Checker;
use super::facts::{Fact, MAX_STEPS, Path, Root, Step};
use crate::ir::{Compare, ExprId, ExprKind, Logic, Type};
use silo_runtime::value::dynamic::Value;
use std::collections::BTreeSet;

impl Checker<'_, '_, '_> {
    /// The path that an expression reads, if it is one.
    pub(crate) fn path_of(&self, id: ExprId) -> Option<Path> {
        let mut steps = Vec::new();
        let mut at = id;
        let mut hops = 0;
        let root = loop {
            hops += 1;
            if hops > 8 * MAX_STEPS {
                return None;
            }
            match self.kind(at)? {
                ExprKind::Local(slot) => match self.stands_for.get(slot) {
                    Some(subject) => at = *subject,
                    None => break Root::Local(*slot),
                },
                ExprKind::State(state) => break Root::State(*state),
                ExprKind::WorldState(world, state) => break Root::World(*world, *state),
                ExprKind::Field { base, field } => {
                    steps.push(match self.body.expr(*base)?.ty.required() {
                        Type::Entity(entity) => Step::Row(*entity, *field),
                        _ => Step::Record(*field),
                    });
                    at = *base;
                }
                ExprKind::Derived { base, function } => {
                    steps.push(Step::Derived(*function));
                    at = *base;
                }
                ExprKind::Narrowed(inner) | ExprKind::NonNull(inner) | ExprKind::Coerce(inner) => at = *inner,
                ExprKind::Optional { rest, .. } => at = *rest,
                _ => return None,
            }
            if steps.len() > MAX_STEPS {
                return None;
            }
        };
        steps.reverse();
        Some(Path { root, steps })
    }

    /// The paths that are not null if the expression is not: its own, and those before each `?.` in it.
    fn present_paths(&self, id: ExprId) -> Vec<Path> {
        let mut paths: Vec<Path> = self.path_of(id).into_iter().collect();
        let mut at = id;
        let mut left = 64;
        while left > 0 {
            left -= 1;
            match self.kind(at) {
                Some(ExprKind::Optional { subject, .. }) => {
                    paths.extend(self.path_of(*subject));
                    at = *subject;
                }
                Some(ExprKind::Narrowed(inner) | ExprKind::Coerce(inner)) => at = *inner,
                _ => break,
            }
        }
        paths
    }

    /// Goes on where a condition is known to be true or false.
    pub(crate) fn assume(&mut self, condition: ExprId, truth: bool) {
        for (path, fact) in self.shown(condition, truth) {
            self.facts.learn(path, &fact);
        }
    }

    /// What is known where a condition is true, or false.
    pub(crate) fn shown(&self, condition: ExprId, truth: bool) -> Vec<(Path, Fact)> {
        match self.kind(condition) {
            Some(ExprKind::Not(inner)) => self.shown(*inner, !truth),
            Some(ExprKind::Logic { op, terms }) => {
                let all = (*op == Logic::And) == truth;
                let mut shown = if all {
                    let mut shown = Vec::new();
                    for term in terms {
                        // What a term calls may change what those before it have shown.
                        self.drop_written(&mut shown, self.first_of(*term), *term);
                        shown.extend(self.shown(*term, truth));
                    }
                    shown
                } else {
                    self.shown_by_any(terms, truth)
                };
                if !all {
                    self.drop_written(&mut shown, self.first_of(condition), condition);
                }
                shown
            }
            Some(_) => {
                let mut shown = self.shown_by_test(condition, truth);
                self.drop_written(&mut shown, self.first_of(condition), condition);
                shown
            }
            None => Vec::new(),
        }
    }

    /// The first expression that was checked as part of another.
    fn first_of(&self, id: ExprId) -> ExprId {
        let mut first = id;
        if self.writes.is_empty() {
            return first;
        }
        let mut open = vec![id];
        while let Some(at) = open.pop() {
            first = if at.0 < first.0 { at } else { first };
            open.extend(self.kind(at).map(super::walk::children).unwrap_or_default());
        }
        first
    }

    /// Leaves out what may have been changed by what was written while the expressions from one to another were checked.
    fn drop_written(&self, shown: &mut Vec<(Path, Fact)>, from: ExprId, to: ExprId) {
        let calls = self.writes.iter().rev().skip_while(|(at, _)| at.0 > to.0);
        let within = calls.take_while(|(at, _)| at.0 >= from.0);
        for (_, written) in within {
            shown.retain(|(path, _)| !super::facts::touches(path, written));
        }
    }

    /// What a condition without `and`, `or` and `not` shows.
    fn shown_by_test(&self, condition: ExprId, truth: bool) -> Vec<(Path, Fact)> {
        match self.kind(condition) {
            Some(ExprKind::Compare { op: op @ (Compare::Equal | Compare::NotEqual), left, right }) => {
                let equal = (*op == Compare::Equal) == truth;
                self.shown_by_equality(*left, *right, equal)
            }
            Some(ExprKind::In { item, source, negated }) => self.shown_by_in(*item, *source, *negated != truth),
            _ => Vec::new(),
        }
    }

    /// What each of several terms shows: `status == "won" or status == "lost"`.
    fn shown_by_any(&self, terms: &[ExprId], truth: bool) -> Vec<(Path, Fact)> {
        // Long chains show nothing that anybody relies on.
        if terms.len() > 32 {
            return Vec::new();
        }
        let mut terms = terms.iter().map(|term| self.shown(*term, truth));
        let mut common = terms.next().unwrap_or_default();
        for term in terms {
            common.retain_mut(|(path, fact)| match term.iter().find(|(other, _)| other == path) {
                Some((_, other)) => {
                    *fact = fact.or(other);
                    true
                }
                None => false,
            });
        }
        common
    }

    fn shown_by_equality(&self, left: ExprId, right: ExprId, equal: bool) -> Vec<(Path, Fact)> {
        let null =
            |id: ExprId| matches!(self.kind(id), Some(ExprKind::Constant(Value::Null))) && self.ty(id) == Type::Null;
        let (value, other) = if self.constant(left).is_some() { (left, right) } else { (right, left) };
        if null(value) {
            return if equal { Vec::new() } else { self.all_present(other) };
        }
        let mut shown = Vec::new();
        if equal {
            // What equals something that is never null is not null.
            if !self.ty(value).is_optional() {
                shown.extend(self.all_present(other));
            } else if !self.ty(other).is_optional() {
                shown.extend(self.all_present(value));
            }
        }
        if let Some(Value::Enum(_, member)) = self.constant(value)
            && let Some(path) = self.path_of(other)
            && let Some(members) = self.members_of(other)
        {
            let known: Option<BTreeSet<u16>> = match equal {
                true => Some(BTreeSet::from([*member])),
                false if self.ty(other).is_optional() => None,
                false => Some((0..members).filter(|each| each != member).collect()),
            };
            shown.extend(known.map(|known| (path, Fact::one_of(known))));
        }
        shown
    }

    fn shown_by_in(&self, item: ExprId, source: ExprId, holds: bool) -> Vec<(Path, Fact)> {
        let mut shown = Vec::new();
        let Some(ExprKind::List(items)) = self.kind(source) else {
            if holds && matches!(self.ty(source), Type::List(of) if !of.is_optional()) {
                shown.extend(self.all_present(item));
            }
            return shown;
        };
        if holds && items.iter().all(|each| !self.ty(*each).is_optional()) {
            shown.extend(self.all_present(item));
        }
        let listed: Option<BTreeSet<u16>> = items
            .iter()
            .map(|each| match self.constant(*each) {
                Some(Value::Enum(_, member)) => Some(*member),
                _ => None,
            })
            .collect();
        if let Some(listed) = listed
            && let (Some(path), Some(members)) = (self.path_of(item), self.members_of(item))
        {
            if holds {
                shown.push((path, Fact::one_of(listed)));
            } else if !self.ty(item).is_optional() {
                shown.push((path, Fact::one_of((0..members).filter(|each| !listed.contains(each)).collect())));
            }
        }
        shown
    }

    pub(crate) fn all_present(&self, id: ExprId) -> Vec<(Path, Fact)> {
        self.present_paths(id).into_iter().map(|path| (path, Fact::present())).collect()
    }

    /// How many members the enum of an expression has.
    fn members_of(&self, id: ExprId) -> Option<u16> {
        let ty = self.ty(id);
        let id = super::fields::enum_of(&ty)?;
        let shape = self.shared.declared.types.model.enum_shape(id)?;
        u16::try_from(shape.members.len()).ok()
    }
}
