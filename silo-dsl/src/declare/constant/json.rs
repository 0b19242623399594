//! From constants to the JSON that the decoder of seed data reads, so that a value means the same however it is written.
//!
//! Only what differs between the two is settled here: names are those of the source, a date has its `@`, and a record is no map.

use super::{Constant, Located, Member};
use crate::declare::messages::duplicate;
use crate::declare::types::Types;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::seed::places::{Parts, Places};
use silo_runtime::ids::FieldId;
use silo_runtime::keys::KeyPattern;
use silo_runtime::methods::nearest::nearest;
use silo_runtime::model::Field;
use silo_runtime::schema::{MapKey, Schema, TableWire};
use silo_runtime::value::Text;
use silo_runtime::value::json::{Json, Number, Object};

impl Types<'_> {
    /// A constant as JSON, with the places of its parts; nothing if it is not of the schema's kind, which is reported.
    pub(crate) fn constant_json(
        &self,
        constant: &Located,
        schema: &Schema,
        sink: &mut Vec<Diagnostic>,
    ) -> Option<(Json, Places)> {
        Lowering { types: self, sink }.lower(constant, schema)
    }
}

struct Lowering<'a> {
    types: &'a Types<'a>,
    sink: &'a mut Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn lower(&mut self, constant: &Located, schema: &Schema) -> Option<(Json, Places)> {
        let json = match (schema, &constant.value) {
            (Schema::Optional(_), Constant::Null) => Json::Null,
            (Schema::Optional(inner), _) => return self.lower(constant, inner),
            (Schema::Bool | Schema::True, Constant::Bool(value)) => Json::from(*value),
            (Schema::String { .. } | Schema::Enum(_), Constant::Text(text)) => Json::String(text.clone()),
            (Schema::Int { .. } | Schema::Decimal { .. }, Constant::Int(number)) => Json::from(*number),
            (Schema::Decimal { .. }, Constant::Decimal(number)) => Json::Number(Number::Decimal(*number)),
            (Schema::Date, Constant::Date(date)) => Json::from(date.to_string()),
            (Schema::DateTime, Constant::DateTime(instant)) => Json::from(instant.to_string()),
            (Schema::Entity(entity), value) => match (self.has_int_key(*entity), value) {
                (true, Constant::Int(number)) => Json::from(*number),
                // Code names a row by the text of its key, whatever the key is.
                (true, Constant::Text(key)) if key.parse::<i64>().is_ok() => {
                    key.parse::<i64>().map_or(Json::Null, Json::from)
                }
                (false, Constant::Text(key)) => Json::String(key.clone()),
                _ => return self.mismatch(constant, schema),
            },
            (Schema::AnyEntity(_), Constant::Text(key)) => Json::String(key.clone()),
            (Schema::List { item, .. }, Constant::List(items)) => return self.list(constant.span, items, item),
            (Schema::Table { entity, wire }, Constant::List(rows)) => {
                return self.table(constant.span, rows, *entity, *wire);
            }
            (Schema::Record(id), Constant::Record(members)) => {
                let shape = self.types.model.record(*id)?.clone();
                return self.record(constant.span, members, &shape.fields, shape.tag);
            }
            (Schema::Map { key, value }, Constant::Map(entries)) => {
                return self.map(constant.span, entries, *key, value);
            }
            // `{}` is an empty map as well as an empty record.
            (Schema::Map { .. }, Constant::Record(members)) if members.is_empty() => Json::from(Object::new()),
            _ => return self.mismatch(constant, schema),
        };
        Some((json, Places::leaf(constant.span)))
    }

    fn has_int_key(&self, entity: silo_runtime::ids::EntityId) -> bool {
        self.types.model.entity(entity).is_some_and(|shape| shape.pattern == KeyPattern::Integer)
    }

    fn list(&mut self, span: Span, items: &[Located], schema: &Schema) -> Option<(Json, Places)> {
        let lowered: Vec<_> = items.iter().map(|item| self.lower(item, schema)).collect();
        let (values, places): (Vec<Json>, Vec<Places>) =
            lowered.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some((Json::from(values), Places { span, parts: Parts::Elements(places) }))
    }

    fn table(
        &mut self,
        span: Span,
        rows: &[Located],
        entity: silo_runtime::ids::EntityId,
        wire: TableWire,
    ) -> Option<(Json, Places)> {
        let shape = self.types.model.entity(entity)?.clone();
        let mut lowered = Vec::with_capacity(rows.len());
        for row in rows {
            lowered.push(match &row.value {
                Constant::Record(members) => self.record(row.span, members, &shape.fields, shape.tag),
                _ => self.expected(row, &format!("a row of `{}`, written `{{ … }}`", shape.name)),
            });
        }
        let lowered = lowered.into_iter().collect::<Option<Vec<_>>>()?;
        if wire == TableWire::Array {
            let (values, places): (Vec<Json>, Vec<Places>) = lowered.into_iter().unzip();
            return Some((Json::from(values), Places { span, parts: Parts::Elements(places) }));
        }
        // As an object the rows stand under their keys.
        let key = shape.fields.get(shape.key.index()).map_or_else(|| Text::from(""), |field| field.wire.clone());
        let mut entries: Vec<(Text, Json)> = Vec::with_capacity(lowered.len());
        let mut parts = Vec::with_capacity(lowered.len());
        for (json, places) in lowered {
            let name = match json.get(&key) {
                Some(Json::String(text)) => text.clone(),
                Some(other) => Text::from(other.to_string()),
                None => Text::from(""),
            };
            parts.push((name.clone(), places.span, places));
            entries.push((name, json));
        }
        Some((Json::object(entries), Places { span, parts: Parts::Members(parts) }))
    }

    fn record(
        &mut self,
        span: Span,
        members: &[Member],
        fields: &[Field],
        tag: Option<FieldId>,
    ) -> Option<(Json, Places)> {
        let case = self.case_of(members, fields, tag);
        let mut lowered: Vec<(Text, Json)> = Vec::with_capacity(members.len());
        let mut parts: Vec<(Text, Span, Places)> = Vec::with_capacity(members.len());
        let mut complete = true;
        for member in members {
            let Some(field) = fields.iter().find(|field| field.name == member.name) else {
                self.unknown_member(member, fields);
                complete = false;
                continue;
            };
            if let Some((_, first, _)) = parts.iter().find(|(name, _, _)| *name == field.wire) {
                self.sink.push(duplicate("member", &member.name, member.name_span, *first));
                complete = false;
                continue;
            }
            // Whether the field exists in this case, is the decoder's to say.
            let of_case = field.cases.iter().find(|(member, _)| Some(*member) == case);
            let schema = of_case.or(field.cases.first()).map_or(&field.schema, |(_, schema)| schema);
            match self.lower(&member.value, schema) {
                Some((json, places)) => {
                    parts.push((field.wire.clone(), member.name_span, places));
                    lowered.push((field.wire.clone(), json));
                }
                None => complete = false,
            }
        }
        complete.then(|| (Json::object(lowered), Places { span, parts: Parts::Members(parts) }))
    }

    /// The case that the members choose, if it can be told.
    fn case_of(&self, members: &[Member], fields: &[Field], tag: Option<FieldId>) -> Option<u16> {
        let field = fields.get(tag?.index())?;
        let Schema::Enum(of) = &field.schema else { return None };
        let member = members.iter().find(|member| member.name == field.name)?;
        let Constant::Text(chosen) = &member.value.value else { return None };
        let shape = self.types.model.enum_shape(*of)?;
        shape.members.iter().position(|known| known == chosen).and_then(|at| u16::try_from(at).ok())
    }

    fn unknown_member(&mut self, member: &Member, fields: &[Field]) {
        let message = format!("there is no field `{}` here", member.name);
        let diagnostic = Diagnostic::error(codes::declarations::VALUE, member.name_span, message).label("not declared");
        let near = nearest(&member.name, fields.iter().map(|field| &*field.name));
        self.sink.push(match near {
            Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), member.name_span, near),
            None => {
                let names: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
                diagnostic.help(format!("the fields are {}", names.join(", ")))
            }
        });
    }

    fn map(&mut self, span: Span, entries: &[Member], key: MapKey, value: &Schema) -> Option<(Json, Places)> {
        let _ = key;
        let mut lowered: Vec<(Text, Json)> = Vec::with_capacity(entries.len());
        let mut parts = Vec::with_capacity(entries.len());
        let mut complete = true;
        for entry in entries {
            match self.lower(&entry.value, value) {
                Some((json, places)) => {
                    parts.push((entry.name.clone(), entry.name_span, places));
                    lowered.push((entry.name.clone(), json));
                }
                None => complete = false,
            }
        }
        complete.then(|| (Json::object(lowered), Places { span, parts: Parts::Members(parts) }))
    }

    fn mismatch<T>(&mut self, constant: &Located, schema: &Schema) -> Option<T> {
        if let (Schema::Date | Schema::DateTime, Constant::Text(text)) = (schema, &constant.value) {
            let what = if matches!(schema, Schema::Date) { "date" } else { "datetime" };
            self.sink.push(
                Diagnostic::error(
                    codes::declarations::VALUE,
                    constant.span,
                    format!("expected a {what}, found a string"),
                )
                .label(format!("a {what} is written without quotes"))
                .fix(format!("write it as a {what}"), constant.span, format!("@{text}")),
            );
            return None;
        }
        let expected = match schema {
            Schema::Date => "a date such as `@2026-03-31`".to_owned(),
            Schema::DateTime => "a datetime such as `@2026-03-31T09:00:00Z`".to_owned(),
            _ => schema.describe(&self.types.model),
        };
        self.expected(constant, &expected)
    }

    fn expected<T>(&mut self, constant: &Located, expected: &str) -> Option<T> {
        let found = constant.value.kind();
        let message = format!("expected {expected}, found {found}");
        self.sink.push(
            Diagnostic::error(codes::declarations::VALUE, constant.span, message).label(format!("this is {found}")),
        );
        None
    }
}
