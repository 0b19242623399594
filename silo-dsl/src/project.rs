//! The files of an environment: found, read and parsed, before anything is known about what they mean.
//!
//! This is the only module of the crate that touches the file system. Whatever it is given, it reads nothing outside of the
//! environment's folder, never waits for a pipe or a device, and reads no more than the limits below.

mod disk;
mod hash;
mod load;
mod memory;
mod path;
mod stack;
#[cfg(test)]
mod tests;

use crate::diagnostics::{Diagnostic, FileId, Source, Sources, Span};
use crate::syntax::tree;
use rustc_hash::FxHashMap;
use silo_runtime::value::Text;
use std::fmt;
use std::path::Path;

pub use stack::with_deep_stack;

/// The largest source file and the largest policy, in bytes.
pub const MAX_SOURCE: u64 = 4 << 20;
/// The largest data file, in bytes.
pub const MAX_DATA: u64 = 256 << 20;
/// The most that all files of a project may hold together, in bytes.
pub const MAX_TOTAL: u64 = 1 << 30;

/// The files of an environment.
#[derive(Debug)]
pub struct Project {
    pub(crate) sources: Sources,
    /// The parsed files: the entry first, then in the order in which they are brought in.
    pub(crate) files: Vec<tree::File>,
    /// The data file or policy that a path literal names, by its place; files that could not be read are left out.
    pub(crate) data: FxHashMap<Span, FileId>,
    pub(crate) hash: Text,
    /// What is wrong with the files themselves, syntax included.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Project {
    /// Reads an environment: a folder, whose entry file is `<its name>.silo` or its only `.silo` file with an `environment`, or
    /// the entry file itself.
    ///
    /// # Errors
    /// There is no such environment. What is wrong with its files is reported by [`compile`](crate::compile::compile).
    pub fn load(environment: &Path) -> Result<Self, LoadError> {
        with_deep_stack(|| disk::load(environment))
    }

    /// An environment whose files are given as texts: paths, with `/`, and contents. The first is the entry.
    ///
    /// ```
    /// use silo_dsl::project::Project;
    /// let project = Project::from_sources([("crm.silo", "environment crm { }")]);
    /// assert_eq!(project.files().map(|file| file.name()).collect::<Vec<_>>(), ["crm.silo"]);
    /// ```
    pub fn from_sources<N: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (N, B)>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| (name.into(), bytes.into())).collect();
        with_deep_stack(|| memory::load(files))
    }

    /// All files that were read, sources and data: what diagnostics point into.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The files that were read, in order.
    pub fn files(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().map(|(_, source)| source)
    }

    /// A hash of all files, their paths and their bytes, in hexadecimal: two projects with the same hash are the same.
    pub fn hash(&self) -> &Text {
        &self.hash
    }

    /// What is wrong with the files themselves, syntax included.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The text of the data file that a path literal names.
    pub(crate) fn data(&self, literal: Span) -> Option<(FileId, &Source)> {
        let file = *self.data.get(&literal)?;
        Some((file, self.sources.get(file)?))
    }
}

/// Why there is no environment to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl LoadError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}
