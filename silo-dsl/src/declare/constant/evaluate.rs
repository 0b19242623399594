//! From expressions to constants.

use super::{Constant, Constants, Located, Member, arithmetic};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::{Braced, Expr, ExprKind, Init, MemberKind, Name, Text as TextExpr};
use silo_runtime::methods::nearest::nearest;
use silo_runtime::value::{Checked, Date, DateTime, Decimal, Text};
use std::sync::Arc;

impl Constants<'_> {
    /// The value of a constant expression; nothing if it is none, which is reported.
    pub(crate) fn evaluate(&self, expr: &Expr, sink: &mut Vec<Diagnostic>) -> Option<Located> {
        Evaluation { constants: self, within: Vec::new(), sink }.expr(expr)
    }
}

/// How many constants may be made of one another in a row: each takes some of the stack.
const CHAIN: usize = 100;

struct Evaluation<'a> {
    constants: &'a Constants<'a>,
    /// The constants that are being evaluated, to find circles.
    within: Vec<Text>,
    sink: &'a mut Vec<Diagnostic>,
}

impl Evaluation<'_> {
    fn expr(&mut self, expr: &Expr) -> Option<Located> {
        self.charge(expr.span)?;
        let value = match &expr.kind {
            ExprKind::Null => Constant::Null,
            ExprKind::Bool(value) => Constant::Bool(*value),
            ExprKind::Int(digits) => self.int(digits, expr.span)?,
            ExprKind::Decimal(digits) => self.decimal(digits, expr.span)?,
            ExprKind::Date(text) => match text.parse::<Date>() {
                Ok(date) => Constant::Date(date),
                Err(reason) => return self.fail(codes::declarations::NOT_CONSTANT, expr.span, reason.to_string()),
            },
            ExprKind::Datetime(text) => match DateTime::parse_literal(text) {
                Ok(instant) => Constant::DateTime(instant),
                Err(reason) => return self.fail(codes::declarations::NOT_CONSTANT, expr.span, reason.to_string()),
            },
            ExprKind::Text(text) => Constant::Text(self.text(text)?),
            ExprKind::Name(name) => return self.name(name),
            ExprKind::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.expr(item)).collect();
                Constant::List(items.into_iter().collect::<Option<_>>()?)
            }
            ExprKind::Braced(braced) => self.braced(braced)?,
            ExprKind::Paren(inner) => return self.expr(inner),
            // The digits alone do not fit, the number does.
            ExprKind::Negate { times: 1, operand } if is_lowest(operand) => Constant::Int(i64::MIN),
            ExprKind::Negate { times, operand } => {
                let operand = self.expr(operand)?.value;
                self.negate(*times, &operand, expr.span)?
            }
            ExprKind::Arith(arith) => {
                let mut so_far = self.expr(&arith.first)?;
                for (op, op_span, operand) in &arith.rest {
                    let right = self.expr(operand)?;
                    match arithmetic::apply(*op, &so_far.value, &right.value) {
                        Ok(value) => so_far = Located { value, span: so_far.span.to(right.span) },
                        Err(message) => return self.fail(codes::declarations::NOT_CONSTANT, *op_span, message),
                    }
                }
                so_far.value
            }
            _ => return self.not_constant(expr.span),
        };
        Some(Located { value, span: expr.span })
    }

    /// Takes one part from the budget.
    fn charge(&mut self, span: Span) -> Option<()> {
        if let Some(left) = self.constants.left.get().checked_sub(1) {
            self.constants.left.set(left);
            return Some(());
        }
        // Reported once: what comes after has no chance either.
        if !self.sink.iter().any(|diagnostic| diagnostic.code == codes::declarations::CONSTANT_SIZE) {
            self.sink.push(
                Diagnostic::error(
                    codes::declarations::CONSTANT_SIZE,
                    span,
                    "the constants of this project are too large together",
                )
                .label("more than 2,000,000 parts up to here")
                .help("move large data into a file and read it with `from \"data/….json\"`"),
            );
        }
        None
    }

    fn int(&mut self, digits: &str, span: Span) -> Option<Constant> {
        match digits.parse::<i64>() {
            Ok(value) => Some(Constant::Int(value)),
            Err(_) => {
                self.fail(codes::declarations::NOT_CONSTANT, span, "a whole number this large does not fit 64 bits")
            }
        }
    }

    fn decimal(&mut self, digits: &str, span: Span) -> Option<Constant> {
        match digits.parse::<Decimal>() {
            Ok(value) => Some(Constant::Decimal(value)),
            Err(_) => self.fail(codes::declarations::NOT_CONSTANT, span, "a decimal holds at most 28 digits"),
        }
    }

    fn text(&mut self, text: &TextExpr) -> Option<Text> {
        match text.as_plain() {
            Some(plain) => Some(Text::from(plain)),
            None => {
                self.sink.push(
                    Diagnostic::error(codes::declarations::NOT_CONSTANT, text.span, "a constant text holds no `{…}`")
                        .label("this text is computed")
                        .help("write the text out; double the braces if they are meant as they stand: `{{…}}`"),
                );
                None
            }
        }
    }

    fn name(&mut self, name: &Name) -> Option<Located> {
        let Some(item) = self.constants.by_name.get(&name.text).copied() else {
            let names = self.constants.by_name.keys().map(|known| &**known);
            let mut diagnostic =
                Diagnostic::error(codes::declarations::NOT_CONSTANT, name.span, format!("`{name}` is not a constant"))
                    .label("not known before anything runs");
            diagnostic = match nearest(name.as_str(), names) {
                Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), name.span, near),
                None => diagnostic.help("write a literal, or the name of a `const`"),
            };
            self.sink.push(diagnostic);
            return None;
        };
        if self.within.contains(&name.text) || self.within.len() >= CHAIN {
            return self.circle(name);
        }
        let Init::Value(value) = &item.init else {
            return self.fail(
                codes::declarations::NOT_CONSTANT,
                name.span,
                format!("`{name}` is read from a data file, and so cannot be part of another constant"),
            );
        };
        self.within.push(Arc::clone(&name.text));
        let before = self.sink.len();
        let found = self.expr(value);
        // What is wrong inside is reported where the constant itself is declared, but for what shows only from outside.
        let inside = self.sink.split_off(before);
        self.sink.extend(inside.into_iter().filter(|one| {
            one.code == codes::declarations::CONSTANT_SIZE || one.code == codes::declarations::CONSTANT_CYCLE
        }));
        self.within.pop();
        Some(Located { value: found?.value, span: name.span })
    }

    /// Reports constants that need each other: once, at the one that is declared first.
    fn circle<T>(&mut self, name: &Name) -> Option<T> {
        let from = self.within.iter().position(|one| *one == name.text).unwrap_or(0);
        let declared = |one: &Text| self.constants.by_name.get_index_of(one);
        let first = self.within.iter().skip(from).min_by_key(|one| declared(one));
        let item = first.and_then(|first| self.constants.by_name.get(first));
        let name = item.map_or(name, |item| &item.name);
        self.fail(codes::declarations::CONSTANT_CYCLE, name.span, format!("the constant `{name}` needs itself"))
    }

    fn braced(&mut self, braced: &Braced) -> Option<Constant> {
        let mut members: Vec<Member> = Vec::with_capacity(braced.members.len());
        let mut complete = true;
        for member in &braced.members {
            let (name, name_span, value) = match &member.kind {
                MemberKind::Named { name, optional: None, value: Some(value) } => {
                    (Arc::clone(&name.text), name.span, self.expr(value))
                }
                MemberKind::Named { name, optional: None, value: None } => {
                    (Arc::clone(&name.text), name.span, self.name(name))
                }
                MemberKind::Quoted { key, value } => (Arc::clone(&key.text), key.span, self.expr(value)),
                MemberKind::Computed { key, value } => match self.expr(key) {
                    Some(Located { value: Constant::Text(text), span }) => (text, span, self.expr(value)),
                    Some(other) => {
                        return self.fail(
                            codes::declarations::NOT_CONSTANT,
                            other.span,
                            format!("a key is a string, this is {}", other.value.kind()),
                        );
                    }
                    None => return None,
                },
                MemberKind::Spread(_) | MemberKind::Named { optional: Some(_), .. } => {
                    return self.not_constant(member.span);
                }
            };
            match value {
                Some(value) => members.push(Member { name, name_span, value }),
                None => complete = false,
            }
        }
        complete.then(|| if braced.is_map() { Constant::Map(members) } else { Constant::Record(members) })
    }

    fn negate(&mut self, times: u32, value: &Constant, span: Span) -> Option<Constant> {
        let odd = times % 2 == 1;
        match value {
            Constant::Int(number) if odd => match number.negated() {
                Ok(number) => Some(Constant::Int(number)),
                Err(error) => self.fail(codes::declarations::NOT_CONSTANT, span, error.message.clone()),
            },
            Constant::Decimal(number) if odd => match number.negated() {
                Ok(number) => Some(Constant::Decimal(number)),
                Err(error) => self.fail(codes::declarations::NOT_CONSTANT, span, error.message.clone()),
            },
            Constant::Int(_) | Constant::Decimal(_) => Some(value.clone()),
            other => {
                let found = format!("only numbers have a sign, this is {}", other.kind());
                self.fail(codes::declarations::NOT_CONSTANT, span, found)
            }
        }
    }

    fn not_constant<T>(&mut self, span: Span) -> Option<T> {
        self.sink.push(
            Diagnostic::error(codes::declarations::NOT_CONSTANT, span, "a constant is needed here")
                .label("this is computed when code runs")
                .help(
                    "constants are literals, names of other `const`s, arithmetic, and lists, records and maps of these",
                ),
        );
        None
    }

    fn fail<T>(&mut self, code: crate::diagnostics::Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.sink.push(Diagnostic::error(code, span, message));
        None
    }
}

fn is_lowest(operand: &Expr) -> bool {
    matches!(&operand.kind, ExprKind::Int(digits) if **digits == *"9223372036854775808")
}
