//! What a rollout leaves on disk: a folder of its own, the trace as it happens, everything else whole or not at all.

use crate::session::Outcome;
use crate::trace::{Lines, milliseconds};
use crate::value::{DateTime, Text};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The trace: one event a line, appended as it happens.
pub const TRACE: &str = "trace.jsonl";
/// The verdict.
pub const RESULT: &str = "result.json";
/// What changed in the world.
pub const DIFF: &str = "state-diff.json";
/// The metadata; written last, so that a folder without it is a rollout that was killed.
pub const RUN: &str = "run.json";
/// What the agent printed.
pub const LOG: &str = "agent.log";

/// How often a taken name is replaced by another before giving up.
const TRIES: usize = 16;

/// The folder of one rollout.
#[derive(Debug)]
pub struct RunFolder {
    id: Text,
    path: PathBuf,
}

impl RunFolder {
    /// Makes a new folder under `root`, named after the time and something random: `run_20261201T143726123Z_9f86d081`. Names
    /// sort by the time; whatever else happens in the same millisecond, the folder is this rollout's alone.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn create(root: &Path, now: DateTime) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        for _ in 0..TRIES {
            let id = run_id(now)?;
            let path = root.join(&*id);
            match DirBuilder::new().create(&path) {
                Ok(()) => return Ok(Self { id, path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name for the rollout's folder was found"))
    }

    /// The rollout's id, which is the folder's name.
    pub fn id(&self) -> &Text {
        &self.id
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the trace.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn trace(&self) -> io::Result<Lines<File>> {
        let file = OpenOptions::new().append(true).create_new(true).open(self.path.join(TRACE))?;
        Ok(Lines::new(file))
    }

    /// Writes all that is known at the end. Every file is tried, so that one that fails costs none of the others.
    ///
    /// # Errors
    /// The first that could not be written.
    pub fn write(&self, outcome: &Outcome, silo_version: &str, agent_log: &str) -> io::Result<()> {
        let files = [
            (RESULT, outcome.result_json().to_pretty()),
            (DIFF, outcome.diff_json().to_pretty()),
            (LOG, agent_log.to_owned()),
            (RUN, outcome.run_json(silo_version).to_pretty()),
        ];
        let mut first = Ok(());
        for (name, mut text) in files {
            if name != LOG && !text.ends_with('\n') {
                text.push('\n');
            }
            let written = self.write_whole(name, &text);
            first = first.and(written);
        }
        first
    }

    /// Writes a file under another name and renames it: whoever looks finds it whole or not at all.
    fn write_whole(&self, name: &str, text: &str) -> io::Result<()> {
        let unfinished = self.path.join(format!(".{name}.unfinished"));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&unfinished)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&unfinished, self.path.join(name)));
        if written.is_err() {
            // What could not be finished only takes space; that it cannot be removed either changes nothing.
            _ = fs::remove_file(&unfinished);
        }
        written
    }
}

/// An id for a rollout that starts now.
///
/// # Errors
/// The system gives no random bytes.
pub fn run_id(now: DateTime) -> io::Result<Text> {
    let mut random = [0_u8; 4];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let stamp: String = milliseconds(now).chars().filter(char::is_ascii_alphanumeric).collect();
    Ok(format!("run_{stamp}_{:08x}", u32::from_be_bytes(random)).into())
}
