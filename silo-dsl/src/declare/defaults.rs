//! Constants of a type: defaults of fields and parameters, values of state and `const`.

use super::{Declared, recursion, types};
use crate::diagnostics::{Diagnostic, codes};
use crate::seed::places::Places;
use crate::syntax::tree::Expr;
use silo_runtime::ids::{EntityId, RecordId};
use silo_runtime::input::{Decoder, Keys, Problem};
use silo_runtime::model::{EntityShape, Field, RecordShape};
use silo_runtime::schema::Schema;
use silo_runtime::value::dynamic::{Value, WorldName};
use std::sync::Arc;

/// The defaults of a record or an entity, by field, that are not evaluated yet.
#[derive(Debug)]
pub(crate) struct Waiting<'t> {
    pub(crate) owner: Owner,
    pub(crate) defaults: Vec<Option<&'t Expr>>,
}

/// Whose defaults they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Record(RecordId),
    Entity(EntityId),
}

/// A value whose references are looked up once the seed is there.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) schema: Schema,
    pub(crate) value: Value,
    pub(crate) places: Places,
}

/// Takes every key for one that exists; references are looked up later.
pub(crate) struct AnyKey;

impl Keys for AnyKey {
    fn find(&self, _: EntityId, _: &str) -> Option<WorldName> {
        Some(WorldName::Initial)
    }
}

/// Evaluates the defaults of all fields, records before what holds them.
pub(super) fn fill<'t>(declared: &mut Declared<'t>, waiting: Vec<Waiting<'t>>, sink: &mut Vec<Diagnostic>) {
    let Some(order) = recursion::order(&declared.types, sink) else {
        declared.recursive = true;
        return;
    };
    let (records, entities): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|one| matches!(one.owner, Owner::Record(_)));
    for id in order {
        if let Some(one) = records.iter().find(|one| one.owner == Owner::Record(id)) {
            fill_record(declared, id, &one.defaults, sink);
        }
    }
    for one in entities {
        if let Owner::Entity(id) = one.owner {
            fill_entity(declared, id, &one.defaults, sink);
        }
    }
}

fn fill_record(declared: &mut Declared<'_>, id: RecordId, defaults: &[Option<&Expr>], sink: &mut Vec<Diagnostic>) {
    if defaults.iter().all(Option::is_none) {
        return;
    }
    let Some(shape) = declared.types.model.record(id).cloned() else { return };
    let mut fields = shape.fields.clone();
    fill_fields(declared, &mut fields, defaults, sink);
    if let Some(slot) = declared.types.model.records.get_mut(id.index()) {
        *slot = Arc::new(RecordShape::new(shape.name.clone(), fields, shape.tag, shape.docs.clone()));
    }
}

fn fill_entity(declared: &mut Declared<'_>, id: EntityId, defaults: &[Option<&Expr>], sink: &mut Vec<Diagnostic>) {
    if defaults.iter().all(Option::is_none) {
        return;
    }
    let Some(shape) = declared.types.model.entity(id).cloned() else { return };
    let mut fields = shape.fields.clone();
    fill_fields(declared, &mut fields, defaults, sink);
    if let Some(slot) = declared.types.model.entities.get_mut(id.index()) {
        *slot = Arc::new(EntityShape { fields, ..EntityShape::clone(&shape) });
    }
}

fn fill_fields(
    declared: &mut Declared<'_>,
    fields: &mut [Field],
    defaults: &[Option<&Expr>],
    sink: &mut Vec<Diagnostic>,
) {
    for (field, default) in fields.iter_mut().zip(defaults) {
        let Some(default) = default else { continue };
        if types::is_unknown(&field.schema) {
            field.default = Some(Value::Null);
            continue;
        }
        if let Schema::Table { .. } = field.schema {
            // A table always begins empty; `= []` says so.
            let empty = declared.types.constants.evaluate(default, sink);
            if let Some(value) = empty.filter(|value| value.value != super::constant::Constant::List(Vec::new())) {
                sink.push(
                    Diagnostic::error(codes::declarations::VALUE, value.span, "a nested table begins without rows")
                        .label("only `[]` can be its default")
                        .help("give the rows where the owner is inserted, or in the seed data"),
                );
            }
            continue;
        }
        let schema = field.cases.first().map_or(&field.schema, |(_, schema)| schema);
        // A default that is wrong stays a default, so that leaving the field out is not reported as well.
        field.default = Some(constant(declared, default, schema, sink).unwrap_or_default());
    }
}

/// The value of a constant of a type; nothing if it is wrong, which is reported.
pub(super) fn constant(
    declared: &mut Declared<'_>,
    expr: &Expr,
    schema: &Schema,
    sink: &mut Vec<Diagnostic>,
) -> Option<Value> {
    let constant = declared.types.constants.evaluate(expr, sink)?;
    let (json, places) = declared.types.constant_json(&constant, schema, sink)?;
    match Decoder::new(&declared.types.model, &AnyKey).for_seed(20).value(schema, &json) {
        Ok(value) => {
            declared.pending.push(Pending { schema: schema.clone(), value: value.clone(), places });
            Some(value)
        }
        Err(fault) => {
            sink.extend(fault.problems.iter().map(|problem| wrong_value(problem, &places)));
            None
        }
    }
}

/// A problem of a constant as a diagnostic.
pub(crate) fn wrong_value(problem: &Problem, places: &Places) -> Diagnostic {
    let found = places.find(&problem.at);
    if found.missing {
        let message = format!("`{}` is missing", last_name(problem));
        return Diagnostic::error(codes::declarations::VALUE, found.value, message)
            .label(format!("expected {}", problem.expected))
            .help("only optional fields and those with a default may be left out");
    }
    let message = format!("expected {}, found {}", problem.expected, problem.received);
    Diagnostic::error(codes::declarations::VALUE, found.wrong(problem), message)
}

/// The name of the member that a problem is about.
pub(crate) fn last_name(problem: &Problem) -> String {
    use silo_runtime::input::PathSegment;
    match problem.at.last() {
        Some(PathSegment::Name(name)) => name.to_string(),
        Some(PathSegment::Index(index)) => format!("[{index}]"),
        None => "value".to_owned(),
    }
}
