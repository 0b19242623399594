//! Running the binary.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder of its own with an environment called `rooms`, as `silo new` makes it.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a command left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// A folder with the environment `rooms`.
    pub(crate) fn with_rooms() -> Self {
        let place = Self::empty();
        let made = place.silo(&["new", "rooms"]);
        assert_eq!(made.code, Some(0), "{made:?}");
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// The command, to be changed before it runs.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_silo"));
        command.args(arguments).current_dir(self.path()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs the command.
    pub(crate) fn silo(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().expect("silo runs"))
    }

    /// The folders of the rollouts made here, oldest first.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path().join(".silo/runs")).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        folders.sort();
        folders
    }

    /// A file of the newest rollout.
    pub(crate) fn artifact(&self, name: &str) -> String {
        let folder = self.runs().pop().expect("a rollout");
        fs::read_to_string(folder.join(name)).expect(name)
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    /// Everything a person sees, with the exit code, without what differs from run to run.
    pub(crate) fn shown(&self) -> String {
        let mut text = format!("{}\n", self.stdout.trim_end());
        if !self.stderr.is_empty() {
            _ = writeln!(text, "------- stderr\n{}", self.stderr.trim_end());
        }
        _ = writeln!(text, "------- exit {}", self.code.map_or("by signal".to_owned(), |code| code.to_string()));
        text
    }
}

/// The filters for snapshots: ids, times and durations.
pub(crate) fn settled() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"run_\d{8}T\d{9}Z_[0-9a-f]{8}", "[run]");
    settings.add_filter(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z", "[instant]");
    settings.add_filter(r"\d+(\.\d+)? m?s, of it \d+(\.\d+)? m?s in tools", "[time]");
    settings.add_filter(r#""(durationMs|toolMs)": ?[0-9.]+"#, r#""$1": [time]"#);
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings
}

/// Holds what a person sees against its snapshot.
macro_rules! shown {
    ($name:literal, $ran:expr) => {
        crate::support::settled().bind(|| insta::assert_snapshot!($name, $ran.shown()))
    };
}
pub(crate) use shown;
