//! Seed data: each case is a folder with an environment and its data, beside the snapshot of what the compiler says of it.

use silo_dsl::compile::{declarations, in_order};
use silo_dsl::diagnostics::render;
use silo_dsl::project::{Project, with_deep_stack};

#[test]
fn data_files_say_what_is_wrong() {
    insta::glob!("seed/*/*.silo", |path| {
        let project = Project::load(path).expect("the environment is there");
        let shown = with_deep_stack(|| {
            let (declared, data, found) = declarations(&project);
            let mut diagnostics = project.diagnostics().to_vec();
            diagnostics.extend(found);
            in_order(&mut diagnostics);
            let keys: Vec<String> = (0..declared.types.model.entities.len())
                .map(|entity| {
                    let entity = silo_runtime::ids::EntityId::from(entity);
                    let keys: Vec<&str> = declared.seed.keys(entity).take(8).map(|key| &**key).collect();
                    format!("{}: {}", declared.types.entity_decl(entity).map_or("", |decl| &decl.name), keys.join(" "))
                })
                .collect();
            format!(
                "{}---- {} rows in the tables; keys:\n{}",
                render::plain(project.sources(), &diagnostics),
                data.rows(),
                keys.join("\n")
            )
        });
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("diagnostics", shown));
    });
}
