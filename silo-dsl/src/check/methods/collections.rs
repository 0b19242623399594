//! Methods of lists and tables whose types follow rules of their own.

use super::Own;
use super::apply::{Call, map_value};
use crate::check::body::Checker;
use crate::check::expr::operators::is_ordered;
use crate::check::expr::{Given, Want, as_literal};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{Arg, ExprId, ExprKind, Method, RowMember, Type};
use crate::syntax::tree::{self, Arg as TreeArg, MemberKind};
use silo_runtime::value::dynamic::Value;

impl Checker<'_, '_, '_> {
    pub(super) fn collection_rule(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        match own {
            Own::SortBy => return self.sort_by(call),
            Own::Fold => return self.fold(call),
            Own::Where => return self.where_call(call),
            _ => {}
        }
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let first = given.first().copied().flatten();
        let element = Self::element(&call.ty);
        match (own, first) {
            (Own::Map, Some(f)) => {
                let (arg, ty) = self.each(call, f, &Want::Any(None));
                self.method_node(call, Method::Map, vec![arg], ty.list())
            }
            (Own::FlatMap, Some(f)) => {
                let (arg, ty) = self.each(call, f, &Want::List);
                let item = Self::element(&ty);
                self.method_node(call, Method::FlatMap, vec![arg], item.list())
            }
            (Own::MinBy | Own::MaxBy, Some(f)) => {
                let (arg, _) = self.each(call, f, &Want::Order);
                let method = if own == Own::MinBy { Method::MinBy } else { Method::MaxBy };
                self.method_node(call, method, vec![arg], element.optional())
            }
            (Own::Sum | Own::Average, _) => self.number_of(call, own, first),
            (Own::Min | Own::Max | Own::Sort, _) => {
                if !is_ordered(&element) {
                    return self.unordered_elements(call, &element);
                }
                match own {
                    Own::Min => self.method_node(call, Method::Min, Vec::new(), element.optional()),
                    Own::Max => self.method_node(call, Method::Max, Vec::new(), element.optional()),
                    _ => self.method_node(call, Method::Sort, Vec::new(), element.list()),
                }
            }
            (Own::GroupBy, Some(f)) => {
                let (arg, key) = self.each(call, f, &Want::Any(None));
                let items = element.list();
                let group = self.shared.plain_shape(&[("key", key), ("items", items)]);
                self.method_node(call, Method::GroupBy, vec![arg], Type::Record(group).list())
            }
            (Own::Concat, Some(other)) => self.concat(call, other, &element),
            (Own::Page, _) => self.page(call, &given, element),
            (Own::Join, Some(separator)) => {
                if !matches!(element, Type::Text | Type::Enum(_) | Type::Int | Type::Decimal | Type::Never) {
                    return self.not_joinable(call, &element);
                }
                let separator = self.value_argument(call, separator, &Type::Text);
                self.method_node(call, Method::Join, vec![Arg::Value(separator)], Type::Text)
            }
            (Own::ToMap, Some(key)) => {
                let (key, key_type) = self.each(call, key, &Want::Key);
                let Some(value) = given.get(1).copied().flatten() else { return self.broken(call.span) };
                let (value, value_type) = self.each(call, value, &Want::Any(None));
                let Some(kind) = Self::map_key(&key_type) else { return self.broken(call.span) };
                self.method_node(call, Method::ToMap, vec![key, value], Type::Map(kind, value_type.into()))
            }
            (Own::Search, Some(text)) => {
                let text = self.value_argument(call, text, &Type::Text.optional());
                let Some(f) = given.get(1).copied().flatten() else { return self.broken(call.span) };
                let (f, _) = self.each(call, f, &Want::Type(Type::Text.optional().list()));
                self.method_node(call, Method::Search, vec![Arg::Value(text), f], element.list())
            }
            (Own::Entries, _) => {
                let entry = self.shared.plain_shape(&[("key", element), ("value", map_value(&call.ty))]);
                self.method_node(call, Method::Entries, Vec::new(), Type::Record(entry).list())
            }
            _ => self.broken(call.span),
        }
    }

    fn number_of(&mut self, call: &Call<'_>, own: Own, f: Option<Given<'_>>) -> ExprId {
        let (args, number) = if let Some(f) = f {
            let (arg, ty) = self.each(call, f, &Want::Number);
            (vec![arg], ty)
        } else {
            let element = Self::element(&call.ty);
            if !matches!(element, Type::Int | Type::Decimal | Type::Never) {
                let message = format!("`{}` needs numbers, and these are `{}`", call.name, self.show(&element));
                let diagnostic = Diagnostic::error(codes::types::BAD_OPERAND, call.name.span, message)
                    .help(format!("say what to add up of each: `.{}(|x| x.amount)`", call.name));
                return self.fail(call.span, diagnostic);
            }
            (Vec::new(), element)
        };
        match own {
            Own::Sum => {
                let number = if number == Type::Never { Type::Int } else { number };
                self.method_node(call, Method::Sum, args, number)
            }
            _ => self.method_node(call, Method::Average, args, Type::Decimal.optional()),
        }
    }

    fn unordered_elements(&mut self, call: &Call<'_>, element: &Type) -> ExprId {
        let message = format!("`{}` values have no order for `{}`", self.show(element), call.name);
        let diagnostic = Diagnostic::error(codes::types::NOT_ORDERED, call.name.span, message)
            .note("numbers, strings, dates, enums (as declared) and bools have an order");
        let by = match call.spec.name {
            "sort" => "sort_by",
            "min" => "min_by",
            _ => "max_by",
        };
        let diagnostic = match element {
            Type::Optional(_) => diagnostic.help("take the nulls out before"),
            _ => diagnostic.help(format!("say by what: `.{by}(|x| x.…)`")),
        };
        self.fail(call.span, diagnostic)
    }

    fn not_joinable(&mut self, call: &Call<'_>, element: &Type) -> ExprId {
        let message = format!("`join` puts strings and numbers together, and these are `{}`", self.show(element));
        let diagnostic = Diagnostic::error(codes::types::NOT_TEXT, call.name.span, message)
            .help("say what to show of each: `.map(|x| x.name).join(\", \")`");
        self.fail(call.span, diagnostic)
    }

    fn concat(&mut self, call: &Call<'_>, other: Given<'_>, element: &Type) -> ExprId {
        let mine = element.clone().list();
        let span = other.span();
        let other = self.free_argument(call, other, Some(&mine));
        let theirs = self.ty(other);
        if theirs == Type::Never {
            return self.broken(call.span);
        }
        let Some(joined @ Type::List(_)) = self.joined(&mine, &theirs) else {
            let message = format!("`concat` needs `{}`, and this is `{}`", self.show(&mine), self.show(&theirs));
            let diagnostic = Diagnostic::error(codes::types::MISMATCH, span, message);
            return self.fail(call.span, diagnostic);
        };
        let receiver = self.convert(call.receiver, &joined);
        let other = self.convert(other, &joined);
        let args = vec![Arg::Value(other)];
        self.push(ExprKind::Method { receiver, method: Method::Concat, args }, joined, call.span)
    }

    fn page(&mut self, call: &Call<'_>, given: &[Option<Given<'_>>], element: Type) -> ExprId {
        let args: Vec<Arg> =
            given.iter().flatten().map(|each| Arg::Value(self.value_argument(call, *each, &Type::Int))).collect();
        let members = [("total", Type::Int), ("count", Type::Int), ("offset", Type::Int), ("results", element.list())];
        let page = self.shared.plain_shape(&members);
        self.method_node(call, Method::Page, args, Type::Record(page))
    }

    /// `sort_by(|o| o.a, |o| o.b.desc())`.
    fn sort_by(&mut self, call: &Call<'_>) -> ExprId {
        let element = Self::element(&call.ty);
        if call.args.items.is_empty() {
            let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, call.name.span, "`sort_by` needs a key")
                .help("write `.sort_by(|x| x.name)`, for the other direction `|x| x.amount.desc()`");
            return self.fail(call.span, diagnostic);
        }
        let mut args = Vec::with_capacity(call.args.items.len());
        for arg in &call.args.items {
            let given = match arg {
                TreeArg::Closure(closure) => Given::Closure(closure),
                TreeArg::Positional(expr)
                | TreeArg::Named { value: expr, .. }
                | TreeArg::Spread { value: expr, .. } => Given::Expr(expr),
            };
            args.push(self.closure_argument(call, given, &[element.clone(), Type::Int], &Want::Order).0);
        }
        self.method_node(call, Method::SortBy, args, element.list())
    }

    /// `fold(init, |acc, x| …)`: the type is the common one of `init` and of what the closure gives.
    fn fold(&mut self, call: &Call<'_>) -> ExprId {
        let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
        let (Some(init), Some(f)) = (given.first().copied().flatten(), given.get(1).copied().flatten()) else {
            return self.broken(call.span);
        };
        let element = Self::element(&call.ty);
        let init = self.free_argument(call, init, None);
        let mut ty = self.ty(init);
        // With an int to begin with and decimals to add, the first look gives the type and the second checks it.
        let before = (self.body.exprs.len(), self.body.locals.len(), self.shared.diagnostics.len());
        let (arg, given) =
            self.closure_argument(call, f, &[ty.clone(), element.clone(), Type::Int], &Want::Any(Some(ty.clone())));
        let widened = self.shared.unify(&ty, &given);
        let arg = match widened {
            Some(widened) if widened != ty && self.shared.diagnostics.len() == before.2 => {
                ty = widened;
                self.closure_argument(call, f, &[ty.clone(), element, Type::Int], &Want::Type(ty.clone())).0
            }
            Some(_) => match arg {
                Arg::Closure(mut closure) => {
                    closure.body = self.convert(closure.body, &ty);
                    Arg::Closure(closure)
                }
                value @ Arg::Value(_) => value,
            },
            None => {
                let message =
                    format!("`fold` begins with `{}`, but its closure gives `{}`", self.show(&ty), self.show(&given));
                let diagnostic = Diagnostic::error(codes::types::DIFFERENT_TYPES, f.span(), message)
                    .also(self.span(init), format!("this is `{}`", self.show(&ty)));
                return self.fail(call.span, diagnostic);
            }
        };
        let init = self.convert(init, &ty);
        self.method_node(call, Method::Fold, vec![Arg::Value(init), arg], ty)
    }

    /// `where({ field: value })`: a null value means any.
    fn where_call(&mut self, call: &Call<'_>) -> ExprId {
        let element = Self::element(&call.ty);
        let literal = match call.args.items.as_slice() {
            [TreeArg::Positional(expr)] => as_literal(expr),
            _ => None,
        };
        let Some(braced) = literal else {
            self.check_unknown_args(call.args);
            let diagnostic =
                Diagnostic::error(codes::types::BAD_ARGUMENTS, call.args.span, "`where` takes fields and their values")
                    .help("write `.where({ status: \"open\", owner })`; for any other condition use `.filter(|x| …)`");
            return self.fail(call.span, diagnostic);
        };
        if !matches!(element, Type::Entity(_) | Type::Record(_) | Type::Never) {
            let message = format!("`where` compares fields, and `{}` has none", self.show(&element));
            let diagnostic =
                Diagnostic::error(codes::types::BAD_OPERAND, call.name.span, message).help("use `.filter(|x| …)`");
            return self.fail(call.span, diagnostic);
        }
        if let Type::Entity(entity) = element {
            self.read_row(entity);
        }
        let mut fields = Vec::with_capacity(braced.members.len());
        for member in &braced.members {
            let MemberKind::Named { name, value, .. } = &member.kind else {
                let diagnostic =
                    Diagnostic::error(codes::types::BAD_ARGUMENTS, member.span, "`where` takes names of fields");
                self.report(diagnostic);
                continue;
            };
            let Some((place, ty)) = self.member_to_compare(&element, name) else {
                if let Some(value) = value {
                    self.expr(value, None);
                }
                continue;
            };
            let want = ty.optional();
            let id = self.member_value(name, value.as_ref(), Some(&want));
            if matches!(self.constant(id), Some(Value::Null)) {
                let span = value.as_ref().map_or(name.span, |value| value.span);
                let diagnostic = Diagnostic::error(
                    codes::types::MISMATCH,
                    span,
                    "null stands for any value here, so this keeps every element",
                )
                .help(format!("for elements without `{name}` write `.filter(|x| x.{name} == null)`"));
                self.report(diagnostic);
                continue;
            }
            let span = value.as_ref().map_or(name.span, |value| value.span);
            let id = self.fit_or_report(id, &want, span, None);
            fields.push((place, id));
        }
        let receiver = call.receiver;
        self.push(ExprKind::Where { receiver, fields }, element.list(), call.span)
    }

    fn member_to_compare(&mut self, element: &Type, name: &tree::Name) -> Option<(RowMember, Type)> {
        use crate::check::fields::Found;
        let found = match element {
            Type::Entity(entity) => self.row_field(*entity, name.as_str()).map(|found| match found {
                Found::Stored(field) => (RowMember::Field(field.id), field.ty),
                Found::Derived { function, ty, .. } => (RowMember::Derived(function), ty),
            }),
            Type::Record(record) => {
                self.record_field(*record, name.as_str()).map(|field| (RowMember::Field(field.id), field.ty))
            }
            _ => return None,
        };
        match found {
            Some((RowMember::Derived(function), ty)) => {
                self.note_call(function, name.span);
                Some((RowMember::Derived(function), ty))
            }
            Some(found) => Some(found),
            None => {
                let names = self.field_names(element);
                let message = format!("`{}` has no field `{name}`", self.show(element));
                let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
                diagnostic = match crate::check::suggest::nearest(name.as_str(), names.iter().map(String::as_str)) {
                    Some(near) => diagnostic.label(format!("did you mean `{near}`?")).fix(
                        format!("write `{near}`"),
                        name.span,
                        near,
                    ),
                    None => diagnostic.note(format!("it has {}", crate::check::fields::list(&names))),
                };
                self.report(diagnostic);
                None
            }
        }
    }

    /// `added()`, `removed()`, `changed()`.
    pub(super) fn difference(&mut self, call: &Call<'_>, method: Method) -> ExprId {
        use silo_runtime::value::dynamic::WorldName;
        if self.bind_method(call).is_none() {
            return self.broken(call.span);
        }
        let element = Self::element(&call.ty);
        if !matches!(self.kind(call.receiver), Some(ExprKind::WorldState(WorldName::Final, _))) {
            let message = format!("`{}` compares a table of the final world with the initial one", call.name);
            let diagnostic = Diagnostic::error(codes::tasks::NOT_FINAL, call.name.span, message);
            let nested = matches!(self.kind(call.receiver), Some(ExprKind::Field { .. }));
            let diagnostic = match self.kind(call.receiver) {
                _ if nested => diagnostic
                    .label("this table is nested in a row")
                    .note("only the tables of the state can be compared as a whole")
                    .help("compare its rows with those of `initial`: `final.….all(|x| x in initial.…)`"),
                Some(ExprKind::WorldState(_, state) | ExprKind::State(state)) => {
                    let name = self.shared.declared.state.get(state.index()).map(|decl| decl.name.clone());
                    let name = name.unwrap_or_default();
                    diagnostic.help(format!("in a verifier, write `final.{name}.{}()`", call.name))
                }
                _ => {
                    diagnostic.help(format!("in a verifier, write `final.….{}()`, of a table of the state", call.name))
                }
            };
            return self.fail(call.span, diagnostic);
        }
        self.method_node(call, method, Vec::new(), element.list())
    }
}
