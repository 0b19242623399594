//! What may stand where: assignability, the conversions it inserts, and the common type of several values.

use super::body::Checker;
use super::shared::{Shared, key_type};
use crate::declare::FieldDecl;
use crate::diagnostics::Span;
use crate::ir::{ExprId, ExprKind, Type};
use crate::syntax::tree;
use silo_runtime::ids::{FieldId, RecordId};
use silo_runtime::schema::MapKey;
use silo_runtime::value::dynamic::Value;
use silo_runtime::value::{Decimal, Text};

/// Whether a value of one type may stand where another is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// As it is.
    Same,
    /// After a conversion.
    Converted,
    /// Not at all.
    No,
}

impl Fit {
    fn converted(self) -> Self {
        if self == Self::No { Self::No } else { Self::Converted }
    }
}

/// Why a record does not fit another.
#[derive(Debug, Default)]
pub(crate) struct Misfit {
    pub(crate) missing: Vec<Text>,
    pub(crate) unknown: Vec<Text>,
    /// Name, expected and found.
    pub(crate) different: Vec<(Text, Type, Type)>,
    /// The tag whose case is not known of the one that is given.
    pub(crate) case_of: Option<Text>,
}

impl Misfit {
    fn is_none(&self) -> bool {
        self.missing.is_empty() && self.unknown.is_empty() && self.different.is_empty() && self.case_of.is_none()
    }
}

impl Shared<'_, '_> {
    /// Whether a value of type `from` may stand where `to` is expected.
    pub(crate) fn fit(&self, from: &Type, to: &Type) -> Fit {
        match (from, to) {
            _ if from == to => Fit::Same,
            (Type::Never, _)
            | (_, Type::Never)
            | (Type::Null, Type::Optional(_))
            | (Type::Entity(_), Type::AnyEntity) => Fit::Same,
            (a, Type::Optional(b)) => self.fit(a.required(), b),
            (Type::Int, Type::Decimal) | (Type::Enum(_), Type::Text) => Fit::Converted,
            (Type::List(a), Type::List(b)) => self.fit(a, b),
            (Type::Table(a), Type::List(b)) => self.fit(&Type::Entity(*a), b).converted(),
            (Type::RecordTable(a, _), Type::List(b)) => self.fit(&Type::Record(*a), b).converted(),
            (Type::List(a), Type::Table(b)) => match &**a {
                Type::Never => Fit::Converted,
                Type::Record(record) => self.row_misfit(*record, *b).map_or(Fit::Converted, |_| Fit::No),
                _ => Fit::No,
            },
            (Type::Map(a, v), Type::Map(b, w)) if a == b || (**v == Type::Never && *a == MapKey::String) => {
                self.fit(v, w)
            }
            (Type::Record(a), Type::Map(..)) if self.is_empty_record(*a) => Fit::Converted,
            (Type::Record(a), Type::Record(b)) => self.record_fit(*a, *b),
            _ => Fit::No,
        }
    }

    fn is_empty_record(&self, id: RecordId) -> bool {
        self.declared.types.record_decl(id).is_some_and(|decl| decl.fields.is_empty())
    }

    fn record_fit(&self, from: RecordId, to: RecordId) -> Fit {
        if self.misfit(from, to).is_none() { Fit::Converted } else { Fit::No }
    }

    /// What keeps a record from standing for another.
    pub(crate) fn misfit(&self, from: RecordId, to: RecordId) -> Misfit {
        let types = &self.declared.types;
        let mut misfit = Misfit::default();
        let (Some(a), Some(b), Some(shape)) = (types.record_decl(from), types.record_decl(to), types.model.record(to))
        else {
            return misfit;
        };
        for (field, declared) in b.fields.iter().zip(&shape.fields) {
            match a.find(&field.name).and_then(|id| a.field(id)) {
                None if declared.default.is_some() || may_lack(field) => {}
                None => misfit.missing.push(field.name.clone()),
                Some(found) if self.fit(&found.ty, &field.ty) == Fit::No => {
                    misfit.different.push((field.name.clone(), field.ty.clone(), found.ty.clone()));
                }
                Some(_) => {}
            }
        }
        misfit.case_of = self.lost_case(from, &b.fields, shape.tag);
        misfit
            .unknown
            .extend(a.fields.iter().filter(|field| b.find(&field.name).is_none()).map(|field| field.name.clone()));
        misfit
    }

    /// The tag of fields with cases, where a record does not keep what belongs to which case: it was put together of parts.
    fn lost_case(&self, from: RecordId, to: &[FieldDecl], tag: Option<FieldId>) -> Option<Text> {
        let types = &self.declared.types;
        let name = &to.get(tag?.index())?.name;
        let (decl, shape) = (types.record_decl(from)?, types.model.record(from)?);
        let keeps = |field: &FieldDecl| {
            let found = decl.fields.iter().find(|found| found.name == field.name);
            found.is_none_or(|found| {
                found.cases.len() == field.cases.len()
                    && found.cases.iter().zip(&field.cases).all(|((a, x), (b, y))| a == b && self.fit(x, y) != Fit::No)
            })
        };
        let tagged = shape.tag.and_then(|tag| decl.field(tag)).is_some_and(|tag| tag.name == *name);
        (!tagged || !to.iter().all(keeps)).then(|| name.clone())
    }

    /// What keeps a record from becoming a row of an entity, if anything does.
    pub(crate) fn row_misfit(&self, from: RecordId, to: silo_runtime::ids::EntityId) -> Option<Misfit> {
        let types = &self.declared.types;
        let mut misfit = Misfit::default();
        let (a, b, shape) = (types.record_decl(from)?, types.entity_decl(to)?, types.model.entity(to)?);
        for (at, (field, declared)) in b.fields.iter().zip(&shape.fields).enumerate() {
            let generated = FieldId::from(at) == shape.key && shape.pattern != silo_runtime::keys::KeyPattern::Given;
            match a.fields.iter().find(|found| found.name == field.name) {
                None if generated || declared.default.is_some() || may_lack(field) => {}
                None if matches!(field.ty, Type::Table(_)) => {}
                None => misfit.missing.push(field.name.clone()),
                Some(found) if self.fit(&found.ty, &field.ty) == Fit::No => {
                    misfit.different.push((field.name.clone(), field.ty.clone(), found.ty.clone()));
                }
                Some(_) => {}
            }
        }
        let known = |name: &Text| b.fields.iter().any(|field| field.name == *name);
        misfit.unknown.extend(a.fields.iter().filter(|field| !known(&field.name)).map(|field| field.name.clone()));
        misfit.case_of = self.lost_case(from, &b.fields, shape.tag);
        (!misfit.is_none()).then_some(misfit)
    }

    /// The type that values of both types have in common, if there is one.
    pub(crate) fn unify(&mut self, left: &Type, right: &Type) -> Option<Type> {
        match (left, right) {
            _ if left == right => Some(left.clone()),
            (Type::Never, other) | (other, Type::Never) => Some(other.clone()),
            (Type::Null, other) | (other, Type::Null) => Some(other.clone().optional()),
            (Type::Optional(x), Type::Optional(y)) => self.unify(x, y).map(Type::optional),
            (Type::Optional(x), other) | (other, Type::Optional(x)) => self.unify(x, other).map(Type::optional),
            (Type::Int, Type::Decimal) | (Type::Decimal, Type::Int) => Some(Type::Decimal),
            (Type::Enum(_), Type::Text) | (Type::Text, Type::Enum(_)) => Some(Type::Text),
            (Type::AnyEntity, Type::Entity(_)) | (Type::Entity(_), Type::AnyEntity) => Some(Type::AnyEntity),
            (Type::List(x), Type::List(y)) => self.unify(x, y).map(Type::list),
            (Type::Table(e), Type::List(x)) | (Type::List(x), Type::Table(e)) => {
                self.unify(&Type::Entity(*e), x).map(Type::list)
            }
            (Type::RecordTable(r, _), Type::List(x)) | (Type::List(x), Type::RecordTable(r, _)) => {
                self.unify(&Type::Record(*r), x).map(Type::list)
            }
            (Type::Map(k, x), Type::Map(l, y)) if k == l => self.unify(x, y).map(|value| Type::Map(*k, value.into())),
            (Type::Record(x), Type::Record(y)) => self.unify_records(*x, *y),
            _ => None,
        }
    }

    /// Records with the same members, memberwise: the first one's order and wire names.
    fn unify_records(&mut self, a: RecordId, b: RecordId) -> Option<Type> {
        if self.fit(&Type::Record(b), &Type::Record(a)) != Fit::No && self.same_names(a, b) {
            return Some(Type::Record(a));
        }
        if self.fit(&Type::Record(a), &Type::Record(b)) != Fit::No && self.same_names(a, b) {
            return Some(Type::Record(b));
        }
        if !self.same_names(a, b) {
            return None;
        }
        let fields: Vec<(Text, Type)> = self
            .declared
            .types
            .record_decl(a)?
            .fields
            .iter()
            .map(|field| (field.name.clone(), field.ty.clone()))
            .collect();
        let mut unified = Vec::new();
        for (name, ty) in fields {
            let other = self.declared.types.record_decl(b)?;
            let other = other.find(&name).and_then(|id| other.field(id)).map(|field| field.ty.clone())?;
            unified.push((name, self.unify(&ty, &other)?));
        }
        let members = self.members_like(a, unified);
        Some(Type::Record(self.shape(members)))
    }

    fn same_names(&self, a: RecordId, b: RecordId) -> bool {
        let (Some(a), Some(b)) = (self.declared.types.record_decl(a), self.declared.types.record_decl(b)) else {
            return false;
        };
        a.fields.len() == b.fields.len() && a.fields.iter().all(|field| b.find(&field.name).is_some())
    }
}

/// Whether a record without this field can stand for one with it: null is allowed wherever the field exists.
fn may_lack(field: &FieldDecl) -> bool {
    field.ty.is_optional() && field.cases.iter().all(|(_, ty)| ty.is_optional())
}

impl Checker<'_, '_, '_> {
    /// Checks an expression that stands where a type is expected, converts it, and reports where it does not fit.
    pub(crate) fn expect(&mut self, expr: &tree::Expr, want: &Type) -> ExprId {
        self.expect_because(expr, want, None)
    }

    /// The same, with the place that expects it: "the parameter is declared here".
    pub(crate) fn expect_because(&mut self, expr: &tree::Expr, want: &Type, because: Option<(Span, String)>) -> ExprId {
        let id = self.expr(expr, Some(want));
        self.fit_or_report(id, want, expr.span, because)
    }

    /// Converts a checked expression to a type, and reports where it does not fit.
    pub(crate) fn fit_or_report(
        &mut self,
        id: ExprId,
        want: &Type,
        span: Span,
        because: Option<(Span, String)>,
    ) -> ExprId {
        let found = self.ty(id);
        match self.shared.fit(&found, want) {
            Fit::No => {
                let (part, wanted) = self.blame(id, want);
                let (at, found) = if part == id { (span, found) } else { (self.span(part), self.ty(part)) };
                let diagnostic = self.mismatch(part, &found, &wanted, at, because);
                self.fail(span, diagnostic)
            }
            _ => self.convert(id, want),
        }
    }

    /// Converts a checked expression to a type that it fits.
    pub(crate) fn convert(&mut self, id: ExprId, want: &Type) -> ExprId {
        let found = self.ty(id);
        if self.shared.fit(&found, want) != Fit::Converted {
            return id;
        }
        // The null of an optional stays null, so what is converted is what it may hold.
        let target = if found.is_optional() { want.clone() } else { want.required().clone() };
        if let (Some(Value::Int(value)), Type::Decimal) = (self.constant(id), &target) {
            let value = Value::Decimal(Decimal::from(*value));
            let span = self.span(id);
            return self.push(ExprKind::Constant(value), Type::Decimal, span);
        }
        let span = self.span(id);
        self.push(ExprKind::Coerce(id), target, span)
    }

    /// The common type of several values, each converted to it; reports the first that has none with those before it.
    pub(crate) fn unify_all(&mut self, ids: &mut [ExprId], what: &str) -> Type {
        let mut common = Type::Never;
        let mut first: Option<ExprId> = None;
        for id in ids.iter() {
            let ty = self.ty(*id);
            if ty == Type::Never {
                continue;
            }
            if let Some(unified) = self.shared.unify(&common, &ty) {
                common = unified;
                first = first.or(Some(*id));
            } else {
                let diagnostic = self.no_common_type(what, first, &common, *id, &ty);
                self.report(diagnostic);
                return Type::Never;
            }
        }
        for id in ids.iter_mut() {
            *id = self.convert(*id, &common);
        }
        common
    }

    /// The type of several values: what is expected, if all of them fit, else what they have in common.
    pub(crate) fn common_type(&mut self, ids: &mut [ExprId], expected: Option<&Type>, what: &str) -> Type {
        if let Some(want) = expected
            && *want != Type::Never
            && ids.iter().all(|id| self.shared.fit(&self.ty(*id), want) != Fit::No)
        {
            for id in ids.iter_mut() {
                *id = self.convert(*id, want);
            }
            // What is never null stays so, though null would be allowed: an `if` of two strings is a string.
            let null = ids.iter().any(|id| self.ty(*id).is_optional());
            return if null || ids.is_empty() { want.clone() } else { want.required().clone() };
        }
        let before = self.shared.diagnostics.len();
        let common = self.unify_all(ids, what);
        if let Some(want) = expected
            && *want != Type::Never
            && self.shared.diagnostics.len() > before
            && let Some(id) = ids.iter().find(|id| self.shared.fit(&self.ty(**id), want) == Fit::No).copied()
        {
            // What was expected says better which of them is wrong.
            self.shared.diagnostics.truncate(before);
            let (found, span) = (self.ty(id), self.span(id));
            let diagnostic = self.mismatch(id, &found, want, span, None);
            self.report(diagnostic);
        }
        common
    }

    /// The part of an expression that does not fit: the element of a list, the arm of an `if`.
    pub(crate) fn blame(&self, id: ExprId, want: &Type) -> (ExprId, Type) {
        let (mut at, mut want) = (id, want.clone());
        // Literals nest at most as deep as brackets do.
        for _ in 0..100 {
            let (parts, inner): (Vec<ExprId>, Type) = match (self.kind(at), want.required()) {
                (Some(ExprKind::List(items)), Type::List(item)) => (items.clone(), (**item).clone()),
                (Some(ExprKind::If { branches, otherwise }), _) => {
                    let values = branches.iter().map(|(_, value)| *value);
                    (values.chain(std::iter::once(*otherwise)).collect(), want.clone())
                }
                (Some(ExprKind::Match { arms, .. }), _) => (arms.iter().map(|arm| arm.value).collect(), want.clone()),
                _ => break,
            };
            let misfit = |part: &&ExprId| self.shared.fit(&self.ty(**part), &inner) == Fit::No;
            let Some(part) = parts.iter().find(misfit) else { break };
            (at, want) = (*part, inner);
        }
        (at, want)
    }

    /// The type of a key of a map.
    pub(crate) fn map_key_type(key: MapKey) -> Type {
        key_type(key)
    }

    /// What kind of map a key type makes, if it can be one.
    pub(crate) fn map_key(ty: &Type) -> Option<MapKey> {
        match ty {
            Type::Text | Type::Never => Some(MapKey::String),
            Type::Enum(id) => Some(MapKey::Enum(*id)),
            Type::Entity(id) => Some(MapKey::Entity(*id)),
            _ => None,
        }
    }
}
