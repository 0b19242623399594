//! Strings: texts, enum members, literal references, and texts with holes.

use crate::check::body::{Checker, Context};
use crate::check::suggest::nearest;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, NumberFormat, TextPart, Type};
use crate::syntax::tree::{Format, Piece, Text as Tree};
use silo_runtime::ids::{EntityId, EnumId};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{RowRef, Value, WorldName};

impl Checker<'_, '_, '_> {
    pub(crate) fn text(&mut self, text: &Tree, expected: Option<&Type>) -> ExprId {
        match text.as_plain() {
            Some(plain) => self.plain_text(&Text::from(plain), expected, text.span),
            None => self.text_with_holes(text),
        }
    }

    /// A string without holes: what is expected decides what it is.
    pub(crate) fn plain_text(&mut self, text: &Text, expected: Option<&Type>, span: Span) -> ExprId {
        match expected.map(Type::required) {
            Some(Type::Enum(id)) => self.enum_member(*id, text, span),
            Some(Type::Entity(id)) => self.literal_reference(*id, text, span),
            _ => self.push(ExprKind::Constant(Value::Text(text.clone())), Type::Text, span),
        }
    }

    fn enum_member(&mut self, id: EnumId, text: &Text, span: Span) -> ExprId {
        let shape = self.shared.declared.types.model.enum_shape(id).cloned();
        let Some(shape) = shape else { return self.broken(span) };
        if let Some(at) = shape.members.iter().position(|member| member == text) {
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            return self.push(ExprKind::Constant(Value::Enum(id, at)), Type::Enum(id), span);
        }
        let message = format!("`\"{text}\"` is no member of `{}`", shape.name);
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_MEMBER, span, message);
        match nearest(text, shape.members.iter().map(|member| &**member)) {
            Some(near) => {
                diagnostic = diagnostic.label(format!("did you mean `\"{near}\"`?")).fix(
                    format!("write `\"{near}\"`"),
                    span,
                    format!("\"{near}\""),
                );
            }
            None => {
                if let Some(other) = self.enum_with(text) {
                    diagnostic = diagnostic.note(format!("it is a member of `{other}`"));
                }
            }
        }
        diagnostic = diagnostic.note(format!("its members are {}", self.members_list(id)));
        if let Some(declared) = self.declaration_of(&Type::Enum(id)) {
            diagnostic = diagnostic.also(declared, format!("`{}` is declared here", shape.name));
        }
        self.fail(span, diagnostic)
    }

    /// The name of an enum that has a member.
    pub(crate) fn enum_with(&self, member: &str) -> Option<Text> {
        let enums = &self.shared.declared.types.model.enums;
        enums.iter().find(|shape| shape.members.iter().any(|each| **each == *member)).map(|shape| shape.name.clone())
    }

    fn literal_reference(&mut self, entity: EntityId, key: &Text, span: Span) -> ExprId {
        if self.context != Context::Solution
            && self.shared.declared.seed.usable(entity)
            && !self.shared.declared.seed.has(entity, key)
        {
            let diagnostic = self.unknown_key(entity, key, span);
            return self.fail(span, diagnostic);
        }
        self.outline.uses_world |= self.context.has_world();
        let row = RowRef { world: WorldName::Initial, entity, key: key.clone() };
        self.push(ExprKind::Constant(Value::Row(row)), Type::Entity(entity), span)
    }

    /// A literal that is no key of the seed.
    pub(crate) fn unknown_key(&self, entity: EntityId, key: &str, span: Span) -> Diagnostic {
        let name = self.show(&Type::Entity(entity));
        let message = format!("the seed data has no {name} `{key}`");
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_KEY, span, message);
        let near = self.shared.declared.seed.nearest(entity, key);
        match near.as_slice() {
            [] => {}
            [one] => diagnostic = diagnostic.label(format!("did you mean `{one}`?")),
            several => {
                let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                diagnostic = diagnostic.note(format!("near it are {}", crate::check::fields::list(&several)));
            }
        }
        diagnostic.note(format!("where a {name} is expected, a string is the key of one in the seed data"))
    }

    fn text_with_holes(&mut self, text: &Tree) -> ExprId {
        let mut parts = Vec::with_capacity(text.pieces.len());
        for piece in &text.pieces {
            match piece {
                Piece::Literal { text, .. } => parts.push(TextPart::Literal(text.clone())),
                Piece::Hole { value, format, .. } => {
                    let id = self.expr(value, None);
                    let id = self.hole(id, value.span, format.as_ref());
                    parts.push(TextPart::Hole(id, format.as_ref().map(number_format)));
                }
            }
        }
        self.push(ExprKind::Text(parts), Type::Text, text.span)
    }

    /// A value in a string must have one spelling.
    fn hole(&mut self, id: ExprId, span: Span, format: Option<&Format>) -> ExprId {
        let ty = self.ty(id);
        if let Some(format) = format
            && !matches!(ty, Type::Int | Type::Decimal | Type::Never)
            && !ty.is_optional()
        {
            let message = format!("only numbers take a format, and this is `{}`", self.show(&ty));
            let diagnostic = Diagnostic::error(codes::types::NOT_TEXT, format.span, message);
            return self.fail(span, diagnostic);
        }
        let source = self.source(span);
        let short = if source.len() <= 40 { source } else { "x".to_owned() };
        let diagnostic = match &ty {
            Type::Never
            | Type::Bool
            | Type::Int
            | Type::Decimal
            | Type::Text
            | Type::Enum(_)
            | Type::Date
            | Type::DateTime
            | Type::Entity(_)
            | Type::AnyEntity => return id,
            Type::Optional(_) | Type::Null => {
                let message = "a value in a string may not be null".to_owned();
                Diagnostic::error(codes::types::MAYBE_NULL, span, message)
                    .label(format!("this is `{}`", self.show(&ty)))
                    .help(match ty.required() {
                        Type::Text | Type::Enum(_) | Type::Null => {
                            format!("say what stands for null: `{{{short} ?? \"none\"}}`")
                        }
                        _ => format!("say what stands for null: `{{{short} ?? …}}`, a value of the same type"),
                    })
            }
            Type::List(item) => {
                let message = format!("`{}` cannot stand in a string", self.show(&ty));
                let diagnostic = Diagnostic::error(codes::types::NOT_TEXT, span, message);
                match &**item {
                    Type::Text | Type::Enum(_) | Type::Int | Type::Decimal => {
                        diagnostic.help(format!("join its elements: `{{{short}.join(\", \")}}`"))
                    }
                    _ => diagnostic
                        .help(format!("say what to show of each element: `{{{short}.map(|x| …).join(\", \")}}`")),
                }
            }
            _ => {
                let message = format!("`{}` cannot stand in a string", self.show(&ty));
                Diagnostic::error(codes::types::NOT_TEXT, span, message).help("show one of its fields: `{x.name}`")
            }
        };
        self.fail(span, diagnostic)
    }
}

fn number_format(format: &Format) -> NumberFormat {
    let places = format.digits.map(|digits| u8::try_from(digits).unwrap_or(u8::MAX));
    NumberFormat { thousands: format.thousands, places }
}
