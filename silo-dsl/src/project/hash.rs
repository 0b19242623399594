//! One hash for all that an environment is made of.

use crate::diagnostics::Sources;
use sha2::{Digest, Sha256};
use silo_runtime::value::Text;
use std::fmt::Write as _;

/// A hash over the paths and the exact bytes of all files, whatever the order in which they were read.
pub(super) fn hash(sources: &Sources) -> Text {
    let mut files: Vec<(&str, &str)> = sources.iter().map(|(_, source)| (source.name(), source.text())).collect();
    files.sort_unstable();
    let mut hasher = Sha256::new();
    for (name, text) in files {
        // Lengths first, so that no two lists of files look alike.
        for part in [name, text] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    let mut out = String::with_capacity(64);
    for byte in hasher.finalize() {
        _ = write!(out, "{byte:02x}");
    }
    Text::from(out)
}
