//! Seed data: what tables, state and constants begin with, read from files and literals, checked against their declarations.
//!
//! Nothing is coerced or guessed. Rows go the way of a tool's input, through the engine's decoder, so that both accept the
//! same; faults are shown where they stand in the data file, grouped where they repeat.

mod composed;
mod csv;
mod faults;
mod identity;
mod json;
mod keys;
pub(crate) mod places;
mod references;
mod source;

use crate::declare::{AnyKey, Declared};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::project::Project;
use crate::syntax::tree::Init;
use faults::Faults;
use identity::Identities;
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::input::{Decoder, InputFault, PathSegment};
use silo_runtime::model::Model;
use silo_runtime::schema::Schema;
use silo_runtime::store::{Seed, SeedBuilder, SeedFault};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, Value};
use source::Source;
use std::sync::Arc;

pub use keys::Keys;

/// What the state begins with, checked; the engine's seed is made of it once the model is complete.
#[derive(Debug, Default)]
pub struct SeedData {
    tables: Vec<(StateId, Vec<DynRow>)>,
    values: Vec<(StateId, Value)>,
}

impl SeedData {
    /// How many rows there are in the state's tables.
    pub fn rows(&self) -> usize {
        self.tables.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// The engine's seed.
    ///
    /// # Errors
    /// The engine refuses what was found right here.
    pub fn build(self, model: Arc<Model>) -> Result<Seed, SeedFault> {
        let mut builder = SeedBuilder::new(model);
        for (state, rows) in self.tables {
            for row in rows {
                builder.row(state, row.values)?;
            }
        }
        for (state, value) in self.values {
            builder.scalar(state, value)?;
        }
        Ok(builder.finish())
    }
}

/// A value of a source: which one, and for a row of a table its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    source: usize,
    row: Option<usize>,
}

/// Reads what all state fields and constants begin with, and looks up every reference.
///
/// Fills in the constants' and the state's values and [`Declared::seed`].
pub fn load(declared: &mut Declared<'_>, project: &Project) -> (SeedData, Vec<Diagnostic>) {
    let mut loading = Loading {
        project,
        sources: Vec::new(),
        cache: source::Cache::default(),
        identities: Identities::new(declared.types.model.entities.len()),
        data: SeedData::default(),
        placed: Vec::new(),
        sink: Vec::new(),
    };
    if declared.broken_data {
        for entity in 0..declared.types.model.entities.len() {
            loading.identities.set_incomplete(EntityId::from(entity), &declared.types.model);
        }
    }
    for index in 0..declared.consts.len() {
        loading.constant(declared, index);
    }
    for index in 0..declared.state.len() {
        loading.state(declared, StateId::from(index));
    }
    let Loading { sources, identities, data, placed, mut sink, .. } = loading;
    declared.seed = identities.finish(declared, &sources, &mut sink);
    references::check(declared, &data, &placed, &sources, &mut sink);
    (data, sink)
}

struct Loading<'p> {
    project: &'p Project,
    /// What values come from, to find their places.
    sources: Vec<Source<'p>>,
    cache: source::Cache,
    identities: Identities,
    data: SeedData,
    /// Values that may hold references, and where they come from: the rows of tables are in `data`.
    placed: Vec<Placed>,
    sink: Vec<Diagnostic>,
}

/// A value or a table that came from a source.
#[derive(Debug)]
pub(crate) enum Placed {
    /// The rows of the table at this position of [`SeedData::tables`], and the position in the source of each.
    Table { table: usize, entity: EntityId, source: usize, rows: Vec<usize> },
    /// A value.
    Value { schema: Schema, value: Value, source: usize },
}

impl Loading<'_> {
    fn constant(&mut self, declared: &mut Declared<'_>, index: usize) {
        let Some(constant) = declared.consts.get(index) else { return };
        if constant.ty.is_none() {
            return;
        }
        let (schema, init, span) = (constant.schema.clone(), &constant.tree.init, constant.span);
        let Some(source) = self.open(declared, init, &schema, span) else { return };
        let value = self.value(declared, &schema, source);
        if let Some(constant) = declared.consts.get_mut(index) {
            constant.value = value;
        }
    }

    fn state(&mut self, declared: &mut Declared<'_>, id: StateId) {
        let (Some(state), Some(field)) = (declared.state.get(id.index()), declared.types.model.state_field(id)) else {
            return;
        };
        let schema = field.schema.clone();
        let (init, span) = (state.tree.init.as_ref(), state.span);
        if let Schema::Table { entity, .. } = schema {
            let rows = match init {
                Some(init) => match self.open(declared, init, &schema, span) {
                    Some(source) => self.table(declared, entity, source),
                    None => {
                        self.identities.set_incomplete(entity, &declared.types.model);
                        Vec::new()
                    }
                },
                None => Vec::new(),
            };
            self.data.tables.push((id, rows));
            return;
        }
        let value = match init {
            Some(init) => {
                self.open(declared, init, &schema, span).and_then(|source| self.value(declared, &schema, source))
            }
            None => Some(Value::Null),
        };
        let value = value.unwrap_or_default();
        self.data.values.push((id, value.clone()));
        if let Some(state) = declared.state.get_mut(id.index()) {
            state.initial = value;
        }
    }

    /// The source of a value, added to the list; nothing if it cannot be read, which is reported.
    fn open(&mut self, declared: &Declared<'_>, init: &Init, schema: &Schema, span: Span) -> Option<usize> {
        if !declared.types.is_known(schema) {
            return None;
        }
        let source = match init {
            Init::Value(expr) => {
                let types = &declared.types;
                let constant = types.constants.evaluate(expr, &mut self.sink)?;
                let (json, places) = types.constant_json(&constant, schema, &mut self.sink)?;
                Source::literal(json, places)
            }
            Init::From(_) if declared.broken_data => return None,
            Init::From(from) => {
                source::open(&declared.types, self.project, &mut self.cache, from, schema, span, &mut self.sink)?
            }
        };
        self.sources.push(source);
        Some(self.sources.len() - 1)
    }

    fn value(&mut self, declared: &Declared<'_>, schema: &Schema, source: usize) -> Option<Value> {
        let opened = self.sources.get(source)?;
        let decoded = Decoder::new(&declared.types.model, &AnyKey).for_seed(faults::TOLD).value(schema, &opened.json());
        match decoded {
            Ok(value) => {
                self.placed.push(Placed::Value { schema: schema.clone(), value: value.clone(), source });
                Some(value)
            }
            Err(fault) => {
                let mut faults = Faults::new(declared, opened, faults::Of::Value(schema));
                faults.add(None, fault);
                faults.report(&mut self.sink);
                None
            }
        }
    }

    fn table(&mut self, declared: &Declared<'_>, entity: EntityId, source: usize) -> Vec<DynRow> {
        let Some(opened) = self.sources.get(source) else { return Vec::new() };
        let mut rows = Vec::with_capacity(opened.len());
        let mut positions = Vec::with_capacity(opened.len());
        let mut faults = Faults::new(declared, opened, faults::Of::Rows(entity));
        for position in 0..opened.len() {
            let Some(json) = opened.row(position) else { continue };
            let decoder = Decoder::new(&declared.types.model, &AnyKey).for_seed(faults::TOLD_OF_ROW);
            let checked = decoder.row(entity, &json).and_then(|row| match opened.name(position) {
                Some(name) if *name != row.key => Err(wrong_name(&row, name)),
                _ => composed::check(&row, &declared.types.model).map_or(Ok(row), Err),
            });
            match checked {
                Ok(row) => {
                    self.identities.add(&row, At { source, row: Some(position) });
                    rows.push(row);
                    positions.push(position);
                }
                Err(fault) => faults.add(Some(position), fault),
            }
        }
        if !faults.is_empty() || opened.is_incomplete() {
            self.identities.set_incomplete(entity, &declared.types.model);
        }
        faults.report(&mut self.sink);
        self.placed.push(Placed::Table { table: self.data.tables.len(), entity, source, rows: positions });
        rows
    }
}

/// A row that stands under another name than its key.
fn wrong_name(row: &DynRow, name: &Text) -> InputFault {
    let key = row.shape.fields.get(row.shape.key.index()).map(|field| PathSegment::Name(field.wire.clone()));
    let problem = composed::key_problem(key.into_iter().collect(), "under which the row stands", name, &row.key);
    InputFault { problems: vec![problem], more: 0 }
}

/// Reports that a data file cannot be read in the way that it is asked for.
fn refuse_option(span: Span, message: impl Into<String>, help: impl Into<String>, sink: &mut Vec<Diagnostic>) {
    sink.push(Diagnostic::error(codes::seed::OPTION, span, message).help(help));
}
