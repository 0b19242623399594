//! What can be read after a dot.

use super::body::Checker;
use super::facts::{Path, Step};
use super::suggest::nearest;
use crate::declare::RowField;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, FunctionId, Type};
use crate::syntax::tree::Name;
use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use std::collections::BTreeSet;

/// A stored field of a row or a record.
#[derive(Clone, Debug)]
pub(crate) struct StoredField {
    pub(crate) id: FieldId,
    /// Its type where nothing is known about the case.
    pub(crate) ty: Type,
    /// Its type in each case that declares it; empty outside cases.
    pub(crate) cases: Vec<(u16, Type)>,
    pub(crate) span: Option<Span>,
    /// The tag of the record or entity, and its enum.
    pub(crate) tag: Option<(FieldId, EnumId)>,
}

/// What a name after a dot stands for.
pub(crate) enum Found {
    Stored(StoredField),
    Derived { function: FunctionId, ty: Type, case: Option<u16>, tag: Option<(FieldId, EnumId)> },
}

impl Checker<'_, '_, '_> {
    /// A field of an entity by name.
    pub(crate) fn row_field(&self, entity: EntityId, name: &str) -> Option<Found> {
        let declared = &self.shared.declared;
        let decl = declared.types.entity_decl(entity)?;
        let shape = declared.types.model.entity(entity)?;
        let tag = shape.tag.and_then(|id| enum_of(&decl.field(id)?.ty).map(|tag| (id, tag)));
        match decl.find(name)? {
            RowField::Stored(id) => {
                let field = decl.field(id)?;
                let (ty, cases) = (field.ty.clone(), field.cases.clone());
                Some(Found::Stored(StoredField { id, ty, cases, span: field.span, tag }))
            }
            RowField::Derived(at) => {
                let field = declared.derived.get(at)?;
                Some(Found::Derived { function: field.function, ty: field.ty.clone(), case: field.case, tag })
            }
        }
    }

    /// A field of a record by name.
    pub(crate) fn record_field(&self, record: RecordId, name: &str) -> Option<StoredField> {
        let types = &self.shared.declared.types;
        let (decl, shape) = (types.record_decl(record)?, types.model.record(record)?);
        let id = decl.find(name)?;
        let field = decl.field(id)?;
        let tag = shape.tag.and_then(|id| enum_of(&decl.field(id)?.ty).map(|tag| (id, tag)));
        Some(StoredField { id, ty: field.ty.clone(), cases: field.cases.clone(), span: field.span, tag })
    }

    /// The names that can stand after a dot of a row or record.
    pub(crate) fn field_names(&self, ty: &Type) -> Vec<String> {
        let types = &self.shared.declared.types;
        match ty.required() {
            Type::Entity(id) => {
                let Some(decl) = types.entity_decl(*id) else { return Vec::new() };
                let stored = decl.fields.iter().map(|field| field.name.to_string());
                let derived = decl.derived.iter().map(|(name, _)| name.to_string());
                let built_in = std::iter::once("key".to_owned());
                let parent = types.model.entity(*id).and_then(|shape| shape.parent).map(|_| "parent".to_owned());
                stored.chain(derived).chain(built_in).chain(parent).collect()
            }
            Type::Record(id) => {
                let Some(decl) = types.record_decl(*id) else { return Vec::new() };
                decl.fields.iter().map(|field| field.name.to_string()).collect()
            }
            Type::AnyEntity => vec!["key".to_owned()],
            _ => Vec::new(),
        }
    }

    /// `base.name`.
    pub(crate) fn field(&mut self, base: ExprId, name: &Name, span: Span) -> ExprId {
        let ty = self.ty(base);
        match &ty {
            Type::Never => self.broken(span),
            Type::Entity(entity) => self.row_member(base, *entity, name, span),
            Type::AnyEntity if *name == "key" => self.push(ExprKind::Key(base), Type::Text, span),
            Type::Record(record) => match self.record_field(*record, name.as_str()) {
                Some(field) => {
                    let path = self.path_of(base);
                    self.stored(base, &field, path, Step::Record, span)
                }
                None => self.unknown_field(base, &ty, name, span),
            },
            Type::Optional(_) | Type::Null => {
                let target = self.source(self.span(base));
                let named = if target.len() <= 40 { format!("`{target}`") } else { "this".to_owned() };
                let message = format!("`.{name}` is read from {named}, which may be null");
                let of = self.show(&ty);
                let diagnostic = Diagnostic::error(codes::types::MAYBE_NULL, name.span, message)
                    .also(self.span(base), format!("this is `{of}`"))
                    .help(format!("`?.{name}` gives null where it is null, `!.{name}` fails there; or test it before"));
                self.fail(span, diagnostic)
            }
            _ => self.unknown_field(base, &ty, name, span),
        }
    }

    fn row_member(&mut self, base: ExprId, entity: EntityId, name: &Name, span: Span) -> ExprId {
        match self.row_field(entity, name.as_str()) {
            Some(Found::Stored(field)) => {
                self.read_row(entity);
                let path = self.path_of(base);
                self.stored(base, &field, path, |field| Step::Row(entity, field), span)
            }
            Some(Found::Derived { function, ty, case, tag }) => {
                self.read_row(entity);
                self.note_call(function, name.span);
                let base_path = self.path_of(base);
                let known = case.is_some_and(|case| {
                    self.known_cases(base_path.as_ref(), tag, |field| Step::Row(entity, field))
                        .is_some_and(|cases| !cases.is_empty() && cases.iter().all(|known| *known == case))
                });
                let shown = if case.is_some() { ty.clone().optional() } else { ty.clone() };
                let id = self.push(ExprKind::Derived { base, function }, shown, span);
                let id = if known { self.push(ExprKind::Narrowed(id), ty, span) } else { id };
                let path = extend(base_path, Step::Derived(function));
                self.narrowed(id, path)
            }
            None if *name == "key" => self.push(ExprKind::Key(base), Type::Text, span),
            None if *name == "parent" => self.parent(base, entity, name, span),
            None => self.unknown_field(base, &Type::Entity(entity), name, span),
        }
    }

    fn parent(&mut self, base: ExprId, entity: EntityId, name: &Name, span: Span) -> ExprId {
        let shape = self.shared.declared.types.model.entity(entity);
        if let Some(parent) = shape.and_then(|shape| shape.parent) {
            self.read_row(entity);
            self.push(ExprKind::Parent(base), Type::Entity(parent), span)
        } else {
            let message = format!("rows of `{}` have no parent", self.show(&Type::Entity(entity)));
            let diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message)
                .help("`parent` is the row that owns a row of a nested table");
            self.fail(span, diagnostic)
        }
    }

    /// A stored field, with what is known of its case and of null.
    pub(crate) fn stored(
        &mut self,
        base: ExprId,
        field: &StoredField,
        base_path: Option<Path>,
        step: impl Fn(FieldId) -> Step,
        span: Span,
    ) -> ExprId {
        let known = self.case_type(field, base_path.as_ref(), &step);
        let path = extend(base_path, step(field.id));
        let id = self.push(ExprKind::Field { base, field: field.id }, field.ty.clone(), span);
        let id = match known {
            // Where null is allowed in the case, too, only this says that the case is known.
            Some(ty) => self.push(ExprKind::Narrowed(id), ty, span),
            None => id,
        };
        self.narrowed(id, path)
    }

    /// The type of a case's field where tests of the tag have made it readable.
    pub(crate) fn case_type(
        &self,
        field: &StoredField,
        base: Option<&Path>,
        step: &impl Fn(FieldId) -> Step,
    ) -> Option<Type> {
        if field.cases.is_empty() {
            return None;
        }
        let known = self.known_cases(base, field.tag, step)?;
        let mut common: Option<&Type> = None;
        for case in &known {
            let (_, ty) = field.cases.iter().find(|(declared, _)| declared == case)?;
            if common.is_some_and(|common| common != ty) {
                return None;
            }
            common = Some(ty);
        }
        common.cloned()
    }

    /// The members that the tag of the value at a path can have, where that is known.
    fn known_cases(
        &self,
        base: Option<&Path>,
        tag: Option<(FieldId, EnumId)>,
        step: impl Fn(FieldId) -> Step,
    ) -> Option<BTreeSet<u16>> {
        self.known_members(base, step(tag?.0))
    }

    /// The members that a field of the value at a path can have, where that is known.
    pub(crate) fn known_members(&self, base: Option<&Path>, step: Step) -> Option<BTreeSet<u16>> {
        let path = extend(base.cloned(), step)?;
        self.facts.get(&path)?.members.clone()
    }

    /// The expression, known not to be null where a test has shown it.
    pub(crate) fn narrowed(&mut self, id: ExprId, path: Option<Path>) -> ExprId {
        let Type::Optional(inner) = self.ty(id) else { return id };
        let known = path.is_some_and(|path| self.facts.get(&path).is_some_and(|fact| fact.present));
        if !known {
            return id;
        }
        let span = self.span(id);
        self.push(ExprKind::Narrowed(id), (*inner).clone(), span)
    }

    fn unknown_field(&mut self, base: ExprId, ty: &Type, name: &Name, span: Span) -> ExprId {
        let diagnostic = self.unknown_field_error(base, ty, name);
        self.fail(span, diagnostic)
    }

    fn unknown_field_error(&self, base: ExprId, ty: &Type, name: &Name) -> Diagnostic {
        let of = self.show(ty);
        let names = self.field_names(ty);
        if let Some(hint) = super::foreign::field_hint(ty, name.as_str()) {
            let message = format!("`{of}` has no field `{name}`");
            let diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
            return hint.add_to(diagnostic, name.span);
        }
        let is_method = super::methods::exists(ty, name.as_str());
        if is_method {
            return Diagnostic::error(codes::names::NOT_A_VALUE, name.span, format!("`{name}` is a method: call it"))
                .fix("call it", name.span.after(), "()");
        }
        let message = match ty {
            Type::Record(_) | Type::Entity(_) => format!("`{of}` has no field `{name}`"),
            _ => format!("`{of}` has no fields, so there is no `.{name}`"),
        };
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
        match nearest(name.as_str(), names.iter().map(String::as_str)) {
            Some(near) => {
                diagnostic = diagnostic.label(format!("did you mean `{near}`?"));
                diagnostic = diagnostic.fix(format!("write `{near}`"), name.span, near);
            }
            None if !names.is_empty() => diagnostic = diagnostic.note(format!("it has {}", list(&names))),
            None => {}
        }
        if let Type::List(_) | Type::Table(_) | Type::RecordTable(..) = ty
            && let Some(item) = Self::element_type(ty)
            && self.field_names(&item).iter().any(|field| field == name.as_str())
        {
            let source = self.source(self.span(base));
            diagnostic = diagnostic.help(format!("for the field of each element write `{source}.map(|x| x.{name})`"));
        }
        if let Some(span) = self.declaration_of(ty) {
            diagnostic = diagnostic.also(span, format!("`{of}` is declared here"));
        }
        diagnostic
    }

    /// Where the type of a value is declared, if anywhere.
    pub(crate) fn declaration_of(&self, ty: &Type) -> Option<Span> {
        let types = &self.shared.declared.types;
        match ty.required() {
            Type::Entity(id) => types.entity_decl(*id).map(|decl| decl.span),
            Type::Record(id) => types.record_decl(*id).and_then(|decl| decl.span),
            Type::Enum(id) => types.enum_decl(*id).map(|decl| decl.span),
            _ => None,
        }
    }
}

/// Names as a list for a message, the first twelve of them.
pub(crate) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

pub(crate) fn extend(path: Option<Path>, step: Step) -> Option<Path> {
    let mut path = path?;
    if path.steps.len() >= super::facts::MAX_STEPS {
        return None;
    }
    path.steps.push(step);
    Some(path)
}

pub(crate) fn enum_of(ty: &Type) -> Option<EnumId> {
    match ty.required() {
        Type::Enum(id) => Some(*id),
        _ => None,
    }
}
