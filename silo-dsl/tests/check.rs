//! Fixtures of checked code. `check/good` holds code without a mistake, and its snapshots the types of all that has a name;
//! `check/bad` holds mistakes, and its snapshots what is said about them. The world of `check/world.silo` is part of each.

#[path = "support/front.rs"]
mod front;
mod support;
#[path = "support/types.rs"]
mod types;

use silo_dsl::diagnostics::render;
use silo_dsl::ir::Program;
use std::path::Path;

const WORLD: &str = include_str!("check/world.silo");

/// The name of a fixture, its text, what it means and what is said about it.
fn with_world(path: &Path) -> (String, String, Option<Program>, String) {
    let source = support::read(path);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let (program, sources, diagnostics) = front::compile(&[(&name, &source), ("world.silo", WORLD)]);
    let said = render::plain(&sources, &diagnostics);
    (name, source, program, said)
}

#[test]
fn mistakes_are_told_where_they_are() {
    insta::glob!("check/bad/*.silo", |path| {
        let (name, source, program, said) = with_world(path);
        assert!(program.is_none(), "{} has no error", path.display());
        support::beside(path).bind(|| insta::assert_snapshot!(name.as_str(), format!("{source}\n----------\n{said}")));
    });
}

#[test]
fn every_name_has_a_type() {
    insta::glob!("check/good/*.silo", |path| {
        let (name, source, program, said) = with_world(path);
        let described = match program {
            Some(program) => types::describe(&program),
            None => panic!("{} has errors:\n{said}", path.display()),
        };
        support::beside(path).bind(|| insta::assert_snapshot!(name.as_str(), format!("{source}\n----------\n{described}\n{said}")));
    });
}
