//! Types and their limits.

use super::Builder;
use crate::syntax::parse::grammar::{Pair, Parts, Rule};
use crate::syntax::tree::{Limit, ShapeField, TypeExpr, TypeKind};

impl<'a> Builder<'a> {
    pub(super) fn ty(&mut self, pair: Pair<'a>) -> Option<TypeExpr> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let base = parts.next_if(Rule::base)?;
        let kind = self.type_kind(Parts::of(base).next()?)?;
        let limits = parts.next_if(Rule::limits).map_or(Some(Vec::new()), |limits| self.limits(limits))?;
        let optional = parts.next_if(Rule::question).map(|question| self.span(&question));
        Some(TypeExpr { kind, limits, optional, span })
    }

    fn type_kind(&mut self, pair: Pair<'a>) -> Option<TypeKind> {
        Some(match pair.as_rule() {
            Rule::prim => match pair.as_str() {
                "bool" => TypeKind::Bool,
                "string" => TypeKind::String,
                "int" => TypeKind::Int,
                "decimal" => TypeKind::Decimal,
                "date" => TypeKind::Date,
                _ => TypeKind::Datetime,
            },
            Rule::TypeName => TypeKind::Named(self.name(&pair)),
            Rule::table_type => {
                let name = Parts::of(pair).find(|part| part.as_rule() == Rule::TypeName)?;
                TypeKind::Table(self.name(&name))
            }
            Rule::list_type => {
                let element = Parts::of(pair).find(|part| part.as_rule() == Rule::type_)?;
                TypeKind::List(Box::new(self.ty(element)?))
            }
            Rule::map_type => {
                let mut types = Parts::of(pair).filter(|part| part.as_rule() == Rule::type_);
                let first = self.ty(types.next()?)?;
                match types.next() {
                    Some(value) => TypeKind::Map { key: Some(Box::new(first)), value: Box::new(self.ty(value)?) },
                    None => TypeKind::Map { key: None, value: Box::new(first) },
                }
            }
            Rule::shape => {
                let mut fields = Vec::new();
                for field in Parts::of(pair) {
                    fields.push(self.shape_field(field)?);
                }
                TypeKind::Shape(fields)
            }
            _ => return None,
        })
    }

    fn shape_field(&mut self, pair: Pair<'a>) -> Option<ShapeField> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.next_if(Rule::word)?);
        Some(ShapeField { name, ty: self.ty(parts.next()?)?, span })
    }

    pub(super) fn limits(&mut self, pair: Pair<'a>) -> Option<Vec<Limit>> {
        Parts::of(pair).map(|limit| self.limit(limit)).collect()
    }

    fn limit(&mut self, pair: Pair<'a>) -> Option<Limit> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.next_if(Rule::word)?);
        Some(Limit { name, value: self.expr(parts.next()?)?, span })
    }
}
