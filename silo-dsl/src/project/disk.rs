//! An environment in a folder.

use super::load::{self, Files, Refusal};
use super::{LoadError, MAX_SOURCE, Project};
use crate::diagnostics::FileId;
use crate::syntax::{self, tree::ItemWord};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// How many `.silo` files of a folder are looked at to find the one with the `environment`.
const CANDIDATES: usize = 100;

/// Finds the entry file and reads the project.
pub(super) fn load(environment: &Path) -> Result<Project, LoadError> {
    let shown = environment.display().to_string().escape_debug().to_string();
    let place = environment.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => LoadError::new(format!("there is no `{shown}`"))
            .help("name the folder of an environment, or its entry file; `silo new NAME` makes one"),
        _ => LoadError::new(format!("`{shown}` cannot be read: {error}")),
    })?;
    let (root, entry) = if place.is_dir() {
        let entry = entry_of(&place, &shown)?;
        (place, entry)
    } else {
        let name = place.file_name().and_then(|name| name.to_str());
        let (Some(root), Some(name)) = (place.parent(), name) else {
            return Err(LoadError::new(format!("`{shown}` is not an environment")));
        };
        if place.extension().is_none_or(|extension| extension != "silo") {
            return Err(LoadError::new(format!("`{shown}` is not a `.silo` file"))
                .help("name the folder of an environment, or its entry file"));
        }
        (root.to_path_buf(), name.to_owned())
    };
    load::load(&Folder { root }, &entry)
        .map_err(|refusal| LoadError::new(format!("`{shown}`: `{entry}` {}", refusal.in_words())))
}

/// The entry file of a folder: the one called like the folder, or the only one with an `environment`.
fn entry_of(folder: &Path, shown: &str) -> Result<String, LoadError> {
    let own = folder.file_name().and_then(|name| name.to_str()).map(|name| format!("{name}.silo"));
    if let Some(own) = own.filter(|own| folder.join(own).is_file()) {
        return Ok(own);
    }
    let entries = folder.read_dir().map_err(|error| LoadError::new(format!("`{shown}` cannot be read: {error}")))?;
    // Names that are not UTF-8 cannot be written in sources, so they are nobody's.
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "silo"))
        .collect();
    names.sort();
    if let [only] = names.as_slice() {
        return Ok(only.clone());
    }
    let reader = Folder { root: folder.to_path_buf() };
    let mut entries = names.iter().take(CANDIDATES).filter(|name| declares_environment(&reader, name));
    match (entries.next(), entries.next()) {
        (Some(entry), None) => Ok(entry.clone()),
        (Some(first), Some(second)) => {
            Err(LoadError::new(format!("`{shown}` has several environments: `{first}`, `{second}`, …"))
                .help("name the entry file of the one you mean"))
        }
        (None, _) => Err(LoadError::new(format!("`{shown}` holds no environment")).help(
            "an environment is a folder with a `.silo` file that has an `environment` item; `silo new NAME` makes one",
        )),
    }
}

fn declares_environment(folder: &Folder, name: &str) -> bool {
    let Ok((_, bytes)) = folder.resolve(name).and_then(|key| Ok((key.clone(), folder.read(&key, MAX_SOURCE)?))) else {
        return false;
    };
    let Ok(text) = String::from_utf8(bytes) else { return false };
    let (file, _) = syntax::parse(FileId(0), &text);
    file.items.iter().any(|item| item.kind.word() == ItemWord::Environment)
        || file.broken.iter().any(|item| item.word == Some(ItemWord::Environment))
}

/// A folder and all in it; its path is canonical.
struct Folder {
    root: PathBuf,
}

impl Files for Folder {
    type Key = PathBuf;

    fn resolve(&self, path: &str) -> Result<PathBuf, Refusal> {
        let place = self.root.join(path).canonicalize().map_err(|error| Refusal::of(&error))?;
        if place.starts_with(&self.root) { Ok(place) } else { Err(Refusal::Outside) }
    }

    fn read(&self, place: &PathBuf, limit: u64) -> Result<Vec<u8>, Refusal> {
        let metadata = place.metadata().map_err(|error| Refusal::of(&error))?;
        if metadata.is_dir() {
            return Err(Refusal::Folder);
        }
        // Opening a pipe or a device may wait for ever.
        if !metadata.is_file() {
            return Err(Refusal::Special);
        }
        if metadata.len() > limit {
            return Err(Refusal::TooLarge(limit));
        }
        #[expect(clippy::disallowed_methods, reason = "this is the module that reads files")]
        let file = std::fs::File::open(place).map_err(|error| Refusal::of(&error))?;
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
        // It may have grown since.
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| Refusal::of(&error))?;
        if bytes.len() as u64 > limit { Err(Refusal::TooLarge(limit)) } else { Ok(bytes) }
    }
}
