//! What all bodies of a project share while they are checked.

use crate::declare::{Declared, TypeKind};
use crate::diagnostics::{Diagnostic, Sources, Span};
use crate::ir::{ConstId, Function, FunctionId, Type, VerifierId};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use silo_runtime::ids::{EntityId, FieldId, StateId};
use silo_runtime::schema::{MapKey, Schema};
use silo_runtime::value::Text;

pub(crate) type Set<T> = IndexSet<T, FxBuildHasher>;

/// A path of fields that some code writes: from a row's entity on, the fields up to the first index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Written {
    /// Fields of rows of an entity.
    Row(EntityId, Vec<FieldId>),
    /// A state field, and fields into it.
    State(StateId, Vec<FieldId>),
}

/// What is known of a function once its body has been checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// What it gives; `None` until it is known.
    pub(crate) result: Option<Type>,
    /// Whether it can fail.
    pub(crate) fails: bool,
    /// State it reads itself.
    pub(crate) reads: Set<StateId>,
    /// State it writes itself.
    pub(crate) writes: Set<StateId>,
    /// Whether it needs a world of its own: it names state, or calls what does. Rows bring theirs with them.
    pub(crate) uses_world: bool,
    /// The functions and derived fields that it uses, each where it does so first.
    pub(crate) calls: IndexMap<FunctionId, Span, FxBuildHasher>,
    /// In a verifier: where it first reads the world after the reference solution.
    pub(crate) uses_reference: Option<Span>,
    /// The fields it writes, those of the actions it calls included.
    pub(crate) written: Set<Written>,
}

/// The project as the bodies see it.
pub(crate) struct Shared<'t, 's> {
    /// The declarations; anonymous records are added to their types.
    pub(crate) declared: Declared<'t>,
    /// The source, for texts quoted in messages and checks.
    pub(crate) sources: &'s Sources,
    /// What has been found so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Functions, actions and tools by name.
    pub(crate) functions: FxHashMap<Text, FunctionId>,
    /// Verifiers by name.
    pub(crate) verifiers: FxHashMap<Text, VerifierId>,
    /// State fields by name.
    pub(crate) state: FxHashMap<Text, StateId>,
    /// Constants by name.
    pub(crate) consts: FxHashMap<Text, ConstId>,
    /// What is known of each function, by id.
    pub(crate) outlines: Vec<Outline>,
    /// The checked code, by id; `None` until it is checked.
    pub(crate) code: Vec<Option<Function>>,
    /// The state fields whose tables hold rows of an entity, by entity.
    homes: Vec<Vec<StateId>>,
    /// The anonymous records made while checking.
    pub(crate) shapes: super::shapes::Shapes,
    /// What each tool returns, by tool.
    pub(crate) returned: FxHashMap<FunctionId, Vec<Type>>,
}

impl<'t, 's> Shared<'t, 's> {
    /// Indexes the declarations by name.
    pub(crate) fn new(declared: Declared<'t>, sources: &'s Sources) -> Self {
        let named = |at: usize, name: &Text| (name.clone(), at);
        let functions = declared.functions.iter().enumerate().map(|(at, f)| named(at, &f.name));
        let functions = first_wins(functions).map(|(name, at)| (name, FunctionId(number(at)))).collect();
        let verifiers = first_wins(declared.verifiers.iter().enumerate().map(|(at, v)| named(at, &v.name)));
        let verifiers = verifiers.map(|(name, at)| (name, VerifierId(number(at)))).collect();
        let state = first_wins(declared.state.iter().map(|s| (s.name.clone(), s.id.index())));
        let state = state.map(|(name, at)| (name, StateId::from(at))).collect();
        let consts = first_wins(declared.consts.iter().enumerate().map(|(at, c)| named(at, &c.name)));
        let consts = consts.map(|(name, at)| (name, ConstId(number(at)))).collect();
        let first_free = declared.functions.len() + declared.derived.len() + declared.verifiers.len();
        let homes = homes(&declared);
        Self {
            declared,
            sources,
            diagnostics: Vec::new(),
            functions,
            verifiers,
            state,
            consts,
            outlines: vec![Outline::default(); first_free],
            code: vec![None; first_free],
            homes,
            shapes: super::shapes::Shapes::default(),
            returned: FxHashMap::default(),
        }
    }

    /// Adds a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether so much is wrong that looking on helps nobody.
    pub(crate) fn is_flooded(&self) -> bool {
        self.diagnostics.len() >= MOST
    }

    /// A number for code that no name refers to.
    pub(crate) fn fresh_function(&mut self) -> FunctionId {
        let id = FunctionId(number(self.outlines.len()));
        self.outlines.push(Outline::default());
        self.code.push(None);
        id
    }

    /// What is known of a function.
    pub(crate) fn outline(&self, id: FunctionId) -> Option<&Outline> {
        self.outlines.get(id.0 as usize)
    }

    /// The state fields whose tables hold rows of an entity.
    pub(crate) fn homes(&self, entity: EntityId) -> &[StateId] {
        self.homes.get(entity.index()).map_or(&[], Vec::as_slice)
    }

    /// The entities of the rows that are gone once a row of an entity is removed: its own and those of the tables in it.
    pub(crate) fn removed_with(&self, entity: EntityId) -> Vec<EntityId> {
        let mut removed = vec![entity];
        let mut at = 0;
        while let Some(owner) = removed.get(at).copied() {
            at += 1;
            let mut nested = Vec::new();
            for field in self.declared.types.model.entity(owner).map_or(&[][..], |shape| shape.fields.as_slice()) {
                tables_of(&field.schema, &mut nested);
                field.cases.iter().for_each(|(_, schema)| tables_of(schema, &mut nested));
            }
            nested.retain(|each| !removed.contains(each));
            removed.extend(nested);
        }
        removed
    }

    /// The entities of the tables that have a name: a state field, or a field of some row.
    pub(crate) fn tables_named(&self, name: &str) -> Vec<EntityId> {
        let model = &self.declared.types.model;
        let mut found = Vec::new();
        let state = model.state.iter().map(|field| (&field.name, &field.schema));
        let rows = model.entities.iter().flat_map(|shape| &shape.fields).map(|field| (&field.name, &field.schema));
        for (_, schema) in state.chain(rows).filter(|(each, _)| ***each == *name) {
            tables_of(schema, &mut found);
        }
        found
    }

    /// A type as an author writes it.
    pub(crate) fn show(&self, ty: &Type) -> String {
        self.declared.types.display(ty)
    }

    /// Whether a name belongs to an item that could not be read: what refers to it is no mistake of its own.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.declared.broken.contains(name)
    }

    /// As [`Self::is_broken`], of the name of a value: state whose item could not be read may hold any.
    pub(crate) fn is_broken_value(&self, name: &str) -> bool {
        self.declared.broken_state || self.is_broken(name)
    }

    /// The entity that a name of a type stands for.
    pub(crate) fn type_kind(&self, name: &str) -> Option<TypeKind> {
        self.declared.types.find(name).map(|found| found.kind)
    }
}

/// After so many diagnostics code is not looked at any further.
const MOST: usize = 1_000;

pub(crate) fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Of several declarations of one name the first counts; the others have a diagnostic.
fn first_wins(names: impl Iterator<Item = (Text, usize)>) -> impl Iterator<Item = (Text, usize)> {
    let mut seen: FxHashSet<Text> = FxHashSet::default();
    names.filter(move |(name, _)| seen.insert(name.clone()))
}

/// For each entity the state fields in whose tables its rows lie, nested ones included.
fn homes(declared: &Declared<'_>) -> Vec<Vec<StateId>> {
    let model = &declared.types.model;
    let mut homes: Vec<Vec<StateId>> = vec![Vec::new(); model.entities.len()];
    for (at, field) in model.state.iter().enumerate() {
        let mut seen: FxHashSet<EntityId> = FxHashSet::default();
        let mut open = Vec::new();
        tables_of(&field.schema, &mut open);
        while let Some(entity) = open.pop() {
            if !seen.insert(entity) {
                continue;
            }
            if let Some(home) = homes.get_mut(entity.index()) {
                home.push(StateId::from(at));
            }
            for field in model.entity(entity).map_or(&[][..], |shape| shape.fields.as_slice()) {
                tables_of(&field.schema, &mut open);
            }
        }
    }
    homes
}

fn tables_of(schema: &Schema, found: &mut Vec<EntityId>) {
    match schema {
        Schema::Table { entity, .. } => found.push(*entity),
        Schema::Optional(inner) => tables_of(inner, found),
        _ => {}
    }
}

/// The type of a map's keys.
pub(crate) fn key_type(key: MapKey) -> Type {
    match key {
        MapKey::String => Type::Text,
        MapKey::Enum(id) => Type::Enum(id),
        MapKey::Entity(id) => Type::Entity(id),
    }
}
