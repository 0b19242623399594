//! Checking a call of a method against its table.

use super::{Gives, Kind, MethodSpec, Own, Rule};
use crate::check::body::Checker;
use crate::check::expr::{Given, ParamSlot, Want};
use crate::check::suggest::nearest;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Arg, ExprId, ExprKind, Method, TextPart, Type};
use crate::syntax::tree::{Args, Name};
use silo_runtime::keys::KeyPattern;

/// A call of a method that is being checked.
pub(crate) struct Call<'a> {
    pub(crate) receiver: ExprId,
    pub(crate) ty: Type,
    pub(crate) name: &'a Name,
    pub(crate) args: &'a Args,
    /// From the receiver to the closing parenthesis.
    pub(crate) span: Span,
    /// Whether the call is a statement, so that nothing reads its value.
    pub(crate) alone: bool,
    pub(crate) spec: &'static MethodSpec,
}

impl Checker<'_, '_, '_> {
    /// `receiver.name(args)`.
    pub(crate) fn method(&mut self, receiver: ExprId, name: &Name, args: &Args, span: Span, alone: bool) -> ExprId {
        let ty = self.ty(receiver);
        if ty == Type::Never {
            self.check_unknown_args(args);
            return self.broken(span);
        }
        if ty.is_optional() {
            let of = self.short(receiver);
            let message = format!("`.{name}()` is called on `{of}`, which may be null");
            let diagnostic = Diagnostic::error(codes::types::MAYBE_NULL, name.span, message)
                .also(self.span(receiver), format!("this is `{}`", self.show(&ty)))
                .help(format!(
                    "`?.{name}(…)` gives null where it is null, `!.{name}(…)` fails there; or test it before"
                ));
            self.check_unknown_args(args);
            return self.fail(span, diagnostic);
        }
        let Some(spec) = super::of(&ty).find(|method| method.name == name.as_str()) else {
            self.check_unknown_args(args);
            // Where it stands in no key of `sort_by` it is refused when parsing.
            if *name == "desc" && args.items.is_empty() {
                return self.broken(span);
            }
            let diagnostic = self.unknown_method(receiver, &ty, name, args);
            return self.fail(span, diagnostic);
        };
        self.apply(&Call { receiver, ty, name, args, span, alone, spec })
    }

    /// A call of a method that exists.
    pub(crate) fn apply(&mut self, call: &Call<'_>) -> ExprId {
        match call.spec.rule {
            Rule::Own(own) => self.own_rule(call, own),
            Rule::Plain(method, gives) => {
                let Some(given) = self.bind_method(call) else { return self.broken(call.span) };
                let mut args = Vec::with_capacity(given.len());
                for (given, param) in given.into_iter().zip(call.spec.params) {
                    // Parameters that may be left out are the last ones.
                    let Some(given) = given else { break };
                    args.push(self.argument(call, given, param.kind));
                }
                let result = Self::gives(&call.ty, gives);
                self.method_node(call, method, args, result)
            }
        }
    }

    pub(crate) fn method_node(&mut self, call: &Call<'_>, method: Method, args: Vec<Arg>, result: Type) -> ExprId {
        let receiver = match call.ty {
            Type::Enum(_) => self.convert(call.receiver, &Type::Text),
            _ => call.receiver,
        };
        self.push(ExprKind::Method { receiver, method, args }, result, call.span)
    }

    /// The arguments by parameter.
    pub(crate) fn bind_method<'a>(&mut self, call: &Call<'a>) -> Option<Vec<Option<Given<'a>>>> {
        let slots: Vec<ParamSlot<'_>> =
            call.spec.params.iter().map(|param| ParamSlot { name: param.name, optional: param.optional }).collect();
        let what = format!("`{}`", call.name);
        let span = call.name.span.to(call.args.span);
        self.bind(call.args, &slots, &what, span, None)
    }

    /// The type of an element.
    pub(crate) fn element(ty: &Type) -> Type {
        Self::element_type(ty).unwrap_or(Type::Never)
    }

    /// A closure of an element and its index.
    pub(crate) fn each(&mut self, call: &Call<'_>, given: Given<'_>, want: &Want) -> (Arg, Type) {
        let element = Self::element(&call.ty);
        self.closure_argument(call, given, &[element, Type::Int], want)
    }

    /// An argument that must be a closure: what it is and what it gives.
    pub(crate) fn closure_argument(
        &mut self,
        call: &Call<'_>,
        given: Given<'_>,
        params: &[Type],
        want: &Want,
    ) -> (Arg, Type) {
        match given {
            Given::Closure(closure) => {
                let closure = self.closure(closure, params, want);
                let ty = self.ty(closure.body);
                (Arg::Closure(closure), ty)
            }
            Given::Expr(_) | Given::Member(..) => {
                let span = given.span();
                let message = format!("`{}` takes a closure here", call.name);
                let mut diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message);
                let source = self.source(span);
                diagnostic = if self.function_named(&source) {
                    diagnostic.help(format!("a function is no value: write `|x| {source}(x)`"))
                } else if let Some((name, _)) = source.split_once('.').filter(|(name, _)| is_word(name)) {
                    diagnostic.help(format!("write `|{name}| {source}`"))
                } else {
                    diagnostic.help("write `|x| …`")
                };
                let id = self.fail(span, diagnostic);
                (Arg::Value(id), Type::Never)
            }
        }
    }

    fn function_named(&self, name: &str) -> bool {
        self.shared.functions.contains_key(name)
    }

    /// A plain argument by its kind.
    fn argument(&mut self, call: &Call<'_>, given: Given<'_>, kind: Kind) -> Arg {
        let want = match kind {
            Kind::Test => return self.each(call, given, &Want::Test).0,
            Kind::RowKey => return Arg::Value(self.row_key(call, given)),
            Kind::Int => Type::Int,
            Kind::Decimal => Type::Decimal,
            Kind::Text | Kind::Literal => Type::Text,
            Kind::Element => Self::element(&call.ty),
            Kind::MaybeElement => Self::element(&call.ty).optional(),
            Kind::Receiver => call.ty.clone(),
            Kind::MapKey => match &call.ty {
                Type::Map(key, _) => Self::map_key_type(*key),
                _ => Type::Never,
            },
            Kind::Special => Type::Never,
        };
        Arg::Value(self.value_argument(call, given, &want))
    }

    /// An argument that must be a value of a type.
    pub(crate) fn value_argument(&mut self, call: &Call<'_>, given: Given<'_>, want: &Type) -> ExprId {
        match given {
            Given::Expr(expr) => self.expect(expr, want),
            Given::Member(id, span) => self.fit_or_report(id, want, span, None),
            Given::Closure(closure) => self.no_closure(call, closure.span),
        }
    }

    /// An argument whose type says what the method does.
    pub(crate) fn free_argument(&mut self, call: &Call<'_>, given: Given<'_>, hint: Option<&Type>) -> ExprId {
        match given {
            Given::Expr(expr) => self.expr(expr, hint),
            Given::Member(id, _) => id,
            Given::Closure(closure) => self.no_closure(call, closure.span),
        }
    }

    fn no_closure(&mut self, call: &Call<'_>, span: Span) -> ExprId {
        let message = format!("`{}` takes a value here, not a closure", call.name);
        self.fail(span, Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message))
    }

    /// The key of a row: text, a row of any world, or the number of a `key int`.
    pub(crate) fn key_value(&mut self, id: ExprId, entity: Option<silo_runtime::ids::EntityId>, span: Span) -> ExprId {
        let ty = self.ty(id);
        let numbered = entity.is_some_and(|id| {
            self.shared.declared.types.model.entity(id).is_some_and(|shape| shape.pattern == KeyPattern::Integer)
        });
        match &ty {
            Type::Never | Type::Text | Type::AnyEntity => id,
            Type::Entity(found) if entity.is_none_or(|entity| entity == *found) => id,
            Type::Enum(_) => self.convert(id, &Type::Text),
            Type::Int if numbered => self.push(ExprKind::Text(vec![TextPart::Hole(id, None)]), Type::Text, span),
            _ => {
                let want = entity.map_or(Type::Text, Type::Entity);
                let diagnostic = if ty.is_optional() {
                    self.maybe_null(id, &ty, span, "a key is expected")
                } else {
                    let message = format!("a table is asked by a key or a row of it, and this is `{}`", self.show(&ty));
                    Diagnostic::error(codes::types::MISMATCH, span, message)
                        .note(format!("expected a string or `{}`", self.show(&want)))
                };
                self.fail(span, diagnostic)
            }
        }
    }

    fn row_key(&mut self, call: &Call<'_>, given: Given<'_>) -> ExprId {
        let entity = match &call.ty {
            Type::Table(entity) => Some(*entity),
            _ => None,
        };
        let span = given.span();
        let id = self.free_argument(call, given, None);
        self.key_value(id, entity, span)
    }

    fn gives(receiver: &Type, gives: Gives) -> Type {
        match gives {
            Gives::Bool => Type::Bool,
            Gives::Int => Type::Int,
            Gives::MaybeInt => Type::Int.optional(),
            Gives::Decimal => Type::Decimal,
            Gives::MaybeDecimal => Type::Decimal.optional(),
            Gives::Text => Type::Text,
            Gives::Texts => Type::Text.list(),
            Gives::Date => Type::Date,
            Gives::Receiver => receiver.clone(),
            Gives::MaybeElement => Self::element(receiver).optional(),
            Gives::Elements | Gives::Keys => Self::element(receiver).list(),
            Gives::MaybeValue => map_value(receiver).optional(),
            Gives::Values => map_value(receiver).list(),
        }
    }

    fn unknown_method(&self, receiver: ExprId, ty: &Type, name: &Name, args: &Args) -> Diagnostic {
        let of = self.show(ty);
        let message = format!("`{of}` has no method `{name}`");
        let diagnostic = Diagnostic::error(codes::names::UNKNOWN_METHOD, name.span, message);
        if let Some(hint) = crate::check::foreign::method_hint(ty, name.as_str()) {
            return hint.add_to(diagnostic, name.span);
        }
        if self.field_names(ty).iter().any(|field| field == name.as_str()) {
            let message = format!("`{name}` is a field: it is read without parentheses");
            let diagnostic = Diagnostic::error(codes::names::NOT_A_VALUE, name.span, message);
            return if args.items.is_empty() {
                diagnostic.fix("leave the parentheses out", args.span, "")
            } else {
                diagnostic
            };
        }
        if self.shared.functions.contains_key(name.as_str()) {
            let source = self.short(receiver);
            return diagnostic.help(format!("`{name}` is a function: call it as `{name}({source})`"));
        }
        if let Type::Optional(inner) = ty
            && super::exists(inner, name.as_str())
        {
            return diagnostic;
        }
        let names: Vec<&str> = super::of(ty).map(|method| method.name).collect();
        match nearest(name.as_str(), names.iter().copied()) {
            Some(near) => {
                diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near)
            }
            None if names.is_empty() => diagnostic.note(format!("`{of}` has no methods")),
            None => {
                let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
                diagnostic.note(format!("it has {}", crate::check::fields::list(&names)))
            }
        }
    }

    /// Whether two types can be put in one list; the list's type.
    pub(crate) fn joined(&mut self, a: &Type, b: &Type) -> Option<Type> {
        self.shared.unify(a, b)
    }

    fn own_rule(&mut self, call: &Call<'_>, own: Own) -> ExprId {
        match own {
            Own::Insert | Own::RemoveRow | Own::Push | Own::RemoveAt | Own::Clear | Own::RemoveKey | Own::Update => {
                self.changing(call, own)
            }
            Own::Pick | Own::Omit => self.pick_call(call, own == Own::Pick),
            Own::Round | Own::WithNumber(_) | Own::Clamp | Own::Abs => self.number_rule(call, own),
            Own::Matches | Own::Format => self.literal_rule(call, own),
            Own::Difference(method) => self.difference(call, method),
            _ => self.collection_rule(call, own),
        }
    }
}

/// Whether a text can name a closure's parameter.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(crate) fn map_value(ty: &Type) -> Type {
    match ty {
        Type::Map(_, value) => (**value).clone(),
        _ => Type::Never,
    }
}
