//! Linking: what is left to find out once, between checking a program and running it.

use super::Interpreted;
use super::facts::facts;
use super::rowwise::rowwise;
use crate::diagnostics::{Diagnostic, Sources, codes};
use crate::ir::{FunctionKind, Program, Type};
use silo_runtime::environment::{Manifest, RuleSpec, ToolSpec};
use silo_runtime::ids::ToolId;
use silo_runtime::model::RecordShape;
use silo_runtime::schema::Schema;
use silo_runtime::store::{Seed, Store};
use silo_runtime::value::Text;
use std::sync::Arc;

/// Makes an environment of a checked program and its seed: expands families of tasks, fills in texts, runs setups, and checks
/// that invariants hold on the seed. `hash` is that of all sources and data.
///
/// # Errors
/// Everything that is found wrong by running.
pub fn link(
    program: Program,
    seed: Arc<Seed>,
    sources: Arc<Sources>,
    hash: Text,
) -> Result<Interpreted, Vec<Diagnostic>> {
    let facts = facts(&program).map_err(|deepest| {
        let span = program.functions.get(deepest.0 as usize).map(|function| function.span);
        let said = "calls nest too deep: this function, with all that it calls, would not fit the stack";
        let found = span.map(|span| Diagnostic::error(codes::running::TOO_DEEP, span, said));
        found.map(|found| found.help("let fewer functions call one another in a row")).into_iter().collect::<Vec<_>>()
    })?;
    let tables = program.model.state.iter().map(|field| match field.schema {
        Schema::Table { entity, .. } => Some(entity),
        _ => None,
    });
    let tables = tables.collect();
    let types = |shape: &Arc<RecordShape>| shape.fields.iter().map(|field| Type::of(&field.schema)).collect();
    let member_types = program.model.records.iter().map(types).collect();
    let rowwise = program.invariants.iter().map(|invariant| rowwise(&program, invariant)).collect();
    let manifest = manifest(&program, hash);
    let tasks = Vec::new();
    let mut linked = Interpreted { program, facts, tables, member_types, rowwise, tasks, manifest, seed, sources };
    let mut diagnostics = Vec::new();
    linked.check_seed(&mut diagnostics);
    linked.link_tasks(&mut diagnostics);
    if diagnostics.is_empty() { Ok(linked) } else { Err(diagnostics) }
}

impl Interpreted {
    /// Whether every invariant holds on the seed.
    fn check_seed(&self, diagnostics: &mut Vec<Diagnostic>) {
        let store = Store::new(self.seed.clone());
        for (index, invariant) in self.program.invariants.iter().enumerate() {
            let (said, found) = match self.invariant(&store, index, None) {
                Ok(None) => continue,
                Ok(Some(broken)) => (format!("{} in the seed data", self.describe_broken(&broken)), broken.found),
                Err(stop) => (self.explain("the invariant fails on the seed data", &stop), String::new()),
            };
            let diagnostic = Diagnostic::error(codes::running::INVARIANT, invariant.span, said);
            let diagnostic = if found.is_empty() { diagnostic } else { diagnostic.label(found) };
            diagnostics.push(diagnostic.help("mend the data, or say what really holds"));
        }
    }
}

fn manifest(program: &Program, hash: Text) -> Manifest {
    let environment = &program.environment;
    let tools = program.tools.iter().enumerate().map(|(index, tool)| {
        let id = ToolId::from(index);
        let function = program.functions.get(tool.function.0 as usize);
        debug_assert!(function.is_some_and(|function| function.kind == FunctionKind::Tool(id)));
        ToolSpec {
            name: function.map(|function| function.name.clone()).unwrap_or_default(),
            description: function.map(|function| function.docs.clone()).unwrap_or_default(),
            input: Schema::Record(tool.input),
            output: tool.output.clone(),
            read_only: function.is_some_and(|function| function.writes.is_empty()),
            has_rules: program.rules.iter().any(|rule| rule.on.iter().any(|hook| hook.tool == id)),
        }
    });
    let rules = program.rules.iter().map(|rule| RuleSpec {
        name: rule.name.clone(),
        docs: rule.docs.clone(),
        tools: rule.on.iter().map(|hook| hook.tool).collect(),
    });
    Manifest {
        name: environment.name.clone(),
        version: environment.version.clone(),
        hash,
        title: environment.title.clone(),
        description: environment.description.clone(),
        policy: environment.policy.clone(),
        model: program.model.clone(),
        tools: tools.collect(),
        tasks: Vec::new(),
        rules: rules.collect(),
    }
}
