//! How operators bind.
//!
//! The grammar gives operands and operators as one flat list. It is split at the loosest operators first, level by
//! level, so that each level is one flat node and nothing here recurses with the length of the list.

use super::Builder;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::{Arith, ArithOp, CompareOp, Expr, ExprKind};

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    Or,
    And,
    Compare(CompareOp),
    Coalesce,
    Sum(ArithOp),
    Product(ArithOp),
}

impl Infix {
    pub(super) fn read(text: &str) -> Self {
        match text {
            "or" => Self::Or,
            "and" => Self::And,
            "==" => Self::Compare(CompareOp::Equal),
            "!=" => Self::Compare(CompareOp::NotEqual),
            "<" => Self::Compare(CompareOp::Less),
            "<=" => Self::Compare(CompareOp::LessOrEqual),
            ">" => Self::Compare(CompareOp::Greater),
            ">=" => Self::Compare(CompareOp::GreaterOrEqual),
            "in" => Self::Compare(CompareOp::In),
            "??" => Self::Coalesce,
            "+" => Self::Sum(ArithOp::Add),
            "-" => Self::Sum(ArithOp::Subtract),
            "*" => Self::Product(ArithOp::Multiply),
            "/" => Self::Product(ArithOp::Divide),
            "%" => Self::Product(ArithOp::Remainder),
            "div" => Self::Product(ArithOp::FloorDivide),
            // `not in`, with any blanks between.
            _ => Self::Compare(CompareOp::NotIn),
        }
    }
}

/// A prefix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Not,
    Minus,
}

/// What stands between two infix operators.
#[derive(Debug)]
pub(super) struct Operand {
    pub(super) prefixes: Vec<(Prefix, Span)>,
    pub(super) value: Expr,
}

/// Operands with operators between them.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) first: Operand,
    pub(super) rest: Vec<(Infix, Span, Operand)>,
}

impl Run {
    /// The runs between the operators that `at` picks, and those operators.
    fn split(self, at: impl Fn(Infix) -> bool) -> (Self, Vec<(Infix, Span, Self)>) {
        let mut head = Self { first: self.first, rest: Vec::new() };
        let mut tail: Vec<(Infix, Span, Self)> = Vec::new();
        for (op, span, operand) in self.rest {
            if at(op) {
                tail.push((op, span, Self { first: operand, rest: Vec::new() }));
            } else {
                let last = tail.last_mut().map_or(&mut head, |(_, _, run)| run);
                last.rest.push((op, span, operand));
            }
        }
        (head, tail)
    }
}

impl Builder<'_> {
    /// The expression of a run.
    pub(super) fn run_of(&mut self, run: Run) -> Expr {
        self.flat(
            run,
            |op| op == Infix::Or,
            ExprKind::Or,
            |builder, run| builder.flat(run, |op| op == Infix::And, ExprKind::And, Self::negation),
        )
    }

    /// One flat node for the parts between operators of one kind.
    fn flat(
        &mut self,
        run: Run,
        at: impl Fn(Infix) -> bool,
        node: impl Fn(Vec<Expr>) -> ExprKind,
        tighter: impl Fn(&mut Self, Run) -> Expr,
    ) -> Expr {
        if !run.rest.iter().any(|(op, ..)| at(*op)) {
            return tighter(self, run);
        }
        let (head, tail) = run.split(at);
        let first = tighter(self, head);
        let mut parts = Vec::with_capacity(tail.len() + 1);
        parts.push(first);
        parts.extend(tail.into_iter().map(|(_, _, run)| tighter(self, run)));
        let span = hull(&parts);
        Expr { kind: node(parts), span }
    }

    /// `not` binds everything up to the next `and` or `or`.
    fn negation(&mut self, mut run: Run) -> Expr {
        let nots = run.first.prefixes.iter().take_while(|(prefix, _)| *prefix == Prefix::Not).count();
        let start = run.first.prefixes.first().map(|(_, span)| *span);
        run.first.prefixes.drain(..nots);
        let operand = self.comparison(run);
        match start {
            Some(start) if nots > 0 => {
                let span = start.to(operand.span);
                let times = u32::try_from(nots).unwrap_or(u32::MAX);
                Expr { kind: ExprKind::Not { times, operand: Box::new(operand) }, span }
            }
            _ => operand,
        }
    }

    fn comparison(&mut self, run: Run) -> Expr {
        if !run.rest.iter().any(|(op, ..)| matches!(op, Infix::Compare(_))) {
            return self.coalesce(run);
        }
        let (head, tail) = run.split(|op| matches!(op, Infix::Compare(_)));
        let left = self.coalesce(head);
        let mut tail = tail.into_iter();
        let Some((op, op_span, right)) = tail.next() else { return left };
        let right = self.coalesce(right);
        let mut end = right.span;
        for (index, (next, next_span, run)) in tail.enumerate() {
            let further = self.coalesce(run);
            end = further.span;
            if index == 0 {
                self.chained_comparison(&left, (op, &right), (next, next_span, &further));
            }
        }
        let span = left.span.to(end);
        let Infix::Compare(op) = op else { return left };
        Expr { kind: ExprKind::Compare { left: Box::new(left), op, op_span, right: Box::new(right) }, span }
    }

    /// `a < b < c`: `a`, the first operator with `b`, the second with its place and `c`.
    fn chained_comparison(
        &mut self,
        left: &Expr,
        (first, right): (Infix, &Expr),
        (op, place, further): (Infix, Span, &Expr),
    ) {
        let middle = self.slice(right.span);
        let diagnostic = Diagnostic::error(
            codes::syntax::CHAINED_COMPARISON,
            place,
            format!("expected one comparison, found another one after it: `{}`", self.slice(place)),
        )
        .label("comparisons do not chain")
        .also(left.span.to(right.span), "compares already");
        let is_order = |op: Infix| match op {
            Infix::Compare(op) => !matches!(op, CompareOp::In | CompareOp::NotIn),
            _ => false,
        };
        let is_bool = |expr: &Expr| matches!(expr.kind, ExprKind::Bool(_));
        let ordered = is_order(first) && is_order(op) && !is_bool(right) && !is_bool(further);
        let is_true = matches!(further.kind, ExprKind::Bool(true)) && op == Infix::Compare(CompareOp::Equal);
        let simple = middle.len() <= 40 && !middle.contains(['\n', '\r']) && further.span.end >= place.end;
        self.diagnostics.push(if ordered && simple {
            let diagnostic = diagnostic.help("join two comparisons with `and`");
            diagnostic.fix("compare twice", place.before(), format!("and {middle} "))
        } else if ordered {
            diagnostic.help("join two comparisons with `and`")
        } else if is_true {
            let rest = Span::new(place.file, right.span.end, further.span.end);
            diagnostic.help("a comparison is true or false already").fix("leave it out", rest, "")
        } else {
            diagnostic.help("put the comparison that belongs together in parentheses")
        });
    }

    fn coalesce(&mut self, run: Run) -> Expr {
        self.flat(run, |op| op == Infix::Coalesce, ExprKind::Coalesce, Self::sum)
    }

    fn sum(&mut self, run: Run) -> Expr {
        let sum = self.arith(run, |op| if let Infix::Sum(op) = op { Some(op) } else { None }, Self::product);
        if matches!(sum.kind, ExprKind::Arith(_)) && is_date(self.slice(sum.span)) {
            self.bare_date(sum.span)
        } else {
            sum
        }
    }

    /// `2026-05-18`: nobody subtracts so.
    fn bare_date(&mut self, span: Span) -> Expr {
        let written = self.slice(span);
        self.diagnostics.push(
            Diagnostic::error(codes::syntax::DATE, span, format!("expected `@` before a date, found `{written}`"))
                .label(format!("write `@{written}`"))
                .fix("insert `@`", span.before(), "@"),
        );
        Expr { kind: ExprKind::Date(self.shared(written)), span }
    }

    fn product(&mut self, run: Run) -> Expr {
        self.arith(run, |op| if let Infix::Product(op) = op { Some(op) } else { None }, Self::unary)
    }

    fn arith(
        &mut self,
        run: Run,
        level: impl Fn(Infix) -> Option<ArithOp>,
        tighter: impl Fn(&mut Self, Run) -> Expr,
    ) -> Expr {
        if !run.rest.iter().any(|(op, ..)| level(*op).is_some()) {
            return tighter(self, run);
        }
        let (head, tail) = run.split(|op| level(op).is_some());
        let first = tighter(self, head);
        let parts = tail.into_iter().filter_map(|(op, span, run)| Some((level(op)?, span, tighter(self, run))));
        let rest: Vec<(ArithOp, Span, Expr)> = parts.collect();
        let Some((_, _, last)) = rest.last() else { return first };
        let span = first.span.to(last.span);
        Expr { kind: ExprKind::Arith(Arith { first: Box::new(first), rest }), span }
    }

    /// One operand with its signs; a `not` here stands where it does not bind.
    fn unary(&mut self, run: Run) -> Expr {
        let Operand { prefixes, value } = run.first;
        let Some((_, start)) = prefixes.first().copied() else { return value };
        if let Some((_, span)) = prefixes.iter().find(|(prefix, _)| *prefix == Prefix::Not) {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::syntax::NOT_OPERAND,
                    *span,
                    "expected a value after this operator, found `not`",
                )
                .label("`not` binds less tightly than the operator before it")
                .help("put the `not` and what belongs to it in parentheses")
                .fix("put it in parentheses", span.before(), "(")
                .fix("put it in parentheses", value.span.after(), ")"),
            );
            return value;
        }
        let span = start.to(value.span);
        let times = u32::try_from(prefixes.len()).unwrap_or(u32::MAX);
        Expr { kind: ExprKind::Negate { times, operand: Box::new(value) }, span }
    }
}

/// True for text of the shape `2026-05-18`.
fn is_date(text: &str) -> bool {
    let is_shape =
        |(index, byte): (usize, u8)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(is_shape)
}

/// From the first part to the last.
fn hull(parts: &[Expr]) -> Span {
    match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::new(crate::diagnostics::FileId(0), 0, 0),
    }
}
