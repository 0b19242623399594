//! Closures: one pure expression.

use crate::check::body::{Binding, Checker, ClosureFrame, Effects};
use crate::check::expr::operators::is_ordered;
use crate::check::shared::Set;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Closure, ExprId, Type};
use crate::syntax::tree;

/// What a closure must give.
#[derive(Clone, Debug)]
pub(crate) enum Want {
    /// Anything; what is expected flows into it.
    Any(Option<Type>),
    /// A bool that is not null.
    Test,
    /// Something ordered; null comes last.
    Order,
    /// A number.
    Number,
    /// A key of a map.
    Key,
    /// A list.
    List,
    /// Exactly this.
    Type(Type),
}

impl Checker<'_, '_, '_> {
    /// Checks a closure whose parameters have these types. The second parameter of a one-element closure is the index.
    pub(crate) fn closure(&mut self, closure: &tree::Closure, params: &[Type], want: &Want) -> Closure {
        // Only `fold` has three: what it has so far, the element, the index.
        let fold = params.len() > 2;
        let scope = self.scope.enter();
        let mark = self.facts.mark();
        let effects = std::mem::replace(&mut self.effects, Effects::Closure);
        let loops = std::mem::take(&mut self.loops);
        let first = u32::try_from(self.body.locals.len()).unwrap_or(u32::MAX);
        self.closures.push(ClosureFrame { first, captures: Set::default() });

        let mut slots = Vec::with_capacity(closure.params.len());
        for (at, name) in closure.params.iter().enumerate() {
            self.no_shadowing(name);
            let ty = if let Some(ty) = params.get(at) {
                ty.clone()
            } else {
                if at == params.len() {
                    let diagnostic = Self::too_many_params(closure, params.len());
                    self.report(diagnostic);
                }
                Type::Never
            };
            let slot = self.local(&name.text, ty, name.span, Binding::Closure);
            slots.push(slot);
        }
        if fold && closure.params.len() < 2 {
            let diagnostic =
                Diagnostic::error(codes::types::BAD_ARGUMENTS, closure.span, "this closure takes two parameters")
                    .help("write `|so_far, x| …`");
            self.report(diagnostic);
        }
        let (tree, descending) = descending(&closure.body, want);
        let expected = match want {
            Want::Any(expected) => expected.clone(),
            Want::Test => Some(Type::Bool),
            Want::Type(ty) => Some(ty.clone()),
            Want::Order | Want::Number | Want::Key | Want::List => None,
        };
        let body = match &tree {
            Sorted::Whole(tree) => self.expr(tree, expected.as_ref()),
            Sorted::Without(atom, links, span) => self.chain(atom, links, *span),
        };
        let body = self.closure_result(body, &closure.body, want);

        let frame = self.closures.pop();
        self.loops = loops;
        self.effects = effects;
        self.facts.forget_since(mark);
        self.scope.leave(scope);
        let captures = frame.map(|frame| frame.captures.into_iter().collect()).unwrap_or_default();
        Closure { params: slots, body, captures, descending }
    }

    fn too_many_params(closure: &tree::Closure, most: usize) -> Diagnostic {
        let span = closure.params.get(most).map_or(closure.span, |name| name.span);
        let message = if most > 2 {
            format!("this closure takes at most {most} parameters")
        } else {
            "this closure takes the element and, if wanted, its index".to_owned()
        };
        Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message).label("one too many")
    }

    fn closure_result(&mut self, body: ExprId, tree: &tree::Expr, want: &Want) -> ExprId {
        let ty = self.ty(body);
        if ty == Type::Never {
            return body;
        }
        let span = tree.span;
        let wrong = |checker: &Self, wanted: &str| {
            let message = format!("this closure must give {wanted}, and gives `{}`", checker.show(&ty));
            Diagnostic::error(codes::types::MISMATCH, span, message)
        };
        match want {
            Want::Any(_) => body,
            Want::Test => self.must_be_bool(body, tree),
            Want::Type(wanted) => self.fit_or_report(body, wanted, span, None),
            Want::Order if is_ordered(ty.required()) => body,
            Want::Order => {
                let mut diagnostic = wrong(self, "something that has an order")
                    .note("numbers, strings, dates, enums (as declared) and bools have an order");
                diagnostic.code = codes::types::NOT_ORDERED;
                let diagnostic = match ty.required() {
                    Type::Entity(_) => {
                        diagnostic.help(format!("order by a field of it, or by its key: `{}.key`", self.short(body)))
                    }
                    _ => diagnostic,
                };
                self.fail(span, diagnostic)
            }
            Want::Number if matches!(ty, Type::Int | Type::Decimal) => body,
            Want::Number => {
                let diagnostic = if matches!(ty.required(), Type::Int | Type::Decimal) {
                    self.maybe_null(body, &ty, span, "this closure must give a number")
                } else {
                    wrong(self, "a number")
                };
                self.fail(span, diagnostic)
            }
            Want::Key if Self::map_key(&ty).is_some() => body,
            Want::Key => {
                let diagnostic = wrong(self, "a key of a map: a string, an enum's member or a row");
                self.fail(span, diagnostic)
            }
            Want::List => match self.ty(body) {
                Type::List(_) => body,
                Type::Table(entity) => self.convert(body, &Type::Entity(entity).list()),
                Type::RecordTable(record, _) => self.convert(body, &Type::Record(record).list()),
                _ => {
                    let diagnostic = wrong(self, "a list").help("for one value an element use `map`");
                    self.fail(span, diagnostic)
                }
            },
        }
    }
}

/// The body of a key of `sort_by`, without `.desc()`.
enum Sorted<'a> {
    Whole(&'a tree::Expr),
    Without(&'a tree::Expr, &'a [tree::Link], Span),
}

/// `|o| o.amount.desc()`: whether the key is descending, and the key itself.
fn descending<'a>(body: &'a tree::Expr, want: &Want) -> (Sorted<'a>, bool) {
    if !matches!(want, Want::Order) {
        return (Sorted::Whole(body), false);
    }
    if let tree::ExprKind::Chain { atom, links } = &body.kind
        && let Some((last, before)) = links.split_last()
        && let tree::LinkKind::Method { name, optional: false, args } = &last.kind
        && *name == "desc"
        && args.items.is_empty()
    {
        let end = before.last().map_or(atom.span, |link| link.span);
        return match before {
            [] => (Sorted::Whole(atom), true),
            _ => (Sorted::Without(atom, before, atom.span.to(end)), true),
        };
    }
    (Sorted::Whole(body), false)
}
