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
        if diagnostics.is_empty() {
            "no diagnostics\n".to_owned()
        } else {
            render::plain(project.sources(), &diagnostics)
        }
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

/// The code blocks of a page below a heading.
fn examples<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let section = page.split_once(&format!("\n## {heading}\n")).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.split("```silo\n").skip(1).filter_map(|block| block.split("```").next()).collect()
}

/// The codes that an example gives, as a project of one file.
fn codes_of(example: &str) -> Vec<&'static str> {
    let environment = if example.contains("environment ") { "" } else { "environment example { }\n" };
    let project = Project::from_sources([("example.silo", format!("{environment}{example}"))]);
    with_deep_stack(|| {
        let mut found = project.diagnostics().to_vec();
        found.extend(declarations(&project).2);
        found.iter().map(|diagnostic| diagnostic.code.id()).collect()
    })
}

#[test]
fn pages_on_declarations_show_what_they_say() {
    // What an example of these has to show does not fit into one small file.
    const LEFT_OUT: [&str; 3] = ["E0404", "E0421", "E0205"];
    let is_own = |code: &&silo_dsl::diagnostics::Code| {
        let id = code.id();
        let own = id.starts_with("E04")
            || id == "W0060"
            || ("E0200"..="E0208").contains(&id)
            || ("E0801"..="E0803").contains(&id);
        own && !LEFT_OUT.contains(&id)
    };
    let all: Vec<_> = silo_dsl::diagnostics::codes::all().collect();
    let mut faults = Vec::new();
    for code in all.iter().filter(is_own) {
        for wrong in examples(code.page(), "Wrong") {
            let codes = codes_of(wrong);
            if !codes.contains(&code.id()) {
                faults.push(format!("the wrong example of {code} gives {codes:?}"));
            }
        }
        for right in examples(code.page(), "Right") {
            if codes_of(right).contains(&code.id()) {
                faults.push(format!("the right example of {code} gives it too"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
