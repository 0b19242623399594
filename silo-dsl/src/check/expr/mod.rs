//! Expressions.

mod arguments;
mod call;
mod chain;
mod closure;
mod conditional;
mod fill;
mod literal;
mod name;
pub(crate) mod operators;
mod record;
mod text;
mod world;

pub(crate) use arguments::{Given, Slot as ParamSlot};
pub(crate) use call::ParamView;
pub(crate) use closure::Want;
pub(crate) use name::WORLDS;
pub(crate) use record::as_literal;

use super::body::Checker;
use crate::ir::{ExprId, ExprKind, Type};
use crate::syntax::tree::{Expr, ExprKind as Tree};
use silo_runtime::value::dynamic::Value;

impl Checker<'_, '_, '_> {
    /// Checks an expression. What is expected flows into literals; whether the result fits is for the caller to see.
    pub(crate) fn expr(&mut self, expr: &Expr, expected: Option<&Type>) -> ExprId {
        let span = expr.span;
        if self.shared.is_flooded() {
            return self.broken(span);
        }
        // Only a call that is a statement gives something to nobody; its arguments do not.
        let alone = match &expr.kind {
            Tree::Chain { .. } => false,
            _ => std::mem::take(&mut self.discard),
        };
        match &expr.kind {
            Tree::Null => self.push(ExprKind::Constant(Value::Null), Type::Null, span),
            Tree::Bool(value) => self.push(ExprKind::Constant(Value::Bool(*value)), Type::Bool, span),
            Tree::Int(digits) => self.int(digits, false, expected, span),
            Tree::Decimal(digits) => self.decimal(digits, false, span),
            Tree::Date(text) => self.date(text, span),
            Tree::Datetime(text) => self.datetime(text, span),
            Tree::Text(text) => self.text(text, expected),
            Tree::Name(name) => self.name(name, expected),
            Tree::List(items) => self.list(items, expected, span),
            Tree::Braced(braced) => self.braced(braced, expected),
            Tree::Paren(inner) => self.expr(inner, expected),
            Tree::Function(call) => self.call(&call.name, &call.args, None, span, alone),
            Tree::CallTool(call) => self.call_tool(call, span, alone),
            Tree::Chain { atom, links } => self.chain(atom, links, span),
            Tree::Or(terms) => self.logic(crate::ir::Logic::Or, terms, span),
            Tree::And(terms) => self.logic(crate::ir::Logic::And, terms, span),
            Tree::Not { times, operand } => self.not(*times, operand, span),
            Tree::Compare { left, op, op_span, right } => self.compare(left, *op, *op_span, right, span),
            Tree::Coalesce(parts) => self.coalesce(parts, expected, span),
            Tree::Arith(arith) => self.arith(arith, span),
            Tree::Negate { times, operand } => self.negate(*times, operand, expected, span),
            Tree::If(if_) => self.if_expr(if_, expected, span),
            Tree::Match(match_) => self.match_expr(match_, expected, span),
        }
    }

    /// Checks an expression that must be a bool: a condition.
    pub(crate) fn condition(&mut self, expr: &Expr) -> ExprId {
        let id = self.expr(expr, Some(&Type::Bool));
        self.must_be_bool(id, expr)
    }

    /// Reports an expression that stands for a condition and is none.
    pub(crate) fn must_be_bool(&mut self, id: ExprId, expr: &Expr) -> ExprId {
        use crate::diagnostics::{Diagnostic, codes};
        let ty = self.ty(id);
        if matches!(ty, Type::Bool | Type::Never) {
            return id;
        }
        let source = self.source(expr.span);
        let short = if source.len() <= 40 { source } else { "x".to_owned() };
        let message = format!("expected a condition, found `{}`", self.show(&ty));
        let diagnostic = Diagnostic::error(codes::types::MISMATCH, expr.span, message);
        let diagnostic = match &ty {
            Type::Optional(inner) if **inner == Type::Bool => {
                Diagnostic::error(codes::types::MAYBE_NULL, expr.span, "expected `bool`, but this may be null")
                    .label("this is `bool?`")
                    .help(format!("say what null means: `{short} ?? false`, or `{short} == true`"))
            }
            Type::Optional(_) => {
                diagnostic.help(format!("nothing counts as true or false by itself: write `{short} != null`"))
            }
            Type::List(_) | Type::Table(_) => {
                diagnostic.help(format!("write `{short}.any()` to ask whether there are elements"))
            }
            Type::Int | Type::Decimal => diagnostic.help(format!("write `{short} != 0`")),
            Type::Text => diagnostic.help(format!("write `{short} != \"\"`")),
            _ => diagnostic,
        };
        self.fail(expr.span, diagnostic)
    }
}
