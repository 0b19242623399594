//! From sources to checked code, without seed data.

use silo_dsl::check;
use silo_dsl::declare::declare;
use silo_dsl::diagnostics::{Diagnostic, Sources, render};
use silo_dsl::ir::Program;
use silo_dsl::syntax::{parse, tree};

/// Parses, declares and checks some files.
pub(crate) fn compile(files: &[(&str, &str)]) -> (Option<Program>, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let mut trees: Vec<tree::File> = Vec::new();
    for (name, text) in files {
        let id = sources.add(*name, *text);
        let (file, found) = parse(id, text);
        trees.push(file);
        diagnostics.extend(found);
    }
    let (declared, found) = declare(&trees);
    diagnostics.extend(found);
    let (program, found) = check::check(declared, &sources);
    diagnostics.extend(found);
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    (program.filter(|_| !broken), sources, diagnostics)
}

/// The diagnostics of one source as a person reads them.
pub(crate) fn check(source: &str) -> String {
    let (_, sources, diagnostics) = compile(&[("main.silo", source)]);
    render::plain(&sources, &diagnostics)
}
