//! Keys of rows: one row each, over every table that holds the entity.

use super::At;
use super::json::head;
use super::keys::Keys;
use super::source::Source;
use crate::declare::Declared;
use crate::diagnostics::{Diagnostic, Span, codes};
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use silo_runtime::ids::{EntityId, FieldId};
use silo_runtime::input::PathSegment;
use silo_runtime::keys::KeyPattern;
use silo_runtime::model::Model;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Value};
use silo_runtime::value::text::shorten;

/// Where a row is: its source, and for a row of a nested table the fields and positions that lead to it.
#[derive(Clone, Debug)]
struct Place {
    at: At,
    nested: Option<Box<[(FieldId, usize)]>>,
}

/// The rows of one entity.
#[derive(Clone, Debug, Default)]
struct Rows {
    first: IndexMap<Text, Place, FxBuildHasher>,
    /// The first row whose key another row has already, and how many more there are.
    again: Option<(Text, Place)>,
    more: usize,
    incomplete: bool,
}

/// The rows of all entities so far, by their keys.
#[derive(Debug, Default)]
pub(super) struct Identities {
    entities: Vec<Rows>,
}

impl Identities {
    pub(super) fn new(entities: usize) -> Self {
        Self { entities: vec![Rows::default(); entities] }
    }

    /// Adds a row and the rows of its tables.
    pub(super) fn add(&mut self, row: &DynRow, at: At) {
        self.add_nested(row, at, &mut Vec::new());
    }

    fn add_nested(&mut self, row: &DynRow, at: At, path: &mut Vec<(FieldId, usize)>) {
        if !row.shape.local {
            let nested = (!path.is_empty()).then(|| path.clone().into_boxed_slice());
            self.file(row.shape.id, &row.key, Place { at, nested });
        }
        for (field, value) in row.values.iter().enumerate() {
            let Value::Rows(rows) = value else { continue };
            for (index, row) in rows.values().enumerate() {
                path.push((FieldId::from(field), index));
                self.add_nested(row, at, path);
                path.pop();
            }
        }
    }

    fn file(&mut self, entity: EntityId, key: &Text, place: Place) {
        let Some(rows) = self.entities.get_mut(entity.index()) else { return };
        match rows.first.entry(key.clone()) {
            Entry::Vacant(free) => _ = free.insert(place),
            Entry::Occupied(_) if rows.again.is_some() => rows.more += 1,
            Entry::Occupied(_) => rows.again = Some((key.clone(), place)),
        }
    }

    /// Some rows of an entity could not be read, and so none of the rows in their tables.
    pub(super) fn set_incomplete(&mut self, entity: EntityId, model: &Model) {
        let Some(rows) = self.entities.get_mut(entity.index()) else { return };
        if std::mem::replace(&mut rows.incomplete, true) {
            return;
        }
        for field in model.entity(entity).iter().flat_map(|shape| &shape.fields) {
            if let Schema::Table { entity, .. } = field.schema {
                self.set_incomplete(entity, model);
            }
        }
    }

    /// Reports the keys that two rows have, and gives the keys that there are.
    pub(super) fn finish(self, declared: &Declared<'_>, sources: &[Source<'_>], sink: &mut Vec<Diagnostic>) -> Keys {
        let mut keys = Keys::new(self.entities.len());
        for (index, rows) in self.entities.into_iter().enumerate() {
            let entity = EntityId::from(index);
            if rows.incomplete {
                keys.set_incomplete(entity);
            }
            if let Some((key, second)) = &rows.again
                && let Some(first) = rows.first.get(key)
            {
                sink.extend(duplicate(declared, sources, entity, key, first, second, rows.more));
            }
            for key in rows.first.into_keys() {
                keys.add(entity, key);
            }
        }
        keys
    }
}

fn duplicate(
    declared: &Declared<'_>,
    sources: &[Source<'_>],
    entity: EntityId,
    key: &Text,
    first: &Place,
    second: &Place,
    more: usize,
) -> Option<Diagnostic> {
    let shape = declared.types.model.entity(entity)?;
    let (first, second) = (span(declared, sources, entity, first)?, span(declared, sources, entity, second)?);
    let shown = shorten(key, 60);
    let mut diagnostic = Diagnostic::error(
        codes::seed::DUPLICATE_KEY,
        second,
        format!("two rows of `{}` have the key `{shown}`", shape.name),
    )
    .label("again here")
    .also(first, "first here");
    if more > 0 {
        let rows = if more == 1 { "1 more row has" } else { &format!("{more} more rows have") };
        diagnostic = diagnostic.note(format!("and {rows} a key that is there already"));
    }
    Some(match &shape.pattern {
        // What was taken for a key may only be a part of one.
        KeyPattern::Given if more > 0 => diagnostic.help(
            "give each row a key of its own; where two fields together make it, declare `key \"{a}-{b}\"` with their names, or keep \
             the rows as a list of records in the row that they belong to",
        ),
        _ => diagnostic.help("give one of them another key, or take one of the rows away"),
    })
}

/// Where a row's key stands, or the row where the key is made of its fields.
fn span(declared: &Declared<'_>, sources: &[Source<'_>], entity: EntityId, place: &Place) -> Option<Span> {
    let model = &declared.types.model;
    let places = sources.get(place.at.source)?.places(place.at.row)?;
    let mut path = Vec::new();
    let mut at = entity;
    let mut owners = Vec::new();
    // The fields of the way are those of the owners, which are found from the inside.
    for _ in place.nested.iter().flat_map(|nested| nested.iter()) {
        at = model.entity(at)?.parent?;
        owners.push(at);
    }
    for ((field, index), owner) in place.nested.iter().flat_map(|nested| nested.iter()).zip(owners.into_iter().rev()) {
        path.push(PathSegment::Name(model.entity(owner)?.fields.get(field.index())?.wire.clone()));
        path.push(PathSegment::Index(*index));
    }
    let shape = model.entity(entity)?;
    path.push(PathSegment::Name(shape.fields.get(shape.key.index())?.wire.clone()));
    let found = places.find(&path);
    Some(if found.missing { head(found.value) } else { found.value })
}
