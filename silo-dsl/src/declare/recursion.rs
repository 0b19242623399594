//! Types that hold themselves, and the order in which records can be completed.

use super::types::Types;
use crate::diagnostics::{Diagnostic, codes};
use silo_runtime::ids::{EntityId, RecordId};
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;

/// How many fields a record may have with those of the records in it, written out in full, and how deep they may nest.
const FIELDS: u64 = 100_000;
const DEPTH: u32 = 64;

/// A record on the way of [`Walk`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// With the number of its fields written out, and its depth.
    Done(u64, u32),
}

/// All records, each after those that it holds; nothing if a type holds itself, which is reported.
pub(super) fn order(types: &Types<'_>, sink: &mut Vec<Diagnostic>) -> Option<Vec<RecordId>> {
    let records = types.model.records.len();
    let mut walk =
        Walk { types, states: vec![State::New; records], path: Vec::new(), order: Vec::new(), broken: false, sink };
    for index in 0..records {
        walk.visit(RecordId::from(index));
    }
    let Walk { order, broken, .. } = walk;
    let nested = nested_in_itself(types, sink);
    (!broken && !nested).then_some(order)
}

struct Walk<'a> {
    types: &'a Types<'a>,
    states: Vec<State>,
    path: Vec<RecordId>,
    order: Vec<RecordId>,
    broken: bool,
    sink: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn visit(&mut self, id: RecordId) -> (u64, u32) {
        match self.states.get(id.index()) {
            Some(State::Done(fields, depth)) => return (*fields, *depth),
            Some(State::New) => {}
            Some(State::Open) => {
                self.circle(id);
                return (0, 0);
            }
            None => return (0, 0),
        }
        self.set(id, State::Open);
        self.path.push(id);
        let mut inner = Vec::new();
        if let Some(shape) = self.types.model.record(id) {
            for field in &shape.fields {
                records_of(field, &mut inner);
            }
        }
        let own = self.types.model.record(id).map_or(0, |shape| shape.fields.len() as u64);
        let (mut fields, mut depth) = (own, 0);
        // Past the bound nothing more is looked at, which bounds this walk too.
        if self.path.len() <= DEPTH as usize {
            for record in inner {
                let (more, deep) = self.visit(record);
                fields = fields.saturating_add(more);
                depth = depth.max(deep + 1);
            }
        } else {
            depth = DEPTH + 1;
        }
        self.path.pop();
        if (fields > FIELDS || depth > DEPTH) && !self.broken {
            self.too_large(id, depth > DEPTH);
        }
        self.set(id, State::Done(fields, depth));
        self.order.push(id);
        (fields, depth)
    }

    fn set(&mut self, id: RecordId, state: State) {
        if let Some(slot) = self.states.get_mut(id.index()) {
            *slot = state;
        }
    }

    fn circle(&mut self, id: RecordId) {
        self.broken = true;
        let from = self.path.iter().position(|one| *one == id).unwrap_or(0);
        let round: Vec<RecordId> = self.path.iter().skip(from).copied().chain([id]).collect();
        let names: Vec<String> = round
            .iter()
            .filter_map(|id| self.types.model.record(*id)?.name.as_ref().map(|name| format!("`{name}`")))
            .collect();
        // An anonymous record cannot be named by what it holds, so a named one is in every circle.
        let named = round.iter().find_map(|id| {
            let name = self.types.model.record(*id)?.name.clone()?;
            Some((name, self.types.record_decl(*id)?.span?))
        });
        let Some((name, span)) = named else { return };
        self.sink.push(
            Diagnostic::error(codes::declarations::RECURSIVE, span, format!("the record `{name}` holds itself"))
                .label(names.join(" holds "))
                .help("declare an `entity` and refer to its rows: a reference is only a key"),
        );
    }

    fn too_large(&mut self, id: RecordId, deep: bool) {
        self.broken = true;
        let Some(span) = self.types.record_decl(id).and_then(|decl| decl.span) else { return };
        let what = if deep {
            format!("nests more than {DEPTH} deep")
        } else {
            format!("has more than {FIELDS} fields written out")
        };
        self.sink.push(
            Diagnostic::error(
                codes::declarations::TOO_MANY,
                span,
                format!("this record, with the records in it, {what}"),
            )
            .help("hold fewer records in records"),
        );
    }
}

/// The records that a field holds, as often as it holds them.
fn records_of(field: &Field, out: &mut Vec<RecordId>) {
    of_schema(&field.schema, out);
    for (_, schema) in &field.cases {
        of_schema(schema, out);
    }
}

fn of_schema(schema: &Schema, out: &mut Vec<RecordId>) {
    match schema {
        Schema::Record(id) => out.push(*id),
        Schema::List { item, .. } => of_schema(item, out),
        Schema::Map { value, .. } => of_schema(value, out),
        Schema::Optional(inner) => of_schema(inner, out),
        _ => {}
    }
}

/// Whether tables of an entity stand in rows of the same entity, directly or not; that is reported.
fn nested_in_itself(types: &Types<'_>, sink: &mut Vec<Diagnostic>) -> bool {
    let mut found = false;
    for index in 0..types.model.entities.len() {
        let start = EntityId::from(index);
        let mut at = start;
        let mut is_first = true;
        // A circle that does not go through the start is found from its own entities.
        for _ in 0..types.model.entities.len() {
            match types.model.entity(at).and_then(|shape| shape.parent) {
                Some(parent) if parent == start => {
                    found = true;
                    // One circle is one mistake: it is told of the entity of it that is declared first.
                    if is_first {
                        report_nested(types, start, sink);
                    }
                    break;
                }
                Some(parent) => {
                    at = parent;
                    is_first &= start < parent;
                }
                None => break,
            }
        }
    }
    found
}

fn report_nested(types: &Types<'_>, entity: EntityId, sink: &mut Vec<Diagnostic>) {
    let Some(decl) = types.entity_decl(entity) else { return };
    sink.push(
        Diagnostic::error(
            codes::declarations::RECURSIVE,
            decl.span,
            format!("tables of `{}` stand in its own rows", decl.name),
        )
        .label("such a table would begin nowhere")
        .help(format!("keep all rows in one table of the state, each with a reference: `above: {}?`", decl.name)),
    );
}
