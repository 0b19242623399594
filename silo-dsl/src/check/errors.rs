//! Diagnostics about types that many checks share.

use super::body::Checker;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, Type};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;

impl Checker<'_, '_, '_> {
    /// A value of one type stands where another is expected.
    pub(crate) fn mismatch(
        &self,
        id: ExprId,
        found: &Type,
        want: &Type,
        span: Span,
        because: Option<(Span, String)>,
    ) -> Diagnostic {
        let diagnostic = if found.is_optional() && self.shared.fit(found.required(), want) != super::assign::Fit::No {
            self.maybe_null(id, found, span, &format!("expected `{}`", self.show(want)))
        } else {
            let message = format!("expected `{}`, found `{}`", self.show(want), self.show(found));
            let diagnostic = Diagnostic::error(codes::types::MISMATCH, span, message);
            self.mismatch_help(diagnostic, id, found, want, span)
        };
        match because {
            Some((at, text)) => diagnostic.also(at, text),
            None => diagnostic,
        }
    }

    /// A value that may be null stands where null is not allowed.
    pub(crate) fn maybe_null(&self, id: ExprId, found: &Type, span: Span, context: &str) -> Diagnostic {
        let source = self.source(span);
        let message = format!("{context}, but this may be null");
        let diagnostic =
            Diagnostic::error(codes::types::MAYBE_NULL, span, message).label(format!("this is `{}`", self.show(found)));
        if matches!(self.constant(id), Some(Value::Null)) {
            return diagnostic.help("write a value");
        }
        if let Some(test) = self.case_test(id) {
            return diagnostic.note("it is there in some cases only").help(format!("test the case before: {test}"));
        }
        if source.len() > 40 || source.is_empty() {
            return diagnostic.help("give a value for null with `?? …`, or fail on null with `!`, or test it before");
        }
        let of = grouped(&source);
        let diagnostic =
            diagnostic.help(format!("give a value for null with `{source} ?? …`, or fail on null with `{of}!`"));
        if self.path_of(id).is_some() && self.context.refuses() {
            diagnostic
                .help(format!("or test it before: after `require {source} != null else …` it is known not to be null"))
        } else if self.path_of(id).is_some() {
            diagnostic.help(format!("or test it before: in `if {source} != null {{ … }}` it is known not to be null"))
        } else if self.context.writes() {
            diagnostic.help(format!("or bind it: `let x = {source} else not_found \"…\"`"))
        } else {
            diagnostic
        }
    }

    /// How to test the case of a field that exists in some cases only.
    pub(crate) fn case_test(&self, id: ExprId) -> Option<String> {
        let crate::ir::ExprKind::Field { base, field } = self.kind(id)? else { return None };
        let types = &self.shared.declared.types;
        let (field, tag) = match self.ty(*base).required() {
            Type::Entity(id) => {
                let (decl, tag) = (types.entity_decl(*id)?, types.model.entity(*id)?.tag?);
                (decl.field(*field)?, decl.field(tag)?)
            }
            Type::Record(id) => {
                let (decl, tag) = (types.record_decl(*id)?, types.model.record(*id)?.tag?);
                (decl.field(*field)?, decl.field(tag)?)
            }
            _ => return None,
        };
        let shape = types.model.enum_shape(super::fields::enum_of(&tag.ty)?)?;
        let members = field.cases.iter().filter_map(|(case, _)| shape.members.get(usize::from(*case)));
        let members: Vec<String> = members.map(|member| format!("\"{member}\"")).collect();
        let source = self.source(self.span(*base));
        let of = if source.len() <= 40 { source } else { "x".to_owned() };
        Some(match members.as_slice() {
            [] => return None,
            [only] => format!("`if {of}.{} == {only} {{ … }}`", tag.name),
            several => format!("`if {of}.{} in [{}] {{ … }}`", tag.name, several.join(", ")),
        })
    }

    fn mismatch_help(&self, diagnostic: Diagnostic, id: ExprId, found: &Type, want: &Type, span: Span) -> Diagnostic {
        let source = self.source(span);
        let short = if source.len() <= 40 { source } else { "x".to_owned() };
        let literal = self.constant(id);
        let of = grouped(&short);
        match (want.required(), found.required()) {
            (Type::Int | Type::Decimal, Type::Text) => match literal {
                Some(Value::Text(text)) if text.parse::<f64>().is_ok() => {
                    diagnostic.fix("write the number without quotes", span, text.to_string())
                }
                _ => diagnostic
                    .help("read a number from text with `.to_int()` or `.to_decimal()`, which give null if it is none"),
            },
            (Type::Int, Type::Decimal) => diagnostic.help(format!(
                "a decimal never becomes an int by itself: round with `{of}.round()`, `.floor()` or `.ceil()`"
            )),
            (Type::Text, Type::Int | Type::Decimal) if literal.is_some() => {
                diagnostic.fix("write it as a string", span, format!("\"{short}\""))
            }
            (Type::Text, Type::Int | Type::Decimal | Type::Bool | Type::Date | Type::DateTime) => {
                diagnostic.help(format!("put it into a string: `\"{{{short}}}\"`"))
            }
            (Type::Text, Type::Entity(_) | Type::AnyEntity) => diagnostic.help(format!("for its key write `{of}.key`")),
            (Type::Entity(entity), Type::Text) => diagnostic.help(self.look_up_hint(*entity, &short)),
            (Type::Enum(wanted), Type::Text | Type::Enum(_)) => {
                diagnostic.help(format!("expected one of {}", self.members_list(*wanted)))
            }
            (Type::Date, Type::DateTime) => diagnostic.help(format!("for its day write `{of}.date()`")),
            (Type::Date | Type::DateTime, Type::Text) => match literal {
                Some(Value::Text(text)) => diagnostic.help(format!("a date is written without quotes: `@{text}`")),
                _ => diagnostic,
            },
            (Type::Record(wanted), Type::Record(given)) => {
                let misfit = self.shared.misfit(*given, *wanted);
                self.misfit_notes(diagnostic, &misfit)
            }
            (Type::Table(entity), Type::List(item)) => match &**item {
                Type::Record(record) => match self.shared.row_misfit(*record, *entity) {
                    Some(misfit) => self.misfit_notes(diagnostic, &misfit),
                    None => diagnostic,
                },
                _ => diagnostic,
            },
            (Type::Record(_), Type::Entity(_)) => {
                diagnostic.help(format!("a row is a reference; for a record of its fields write `{{ ...{short} }}`"))
            }
            _ => diagnostic,
        }
    }

    /// What keeps a record from standing for another, as notes.
    pub(crate) fn misfit_notes(&self, diagnostic: Diagnostic, misfit: &super::assign::Misfit) -> Diagnostic {
        let list = |names: &[Text]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let mut diagnostic = diagnostic;
        if !misfit.missing.is_empty() {
            diagnostic = diagnostic.note(format!("missing: {}", list(&misfit.missing)));
        }
        if !misfit.unknown.is_empty() {
            diagnostic = diagnostic.note(format!("not expected: {}", list(&misfit.unknown)));
        }
        if let Some(tag) = &misfit.case_of {
            diagnostic = diagnostic.note(format!("which case it is of is not known, though `{tag}` chooses one")).help(
                format!("write the whole record, `{tag}` as a literal, without spreading one that has a `{tag}`"),
            );
        }
        for (name, want, found) in misfit.different.iter().take(5) {
            diagnostic = diagnostic.note(format!("`{name}` is `{}`, expected `{}`", self.show(found), self.show(want)));
        }
        diagnostic
    }

    fn look_up_hint(&self, entity: silo_runtime::ids::EntityId, short: &str) -> String {
        let model = &self.shared.declared.types.model;
        let home = self.shared.homes(entity).first().and_then(|id| model.state_field(*id));
        match home {
            Some(table) if !self.context.has_world() => {
                format!("look the row up in a world: `final.{}[{short}]`", table.name)
            }
            Some(table) => format!(
                "look the row up: `{}[{short}]` fails where there is none, `{}.get({short})` gives null",
                table.name, table.name
            ),
            None => "a row is found by its key in its table".to_owned(),
        }
    }

    /// Values that should have a common type do not.
    pub(crate) fn no_common_type(
        &self,
        what: &str,
        first: Option<ExprId>,
        common: &Type,
        id: ExprId,
        ty: &Type,
    ) -> Diagnostic {
        let message = format!("{what} have different types: `{}` and `{}`", self.show(common), self.show(ty));
        let span = self.span(id);
        let diagnostic = Diagnostic::error(codes::types::DIFFERENT_TYPES, span, message)
            .label(format!("this is `{}`", self.show(ty)));
        match first {
            Some(first) => diagnostic.also(self.span(first), format!("this is `{}`", self.show(common))),
            None => diagnostic,
        }
    }

    /// The members of an enum, quoted.
    pub(crate) fn members_list(&self, id: silo_runtime::ids::EnumId) -> String {
        let members =
            self.shared.declared.types.model.enum_shape(id).map(|shape| shape.members.clone()).unwrap_or_default();
        let mut shown: Vec<String> = members.iter().take(SHOWN).map(|member| format!("`\"{member}\"`")).collect();
        if members.len() > SHOWN {
            shown.push(format!("{} more", members.len() - SHOWN));
        }
        shown.join(", ")
    }
}

/// So many members are named in a message.
const SHOWN: usize = 12;

/// An expression as the receiver of a method: in parentheses where it is more than a chain.
pub(crate) fn grouped(source: &str) -> String {
    if source.contains(' ') && !source.ends_with([')', ']']) { format!("({source})") } else { source.to_owned() }
}
