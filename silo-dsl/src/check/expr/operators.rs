//! Operators.

use crate::check::body::Checker;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Arith, Compare, ExprId, ExprKind, Logic, NumberKind, Type};
use crate::syntax::tree::{self, ArithOp, CompareOp, Expr, ExprKind as Tree};
use silo_runtime::value::dynamic::Value;

impl Checker<'_, '_, '_> {
    /// `a and b`, `a or b`: what the terms before show is known in those after.
    pub(crate) fn logic(&mut self, op: Logic, terms: &[Expr], span: Span) -> ExprId {
        let (mark, writes) = (self.facts.mark(), self.writes.len());
        let mut ids = Vec::with_capacity(terms.len());
        for term in terms {
            let id = self.condition(term);
            self.assume(id, op == Logic::And);
            ids.push(id);
        }
        self.leave_branch(mark, writes);
        self.push(ExprKind::Logic { op, terms: ids }, Type::Bool, span)
    }

    pub(crate) fn not(&mut self, times: u32, operand: &Expr, span: Span) -> ExprId {
        let id = self.condition(operand);
        if times.is_multiple_of(2) {
            return id;
        }
        self.push(ExprKind::Not(id), Type::Bool, span)
    }

    pub(crate) fn negate(&mut self, times: u32, operand: &Expr, expected: Option<&Type>, span: Span) -> ExprId {
        let odd = !times.is_multiple_of(2);
        // A negative literal is one number, so that the smallest int can be written.
        match &operand.kind {
            Tree::Int(digits) => return self.int(digits, odd, expected, span),
            Tree::Decimal(digits) => return self.decimal(digits, odd, span),
            _ => {}
        }
        let id = self.expr(operand, expected);
        match self.ty(id) {
            Type::Never => id,
            Type::Int | Type::Decimal if !odd => id,
            ty @ (Type::Int | Type::Decimal) => self.push(ExprKind::Negate(id), ty, span),
            ty => {
                let diagnostic = self.not_a_number(id, &ty, "-", operand.span);
                self.fail(span, diagnostic)
            }
        }
    }

    /// Sums and products: int with int is int, but for `/`; all else is decimal. Nothing is expected of the parts: `n + 1` is
    /// an int even where a decimal is wanted, and widened as a whole.
    pub(crate) fn arith(&mut self, arith: &tree::Arith, span: Span) -> ExprId {
        let first = self.expr(&arith.first, None);
        let mut kind = self.ty(first);
        let texts = self.sum_of_texts(arith, first, span);
        if let Some(texts) = texts {
            return texts;
        }
        let mut broken = self.operand(first, arith.rest.first().map_or("+", |(op, ..)| op.symbol()), arith.first.span);
        let mut rest = Vec::with_capacity(arith.rest.len());
        for (op, op_span, operand) in &arith.rest {
            let id = self.expr(operand, None);
            if !broken && matches!(self.ty(id), Type::Text) && *op == ArithOp::Add {
                let diagnostic = self.text_in_sum(*op_span, span, arith);
                return self.fail(span, diagnostic);
            }
            if broken {
                continue;
            }
            broken |= self.operand(id, op.symbol(), operand.span);
            if broken {
                continue;
            }
            let whole = kind == Type::Int && self.ty(id) == Type::Int && *op != ArithOp::Divide;
            let step = if whole { NumberKind::Int } else { NumberKind::Decimal };
            kind = if whole { Type::Int } else { Type::Decimal };
            rest.push((arith_op(*op), step, id));
        }
        if broken {
            return self.broken(span);
        }
        self.push(ExprKind::Arith { first, rest }, kind, span)
    }

    /// Reports an operand that is no number; true if it is none.
    fn operand(&mut self, id: ExprId, symbol: &str, span: Span) -> bool {
        let ty = self.ty(id);
        match ty {
            Type::Int | Type::Decimal => false,
            Type::Never => true,
            _ => {
                let diagnostic = self.not_a_number(id, &ty, symbol, span);
                self.report(diagnostic);
                true
            }
        }
    }

    fn not_a_number(&self, id: ExprId, ty: &Type, symbol: &str, span: Span) -> Diagnostic {
        if matches!(ty.required(), Type::Int | Type::Decimal) || *ty == Type::Null {
            return self.maybe_null(id, ty, span, &format!("`{symbol}` needs a number"));
        }
        let message = format!("`{symbol}` needs numbers, and this is `{}`", self.show(ty));
        let diagnostic = Diagnostic::error(codes::types::BAD_OPERAND, span, message);
        match (ty.required(), symbol) {
            (Type::Date, "+" | "-") => {
                diagnostic.help("dates have methods: `d.add_days(7)`, `d.add_months(1)`, `from.days_until(to)`")
            }
            (Type::DateTime, "+" | "-") => diagnostic
                .help("points in time have methods: `t.add_minutes(5)`, `t.add_days(1)`, `from.minutes_until(to)`"),
            (Type::Text, "+") => diagnostic.help("texts are put together by holes: `\"{a} {b}\"`"),
            (Type::Text, _) => diagnostic
                .help("read a number from text with `.to_int()` or `.to_decimal()`, which give null if it is none"),
            (Type::List(_), "+") => diagnostic.help("lists are put together by `a.concat(b)`"),
            _ => diagnostic,
        }
    }

    /// `"a" + b`, a habit from other languages: one diagnostic for the whole sum.
    fn sum_of_texts(&mut self, arith: &tree::Arith, first: ExprId, span: Span) -> Option<ExprId> {
        let (ArithOp::Add, op_span, _) = arith.rest.first()? else { return None };
        if !matches!(self.ty(first), Type::Text | Type::Enum(_)) {
            return None;
        }
        // The other operands are checked for mistakes of their own.
        for (_, _, operand) in &arith.rest {
            self.expr(operand, None);
        }
        let diagnostic = self.text_in_sum(*op_span, span, arith);
        Some(self.fail(span, diagnostic))
    }

    fn text_in_sum(&self, op_span: Span, span: Span, arith: &tree::Arith) -> Diagnostic {
        let diagnostic = Diagnostic::error(codes::types::BAD_OPERAND, op_span, "strings are not put together with `+`");
        let parts = std::iter::once(&*arith.first).chain(arith.rest.iter().map(|(_, _, operand)| operand));
        let mut text = String::from("\"");
        for part in parts.take(8) {
            match &part.kind {
                Tree::Text(literal) if literal.as_plain().is_some() => {
                    text.push_str(&literal.as_plain().unwrap_or_default().replace('{', "{{").replace('}', "}}"));
                }
                _ => {
                    text.push('{');
                    text.push_str(&self.source(part.span));
                    text.push('}');
                }
            }
        }
        text.push('"');
        let whole = arith.rest.len() < 8 && arith.rest.iter().all(|(op, ..)| *op == ArithOp::Add) && text.len() < 100;
        if whole && !text.contains('\\') {
            diagnostic.help(format!("write one string with holes: `{text}`")).fix("use holes", span, text)
        } else {
            diagnostic.help("write one string with holes: `\"{a} {b}\"`")
        }
    }

    pub(crate) fn compare(&mut self, left: &Expr, op: CompareOp, op_span: Span, right: &Expr, span: Span) -> ExprId {
        if matches!(op, CompareOp::In | CompareOp::NotIn) {
            return self.membership(left, op == CompareOp::NotIn, right, span);
        }
        // The side that knows its type by itself says what the other is.
        let (mut l, mut r);
        if self.needs_expectation(left) && !self.needs_expectation(right) {
            r = self.expr(right, None);
            let want = self.ty(r);
            l = self.expr(left, Some(&want));
        } else {
            l = self.expr(left, None);
            let want = self.ty(l);
            r = self.expr(right, Some(&want));
        }
        let (a, b) = (self.ty(l), self.ty(r));
        if a == Type::Never || b == Type::Never {
            return self.push_compare(op, l, r, span);
        }
        let Some(common) = self.shared.unify(&a, &b) else {
            let diagnostic = self.not_comparable(op, op_span, (l, &a), (r, &b));
            self.report(diagnostic);
            return self.push(ExprKind::Constant(Value::Bool(false)), Type::Bool, span);
        };
        if let Some(diagnostic) = self.not_ordered(op, op_span, &common) {
            self.report(diagnostic);
            return self.push(ExprKind::Constant(Value::Bool(false)), Type::Bool, span);
        }
        if let Some(diagnostic) = self.never_null(op, (l, &a), (r, &b)) {
            self.report(diagnostic);
        }
        if !matches!(common, Type::Table(_)) {
            l = self.convert(l, &common);
            r = self.convert(r, &common);
        }
        self.push_compare(op, l, r, span)
    }

    fn push_compare(&mut self, op: CompareOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let op = match op {
            CompareOp::NotEqual => Compare::NotEqual,
            CompareOp::Less => Compare::Less,
            CompareOp::LessOrEqual => Compare::LessOrEqual,
            CompareOp::Greater => Compare::Greater,
            CompareOp::GreaterOrEqual => Compare::GreaterOrEqual,
            CompareOp::Equal | CompareOp::In | CompareOp::NotIn => Compare::Equal,
        };
        self.push(ExprKind::Compare { op, left, right }, Type::Bool, span)
    }

    /// Whether an expression means something by what is expected of it: literals, and words that may be members of an enum.
    pub(crate) fn needs_expectation(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Tree::Null | Tree::Text(_) | Tree::Int(_) | Tree::Braced(_) => true,
            Tree::List(items) => items.iter().all(|item| self.needs_expectation(item)),
            Tree::Paren(inner) => self.needs_expectation(inner),
            Tree::Name(name) => self.meaning(name.as_str()).is_none(),
            Tree::Negate { operand, .. } => self.needs_expectation(operand),
            _ => false,
        }
    }

    fn not_comparable(
        &self,
        op: CompareOp,
        op_span: Span,
        left: (ExprId, &Type),
        right: (ExprId, &Type),
    ) -> Diagnostic {
        let (a, b) = (self.show(left.1), self.show(right.1));
        let message = format!("`{a}` and `{b}` cannot be compared with `{}`", op.symbol());
        let diagnostic = Diagnostic::error(codes::types::DIFFERENT_TYPES, op_span, message)
            .also(self.span(left.0), format!("this is `{a}`"))
            .also(self.span(right.0), format!("this is `{b}`"));
        let literal = |id: ExprId| matches!(self.constant(id), Some(Value::Text(_)));
        match (left.1.required(), right.1.required()) {
            (Type::Entity(_), Type::Text) => diagnostic.help(format!("compare its key: `{}.key`", self.short(left.0))),
            (Type::Text, Type::Entity(_)) => diagnostic.help(format!("compare its key: `{}.key`", self.short(right.0))),
            (Type::Date | Type::DateTime, Type::Text) if literal(right.0) => {
                diagnostic.help("a date is written without quotes: `@2026-03-31`")
            }
            (Type::Int | Type::Decimal, Type::Text) if literal(right.0) => {
                diagnostic.help("write the number without quotes")
            }
            (Type::DateTime, Type::Date) => {
                diagnostic.help(format!("compare its day: `{}.date()`", self.short(left.0)))
            }
            (Type::Date, Type::DateTime) => {
                diagnostic.help(format!("compare its day: `{}.date()`", self.short(right.0)))
            }
            (Type::Enum(a), Type::Enum(_)) => {
                diagnostic.note(format!("the members of the first are {}", self.members_list(*a)))
            }
            _ => diagnostic,
        }
    }

    pub(crate) fn short(&self, id: ExprId) -> String {
        let source = self.source(self.span(id));
        if source.is_empty() || source.len() > 40 { "x".to_owned() } else { source }
    }

    fn not_ordered(&self, op: CompareOp, op_span: Span, common: &Type) -> Option<Diagnostic> {
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            return None;
        }
        if is_ordered(common) || *common == Type::Never {
            return None;
        }
        let message = format!("`{}` values have no order for `{}`", self.show(common), op.symbol());
        let diagnostic = Diagnostic::error(codes::types::NOT_ORDERED, op_span, message)
            .note("numbers, strings, dates, enums (as declared) and bools have an order");
        Some(match common {
            Type::Optional(_) | Type::Null => {
                diagnostic.help("null is neither less nor greater: test it before, or give a value with `??`")
            }
            Type::Entity(_) => diagnostic.help("compare a field, or the keys: `a.key < b.key`"),
            _ => diagnostic,
        })
    }

    /// `x == null` where x is never null: a test that says nothing.
    fn never_null(&self, op: CompareOp, left: (ExprId, &Type), right: (ExprId, &Type)) -> Option<Diagnostic> {
        let (value, ty) = match (left.1, right.1) {
            (Type::Null, ty) => (right.0, ty),
            (ty, Type::Null) => (left.0, ty),
            _ => return None,
        };
        if ty.is_optional() {
            return None;
        }
        // What an earlier test has shown is no mistake: a second test of the same is only superfluous.
        if matches!(self.kind(value), Some(ExprKind::Narrowed(_))) {
            return None;
        }
        let always = if op == CompareOp::Equal { "never" } else { "always" };
        let message = format!("this is {always} true: `{}` is never null", self.show(ty));
        Some(Diagnostic::warning(codes::warnings::NEVER_NULL, self.span(value), message).help("leave the test out"))
    }

    /// `x in xs`, `x not in xs`.
    fn membership(&mut self, left: &Expr, negated: bool, right: &Expr, span: Span) -> ExprId {
        let (item, source);
        if matches!(right.kind, Tree::List(_)) && !self.needs_expectation(left) {
            item = self.expr(left, None);
            let want = self.ty(item).required().clone();
            source = self.expr(right, Some(&want.list()));
        } else {
            source = self.expr(right, None);
            let want = Self::element_type(&self.ty(source));
            item = self.expr(left, want.as_ref());
        }
        let (ty, of) = (self.ty(item), self.ty(source));
        if ty == Type::Never || of == Type::Never {
            return self.push(ExprKind::In { item, source, negated }, Type::Bool, span);
        }
        let Some(element) = Self::element_type(&of) else {
            let message = format!("`in` looks in a list, a table or a map, and this is `{}`", self.show(&of));
            let diagnostic = match of.required() {
                _ if of.is_optional() => {
                    self.maybe_null(source, &of, right.span, "`in` needs a list, a table or a map")
                }
                Type::Text => Diagnostic::error(codes::types::BAD_OPERAND, right.span, message).help(format!(
                    "for a part of a string write `{}.contains({})`",
                    self.short(source),
                    self.short(item)
                )),
                _ => Diagnostic::error(codes::types::BAD_OPERAND, right.span, message),
            };
            self.report(diagnostic);
            return self.push(ExprKind::Constant(Value::Bool(false)), Type::Bool, span);
        };
        let Some(common) = self.shared.unify(ty.required(), &element) else {
            let message = format!("no element of `{}` is ever `{}`", self.show(&of), self.show(&ty));
            let diagnostic = Diagnostic::error(codes::types::DIFFERENT_TYPES, left.span, message)
                .label(format!("this is `{}`", self.show(&ty)))
                .also(right.span, format!("its elements are `{}`", self.show(&element)));
            self.report(diagnostic);
            return self.push(ExprKind::Constant(Value::Bool(false)), Type::Bool, span);
        };
        let item = self.convert(item, &if ty.is_optional() { common.clone().optional() } else { common.clone() });
        let source = match &of {
            Type::List(_) => self.convert(source, &common.list()),
            _ => source,
        };
        self.push(ExprKind::In { item, source, negated }, Type::Bool, span)
    }

    /// What the elements of a collection are: of a map its keys.
    pub(crate) fn element_type(ty: &Type) -> Option<Type> {
        match ty {
            Type::List(item) => Some((**item).clone()),
            Type::Table(entity) => Some(Type::Entity(*entity)),
            Type::RecordTable(record, _) => Some(Type::Record(*record)),
            Type::Map(key, _) => Some(Self::map_key_type(*key)),
            Type::Never => Some(Type::Never),
            _ => None,
        }
    }

    /// `a ?? b`: all but the last may be null.
    pub(crate) fn coalesce(&mut self, parts: &[Expr], expected: Option<&Type>, span: Span) -> ExprId {
        let last = parts.len().saturating_sub(1);
        let mut ids = Vec::with_capacity(parts.len());
        let mut want: Option<Type> = expected.map(|ty| ty.clone().optional());
        for (at, part) in parts.iter().enumerate() {
            let id = self.expr(part, want.as_ref());
            let ty = self.ty(id);
            if want.is_none() && !matches!(ty, Type::Never | Type::Null) {
                want = Some(ty.clone());
            }
            if at != last
                && !ty.is_optional()
                && ty != Type::Never
                && !matches!(self.kind(id), Some(ExprKind::Narrowed(_)))
            {
                let message = format!("`??` gives a value for null, but `{}` is never null", self.show(&ty));
                self.report(
                    Diagnostic::warning(codes::warnings::NEVER_NULL, part.span, message)
                        .help("leave `??` and what follows it out"),
                );
            }
            ids.push(id);
        }
        let optional = ids.last().is_some_and(|id| self.ty(*id).is_optional());
        let mut common = Type::Never;
        for id in &ids {
            let ty = self.ty(*id).required().clone();
            let ty = if ty == Type::Null { Type::Never } else { ty };
            if let Some(unified) = self.shared.unify(&common, &ty) {
                common = unified;
            } else {
                let diagnostic = self.no_common_type("the parts of `??`", ids.first().copied(), &common, *id, &ty);
                return self.fail(span, diagnostic);
            }
        }
        let ids = ids.into_iter().map(|id| self.convert(id, &common.clone().optional())).collect();
        let ty = if optional { common.optional() } else { common };
        self.push(ExprKind::Coalesce(ids), ty, span)
    }
}

/// Whether values of a type can be ordered: by `<`, `sort_by`, `max_by`.
pub(crate) fn is_ordered(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Int | Type::Decimal | Type::Text | Type::Date | Type::DateTime | Type::Enum(_) | Type::Bool | Type::Never
    )
}

fn arith_op(op: ArithOp) -> Arith {
    match op {
        ArithOp::Add => Arith::Add,
        ArithOp::Subtract => Arith::Subtract,
        ArithOp::Multiply => Arith::Multiply,
        ArithOp::Divide => Arith::Divide,
        ArithOp::Remainder => Arith::Modulo,
        ArithOp::FloorDivide => Arith::FloorDivide,
    }
}
