//! Programs and what they do: every file in `tests/run` is compiled, the calls in its last comments are made, and source and
//! outcome stand together in the snapshot beside it.
//!
//! ```text
//! // > TOOL {…}       a call in the rollout underway
//! // > diff           what has changed since it began
//! // > fresh          a new rollout, outside any task
//! // > start TASK     a new rollout of a task
//! // > solve          plays its reference solution, and grades
//! // > answer …       gives an answer, and grades
//! ```

#![expect(clippy::disallowed_methods, reason = "tests read their own files")]

mod cases;
mod models;
mod play;

use play::play;

#[test]
fn programs_do_what_their_snapshots_say() {
    insta::glob!("*.silo", |path| {
        let source = std::fs::read_to_string(path).unwrap();
        let settings = {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(path.parent().unwrap());
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.remove_snapshot_suffix();
            settings
        };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        settings.bind(|| insta::assert_snapshot!(name, play(&source)));
    });
}
