//! Cases: fields that exist for one member of the enum field that is the tag. A field that several cases declare is one field.

use super::{Declared, Reading};
use crate::declare::collect::has_room;
use crate::declare::messages::{did_you_mean, duplicate, twice};
use crate::declare::types::FieldDecl;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::Type;
use crate::syntax::tree::{self, FieldMember};
use silo_runtime::ids::{EntityId, EnumId, FieldId};
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use std::sync::Arc;

/// A field that one or more cases declare.
struct CaseField<'t> {
    name: Text,
    in_cases: Vec<(u16, Declared<'t>)>,
}

impl<'t> Reading<'_, 't> {
    pub(super) fn cases(&mut self, cases: &[&'t tree::Case]) {
        let Some((tag, of)) = self.find_tag(cases) else { return };
        self.fields.tag = Some(tag);
        let members = self.types.model.enum_shape(of).map(|shape| shape.members.clone()).unwrap_or_default();
        let mut seen: Vec<(u16, Span)> = Vec::new();
        let mut gathered: Vec<CaseField<'t>> = Vec::new();
        for case in cases {
            let Some(member) = members.iter().position(|member| *member == case.value.text) else { continue };
            let Ok(member) = u16::try_from(member) else { continue };
            if let Some((_, first)) = seen.iter().find(|(before, _)| *before == member) {
                self.sink.push(duplicate("case", case.value.as_str(), case.value.span, *first));
                continue;
            }
            seen.push((member, case.value.span));
            self.case(case, member, &mut gathered);
        }
        for field in gathered {
            self.merge(field, members.len());
        }
    }

    /// The enum field that the cases are of: the first that has all their values.
    fn find_tag(&mut self, cases: &[&'t tree::Case]) -> Option<(FieldId, EnumId)> {
        let enums: Vec<(FieldId, EnumId)> = self
            .fields
            .decls
            .iter()
            .enumerate()
            .filter_map(|(at, field)| if let Type::Enum(of) = field.ty { Some((FieldId::from(at), of)) } else { None })
            .collect();
        let has = |of: EnumId, value: &str| {
            self.types.model.enum_shape(of).is_some_and(|shape| shape.members.iter().any(|member| **member == *value))
        };
        let fits = |of: EnumId| cases.iter().all(|case| has(of, case.value.as_str()));
        if let Some(tag) = enums.iter().find(|(_, of)| fits(*of)) {
            return Some(*tag);
        }
        let first = cases.first()?;
        if enums.is_empty() {
            let message = "cases need a field that says which one it is";
            self.sink.push(
                Diagnostic::error(codes::declarations::CASE, first.value.span, message)
                    .label("no field outside the cases is an enum")
                    .help("declare an enum with the names of the cases, and a field of it: `kind: ActivityKind`"),
            );
            return None;
        }
        // The enum that has the most of them is the one that was meant.
        let (field, of) = enums.iter().copied().max_by_key(|(field, of)| {
            (cases.iter().filter(|case| has(*of, case.value.as_str())).count(), std::cmp::Reverse(field.index()))
        })?;
        let stray: Vec<&&tree::Case> = cases.iter().filter(|case| !has(of, case.value.as_str())).collect();
        let shape = self.types.model.enum_shape(of)?.clone();
        let tag = self.fields.decls.get(field.index())?.clone();
        for case in stray {
            let message = format!("`{}` is not a member of `{}`", case.value.text, shape.name);
            let name = tree::Name { text: Arc::clone(&case.value.text), span: case.value.span };
            let mut diagnostic =
                Diagnostic::error(codes::declarations::CASE, case.value.span, message).label("not a member");
            if let Some(span) = tag.span {
                diagnostic = diagnostic.also(span, format!("the cases are those of `{}`", tag.name));
            }
            let names = shape.members.iter().map(|member| &**member);
            let mut diagnostic = did_you_mean(diagnostic, &name, names, "add it to the enum, or take the case away");
            // The member is written in quotes.
            if let Some(edit) = diagnostic.fix.as_mut().and_then(|fix| fix.edits.first_mut()) {
                edit.replacement = format!("\"{}\"", edit.replacement);
            }
            self.sink.push(diagnostic);
        }
        Some((field, of))
    }

    fn case(&mut self, case: &'t tree::Case, member: u16, gathered: &mut Vec<CaseField<'t>>) {
        for part in &case.members {
            match part {
                FieldMember::Field(field) => {
                    let Some(declared) = self.declare(field, true) else { continue };
                    if let Some(first) = self.place_of(field.name.as_str()) {
                        self.sink.push(twice("field", &field.name, first));
                        continue;
                    }
                    let name = Arc::clone(&field.name.text);
                    let known = gathered.iter_mut().find(|known| known.name == name);
                    match known {
                        Some(known) => match known.in_cases.iter().find(|(before, _)| *before == member) {
                            Some((_, first)) => self.sink.push(twice("field", &field.name, first.tree.name.span)),
                            None => known.in_cases.push((member, declared)),
                        },
                        None => gathered.push(CaseField { name, in_cases: vec![(member, declared)] }),
                    }
                }
                FieldMember::Derived(derived) => match gathered.iter().find(|known| known.name == derived.name.text) {
                    Some(known) => {
                        if let Some((_, first)) = known.in_cases.first() {
                            self.sink.push(twice("field", &derived.name, first.tree.name.span));
                        }
                    }
                    None => self.derived(derived, Some(member)),
                },
                FieldMember::Label(label) => self.sink.push(
                    Diagnostic::error(codes::declarations::LABEL, label.span, "a label cannot stand in a case")
                        .label("every row needs one")
                        .help("let the label be a field outside the cases"),
                ),
                FieldMember::Case(inner) => self.sink.push(
                    Diagnostic::error(codes::declarations::CASE, inner.value.span, "a case cannot stand in a case")
                        .label("nested")
                        .help("give the case a field that is a record, and let that record have cases"),
                ),
            }
        }
    }

    /// One field of what the cases say of it.
    fn merge(&mut self, field: CaseField<'t>, member_count: usize) {
        let everywhere = field.in_cases.len() == member_count;
        let Some((_, first)) = field.in_cases.first() else { return };
        let (name_span, wire) = (first.tree.name.span, Arc::clone(&first.wire));
        let Some((ty, schema)) = joined(&field.in_cases) else {
            let other = field.in_cases.iter().find(|(_, other)| other.ty.required() != first.ty.required());
            let span = other.map_or(name_span, |(_, other)| other.tree.ty.span());
            self.disagree(&field.name, "its type", span, first.tree.ty.span());
            return;
        };
        if let Some((_, other)) = field.in_cases.iter().find(|(_, other)| other.wire != wire) {
            self.disagree(&field.name, "its name on the wire", other.tree.name.span, name_span);
            return;
        }
        let default = first.tree.default.as_ref();
        let same_default = |other: Option<&tree::Expr>| match (default, other) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                let mut ignored = Vec::new();
                let constants = &self.types.constants;
                let one = constants.evaluate(one, &mut ignored).map(|constant| constant.value);
                one == constants.evaluate(other, &mut ignored).map(|constant| constant.value)
            }
            _ => false,
        };
        if let Some((_, other)) = field.in_cases.iter().find(|(_, other)| !same_default(other.tree.default.as_ref())) {
            self.disagree(&field.name, "its default", other.tree.span, first.tree.span);
            return;
        }
        let mut docs: Vec<&str> = Vec::new();
        for (_, declared) in &field.in_cases {
            if !declared.docs.is_empty() && !docs.contains(&&*declared.docs) {
                docs.push(&declared.docs);
            }
        }
        if !has_room(self.types, self.fields.model.len(), "fields in one place", name_span, self.sink) {
            return;
        }
        let (ty, schema) = if everywhere { (ty, schema) } else { (ty.optional(), schema.optional()) };
        self.fields.model.push(Field {
            name: Arc::clone(&field.name),
            wire,
            schema,
            default: None,
            docs: docs.join("\n").into(),
            cases: field.in_cases.iter().map(|(member, declared)| (*member, declared.schema.clone())).collect(),
            omit_null: false,
        });
        self.fields.decls.push(FieldDecl {
            name: field.name,
            ty,
            cases: field.in_cases.iter().map(|(member, declared)| (*member, declared.ty.clone())).collect(),
            span: Some(name_span),
        });
        self.fields.defaults.push(default);
    }

    fn disagree(&mut self, name: &str, about: &str, second: Span, first: Span) {
        self.sink.push(
            Diagnostic::error(
                codes::declarations::CASE,
                second,
                format!("the cases do not agree on `{name}`: {about} differs"),
            )
            .label("differs here")
            .also(first, "from what is declared here")
            .help("declare it alike in each case, or give it another name in one of them"),
        );
    }
}

/// The type of a field outside any test of the tag, as if every case declared it: that of all of them, or a reference to one of
/// several entities. Nothing if they do not agree.
fn joined(in_cases: &[(u16, Declared<'_>)]) -> Option<(Type, Schema)> {
    let (_, first) = in_cases.first()?;
    let optional = in_cases.iter().any(|(_, declared)| declared.ty.is_optional());
    let base = first.ty.required();
    if in_cases.iter().any(|(_, declared)| declared.ty == Type::Never) {
        return Some(super::unknown());
    }
    let (ty, schema) = if in_cases.iter().all(|(_, declared)| declared.ty.required() == base) {
        let same = in_cases.iter().all(|(_, declared)| declared.schema == first.schema);
        (base.clone(), if same { first.schema.clone() } else { base.schema() })
    } else {
        let mut entities: Vec<EntityId> = Vec::new();
        for (_, declared) in in_cases {
            let Type::Entity(entity) = declared.ty.required() else { return None };
            if !entities.contains(entity) {
                entities.push(*entity);
            }
        }
        (Type::AnyEntity, Schema::AnyEntity(entities))
    };
    Some(if optional { (ty.optional(), schema.optional()) } else { (ty, schema) })
}
