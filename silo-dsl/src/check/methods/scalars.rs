//! Rules of the methods of numbers, strings, dates, rows and answers.

use super::Own;
use super::apply::Call;
use crate::check::body::Checker;
use crate::check::expr::Given;
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{Arg, ExprId, ExprKind, Method, Type};
use crate::syntax::tree::{Arg as TreeArg, ExprKind as Tree, Name};
use silo_runtime::value::dynamic::Value;

impl Checker<'_, '_, '_> {
    pub(super) fn number_rule(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        match (own, given.first().copied().flatten()) {
            (Own::Round, Some(places)) => {
                let places = self.value_argument(call, places, &Type::Int);
                let receiver = self.convert(call.receiver, &Type::Decimal);
                let args = vec![Arg::Value(places)];
                self.push(ExprKind::Method { receiver, method: Method::RoundTo, args }, Type::Decimal, call.span)
            }
            (Own::Round, None) => self.method_node(call, Method::Round, Vec::new(), Type::Int),
            (Own::Abs, _) => self.method_node(call, Method::Abs, Vec::new(), call.ty.clone()),
            (own, _) => {
                let method = match own {
                    Own::WithNumber(method) => method,
                    _ => Method::Clamp,
                };
                let mut numbers = vec![call.receiver];
                for given in given.into_iter().flatten() {
                    numbers.push(self.number_argument(call, given));
                }
                if numbers.iter().any(|id| self.is_broken(*id)) {
                    return self.broken(call.span);
                }
                let ty = self.unify_all(&mut numbers, "these numbers");
                let mut numbers = numbers.into_iter();
                let Some(receiver) = numbers.next() else { return self.broken(call.span) };
                let args = numbers.map(Arg::Value).collect();
                self.push(ExprKind::Method { receiver, method, args }, ty, call.span)
            }
        }
    }

    fn number_argument(&mut self, call: &Call<'_>, given: Given<'_>) -> ExprId {
        let span = given.span();
        let id = self.free_argument(call, given, Some(&call.ty));
        match self.ty(id) {
            Type::Int | Type::Decimal | Type::Never => id,
            _ => self.fit_or_report(id, &call.ty, span, None),
        }
    }

    /// `matches("…")`, `format("…")`: the pattern stands in the source and is checked here.
    pub(super) fn literal_rule(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let Some(given) = given.first().copied().flatten() else { return self.broken(call.span) };
        let span = given.span();
        let pattern = self.value_argument(call, given, &Type::Text);
        if self.is_broken(pattern) {
            return self.broken(call.span);
        }
        let Some(Value::Text(text)) = self.constant(pattern).cloned() else {
            let message = format!("the pattern of `{}` stands in the source, as a string without holes", call.name);
            return self.fail(call.span, Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message));
        };
        let wrong = match own {
            Own::Matches => silo_runtime::methods::pattern::Pattern::new(&text).err().map(|reason| reason.to_string()),
            _ => silo_runtime::value::date::check_format(&text, call.ty == Type::DateTime).err(),
        };
        if let Some(reason) = wrong {
            let message = format!("`{}` cannot read this pattern", call.name);
            let diagnostic = Diagnostic::error(codes::types::BAD_LITERAL, span, message).note(reason);
            return self.fail(call.span, diagnostic);
        }
        let (method, ty) = match own {
            Own::Matches => (Method::Matches, Type::Bool),
            _ => (Method::Format, Type::Text),
        };
        self.method_node(call, method, vec![Arg::Value(pattern)], ty)
    }

    /// `pick(a, b)`, `omit(a, b)`: the arguments are names of fields.
    pub(super) fn pick_call(&mut self, call: &Call<'_>, keep: bool) -> ExprId {
        let mut names: Vec<&Name> = Vec::with_capacity(call.args.items.len());
        for arg in &call.args.items {
            match arg {
                TreeArg::Positional(expr) => match &expr.kind {
                    Tree::Name(name) => names.push(name),
                    Tree::Text(text) if text.as_plain().is_some() => {
                        let plain = text.as_plain().unwrap_or_default().to_owned();
                        let message = format!("`{}` takes names of fields, without quotes", call.name);
                        let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, expr.span, message).fix(
                            "leave the quotes out",
                            expr.span,
                            plain,
                        );
                        return self.fail(call.span, diagnostic);
                    }
                    _ => return self.not_a_field_name(call, arg),
                },
                _ => return self.not_a_field_name(call, arg),
            }
        }
        self.pick(call.receiver, &names, keep, call.span)
    }

    fn not_a_field_name(&mut self, call: &Call<'_>, arg: &TreeArg) -> ExprId {
        let message = format!("`{}` takes names of fields", call.name);
        let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, arg.span(), message).help(format!(
            "write `.{}(id, name)`; to compute a member use a literal: `{{ ...x.pick(id), total: … }}`",
            call.name
        ));
        self.fail(call.span, diagnostic)
    }
}
