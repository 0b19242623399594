//! What the tests of this crate share.
use std::path::Path;

/// The text of a fixture.
#[expect(clippy::disallowed_methods, reason = "fixtures are files of the repository")]
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Snapshot settings that put the snapshot beside its fixture.
pub(crate) fn beside(path: &Path) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().unwrap_or(path));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings
}
