//! Declarations: each fixture beside the snapshot of what the compiler says of it.

use silo_dsl::compile::{declarations, in_order};
use silo_dsl::diagnostics::render;
use silo_dsl::project::{Project, with_deep_stack};

/// All diagnostics of the declarations and the data of a project, as text.
fn diagnostics(project: &Project) -> String {
    with_deep_stack(|| {
        let mut diagnostics = project.diagnostics().to_vec();
        diagnostics.extend(declarations(project).2);
        in_order(&mut diagnostics);
        if diagnostics.is_empty() { "no diagnostics\n".to_owned() } else { render::plain(project.sources(), &diagnostics) }
    })
}

#[test]
fn fixtures_say_what_is_wrong() {
    insta::glob!("declare/*.silo", |path| {
        let source = std::fs::read(path).expect("the fixture is there");
        let name = path.file_name().and_then(|name| name.to_str()).expect("fixtures have plain names");
        let project = Project::from_sources([(name, source)]);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, diagnostics(&project)));
    });
}
