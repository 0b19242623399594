//! The syntax of the language: what parses into what, and what is said of what does not.

mod support;

use silo_dsl::diagnostics::{Sources, render};
use silo_dsl::syntax::parse;
use support::{beside, read};

/// What is said of a source.
fn said(name: &str, text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let (_, diagnostics) = parse(file, text);
    render::plain(&sources, &diagnostics)
}

#[test]
fn broken_sources_are_explained() {
    insta::glob!("syntax/bad/*.silo", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        beside(path).bind(|| insta::assert_snapshot!(name.as_str(), said(&name, &read(path))));
    });
}
