//! Keys of entities: their patterns, and the entities whose rows hold their tables.

use super::fields::Fields;
use super::messages::did_you_mean;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use crate::syntax::tree::{Expr, ExprKind, KeyKind, KeyType, Name, Piece};
use silo_runtime::ids::FieldId;
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::value::Text;

/// How many zeros a counter may have.
const WIDEST: usize = 18;

/// The pattern of an entity's keys. `nested` says whether its rows live in tables of other rows.
pub(crate) fn pattern(key: &KeyType, fields: &Fields<'_>, nested: bool, sink: &mut Vec<Diagnostic>) -> KeyPattern {
    if let Some((KeyKind::Int, _)) = key.kind {
        if let Some(pattern) = &key.pattern {
            sink.push(
                Diagnostic::error(
                    codes::declarations::KEY_PATTERN,
                    pattern.span,
                    "a key that is a number has no pattern",
                )
                .label("patterns make text")
                .help("take `int` away for text keys, or the pattern for numbers"),
            );
        }
        return KeyPattern::Integer;
    }
    let Some(pattern) = &key.pattern else { return KeyPattern::Given };
    let mut parts = Vec::new();
    let before = sink.len();
    let counter =
        pattern.pieces.iter().rposition(|piece| matches!(piece, Piece::Literal { text, .. } if text.contains('0')));
    for (at, piece) in pattern.pieces.iter().enumerate() {
        match piece {
            Piece::Literal { text, span } => {
                if text.chars().any(char::is_control) {
                    sink.push(
                        Diagnostic::error(codes::declarations::KEY_PATTERN, *span, "a key holds no control characters")
                            .label("a line end, a tab or another control character"),
                    );
                }
                if Some(at) == counter {
                    split_counter(text, *span, &mut parts, sink);
                } else {
                    parts.push(KeyPart::Literal(text.clone()));
                }
            }
            Piece::Hole { value, format, span } => {
                if format.is_some() {
                    sink.push(
                        Diagnostic::error(codes::declarations::KEY_PATTERN, *span, "a key's parts have no format")
                            .help("take the format away: the part stands in the key as it is on the wire"),
                    );
                }
                parts.extend(hole(value, fields, nested, sink));
            }
        }
    }
    if sink.len() > before {
        return KeyPattern::Text(parts);
    }
    if parts.is_empty() {
        sink.push(
            Diagnostic::error(codes::declarations::KEY_PATTERN, pattern.span, "this pattern makes no key")
                .label("empty")
                .help("write what keys look like, with zeros for the number: `key \"USR-000\"`"),
        );
        return KeyPattern::Given;
    }
    if !parts.iter().any(|part| !matches!(part, KeyPart::Literal(_))) {
        sink.push(
            Diagnostic::error(codes::declarations::KEY_PATTERN, pattern.span, "every key of this pattern is the same")
                .label("no zeros to count with, no field")
                .help("add zeros for the number, such as `USR-000`, or a field in braces, such as `STK-{product}`"),
        );
    }
    KeyPattern::Text(parts)
}

/// The last run of zeros of a literal is the counter.
fn split_counter(text: &str, span: Span, parts: &mut Vec<KeyPart>, sink: &mut Vec<Diagnostic>) {
    let rest = text.trim_end_matches(|c| c != '0');
    let before = rest.trim_end_matches('0');
    let width = rest.len() - before.len();
    let after = text.get(rest.len()..).unwrap_or_default();
    if width > WIDEST {
        sink.push(
            Diagnostic::error(codes::declarations::KEY_PATTERN, span, format!("a counter of {width} digits"))
                .label(format!("at most {WIDEST} zeros"))
                .help("a few zeros are enough: the number grows past them when it must"),
        );
    }
    if !before.is_empty() {
        parts.push(KeyPart::Literal(Text::from(before)));
    }
    parts.push(KeyPart::Counter(u8::try_from(width.min(WIDEST)).unwrap_or(u8::MAX)));
    if !after.is_empty() {
        parts.push(KeyPart::Literal(Text::from(after)));
    }
}

fn hole(value: &Expr, fields: &Fields<'_>, nested: bool, sink: &mut Vec<Diagnostic>) -> Option<KeyPart> {
    let ExprKind::Name(name) = &value.kind else {
        sink.push(
            Diagnostic::error(
                codes::declarations::KEY_PATTERN,
                value.span,
                "only names of fields stand in a key's pattern",
            )
            .label("this is computed")
            .help("write `{field}` or `{parent}`"),
        );
        return None;
    };
    let at = fields.decls.iter().position(|field| field.name == name.text);
    let Some((field, decl)) = at.and_then(|at| Some((FieldId::from(at), fields.decls.get(at)?))) else {
        if name == "parent" && nested {
            return Some(KeyPart::Parent);
        }
        unknown(name, fields, nested, sink);
        return None;
    };
    let is_key = fields.key.is_some_and(|(key, _)| key == field);
    let problem = if is_key {
        "the key itself"
    } else if !decl.cases.is_empty() {
        "a field of some cases only"
    } else if decl.ty.is_optional() {
        "a field that may be null"
    } else if !matches!(
        decl.ty,
        Type::Never
            | Type::Text
            | Type::Int
            | Type::Decimal
            | Type::Date
            | Type::DateTime
            | Type::Enum(_)
            | Type::Entity(_)
    ) {
        "a field that is not one plain value"
    } else {
        return Some(KeyPart::Field(field));
    };
    let mut diagnostic =
        Diagnostic::error(codes::declarations::KEY_PATTERN, name.span, format!("`{name}` cannot be part of the key"))
            .label(format!("this is {problem}"))
            .help("take a field that every row has: text, a number, a date, an enum or a reference");
    if let Some(span) = decl.span {
        diagnostic = diagnostic.also(span, "declared here");
    }
    sink.push(diagnostic);
    None
}

fn unknown(name: &Name, fields: &Fields<'_>, nested: bool, sink: &mut Vec<Diagnostic>) {
    if name == "parent" {
        sink.push(
            Diagnostic::error(codes::declarations::KEY_PATTERN, name.span, "rows of this entity have no parent")
                .label("no entity holds a table of it")
                .help("name a field instead, or hold the rows in a table of another entity"),
        );
        return;
    }
    if let Some(derived) = fields.derived.iter().find(|field| field.tree.name.text == name.text) {
        sink.push(
            Diagnostic::error(
                codes::declarations::KEY_PATTERN,
                name.span,
                format!("`{name}` cannot be part of the key"),
            )
            .label("this is derived")
            .also(derived.tree.name.span, "declared here")
            .help("take a stored field: a key stays as it is while what is derived changes"),
        );
        return;
    }
    let diagnostic =
        Diagnostic::error(codes::declarations::KEY_PATTERN, name.span, format!("there is no field `{name}`"))
            .label("not a field of this entity");
    let parent = nested.then_some("parent");
    let names = fields.decls.iter().map(|field| &*field.name).chain(parent);
    sink.push(did_you_mean(diagnostic, name, names, "name a field of the entity"));
}
