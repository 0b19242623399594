//! Parameters and groups of parameters.

use super::super::defaults;
use super::super::items::{ParamDecl, TypeKind};
use super::super::messages::{did_you_mean, duplicate, wire_clash};
use super::super::types::{FieldDecl, Names, clashes};
use super::super::{Declared, fields, names};
use crate::declare::items::RecordDecl;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Param;
use crate::syntax::tree::{self, ParamKind};
use silo_runtime::ids::RecordId;
use silo_runtime::model::{Field, RecordShape};
use silo_runtime::value::Text;
use std::sync::Arc;

/// What the parameters are of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Function,
    Tool,
    Verifier,
}

/// Reads parameters; groups are expanded in their place.
pub(super) fn read(
    declared: &mut Declared<'_>,
    params: &tree::Params,
    place: Place,
    sink: &mut Vec<Diagnostic>,
) -> Vec<ParamDecl> {
    let mut read: Vec<ParamDecl> = Vec::with_capacity(params.items.len());
    let mut places: Names<Span> = Names::default();
    for item in &params.items {
        match &item.kind {
            ParamKind::One { name, ty, wire, default } => {
                check_name(declared, name, place, sink);
                let resolved = declared.types.resolve(ty, sink);
                let is_new = match places.get(&name.text) {
                    Some(first) => {
                        sink.push(duplicate("parameter", name.as_str(), name.span, *first));
                        false
                    }
                    None => true,
                };
                places.entry(Arc::clone(&name.text)).or_insert(name.span);
                if !is_new {
                    continue;
                }
                let known = resolved.is_some();
                let (ty, schema) = resolved.unwrap_or_else(fields::unknown);
                // A default that is wrong stays a default, so that leaving it out is not reported as well.
                let default = default.as_ref().map(|default| {
                    let value = if known { defaults::constant(declared, default, &schema, sink) } else { None };
                    value.unwrap_or_default()
                });
                let wire = match wire {
                    Some(given) => {
                        names::check_wire_name(&given.text, given.span, sink);
                        Arc::clone(&given.text)
                    }
                    None => {
                        let wire = declared.types.wire(name.as_str(), &ty);
                        if place == Place::Tool {
                            names::check_wire_name(&wire, name.span, sink);
                        }
                        wire
                    }
                };
                read.push(ParamDecl {
                    param: Param { name: Arc::clone(&name.text), ty, default, span: name.span },
                    schema,
                    wire,
                    docs: fields::docs(&item.docs),
                    group: None,
                });
            }
            ParamKind::Group(group) => {
                let Some(record) = group_record(declared, &group.record, sink) else { continue };
                for param in expand(declared, record, group.record.span) {
                    match places.get(&param.param.name) {
                        Some(first) => sink.push(
                            duplicate("parameter", &param.param.name, group.record.span, *first)
                                .note(format!("the group `...{}` brings it in", group.record)),
                        ),
                        None => {
                            check_clash(declared, &param.param.name, group.record.span, sink);
                            places.insert(Arc::clone(&param.param.name), group.record.span);
                            read.push(param);
                        }
                    }
                }
            }
        }
    }
    if place == Place::Tool {
        for (a, b, wire) in clashes(read.iter().map(|param| &param.wire)) {
            if let (Some(first), Some(second)) = (read.get(a), read.get(b)) {
                sink.push(wire_clash(&second.param.name, &wire, second.param.span, first.param.span));
            }
        }
        warn_of_near_names(&read, sink);
    }
    read
}

fn check_name(declared: &Declared<'_>, name: &tree::Name, place: Place, sink: &mut Vec<Diagnostic>) {
    names::check_reserved("parameter", name, &names::EVERYWHERE, sink);
    if place == Place::Verifier {
        names::check_reserved("parameter of a verifier", name, &names::IN_VERIFIERS, sink);
    }
    check_clash(declared, &name.text, name.span, sink);
}

/// A parameter hides neither state nor a constant.
fn check_clash(declared: &Declared<'_>, name: &Text, span: Span, sink: &mut Vec<Diagnostic>) {
    let state = declared.state.iter().find(|state| state.name == *name).map(|state| ("state field", state.span));
    let constant = || declared.consts.iter().find(|one| one.name == *name).map(|one| ("constant", one.span));
    if let Some((what, first)) = state.or_else(constant) {
        sink.push(
            Diagnostic::error(codes::names::SHADOWS, span, format!("the parameter `{name}` hides the {what} `{name}`"))
                .label("the same name")
                .also(first, format!("the {what} is declared here"))
                .help("give the parameter another name; with `as \"…\"` it can keep this one on the wire"),
        );
    }
}

/// The record that a group names, if it can be one.
fn group_record(declared: &Declared<'_>, name: &tree::Name, sink: &mut Vec<Diagnostic>) -> Option<RecordId> {
    let found = declared.types.find(name.as_str());
    match found.map(|def| def.kind) {
        Some(TypeKind::Record(id)) => {
            let shape = declared.types.model.record(id)?;
            if shape.tag.is_some() {
                sink.push(
                    Diagnostic::error(codes::declarations::GROUP, name.span, format!("the record `{name}` has cases"))
                        .label("its fields cannot be parameters")
                        .help(format!("take it as one parameter: `details: {name}`")),
                );
                return None;
            }
            Some(id)
        }
        Some(TypeKind::Broken) => None,
        Some(TypeKind::Enum(_) | TypeKind::Entity(_)) => {
            sink.push(
                Diagnostic::error(codes::declarations::GROUP, name.span, format!("`{name}` is not a record"))
                    .label("only the fields of a record can be parameters")
                    .help("declare a `record` with the fields that these tools share"),
            );
            None
        }
        None => {
            let diagnostic =
                Diagnostic::error(codes::names::UNKNOWN_TYPE, name.span, format!("there is no record `{name}`"))
                    .label("not declared");
            let records = declared.types.model.records.iter().filter_map(|shape| shape.name.as_deref());
            sink.push(did_you_mean(
                diagnostic,
                name,
                records,
                "declare a `record` with the fields that these tools share",
            ));
            None
        }
    }
}

/// The fields of a record as parameters.
fn expand(declared: &Declared<'_>, record: RecordId, used: Span) -> Vec<ParamDecl> {
    let (Some(shape), Some(decl)) = (declared.types.model.record(record), declared.types.record_decl(record)) else {
        return Vec::new();
    };
    let fields = shape.fields.iter().zip(&decl.fields);
    fields
        .map(|(field, decl)| ParamDecl {
            param: Param {
                name: Arc::clone(&field.name),
                ty: decl.ty.clone(),
                default: field.default.clone(),
                span: decl.span.unwrap_or(used),
            },
            schema: field.schema.clone(),
            wire: Arc::clone(&field.wire),
            docs: Arc::clone(&field.docs),
            group: Some(record),
        })
        .collect()
}

/// The record of a tool's parameters. No two tools share one.
pub(super) fn input_record(declared: &mut Declared<'_>, params: &[ParamDecl], span: Span) -> RecordId {
    let fields = params
        .iter()
        .map(|param| Field {
            name: Arc::clone(&param.param.name),
            wire: Arc::clone(&param.wire),
            schema: param.schema.clone(),
            default: param.param.default.clone(),
            docs: Arc::clone(&param.docs),
            cases: Vec::new(),
            omit_null: false,
        })
        .collect();
    let decls = params
        .iter()
        .map(|param| FieldDecl {
            name: Arc::clone(&param.param.name),
            ty: param.param.ty.clone(),
            cases: Vec::new(),
            span: Some(param.param.span),
        })
        .collect();
    let shape = RecordShape::new(None, fields, None, Text::from(""));
    declared.types.push_record(shape, RecordDecl { span: Some(span), fields: decls })
}

fn warn_of_near_names(params: &[ParamDecl], sink: &mut Vec<Diagnostic>) {
    let mut seen: Names<(Span, Text)> = Names::default();
    for param in params {
        let wire = Arc::clone(&param.wire);
        let before = seen.insert(Text::from(wire.to_ascii_lowercase()), (param.param.span, Arc::clone(&wire)));
        if let Some((first, other)) = before
            && other != wire
        {
            sink.push(
                Diagnostic::warning(
                    codes::warnings::NEAR_NAMES,
                    param.param.span,
                    format!("the parameter `{wire}` differs from another in case only"),
                )
                .label("this one")
                .also(first, "and this one")
                .why("agents mix such names up, and some interfaces fold their case")
                .help("give one of them a name that sounds different"),
            );
        }
    }
}
