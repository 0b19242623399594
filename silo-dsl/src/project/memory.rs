//! An environment whose files are given.

use super::load::{self, Files, Refusal};
use super::{LoadError, Project};
use crate::diagnostics::Sources;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use silo_runtime::value::Text;

/// Reads a project from its files, the entry first.
pub(super) fn load(files: Vec<(String, Vec<u8>)>) -> Project {
    let entry = files.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let given = Given { files: files.into_iter().collect() };
    load::load(&given, &entry).unwrap_or_else(|refusal| {
        // There is no source to point into but the entry's name.
        let mut sources = Sources::new();
        let file = sources.add(entry, "");
        let error = LoadError::new(format!("the entry file {}", refusal.in_words()));
        let diagnostic = refusal.diagnostic(crate::diagnostics::Span::new(file, 0, 0), &error.message);
        Project {
            sources,
            files: vec![crate::syntax::tree::File::empty(file)],
            data: FxHashMap::default(),
            hash: Text::from(""),
            diagnostics: vec![diagnostic],
        }
    })
}

struct Given {
    files: IndexMap<String, Vec<u8>, FxBuildHasher>,
}

impl Files for Given {
    type Key = usize;

    fn resolve(&self, path: &str) -> Result<usize, Refusal> {
        self.files.get_index_of(path).ok_or(Refusal::Missing)
    }

    fn read(&self, place: &usize, limit: u64) -> Result<Vec<u8>, Refusal> {
        let (_, bytes) = self.files.get_index(*place).ok_or(Refusal::Missing)?;
        if bytes.len() as u64 > limit { Err(Refusal::TooLarge(limit)) } else { Ok(bytes.clone()) }
    }
}
