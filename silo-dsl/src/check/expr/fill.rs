//! Literals of something whose members are declared: a record, a new row, an update of a row.

use super::record::as_literal;
use crate::check::assign::Fit;
use crate::check::body::Checker;
use crate::check::facts::Step;
use crate::check::suggest::nearest;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, Member, RowMember, Type};
use crate::syntax::tree::{Braced, Expr, MemberKind, Name};
use rustc_hash::FxHashMap;
use silo_runtime::ids::{EntityId, FieldId, RecordId};
use silo_runtime::keys::KeyPattern;
use silo_runtime::value::Text;
use std::collections::BTreeSet;

/// What a literal fills.
pub(crate) struct Target {
    /// Its type as an author writes it.
    shown: String,
    /// Where it is declared.
    declared: Option<Span>,
    fields: Vec<TargetField>,
    tag: Option<FieldId>,
    /// Whether what is left out stays as it is.
    partial: bool,
    /// Of an update: the cases that the row can be of, where tests have shown it.
    known: Option<BTreeSet<u16>>,
}

#[derive(Clone)]
struct TargetField {
    id: FieldId,
    name: Text,
    ty: Type,
    cases: Vec<(u16, Type)>,
    /// Whether it may be left out.
    optional: bool,
    /// Whether it has a value of its own where it is left out, which in a case its type does not say.
    defaulted: bool,
    span: Option<Span>,
    /// Why it cannot be given, if it cannot.
    locked: Option<&'static str>,
}

/// Which members of something spread go to which fields.
pub(crate) type Mapping = Vec<(RowMember, FieldId)>;

/// The members that a literal gives.
pub(crate) struct Filled {
    pub(crate) members: Vec<FilledMember>,
    pub(crate) spreads: Vec<(usize, ExprId, Mapping)>,
}

pub(crate) struct FilledMember {
    pub(crate) field: FieldId,
    pub(crate) name: Text,
    pub(crate) value: ExprId,
    /// `name?`: dropped, or left alone, where it is null.
    pub(crate) omit: bool,
}

impl Checker<'_, '_, '_> {
    /// The members of a record.
    pub(crate) fn record_target(&self, record: RecordId) -> Target {
        let types = &self.shared.declared.types;
        let shown = self.show(&Type::Record(record));
        let (Some(decl), Some(shape)) = (types.record_decl(record), types.model.record(record)) else {
            return Target { shown, declared: None, fields: Vec::new(), tag: None, partial: false, known: None };
        };
        let fields = decl.fields.iter().zip(&shape.fields).enumerate().map(|(at, (field, stored))| TargetField {
            id: FieldId::from(at),
            name: field.name.clone(),
            ty: field.ty.clone(),
            cases: field.cases.clone(),
            optional: stored.default.is_some() || field.ty.is_optional(),
            defaulted: stored.default.is_some(),
            span: field.span,
            locked: None,
        });
        Target { shown, declared: decl.span, fields: fields.collect(), tag: shape.tag, partial: false, known: None }
    }

    /// The fields of a new row, or those that an update may set.
    pub(crate) fn row_target(&self, entity: EntityId, update: bool) -> Target {
        let types = &self.shared.declared.types;
        let shown = self.show(&Type::Entity(entity));
        let (Some(decl), Some(shape)) = (types.entity_decl(entity), types.model.entity(entity)) else {
            return Target { shown, declared: None, fields: Vec::new(), tag: None, partial: update, known: None };
        };
        let fields = decl.fields.iter().zip(&shape.fields).enumerate().map(|(at, (field, stored))| {
            let id = FieldId::from(at);
            let generated = id == shape.key && shape.pattern != KeyPattern::Given;
            let nested = matches!(field.ty, Type::Table(_));
            let locked = if update { self.locked(entity, id) } else { None };
            TargetField {
                id,
                name: field.name.clone(),
                ty: field.ty.clone(),
                cases: field.cases.clone(),
                optional: generated || nested || stored.default.is_some() || field.ty.is_optional(),
                defaulted: stored.default.is_some() || nested,
                span: field.span,
                locked,
            }
        });
        Target {
            shown,
            declared: Some(decl.span),
            fields: fields.collect(),
            tag: shape.tag,
            partial: update,
            known: None,
        }
    }

    /// The fields that an update of a row may set, by what is known of its case.
    pub(crate) fn update_target(&self, row: ExprId, entity: EntityId) -> Target {
        let tag = self.shared.declared.types.model.entity(entity).and_then(|shape| shape.tag);
        let path = self.path_of(row);
        let known = tag.and_then(|tag| self.known_members(path.as_ref(), Step::Row(entity, tag)));
        Target { known, ..self.row_target(entity, true) }
    }

    /// Why a field of a row can never be assigned, if it cannot.
    pub(crate) fn locked(&self, entity: EntityId, field: FieldId) -> Option<&'static str> {
        let types = &self.shared.declared.types;
        let (decl, shape) = (types.entity_decl(entity)?, types.model.entity(entity)?);
        if field == shape.key {
            return Some("a key never changes: references hold it");
        }
        if decl.key_fields.contains(&field) {
            return Some("the row's key is made of it, and keys never change");
        }
        if shape.tag == Some(field) {
            return Some("it chooses the case of the row, which is fixed when the row is inserted");
        }
        if matches!(decl.field(field)?.ty, Type::Table(_)) {
            return Some("a nested table changes by `insert` and `remove`");
        }
        None
    }

    /// Checks the members of a literal against what it fills.
    pub(crate) fn fill(&mut self, braced: &Braced, target: &Target) -> Filled {
        let mut filled = Filled { members: Vec::new(), spreads: Vec::new() };
        let mut given: FxHashMap<Text, Span> = FxHashMap::default();
        let mut spread: Vec<FieldId> = Vec::new();
        let mut unsure = false;
        let case = self.written_case(braced, target);
        for member in &braced.members {
            match &member.kind {
                MemberKind::Named { name, optional, value } => {
                    if let Some(first) = given.insert(name.text.clone(), name.span) {
                        self.twice(name, first);
                    }
                    let Some(field) = target.fields.iter().find(|field| field.name == name.text) else {
                        unsure = true;
                        let diagnostic = Self::unknown_member(name, target);
                        self.report(diagnostic);
                        if let Some(value) = value {
                            self.expr(value, None);
                        }
                        continue;
                    };
                    let field = field.clone();
                    let told = self.shared.diagnostics.len();
                    let value = self.filled_value(name, optional.is_some(), value.as_ref(), &field, target, case);
                    // What is needed depends on the case, which is told about already.
                    let told = self.shared.diagnostics.get(told..).unwrap_or_default();
                    unsure |= told.iter().any(|diagnostic| diagnostic.code == codes::types::CASES);
                    let (field, name) = (field.id, name.text.clone());
                    filled.members.push(FilledMember { field, name, value, omit: optional.is_some() });
                }
                MemberKind::Spread(value) => match self.spread(value) {
                    Some((base, members)) => {
                        let (mapping, converted) = self.spread_into(base, value.span, &members, target);
                        let brought = mapping.iter().map(|(_, field)| *field);
                        let brought: Vec<FieldId> = brought.chain(converted.iter().map(|each| each.field)).collect();
                        self.no_foreign_case(braced, value.span, &brought, target);
                        spread.extend(brought);
                        filled.spreads.push((filled.members.len(), base, mapping));
                        filled.members.extend(converted);
                    }
                    None => unsure = true,
                },
                MemberKind::Quoted { key, .. } => {
                    let message = format!("a member of `{}` is written without quotes", target.shown);
                    let diagnostic = Diagnostic::error(codes::types::MISMATCH, key.span, message).fix(
                        "leave the quotes out",
                        key.span,
                        key.text.to_string(),
                    );
                    self.report(diagnostic);
                    unsure = true;
                }
                MemberKind::Computed { key, .. } => {
                    let message = format!("the members of `{}` have names, which cannot be computed", target.shown);
                    self.report(Diagnostic::error(codes::types::MISMATCH, key.span, message));
                    unsure = true;
                }
            }
        }
        if !unsure && !target.partial {
            self.missing_members(braced, target, &given, &spread, case);
        }
        filled
    }

    fn filled_value(
        &mut self,
        name: &Name,
        omit: bool,
        value: Option<&Expr>,
        field: &TargetField,
        target: &Target,
        case: Option<u16>,
    ) -> ExprId {
        let span = value.map_or(name.span, |value| value.span);
        let because = field.span.map(|at| (at, format!("`{name}` is declared here")));
        if let Some(reason) = field.locked {
            let diagnostic =
                Diagnostic::error(codes::effects::READ_ONLY, name.span, format!("`{name}` cannot be changed"))
                    .note(reason);
            self.report(diagnostic);
            return self.member_value(name, value, Some(&field.ty));
        }
        let ty = match self.member_type(name, field, target, case) {
            Ok(ty) => ty,
            Err(diagnostic) => {
                self.report(diagnostic);
                return self.member_value(name, value, Some(field.ty.required()));
            }
        };
        let want = if omit { ty.clone().optional() } else { ty };
        let id = self.member_value(name, value, Some(&want));
        if omit && !target.partial && !field.optional {
            let message = format!("`{name}?` leaves the member out where it is null, but `{}` needs it", target.shown);
            let diagnostic = Diagnostic::error(codes::types::MEMBERS, name.span, message);
            let diagnostic = match because {
                Some((at, text)) => diagnostic.also(at, text),
                None => diagnostic,
            };
            return self.fail(span, diagnostic);
        }
        self.fit_or_report(id, &want, span, because)
    }

    /// The type a member must have, which may depend on the case.
    fn member_type(
        &self,
        name: &Name,
        field: &TargetField,
        target: &Target,
        case: Option<u16>,
    ) -> Result<Type, Diagnostic> {
        if field.cases.is_empty() {
            return Ok(field.ty.clone());
        }
        let Some(case) = case else { return self.type_in_all_cases(name, field, target) };
        if let Some((_, ty)) = field.cases.iter().find(|(declared, _)| *declared == case) {
            return Ok(ty.clone());
        }
        let tag = target.fields.iter().find(|field| Some(field.id) == target.tag);
        let shape = tag.and_then(|tag| super::super::fields::enum_of(&tag.ty));
        let shape = shape.and_then(|id| self.shared.declared.types.model.enum_shape(id));
        let member = |at: u16| shape.and_then(|shape| shape.members.get(usize::from(at))).map_or("?", |text| &**text);
        let owners: Vec<String> = field.cases.iter().map(|(case, _)| format!("\"{}\"", member(*case))).collect();
        let message = format!("the case `\"{}\"` has no `{name}`", member(case));
        let diagnostic = Diagnostic::error(codes::types::CASES, name.span, message)
            .note(format!("it belongs to {}", super::super::fields::list(&owners)));
        Err(match field.span {
            Some(span) => diagnostic.also(span, format!("`{name}` is declared here")),
            None => diagnostic,
        })
    }

    /// The type of a case's field where the case is not known: it must be in all that are possible, with one type.
    fn type_in_all_cases(&self, name: &Name, field: &TargetField, target: &Target) -> Result<Type, Diagnostic> {
        let tag = target.fields.iter().find(|field| Some(field.id) == target.tag);
        let shape = tag.and_then(|tag| super::super::fields::enum_of(&tag.ty));
        let shape = shape.and_then(|id| self.shared.declared.types.model.enum_shape(id));
        let (Some(tag), Some(shape)) = (tag, shape) else { return Ok(field.ty.clone()) };
        let all = || (0..u16::try_from(shape.members.len()).unwrap_or(u16::MAX)).collect();
        let possible: BTreeSet<u16> = target.known.clone().unwrap_or_else(all);
        let types: Option<Vec<&Type>> = possible
            .iter()
            .map(|case| field.cases.iter().find(|(declared, _)| declared == case).map(|(_, ty)| ty))
            .collect();
        if let Some([first, rest @ ..]) = types.as_deref()
            && rest.iter().all(|ty| ty == first)
        {
            return Ok((*first).clone());
        }
        let message = format!("`{name}` exists in some cases only, and which case this is of is not known");
        let diagnostic = Diagnostic::error(codes::types::CASES, name.span, message);
        let diagnostic = match field.span {
            Some(span) => diagnostic.also(span, format!("`{name}` is declared here")),
            None => diagnostic,
        };
        let cases = field.cases.iter().filter_map(|(case, _)| shape.members.get(usize::from(*case)));
        let cases: Vec<String> = cases.map(|member| format!("\"{member}\"")).collect();
        Err(if target.partial {
            diagnostic.help(format!("test `{}` before: it must be {}", tag.name, cases.join(" or ")))
        } else {
            diagnostic.help(format!("write `{}` as a literal, if need be in each arm of a `match`", tag.name))
        })
    }

    /// Reports members of a case that come from something spread, which may be of another case than the one written.
    fn no_foreign_case(&mut self, braced: &Braced, span: Span, mapping: &[FieldId], target: &Target) {
        let Some(tag) = target.fields.iter().find(|field| Some(field.id) == target.tag) else { return };
        let written = braced
            .members
            .iter()
            .any(|member| matches!(&member.kind, MemberKind::Named { name, .. } if name.text == tag.name));
        let of_case = |id: &FieldId| target.fields.iter().any(|field| field.id == *id && !field.cases.is_empty());
        if !written || !mapping.contains(&tag.id) || !mapping.iter().any(of_case) {
            return;
        }
        let message = format!("what is spread may be of another case than the `{}` written here", tag.name);
        let diagnostic = Diagnostic::error(codes::types::CASES, span, message).help(format!(
            "leave `{}` out to keep the case, or spread only what all cases have: `...x.pick(…)`",
            tag.name
        ));
        self.report(diagnostic);
    }

    /// The case that a literal is of, if its tag is written as a literal.
    fn written_case(&self, braced: &Braced, target: &Target) -> Option<u16> {
        let tag = target.fields.iter().find(|field| Some(field.id) == target.tag)?;
        let id = super::super::fields::enum_of(&tag.ty)?;
        let shape = self.shared.declared.types.model.enum_shape(id)?;
        let value = braced.members.iter().find_map(|member| match &member.kind {
            MemberKind::Named { name, value: Some(value), .. } if name.text == tag.name => Some(value),
            _ => None,
        })?;
        let crate::syntax::tree::ExprKind::Text(text) = &value.kind else { return None };
        let text = text.as_plain()?;
        let at = shape.members.iter().position(|member| **member == *text)?;
        u16::try_from(at).ok()
    }

    fn missing_members(
        &mut self,
        braced: &Braced,
        target: &Target,
        given: &FxHashMap<Text, Span>,
        spread: &[FieldId],
        case: Option<u16>,
    ) {
        let needed = |field: &&TargetField| {
            if given.contains_key(&field.name) || spread.contains(&field.id) {
                return false;
            }
            match (field.cases.is_empty(), case) {
                (true, _) => !field.optional,
                (false, Some(_)) if field.defaulted => false,
                (false, Some(case)) => field.cases.iter().any(|(declared, ty)| *declared == case && !ty.is_optional()),
                // Of an unknown case all that any case needs is needed, but for what is spread with its tag.
                (false, None) => {
                    !field.defaulted
                        && !target.tag.is_some_and(|tag| spread.contains(&tag))
                        && field.cases.iter().any(|(_, ty)| !ty.is_optional())
                }
            }
        };
        let missing: Vec<String> = target.fields.iter().filter(needed).map(|field| field.name.to_string()).collect();
        if missing.is_empty() {
            return;
        }
        let message = format!("`{}` needs {}", target.shown, super::super::fields::list(&missing));
        let mut diagnostic = Diagnostic::error(codes::types::MEMBERS, braced.span, message).label("not given here");
        if let Some(span) = target.declared {
            diagnostic = diagnostic.also(span, format!("`{}` is declared here", target.shown));
        }
        self.report(diagnostic);
    }

    fn unknown_member(name: &Name, target: &Target) -> Diagnostic {
        let message = format!("`{}` has no field `{name}`", target.shown);
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
        let names: Vec<String> = target.fields.iter().map(|field| field.name.to_string()).collect();
        match nearest(name.as_str(), names.iter().map(String::as_str)) {
            Some(near) => {
                diagnostic =
                    diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near);
            }
            None => diagnostic = diagnostic.note(format!("it has {}", super::super::fields::list(&names))),
        }
        match target.declared {
            Some(span) => diagnostic.also(span, format!("`{}` is declared here", target.shown)),
            None => diagnostic,
        }
    }

    /// Where the members of something spread go; those that need a conversion are set one by one.
    fn spread_into(
        &mut self,
        base: ExprId,
        span: Span,
        members: &[(RowMember, crate::check::shapes::ShapeMember)],
        target: &Target,
    ) -> (Mapping, Vec<FilledMember>) {
        let (mut mapping, mut converted, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let row = matches!(self.ty(base), Type::Entity(_));
        for (from, member) in members {
            let Some(field) = target.fields.iter().find(|field| field.name == member.name).cloned() else {
                if !(row && matches!(from, RowMember::Derived(_))) {
                    unknown.push(member.name.to_string());
                }
                continue;
            };
            match self.shared.fit(&member.ty, &field.ty) {
                Fit::Same => mapping.push((*from, field.id)),
                Fit::Converted => {
                    let kind = match from {
                        RowMember::Field(id) => ExprKind::Field { base, field: *id },
                        RowMember::Derived(function) => ExprKind::Derived { base, function: *function },
                    };
                    let value = self.push(kind, member.ty.clone(), span);
                    let value = self.convert(value, &field.ty);
                    converted.push(FilledMember { field: field.id, name: field.name.clone(), value, omit: false });
                }
                Fit::No => {
                    let message = format!(
                        "`{}` of what is spread is `{}`, and `{}` needs `{}`",
                        member.name,
                        self.show(&member.ty),
                        target.shown,
                        self.show(&field.ty)
                    );
                    self.report(Diagnostic::error(codes::types::MISMATCH, span, message));
                }
            }
        }
        if !unknown.is_empty() {
            let message = format!("`{}` has no {}", target.shown, super::super::fields::list(&unknown));
            let diagnostic = Diagnostic::error(codes::types::MEMBERS, span, message)
                .label("what is spread brings more than that")
                .help("take what is needed: `...x.pick(a, b)`");
            self.report(diagnostic);
        }
        (mapping, converted)
    }

    /// The members of a new row, from a literal or from a record.
    pub(crate) fn insertion(&mut self, value: &Expr, entity: EntityId) -> Vec<Member> {
        let target = self.row_target(entity, false);
        match as_literal(value) {
            Some(braced) => self.fill(braced, &target).into_members(),
            None => match self.spread(value) {
                Some((base, members)) => {
                    let (mapping, converted) = self.spread_into(base, value.span, &members, &target);
                    let members = std::iter::once(Member::Spread(base, mapping));
                    members
                        .chain(converted.into_iter().map(|each| Member::Set(each.field, each.value, each.omit)))
                        .collect()
                }
                None => Vec::new(),
            },
        }
    }

    /// A row of a nested table, as a record of what is given.
    pub(crate) fn new_row(&mut self, value: &Expr, entity: EntityId) -> ExprId {
        let Some(braced) = as_literal(value).filter(|braced| !super::record::has_spread(braced)) else {
            return self.expr(value, None);
        };
        let target = self.row_target(entity, false);
        let before = self.shared.diagnostics.len();
        let filled = self.fill(braced, &target);
        if self.shared.diagnostics.len() > before {
            return self.broken(braced.span);
        }
        let mut shape = Vec::with_capacity(filled.members.len());
        let mut members = Vec::with_capacity(filled.members.len());
        for (at, member) in filled.members.into_iter().enumerate() {
            let ty = self.ty(member.value);
            let mut shown = self.shared.member(&member.name, &ty, None);
            shown.omit_null = member.omit;
            shape.push(shown);
            members.push(Member::Set(FieldId::from(at), member.value, member.omit));
        }
        let shape = self.shared.shape(shape);
        self.push(ExprKind::Record(members), Type::Record(shape), braced.span)
    }
}

impl Filled {
    /// The members in their order, spreads in their places.
    fn into_members(self) -> Vec<Member> {
        let mut members = Vec::with_capacity(self.members.len() + self.spreads.len());
        let mut spreads = self.spreads.into_iter().peekable();
        for (at, member) in self.members.into_iter().enumerate() {
            while let Some((_, base, mapping)) = spreads.next_if(|(before, ..)| *before <= at) {
                members.push(Member::Spread(base, mapping));
            }
            members.push(Member::Set(member.field, member.value, member.omit));
        }
        members.extend(spreads.map(|(_, base, mapping)| Member::Spread(base, mapping)));
        members
    }
}
