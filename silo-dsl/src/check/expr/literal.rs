//! Numbers, dates and lists.

use crate::check::body::Checker;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, Type};
use crate::syntax::tree::{Expr, Literal, LiteralKind};
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Date, DateTime, Decimal};

impl Checker<'_, '_, '_> {
    pub(crate) fn int(&mut self, digits: &str, negative: bool, expected: Option<&Type>, span: Span) -> ExprId {
        if expected.map(Type::required) == Some(&Type::Decimal) {
            return self.decimal(digits, negative, span);
        }
        if let Ok(value) = signed(digits, negative).parse::<i64>() {
            self.push(ExprKind::Constant(Value::Int(value)), Type::Int, span)
        } else {
            let diagnostic =
                Diagnostic::error(codes::types::BAD_LITERAL, span, "this number does not fit into an `int`")
                    .note("an `int` is between -9223372036854775808 and 9223372036854775807");
            self.fail(span, diagnostic)
        }
    }

    pub(crate) fn decimal(&mut self, digits: &str, negative: bool, span: Span) -> ExprId {
        if let Ok(value) = signed(digits, negative).parse::<Decimal>() {
            self.push(ExprKind::Constant(Value::Decimal(value)), Type::Decimal, span)
        } else {
            let diagnostic = Diagnostic::error(
                codes::types::BAD_LITERAL,
                span,
                "this number has more digits than a `decimal` holds",
            )
            .note("a `decimal` holds 28 digits, exactly");
            self.fail(span, diagnostic)
        }
    }

    pub(crate) fn date(&mut self, text: &str, span: Span) -> ExprId {
        match text.parse::<Date>() {
            Ok(value) => self.push(ExprKind::Constant(Value::Date(value)), Type::Date, span),
            Err(reason) => {
                let diagnostic =
                    Diagnostic::error(codes::types::BAD_LITERAL, span, format!("there is no date `{text}`"))
                        .note(reason.to_string());
                self.fail(span, diagnostic)
            }
        }
    }

    pub(crate) fn datetime(&mut self, text: &str, span: Span) -> ExprId {
        match DateTime::parse_literal(text) {
            Ok(value) => self.push(ExprKind::Constant(Value::DateTime(value)), Type::DateTime, span),
            Err(reason) => {
                let diagnostic =
                    Diagnostic::error(codes::types::BAD_LITERAL, span, format!("there is no point in time `{text}`"))
                        .note(reason.to_string());
                self.fail(span, diagnostic)
            }
        }
    }

    pub(crate) fn list(&mut self, items: &[Expr], expected: Option<&Type>, span: Span) -> ExprId {
        let wanted = expected.map(Type::required);
        let element = match wanted {
            Some(Type::List(item)) => Some((**item).clone()),
            Some(Type::Table(entity)) => return self.rows(items, *entity, span),
            _ => None,
        };
        let mut ids: Vec<ExprId> = items.iter().map(|item| self.expr(item, element.as_ref())).collect();
        let item = self.common_type(&mut ids, element.as_ref(), "the elements of this list");
        self.push(ExprKind::List(ids), item.list(), span)
    }

    /// A list of records that will be the rows of a nested table.
    fn rows(&mut self, items: &[Expr], entity: silo_runtime::ids::EntityId, span: Span) -> ExprId {
        let mut ids: Vec<ExprId> = items.iter().map(|item| self.new_row(item, entity)).collect();
        let item = self.unify_all(&mut ids, "the rows of this list");
        self.push(ExprKind::List(ids), item.list(), span)
    }

    /// A literal of a pattern, against the type of what is matched; nothing if that is an error, which is reported.
    pub(crate) fn pattern_literal(&mut self, literal: &Literal, subject: &Type) -> Option<Value> {
        let (span, want) = (literal.span, subject.required());
        let id = match &literal.kind {
            LiteralKind::Null => {
                if subject.is_optional() || *subject == Type::Never {
                    return Some(Value::Null);
                }
                let message = format!("`{}` is never null", self.show(subject));
                self.report(Diagnostic::error(codes::types::MISMATCH, span, message));
                return None;
            }
            LiteralKind::Bool(value) => self.push(ExprKind::Constant(Value::Bool(*value)), Type::Bool, span),
            LiteralKind::Int(text) => self.int(text, false, Some(want), span),
            LiteralKind::Decimal(text) => self.decimal(text, false, span),
            LiteralKind::Date(text) => self.date(text, span),
            LiteralKind::Datetime(text) => self.datetime(text, span),
            LiteralKind::Text(text) => self.plain_text(text, Some(want), span),
        };
        let id = self.fit_or_report(id, want, span, None);
        self.constant(id).cloned()
    }
}

fn signed(digits: &str, negative: bool) -> String {
    if negative { format!("-{digits}") } else { digits.to_owned() }
}
