//! `if` and `match` as values.

use crate::check::body::Checker;
use crate::check::facts::{Fact, Path};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Arm, ExprId, ExprKind, Pattern, Type};
use crate::syntax::tree::{self, IfExpr, MatchExpr};
use silo_runtime::value::dynamic::Value;
use std::collections::BTreeSet;

impl Checker<'_, '_, '_> {
    pub(crate) fn if_expr(&mut self, if_: &IfExpr, expected: Option<&Type>, span: Span) -> ExprId {
        let (mark, writes) = (self.facts.mark(), self.writes.len());
        let (mut conditions, mut values) = (Vec::new(), Vec::new());
        for (condition, value) in &if_.arms {
            let condition = self.condition(condition);
            conditions.push(condition);
            let arm = self.facts.mark();
            // What this branch writes is not written in those after it, but after the whole.
            self.assume(condition, true);
            values.push(self.expr(value, expected));
            self.facts.forget_since(arm);
            self.assume(condition, false);
        }
        values.push(self.expr(&if_.otherwise, expected));
        self.leave_branch(mark, writes);
        let ty = self.common_type(&mut values, expected, "the branches of this `if`");
        let Some(otherwise) = values.pop() else { return self.broken(span) };
        let branches = conditions.into_iter().zip(values).collect();
        self.push(ExprKind::If { branches, otherwise }, ty, span)
    }

    pub(crate) fn match_expr(&mut self, match_: &MatchExpr, expected: Option<&Type>, span: Span) -> ExprId {
        let subject = self.expr(&match_.subject, None);
        let mut coverage = self.coverage(subject, &match_.subject);
        let (mut patterns, mut values) = (Vec::new(), Vec::new());
        let (start, writes) = (self.facts.mark(), self.writes.len());
        for arm in &match_.arms {
            patterns.push(self.pattern(&arm.pattern, &mut coverage));
            values.push(self.expr(&arm.value, expected));
            self.facts.forget_since(start);
        }
        self.leave_branch(start, writes);
        self.require_complete(&coverage, match_.subject.span);
        let ty = self.common_type(&mut values, expected, "the arms of this `match`");
        let arms = patterns.into_iter().zip(values).map(|(pattern, value)| Arm { pattern, value }).collect();
        self.push(ExprKind::Match { subject, arms }, ty, span)
    }

    /// What a `match` over this subject has to cover.
    pub(crate) fn coverage(&mut self, subject: ExprId, tree: &tree::Expr) -> Coverage {
        let ty = self.ty(subject);
        let matchable = matches!(
            ty.required(),
            Type::Never
                | Type::Null
                | Type::Bool
                | Type::Int
                | Type::Decimal
                | Type::Text
                | Type::Date
                | Type::DateTime
                | Type::Enum(_)
        );
        if !matchable {
            let message = format!("a `match` compares with literals, and there are none of `{}`", self.show(&ty));
            let help = match ty.required() {
                Type::Entity(_) => "match one of its fields, or its `.key`",
                _ => "match one of its parts, or use `if`",
            };
            self.report(Diagnostic::error(codes::types::MISMATCH, tree.span, message).help(help));
        }
        let path = self.path_of(subject);
        let ty = if matchable { ty } else { Type::Never };
        Coverage { ty, subject, path, seen: Vec::new(), otherwise: None, broken: false }
    }

    /// A pattern: its values are noted, and what it shows of the subject is known in its arm.
    pub(crate) fn pattern(&mut self, pattern: &tree::Pattern, coverage: &mut Coverage) -> Pattern {
        let whole = pattern.span();
        if let (Some(first), Some(span)) = (coverage.otherwise, whole) {
            let diagnostic = Diagnostic::error(codes::types::MATCH_ARMS, span, "this arm is never taken")
                .also(first, "`else` takes everything that is left")
                .help("put `else` last");
            self.report(diagnostic);
        }
        let literals = match pattern {
            tree::Pattern::Else(span) => {
                if coverage.otherwise.is_none() && self.is_exhausted(coverage) {
                    let diagnostic = Diagnostic::error(codes::types::MATCH_ARMS, *span, "this arm is never taken")
                        .note("the arms before take every value there is")
                        .help("leave `else` out: a value that is added later is then found missing here");
                    self.report(diagnostic);
                }
                coverage.otherwise = coverage.otherwise.or(Some(*span));
                self.assume_else(coverage);
                return Pattern::Else;
            }
            tree::Pattern::Literals(literals) => literals,
        };
        let mut values = Vec::with_capacity(literals.len());
        for literal in literals {
            let Some(value) = self.pattern_literal(literal, &coverage.ty) else {
                coverage.broken = true;
                continue;
            };
            let key = pattern_key(&value);
            if let Some((_, first)) = coverage.seen.iter().find(|(seen, _)| *seen == key) {
                let diagnostic =
                    Diagnostic::error(codes::types::MATCH_ARMS, literal.span, "this value is matched twice")
                        .also(*first, "first here");
                self.report(diagnostic);
            }
            coverage.seen.push((key, literal.span));
            values.push(value);
        }
        self.assume_values(coverage, &values);
        Pattern::Values(values)
    }

    fn assume_values(&mut self, coverage: &Coverage, values: &[Value]) {
        if !values.iter().any(|value| matches!(value, Value::Null)) {
            for (path, fact) in self.all_present(coverage.subject) {
                self.facts.learn(path, &fact);
            }
        }
        let members: Option<BTreeSet<u16>> = values
            .iter()
            .map(|value| match value {
                Value::Enum(_, member) => Some(*member),
                _ => None,
            })
            .collect();
        if let (Some(path), Some(members)) = (&coverage.path, members) {
            self.facts.learn(path.clone(), &Fact::one_of(members));
        }
    }

    fn assume_else(&mut self, coverage: &Coverage) {
        let has = |value: &Value| coverage.seen.iter().any(|(seen, _)| *seen == pattern_key(value));
        let null_left = coverage.ty.is_optional() && !has(&Value::Null);
        if !null_left {
            for (path, fact) in self.all_present(coverage.subject) {
                self.facts.learn(path, &fact);
            }
        }
        if let (Type::Enum(id), Some(path), false) = (coverage.ty.required(), &coverage.path, null_left) {
            let count = self.shared.declared.types.model.enum_shape(*id).map_or(0, |shape| shape.members.len());
            let left = (0..u16::try_from(count).unwrap_or(u16::MAX)).filter(|member| !has(&Value::Enum(*id, *member)));
            let fact = Fact::one_of(left.collect());
            self.facts.learn(path.clone(), &fact);
        }
    }

    /// Whether the arms so far take every value.
    fn is_exhausted(&self, coverage: &Coverage) -> bool {
        let has = |value: &Value| coverage.seen.iter().any(|(seen, _)| *seen == pattern_key(value));
        if coverage.broken || (coverage.ty.is_optional() && !has(&Value::Null)) {
            return false;
        }
        match coverage.ty.required() {
            Type::Enum(id) => self.shared.declared.types.model.enum_shape(*id).is_some_and(|shape| {
                (0..shape.members.len()).all(|at| has(&Value::Enum(*id, u16::try_from(at).unwrap_or(u16::MAX))))
            }),
            Type::Bool => has(&Value::Bool(true)) && has(&Value::Bool(false)),
            _ => false,
        }
    }

    /// Reports a `match` that leaves values out.
    pub(crate) fn require_complete(&mut self, coverage: &Coverage, span: Span) -> bool {
        let ty = &coverage.ty;
        if coverage.otherwise.is_some() || coverage.broken || *ty == Type::Never {
            return true;
        }
        let has = |value: &Value| coverage.seen.iter().any(|(seen, _)| *seen == pattern_key(value));
        let mut missing: Vec<String> = Vec::new();
        match ty.required() {
            Type::Enum(id) => {
                let members = self.shared.declared.types.model.enum_shape(*id).map(|shape| shape.members.clone());
                for (at, member) in members.unwrap_or_default().iter().enumerate() {
                    if !has(&Value::Enum(*id, u16::try_from(at).unwrap_or(u16::MAX))) {
                        missing.push(format!("\"{member}\""));
                    }
                }
            }
            Type::Bool => {
                missing.extend(
                    [true, false].into_iter().filter(|value| !has(&Value::Bool(*value))).map(|v| v.to_string()),
                );
            }
            Type::Null => {}
            _ => missing.push("else".to_owned()),
        }
        if ty.is_optional() && !has(&Value::Null) {
            missing.push("null".to_owned());
        }
        if missing.is_empty() {
            return true;
        }
        let list = crate::check::fields::list(&missing);
        let message = match ty.required() {
            Type::Enum(_) | Type::Bool | Type::Null => format!("this `match` does not say what happens for {list}"),
            _ => format!("this `match` does not say what happens for every `{}`", self.show(ty)),
        };
        let diagnostic = Diagnostic::error(codes::types::INCOMPLETE_MATCH, span, message)
            .label(format!("this is `{}`", self.show(ty)))
            .help("add an arm for each, or `else -> …` for all that is left");
        self.report(diagnostic);
        false
    }
}

/// What the arms of a `match` have covered so far.
pub(crate) struct Coverage {
    ty: Type,
    subject: ExprId,
    path: Option<Path>,
    seen: Vec<(String, Span)>,
    otherwise: Option<Span>,
    broken: bool,
}

/// A spelling by which two literals of one type are the same.
fn pattern_key(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Decimal(value) => value.to_string(),
        Value::Date(value) => value.to_string(),
        Value::DateTime(value) => value.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Enum(_, member) => format!("#{member}"),
        _ => String::new(),
    }
}
