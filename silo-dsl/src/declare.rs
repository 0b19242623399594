//! From syntax trees to what a project declares: types, the world's shape, signatures and settings, all but code.
//!
//! Names are declared in three namespaces: types; constants, state, parameters and locals; functions, actions, tools and
//! verifiers. Rules and tasks have one each. What is wrong with one item hides nothing of the others: everything that can be
//! known is, and what could not be read is [`TypeKind::Broken`] or left out, with a diagnostic.

mod callables;
mod collect;
pub(crate) mod constant;
mod defaults;
mod fields;
mod items;
mod keys;
mod limits;
pub(crate) mod messages;
mod names;
mod naming;
mod recursion;
mod settings;
mod state;
mod structures;
mod tasks;
pub(crate) mod types;

use crate::diagnostics::{Diagnostic, FileId, Span};
use crate::ir::{EnvironmentInfo, FunctionId};
use crate::seed::Keys;
use crate::syntax::tree;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use silo_runtime::value::Text;

pub(crate) use defaults::{AnyKey, wrong_value};
pub use items::{
    Callable, Code, ConstDecl, DerivedDecl, EntityDecl, EnumDecl, FunctionDecl, InvariantDecl, ParamDecl, RecordDecl,
    RuleDecl, RuleOn, StateDecl, TaskDecl, TypeDef, TypeKind, VerifierDecl,
};
pub use naming::{NameStyle, Naming};
pub use types::{FieldDecl, Member, RowField, Types, Wire};

/// Everything that a project declares.
#[derive(Debug, Default)]
pub struct Declared<'t> {
    /// The `environment` item. The policy is still its path: [`crate::compile`] reads it.
    pub environment: EnvironmentInfo,
    /// Where the name of the environment stands.
    pub environment_span: Option<Span>,
    /// Types: enums, records, entities, and the model of them and of the state.
    pub types: Types<'t>,
    /// State fields, by id.
    pub state: Vec<StateDecl<'t>>,
    /// Constants, by id.
    pub consts: Vec<ConstDecl<'t>>,
    /// Derived fields of all entities.
    pub derived: Vec<DerivedDecl<'t>>,
    /// Functions, actions and tools; the place of each is its [`FunctionId`].
    pub functions: Vec<FunctionDecl<'t>>,
    /// Shared verifiers, by id.
    pub verifiers: Vec<VerifierDecl<'t>>,
    /// Rules.
    pub rules: Vec<RuleDecl<'t>>,
    /// Invariants.
    pub invariants: Vec<InvariantDecl<'t>>,
    /// Tasks and families of tasks.
    pub tasks: Vec<TaskDecl<'t>>,
    /// Names of items that could not be read, types left out: what refers to them has no diagnostic of its own.
    pub broken: IndexSet<Text, FxBuildHasher>,
    /// Whether a `state` item could not be read: any name of a value may be one of its fields.
    pub broken_state: bool,
    /// Whether names on the wire and the rows of tables cannot be known, since an item that they depend on could not be read:
    /// no data is read then, and no key is missing.
    pub broken_data: bool,
    /// The keys of the seed data, for literal references in code. Filled in by [`crate::seed::load`].
    pub seed: Keys,
    /// Whether a type holds itself: nothing that follows types may look at this project then.
    pub recursive: bool,
    /// Constants in declarations that may hold references, to be looked up once the seed is there.
    pub(crate) pending: Vec<defaults::Pending>,
}

impl Declared<'_> {
    /// The first function number that is free: functions, actions and tools come first, then derived fields, then verifiers.
    pub fn first_free_function(&self) -> FunctionId {
        function_id(self.functions.len() + self.derived.len() + self.verifiers.len())
    }
}

/// The number of a function.
pub(crate) fn function_id(index: usize) -> FunctionId {
    FunctionId(u32::try_from(index).unwrap_or(u32::MAX))
}

/// Reads the declarations of all files of a project, the entry file first.
pub fn declare(files: &[tree::File]) -> (Declared<'_>, Vec<Diagnostic>) {
    let mut sink = Vec::new();
    let mut declared = Declared::default();
    let entry = files.first().map_or(FileId(0), |file| file.id);
    let items = collect::collect(&mut declared, files, &mut sink);
    settings::environment(&mut declared, &items, entry, &mut sink);
    let waiting = structures::read(&mut declared, &items, &mut sink);
    defaults::fill(&mut declared, waiting, &mut sink);
    state::read(&mut declared, &items, &mut sink);
    callables::read(&mut declared, &items, &mut sink);
    tasks::read(&mut declared, &items, &mut sink);
    (declared, sink)
}
