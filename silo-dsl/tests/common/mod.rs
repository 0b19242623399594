//! What tests of the front end share.

use silo_dsl::compile::{declarations, in_order};
use silo_dsl::declare::Declared;
use silo_dsl::diagnostics::Diagnostic;
use silo_dsl::project::{Project, with_deep_stack};
use silo_dsl::seed::SeedData;

/// What the phases before code say of a project, syntax included, and whatever else is to be seen of what they found.
pub(crate) fn front<R: Send>(
    project: &Project,
    look: impl FnOnce(&Declared<'_>, &SeedData) -> R + Send,
) -> (Vec<Diagnostic>, R) {
    with_deep_stack(|| {
        let (declared, data, found) = declarations(project);
        let seen = look(&declared, &data);
        let mut diagnostics = project.diagnostics().to_vec();
        diagnostics.extend(found);
        in_order(&mut diagnostics);
        (diagnostics, seen)
    })
}

/// The diagnostics alone.
#[allow(dead_code, reason = "each test file uses its share")]
pub(crate) fn diagnostics(project: &Project) -> Vec<Diagnostic> {
    front(project, |_, _| ()).0
}

/// The settings for a snapshot beside its fixture.
#[allow(dead_code, reason = "each test file uses its share")]
pub(crate) fn beside(folder: impl AsRef<std::path::Path>) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
