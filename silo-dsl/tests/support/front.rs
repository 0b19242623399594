//! From sources to checked code.

use silo_dsl::compile::compile;
use silo_dsl::diagnostics::{Diagnostic, render};
use silo_dsl::ir::Program;
use silo_dsl::project::Project;

/// What some files mean and what is said about them; the first is the entry.
pub(crate) fn front(files: &[(&str, &str)]) -> (Option<Program>, String, Vec<Diagnostic>) {
    let project = Project::from_sources(files.iter().copied());
    let (compiled, diagnostics) = compile(&project);
    let said = render::plain(project.sources(), &diagnostics);
    (compiled.map(|compiled| compiled.program), said, diagnostics)
}

/// The diagnostics of one source as a person reads them.
pub(crate) fn check(source: &str) -> String {
    front(&[("main.silo", source)]).1
}
