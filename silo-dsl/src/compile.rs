//! From the files of a project to a checked program and its seed: the phases of the front end in order.
//!
//! 1. Files are read and parsed ([`Project`]).
//! 2. Declarations: types, the state's shape, signatures, settings ([`declare`]).
//! 3. Seed data: rows, constants, references ([`seed`]).
//! 4. Code: types of expressions and statements, to IR ([`check`]).
//!
//! Every phase reports all that it finds; a later one runs as long as what it needs is there, so that one compilation shows as
//! much as can be known. What follows, the interpreter's, runs only on what has no errors.

use crate::check;
use crate::declare::{self, Declared};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::Program;
use crate::project::{Project, with_deep_stack};
use crate::seed::{self, SeedData};
use crate::syntax::tree::{ExprKind, ItemKind};
use silo_runtime::store::Seed;
use silo_runtime::value::Text;
use std::sync::Arc;

/// A project without errors.
#[derive(Debug)]
pub struct Compiled {
    /// The checked program.
    pub program: Program,
    /// What every world starts from.
    pub seed: Arc<Seed>,
    /// The hash of all files; see [`Project::hash`].
    pub hash: Text,
}

/// Compiles a project: all that is wrong with it, in the order of its files, and the program if nothing is an error.
///
/// ```
/// use silo_dsl::{compile::compile, project::Project};
/// let project = Project::from_sources([("tiny.silo", "environment tiny { versoin: \"1.0\" }")]);
/// let (compiled, diagnostics) = compile(&project);
/// assert!(compiled.is_none());
/// assert_eq!(diagnostics[0].message, "an environment has no setting `versoin`");
/// ```
pub fn compile(project: &Project) -> (Option<Compiled>, Vec<Diagnostic>) {
    with_deep_stack(|| {
        let mut diagnostics = project.diagnostics.clone();
        let compiled = phases(project, &mut diagnostics);
        in_order(&mut diagnostics);
        let compiled = compiled.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        (compiled, diagnostics)
    })
}

/// What a project declares and what its state begins with: the phases before code is looked at.
///
/// Needs a deep stack: see [`with_deep_stack`].
pub fn declarations(project: &Project) -> (Declared<'_>, SeedData, Vec<Diagnostic>) {
    let (mut declared, mut diagnostics) = declare::declare(&project.files);
    if declared.recursive {
        return (declared, SeedData::default(), diagnostics);
    }
    let (data, found) = seed::load(&mut declared, project);
    diagnostics.extend(found);
    read_policy(&mut declared, project);
    (declared, data, diagnostics)
}

fn phases(project: &Project, sink: &mut Vec<Diagnostic>) -> Option<Compiled> {
    let (declared, data, found) = declarations(project);
    sink.extend(found);
    if declared.recursive {
        return None;
    }
    let (program, found) = check::check(declared, &project.sources);
    sink.extend(found);
    if sink.iter().any(Diagnostic::is_error) {
        return None;
    }
    let program = program?;
    let seed = build(data, &program, sink)?;
    Some(Compiled { program, seed, hash: project.hash.clone() })
}

/// Makes the engine's seed. What it refuses has been refused by [`seed::load`] before, so a fault here is reported as it is.
fn build(data: SeedData, program: &Program, sink: &mut Vec<Diagnostic>) -> Option<Arc<Seed>> {
    match data.build(Arc::clone(&program.model)) {
        Ok(seed) => Some(Arc::new(seed)),
        Err(fault) => {
            let state = program.state.get(fault.at.state.index())?;
            let message = format!(
                "row {} cannot stand in the seed: {}",
                fault.at.row + 1,
                fault.fault.to_error(&program.model).message
            );
            sink.push(Diagnostic::error(codes::seed::VALUE, state.span, message));
            None
        }
    }
}

/// Puts the text of the policy into the environment, with the rules quoted where it says `{rules}`.
fn read_policy(declared: &mut Declared<'_>, project: &Project) {
    let literal = project.files.iter().flat_map(|file| &file.items).find_map(|item| match &item.kind {
        ItemKind::Environment(environment) => {
            let setting = environment.settings.iter().find(|setting| setting.name == "policy")?;
            matches!(setting.value.kind, ExprKind::Text(_)).then_some(setting.value.span)
        }
        _ => None,
    });
    let text = literal.and_then(|literal| project.data(literal)).map(|(_, source)| source.text());
    declared.environment.policy = text.map(|text| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Text::from(text.replace("{rules}", &rules_as_list(declared)))
    });
}

/// The documentation of all rules as a Markdown list.
fn rules_as_list(declared: &Declared<'_>) -> String {
    let documented = declared.rules.iter().filter(|rule| !rule.docs.is_empty());
    let lines: Vec<String> = documented.map(|rule| format!("- {}", rule.docs.replace('\n', "\n  "))).collect();
    lines.join("\n")
}

/// Sorts diagnostics by their places, and drops those that say the same of the same place.
pub fn in_order(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        let key = |one: &Diagnostic| (one.span(), one.code);
        key(a).cmp(&key(b))
    });
    diagnostics.dedup();
}
