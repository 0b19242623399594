//! Expressions.

use super::operators::{Infix, Operand, Prefix, Run};
use super::{Builder, is};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::parse::grammar::{Pair, Parts, Rule};
use crate::syntax::tree::{
    Arg, Args, Braced, CallTool, Closure, Expr, ExprKind, FunctionCall, IfExpr, Link, LinkKind, Literal, LiteralKind,
    MatchExpr, MatchExprArm, Member, MemberKind, Pattern,
};

impl<'a> Builder<'a> {
    /// An `expr` or `expr_nr`.
    pub(super) fn expr(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let mut parts = Parts::of(pair);
        let first = self.operand(parts.next()?)?;
        let mut rest = Vec::new();
        while let Some(infix) = parts.next_if(Rule::infix) {
            let span = self.span(&infix);
            let op = Infix::read(self.slice(span));
            rest.push((op, span, self.operand(parts.next()?)?));
        }
        Some(self.run_of(Run { first, rest }))
    }

    fn operand(&mut self, pair: Pair<'a>) -> Option<Operand> {
        let mut prefixes = Vec::new();
        for part in Parts::of(pair) {
            match part.as_rule() {
                Rule::kw_not => prefixes.push((Prefix::Not, self.span(&part))),
                Rule::minus => prefixes.push((Prefix::Minus, self.span(&part))),
                _ => return Some(Operand { prefixes, value: self.chain(part)? }),
            }
        }
        None
    }

    fn chain(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let mut parts = Parts::of(pair);
        let mut chain = ChainParts { atom: self.atom(parts.next()?)?, links: Vec::new() };
        for link in parts {
            self.link(&mut chain, link)?;
        }
        Some(chain.finish())
    }

    /// An expression statement: a name, steps and arguments.
    pub(super) fn run(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let mut parts = Parts::of(pair);
        let first = parts.next()?;
        if is(&first, Rule::call_tool) {
            return self.call_tool(first);
        }
        let name = self.name(&first);
        let span = name.span;
        let mut chain = ChainParts { atom: Expr { kind: ExprKind::Name(name), span }, links: Vec::new() };
        for part in parts {
            match part.as_rule() {
                Rule::args => self.call(&mut chain, part)?,
                Rule::bang => chain.links.push(Link { kind: LinkKind::NonNull, span: self.span(&part) }),
                _ => self.link(&mut chain, part)?,
            }
        }
        Some(chain.finish())
    }

    /// A `link` or `step`.
    fn link(&mut self, chain: &mut ChainParts, pair: Pair<'a>) -> Option<()> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let optional = parts.next_if(Rule::qdot).is_some();
        let part = parts.next()?;
        let kind = match part.as_rule() {
            Rule::word => LinkKind::Field { name: self.name(&part), optional },
            Rule::bang => LinkKind::NonNull,
            Rule::args => return self.call(chain, part),
            _ => LinkKind::Index(Box::new(self.expr(part)?)),
        };
        chain.links.push(Link { kind, span });
        Some(())
    }

    /// Arguments: they make a function of a name and a method of a member; nothing else can be called.
    fn call(&mut self, chain: &mut ChainParts, pair: Pair<'a>) -> Option<()> {
        let args = self.args(pair)?;
        match chain.links.pop() {
            Some(Link { kind: LinkKind::Field { name, optional }, span }) => {
                let span = span.to(args.span);
                self.check_desc(&name.text, &args, span);
                chain.links.push(Link { kind: LinkKind::Method { name, optional, args }, span });
            }
            Some(other) => {
                self.not_callable(args.span);
                chain.links.push(other);
            }
            None => {
                let span = chain.atom.span.to(args.span);
                match std::mem::replace(&mut chain.atom.kind, ExprKind::Null) {
                    ExprKind::Name(name) => {
                        chain.atom = Expr { kind: ExprKind::Function(FunctionCall { name, args }), span };
                    }
                    other => {
                        self.not_callable(args.span);
                        chain.atom.kind = other;
                    }
                }
            }
        }
        Some(())
    }

    fn not_callable(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(
                codes::syntax::CALL_TARGET,
                span,
                "expected the name of a function or a method before these parentheses, found a value",
            )
            .label("a value cannot be called")
            .help("functions are called by name, methods with a dot; a function is never a value"),
        );
    }

    /// Notes a `.desc()`, and takes back the note for those at the end of a key of `sort_by`.
    fn check_desc(&mut self, method: &str, args: &Args, span: Span) {
        if method == "desc" {
            self.descending.push(span);
        }
        if method != "sort_by" || self.descending.is_empty() {
            return;
        }
        for arg in &args.items {
            let Arg::Closure(Closure { body, .. }) = arg else { continue };
            let ExprKind::Chain { links, .. } = &body.kind else { continue };
            if let Some(last) = links.last() {
                self.descending.retain(|noted| *noted != last.span);
            }
        }
    }

    pub(super) fn args(&mut self, pair: Pair<'a>) -> Option<Args> {
        let span = self.span(&pair);
        let items = Parts::of(pair).map(|arg| self.arg(arg)).collect::<Option<_>>()?;
        Some(Args { items, span })
    }

    fn arg(&mut self, pair: Pair<'a>) -> Option<Arg> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let first = parts.next()?;
        Some(match first.as_rule() {
            Rule::closure => Arg::Closure(self.closure(first)?),
            Rule::dots => Arg::Spread { value: self.expr(parts.next()?)?, span },
            Rule::word => {
                let name = self.name(&first);
                match parts.next() {
                    Some(value) => Arg::Named { name, value: self.expr(value)? },
                    None => {
                        let kind = match &*name.text {
                            "null" => ExprKind::Null,
                            "true" => ExprKind::Bool(true),
                            "false" => ExprKind::Bool(false),
                            _ => ExprKind::Name(name),
                        };
                        Arg::Positional(Expr { kind, span })
                    }
                }
            }
            _ => Arg::Positional(self.expr(first)?),
        })
    }

    pub(super) fn closure(&mut self, pair: Pair<'a>) -> Option<Closure> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let mut params = Vec::new();
        while let Some(name) = parts.next_if(Rule::name) {
            let name = self.name(&name);
            self.check_lower("the name of a parameter", &name);
            params.push(name);
        }
        Some(Closure { params, body: Box::new(self.expr(parts.next()?)?), span })
    }

    fn atom(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let pair = Parts::of(pair).next()?;
        let span = self.span(&pair);
        let text = self.slice(span);
        let kind = match pair.as_rule() {
            Rule::name => ExprKind::Name(self.name(&pair)),
            Rule::string => ExprKind::Text(self.string(pair)?),
            Rule::number => return Some(self.number(&pair)),
            Rule::date_ if text.contains('T') => ExprKind::Datetime(self.shared(text.trim_start_matches('@'))),
            Rule::date_ => ExprKind::Date(self.shared(text.trim_start_matches('@'))),
            Rule::bool_ => ExprKind::Bool(text == "true"),
            Rule::kw_null => ExprKind::Null,
            Rule::list_lit => ExprKind::List(Parts::of(pair).map(|item| self.expr(item)).collect::<Option<_>>()?),
            Rule::record_lit => ExprKind::Braced(self.braced(pair)?),
            Rule::paren => ExprKind::Paren(Box::new(self.expr(Parts::of(pair).next()?)?)),
            Rule::call_tool => return self.call_tool(pair),
            Rule::if_e => self.if_expr(pair)?,
            Rule::match_e => self.match_expr(pair)?,
            _ => return None,
        };
        Some(Expr { kind, span })
    }

    /// A number literal.
    pub(super) fn number(&mut self, pair: &Pair<'a>) -> Expr {
        let span = self.span(pair);
        let text = self.slice(span);
        let digits = if text.contains('_') { text.replace('_', "").into() } else { self.shared(text) };
        let kind = if text.contains('.') { ExprKind::Decimal(digits) } else { ExprKind::Int(digits) };
        Expr { kind, span }
    }

    fn call_tool(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_call)?;
        let tool = self.name(&parts.next_if(Rule::name)?);
        let args = self.args(parts.next_if(Rule::args)?)?;
        let by = parts.next_if(Rule::by).and_then(|by| self.name_in(by));
        let expect = parts.next_if(Rule::expect).and_then(|expect| self.name_in(expect));
        Some(Expr { kind: ExprKind::CallTool(Box::new(CallTool { tool, args, by, expect })), span })
    }

    /// The first name among the parts of a pair.
    pub(super) fn name_in(&mut self, pair: Pair<'a>) -> Option<crate::syntax::tree::Name> {
        let name = Parts::of(pair).find(|part| is(part, Rule::name))?;
        Some(self.name(&name))
    }

    pub(super) fn braced(&mut self, pair: Pair<'a>) -> Option<Braced> {
        let span = self.span(&pair);
        let members = Parts::of(pair).map(|member| self.member(member)).collect::<Option<Vec<_>>>()?;
        let braced = Braced { members, span };
        self.check_mixed(&braced);
        Some(braced)
    }

    fn check_mixed(&mut self, braced: &Braced) {
        let named = braced.members.iter().find(|member| matches!(member.kind, MemberKind::Named { .. }));
        let entry = |member: &&Member| matches!(member.kind, MemberKind::Quoted { .. } | MemberKind::Computed { .. });
        let (Some(named), Some(entry)) = (named, braced.members.iter().find(entry)) else { return };
        self.diagnostics.push(
            Diagnostic::error(
                codes::syntax::MIXED_BRACES,
                entry.span,
                "expected members of a record or entries of a map, found both in one literal",
            )
            .label("a quoted or computed key makes a map")
            .also(named.span, "a bare name makes a record")
            .help("quote all keys for a map, or none for a record"),
        );
    }

    fn member(&mut self, pair: Pair<'a>) -> Option<Member> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let first = parts.next()?;
        let kind = match first.as_rule() {
            Rule::dots => MemberKind::Spread(self.expr(parts.next()?)?),
            Rule::plain => MemberKind::Quoted { key: self.quoted(&first), value: self.expr(parts.next()?)? },
            Rule::word => {
                let name = self.name(&first);
                let optional = parts.next_if(Rule::question).map(|question| self.span(&question));
                let value = match parts.next() {
                    Some(value) => Some(self.expr(value)?),
                    None => None,
                };
                MemberKind::Named { name, optional, value }
            }
            _ => MemberKind::Computed { key: self.expr(first)?, value: self.expr(parts.next()?)? },
        };
        Some(Member { kind, span })
    }

    fn if_expr(&mut self, pair: Pair<'a>) -> Option<ExprKind> {
        let mut parts = Parts::of(pair);
        let mut arms = Vec::new();
        let mut otherwise = None;
        while let Some(part) = parts.next() {
            match part.as_rule() {
                Rule::expr_nr => arms.push((self.expr(part)?, self.expr(parts.next_if(Rule::expr)?)?)),
                Rule::expr => otherwise = Some(Box::new(self.expr(part)?)),
                _ => {}
            }
        }
        Some(ExprKind::If(IfExpr { arms, otherwise: otherwise? }))
    }

    fn match_expr(&mut self, pair: Pair<'a>) -> Option<ExprKind> {
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_match)?;
        let subject = Box::new(self.expr(parts.next()?)?);
        let mut arms = Vec::new();
        for arm in parts {
            let mut parts = Parts::of(arm);
            let pattern = self.pattern(parts.next_if(Rule::pattern)?)?;
            arms.push(MatchExprArm { pattern, value: self.expr(parts.next()?)? });
        }
        Some(ExprKind::Match(MatchExpr { subject, arms }))
    }

    pub(super) fn pattern(&mut self, pair: Pair<'a>) -> Option<Pattern> {
        let mut literals = Vec::new();
        for part in Parts::of(pair) {
            if is(&part, Rule::kw_else) {
                return Some(Pattern::Else(self.span(&part)));
            }
            literals.push(self.literal(part)?);
        }
        Some(Pattern::Literals(literals))
    }

    fn literal(&mut self, pair: Pair<'a>) -> Option<Literal> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let negative = parts.next_if(Rule::minus).is_some();
        let part = parts.next()?;
        let text = self.slice(self.span(&part));
        let kind = match part.as_rule() {
            Rule::plain => LiteralKind::Text(self.quoted(&part).text),
            Rule::bool_ => LiteralKind::Bool(text == "true"),
            Rule::kw_null => LiteralKind::Null,
            Rule::date_ if text.contains('T') => LiteralKind::Datetime(self.shared(text.trim_start_matches('@'))),
            Rule::date_ => LiteralKind::Date(self.shared(text.trim_start_matches('@'))),
            _ => {
                let number = format!("{}{}", if negative { "-" } else { "" }, text.replace('_', ""));
                if text.contains('.') { LiteralKind::Decimal(number.into()) } else { LiteralKind::Int(number.into()) }
            }
        };
        Some(Literal { kind, span })
    }
}

/// A chain in the making.
struct ChainParts {
    atom: Expr,
    links: Vec<Link>,
}

impl ChainParts {
    fn finish(self) -> Expr {
        let Some(last) = self.links.last() else { return self.atom };
        let span = self.atom.span.to(last.span);
        Expr { kind: ExprKind::Chain { atom: Box::new(self.atom), links: self.links }, span }
    }
}
