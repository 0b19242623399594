//! Which argument goes to which parameter.

use crate::check::body::Checker;
use crate::check::suggest::nearest;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, Type};
use crate::syntax::tree::{Arg, Args, Closure, Expr};
use silo_runtime::ids::FieldId;

/// A parameter to find an argument for.
pub(crate) struct Slot<'a> {
    pub(crate) name: &'a str,
    pub(crate) optional: bool,
}

/// What a parameter is given.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Expr(&'a Expr),
    Closure(&'a Closure),
    /// A member of something spread.
    Member(ExprId, Span),
}

impl Given<'_> {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Expr(expr) => expr.span,
            Self::Closure(closure) => closure.span,
            Self::Member(_, span) => span,
        }
    }
}

impl Checker<'_, '_, '_> {
    /// Sorts arguments by parameter. Reports what is too many, unknown, given twice or missing; nothing is given back then.
    pub(crate) fn bind<'a>(
        &mut self,
        args: &'a Args,
        slots: &[Slot<'_>],
        what: &str,
        span: Span,
        declared: Option<Span>,
    ) -> Option<Vec<Option<Given<'a>>>> {
        let mut given: Vec<Option<Given<'a>>> = vec![None; slots.len()];
        let mut spreads: Vec<(&'a Expr, Span)> = Vec::new();
        let mut next = 0;
        let mut broken = false;
        let mut named = None;
        for arg in &args.items {
            match (arg, named) {
                (Arg::Named { .. }, _) => named = named.or(Some(arg.span())),
                (Arg::Positional(_) | Arg::Closure(_), Some(first)) => {
                    let message = "an argument without a name stands after one with a name";
                    let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, arg.span(), message)
                        .also(first, "from here on arguments are named")
                        .help("put it before the named ones, or name it");
                    self.report(diagnostic);
                    broken = true;
                    break;
                }
                _ => {}
            }
            let (at, value) = match arg {
                Arg::Positional(expr) => (position(&mut next), Given::Expr(expr)),
                Arg::Closure(closure) => (position(&mut next), Given::Closure(closure)),
                Arg::Named { name, value } => {
                    if let Some(at) = slots.iter().position(|slot| slot.name == name.as_str()) {
                        (at, Given::Expr(value))
                    } else {
                        let diagnostic = Self::unknown_parameter(name, slots, what, declared);
                        self.report(diagnostic);
                        self.expr(value, None);
                        broken = true;
                        continue;
                    }
                }
                Arg::Spread { value, span } => {
                    spreads.push((value, *span));
                    continue;
                }
            };
            match given.get_mut(at) {
                Some(place @ None) => *place = Some(value),
                Some(Some(first)) => {
                    let message = format!("`{}` is given twice", slots.get(at).map_or("", |slot| slot.name));
                    let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, arg.span(), message)
                        .also(first.span(), "first here");
                    self.report(diagnostic);
                    broken = true;
                }
                None => {
                    let diagnostic = too_many(what, slots.len(), arg.span(), declared);
                    self.report(diagnostic);
                    broken = true;
                    break;
                }
            }
        }
        for (value, at) in spreads {
            broken |= !self.spread_argument(value, at, slots, &mut given);
        }
        let missing: Vec<String> = slots
            .iter()
            .zip(&given)
            .filter(|(slot, given)| !slot.optional && given.is_none())
            .map(|(slot, _)| slot.name.to_owned())
            .collect();
        if !missing.is_empty() && !broken {
            let message = format!("{what} needs {}", crate::check::fields::list(&missing));
            let mut diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message);
            if let Some(declared) = declared {
                diagnostic = diagnostic.also(declared, "declared here");
            }
            self.report(diagnostic);
            broken = true;
        }
        if broken {
            self.check_for_mistakes(&given);
            return None;
        }
        Some(given)
    }

    /// Checks arguments that go nowhere, so that mistakes in them are found all the same.
    pub(crate) fn check_for_mistakes(&mut self, given: &[Option<Given<'_>>]) {
        for each in given.iter().flatten() {
            self.check_alone(*each);
        }
    }

    fn check_alone(&mut self, given: Given<'_>) {
        match given {
            Given::Expr(expr) => {
                // A bare word may have meant the name of a field.
                if !matches!(expr.kind, crate::syntax::tree::ExprKind::Name(_)) {
                    self.expr(expr, None);
                }
            }
            Given::Closure(closure) => {
                let unknown = vec![Type::Never; closure.params.len()];
                self.closure(closure, &unknown, &super::Want::Any(None));
            }
            Given::Member(..) => {}
        }
    }

    /// Checks the arguments of something that is not known.
    pub(crate) fn check_unknown_args(&mut self, args: &Args) {
        for arg in &args.items {
            match arg {
                Arg::Positional(expr) => self.check_alone(Given::Expr(expr)),
                Arg::Closure(closure) => self.check_alone(Given::Closure(closure)),
                Arg::Named { value, .. } | Arg::Spread { value, .. } => self.check_alone(Given::Expr(value)),
            }
        }
    }

    /// `...paging`: the members of a record by name, where nothing else is given. False if that is an error.
    fn spread_argument(
        &mut self,
        value: &Expr,
        span: Span,
        slots: &[Slot<'_>],
        given: &mut [Option<Given<'_>>],
    ) -> bool {
        let Some((base, members)) = self.spread(value) else { return false };
        let mut used = false;
        for (at, (_, member)) in members.iter().enumerate() {
            let Some(slot) = slots.iter().position(|slot| *slot.name == *member.name) else { continue };
            used = true;
            if let Some(place @ None) = given.get_mut(slot) {
                let kind = ExprKind::Field { base, field: FieldId::from(at) };
                let id = self.push(kind, member.ty.clone(), value.span);
                *place = Some(Given::Member(id, value.span));
            }
        }
        if !used || !matches!(self.ty(base), Type::Record(_)) {
            let message = "nothing of this has the name of a parameter".to_owned();
            self.report(
                Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message)
                    .help("spread a record whose members are parameters"),
            );
            return false;
        }
        true
    }

    fn unknown_parameter(
        name: &crate::syntax::tree::Name,
        slots: &[Slot<'_>],
        what: &str,
        declared: Option<Span>,
    ) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::error(codes::names::UNKNOWN_PARAMETER, name.span, format!("{what} has no parameter `{name}`"));
        let names: Vec<String> = slots.iter().map(|slot| slot.name.to_owned()).collect();
        match nearest(name.as_str(), names.iter().map(String::as_str)) {
            Some(near) => {
                diagnostic =
                    diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near);
            }
            None if names.is_empty() => diagnostic = diagnostic.note("it has none"),
            None => diagnostic = diagnostic.note(format!("it has {}", crate::check::fields::list(&names))),
        }
        match declared {
            Some(span) => diagnostic.also(span, "declared here"),
            None => diagnostic,
        }
    }
}

fn position(next: &mut usize) -> usize {
    let at = *next;
    *next += 1;
    at
}

fn too_many(what: &str, most: usize, span: Span, declared: Option<Span>) -> Diagnostic {
    let message = match most {
        0 => format!("{what} takes nothing"),
        1 => format!("{what} takes one argument"),
        _ => format!("{what} takes {most} arguments"),
    };
    let diagnostic = Diagnostic::error(codes::types::BAD_ARGUMENTS, span, message).label("one too many");
    match declared {
        Some(span) => diagnostic.also(span, "declared here"),
        None => diagnostic,
    }
}
