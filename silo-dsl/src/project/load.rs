//! Reading the entry file, all that it brings in, and the data that they name.

use super::{MAX_DATA, MAX_SOURCE, MAX_TOTAL, Project, hash, path};
use crate::diagnostics::{Code, Diagnostic, FileId, Sources, Span, codes};
use crate::syntax::{
    self,
    tree::{self, ExprKind, Init, ItemKind, Quoted},
};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Where files come from.
pub(super) trait Files {
    /// One file, however many paths lead to it.
    type Key: Clone + Eq + Hash;

    /// The file that a path names, links followed.
    fn resolve(&self, path: &str) -> Result<Self::Key, Refusal>;

    /// The bytes of a file, at most `limit`.
    fn read(&self, file: &Self::Key, limit: u64) -> Result<Vec<u8>, Refusal>;
}

/// Why a file is not read. Nothing of what it holds is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Missing,
    Folder,
    Special,
    Outside,
    TooLarge(u64),
    NotUtf8 { at: usize },
    Path(&'static str),
    System(String),
}

impl Refusal {
    pub(super) fn of(error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            kind => Self::System(kind.to_string()),
        }
    }

    /// What is wrong; the words go on from the file's name.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Missing => "does not exist".to_owned(),
            Self::Folder => "is a folder, not a file".to_owned(),
            Self::Special => "is a pipe, a device or a socket, not a plain file".to_owned(),
            Self::Outside => "leads out of the environment's folder".to_owned(),
            Self::TooLarge(limit) if *limit < 1 << 20 => {
                format!("is too large: more than the {limit} bytes that are left")
            }
            Self::TooLarge(limit) => format!("is too large: more than {} MiB", limit >> 20),
            Self::NotUtf8 { at } => format!("is not UTF-8: the first stray byte is number {} of the file", at + 1),
            Self::Path(reason) => format!("cannot be used: a path {reason}"),
            Self::System(reason) => format!("cannot be read: {reason}"),
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::Missing | Self::Folder | Self::Special | Self::System(_) => codes::project::FILE,
            Self::Outside => codes::project::OUTSIDE,
            Self::TooLarge(_) => codes::project::TOO_LARGE,
            Self::NotUtf8 { .. } => codes::project::NOT_UTF8,
            Self::Path(_) => codes::project::PATH,
        }
    }

    pub(super) fn diagnostic(&self, span: Span, message: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code(), span, message);
        match self {
            Self::Missing => diagnostic
                .label("no such file")
                .help("paths are relative to the environment's folder, and exact to the letter"),
            Self::Folder | Self::Special => diagnostic.help("name a file"),
            Self::Outside => diagnostic
                .label("a link goes out")
                .help("copy the file into the environment's folder: an environment is whole in itself"),
            Self::TooLarge(_) => diagnostic.help("split the file, or keep less in it"),
            Self::NotUtf8 { .. } => diagnostic.help("save the file as UTF-8"),
            Self::Path(_) => diagnostic.label("not allowed").help("write a path such as `tools/leads.silo`"),
            Self::System(_) => diagnostic,
        }
    }
}

/// Reads a project.
///
/// # Errors
/// The entry file cannot be read.
pub(super) fn load<F: Files>(files: &F, entry: &str) -> Result<Project, Refusal> {
    let mut loading = Loading {
        files,
        sources: Sources::new(),
        trees: Vec::new(),
        read: FxHashMap::default(),
        open: Vec::new(),
        data: FxHashMap::default(),
        left: MAX_TOTAL,
        diagnostics: Vec::new(),
    };
    let key = files.resolve(entry)?;
    let file = loading.read(&key, entry, MAX_SOURCE)?;
    loading.source(&key, file);
    loading.data_files();
    let hash = hash::hash(&loading.sources);
    let Loading { sources, trees, data, diagnostics, .. } = loading;
    Ok(Project { sources, files: trees, data, hash, diagnostics })
}

struct Loading<'f, F: Files> {
    files: &'f F,
    sources: Sources,
    trees: Vec<tree::File>,
    /// Every file that was read.
    read: FxHashMap<F::Key, FileId>,
    /// The sources that are being read, each brought in by the one before it.
    open: Vec<F::Key>,
    data: FxHashMap<Span, FileId>,
    left: u64,
    diagnostics: Vec<Diagnostic>,
}

impl<F: Files> Loading<'_, F> {
    /// Reads a file once.
    fn read(&mut self, key: &F::Key, name: &str, limit: u64) -> Result<FileId, Refusal> {
        if let Some(file) = self.read.get(key) {
            return Ok(*file);
        }
        let bytes = self.files.read(key, limit.min(self.left))?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let text =
            String::from_utf8(bytes).map_err(|error| Refusal::NotUtf8 { at: error.utf8_error().valid_up_to() })?;
        let file = self.sources.add(name, text);
        self.read.insert(key.clone(), file);
        Ok(file)
    }

    /// Parses a source that was read, and reads what it brings in.
    fn source(&mut self, key: &F::Key, file: FileId) {
        let text = self.sources.get(file).map(crate::diagnostics::Source::text).unwrap_or_default();
        let (tree, diagnostics) = syntax::parse(file, text);
        self.diagnostics.extend(diagnostics);
        let uses: Vec<Quoted> = tree
            .items
            .iter()
            .filter_map(|item| if let ItemKind::Use(used) = &item.kind { Some(used.path.clone()) } else { None })
            .collect();
        self.trees.push(tree);
        self.open.push(key.clone());
        for path in uses {
            self.bring_in(&path);
        }
        self.open.pop();
    }

    fn bring_in(&mut self, path: &Quoted) {
        let key = match self.resolve(&path.text) {
            Ok(key) => key,
            Err(refusal) => return self.refuse(&refusal, path.span, &path.text),
        };
        if self.open.contains(&key) {
            let itself = self.open.last() == Some(&key);
            let message = if itself { "a file brings itself in" } else { "files bring each other in, in a circle" };
            self.diagnostics.push(
                Diagnostic::error(codes::project::CYCLE, path.span, message)
                    .label("closes the circle")
                    .help("take this `use` away: all files of an environment know each other's declarations"),
            );
            return;
        }
        if self.read.contains_key(&key) {
            return;
        }
        if self.open.len() >= DEEPEST {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::project::CYCLE,
                    path.span,
                    format!("more than {DEEPEST} files, each brought in by the one before"),
                )
                .help("let the entry file bring them all in"),
            );
            return;
        }
        match self.read(&key, &path.text, MAX_SOURCE) {
            Ok(file) => self.source(&key, file),
            Err(refusal) => self.refuse(&refusal, path.span, &path.text),
        }
    }

    /// Reads the data files and the policy that the sources name.
    fn data_files(&mut self) {
        let mut named: Vec<(Span, String, u64)> = Vec::new();
        for item in self.trees.iter().flat_map(|tree| &tree.items) {
            match &item.kind {
                ItemKind::State(state) => {
                    named.extend(state.fields.iter().filter_map(|field| data_path(field.init.as_ref())));
                }
                ItemKind::Const(constant) => named.extend(data_path(Some(&constant.init))),
                ItemKind::Environment(environment) => {
                    for setting in environment.settings.iter().filter(|setting| setting.name == "policy") {
                        if let ExprKind::Text(text) = &setting.value.kind
                            && let Some(path) = text.as_plain()
                        {
                            named.push((setting.value.span, path.to_owned(), MAX_SOURCE));
                        }
                    }
                }
                _ => {}
            }
        }
        for (span, path, limit) in named {
            let read = self.resolve(&path).and_then(|key| self.read(&key, &path, limit));
            match read {
                Ok(file) => _ = self.data.insert(span, file),
                Err(refusal) => self.refuse(&refusal, span, &path),
            }
        }
    }

    fn resolve(&self, path: &str) -> Result<F::Key, Refusal> {
        match path::refuse(path) {
            Some(reason) => Err(Refusal::Path(reason)),
            None => self.files.resolve(path),
        }
    }

    fn refuse(&mut self, refusal: &Refusal, span: Span, path: &str) {
        let path = silo_runtime::value::text::shorten(path, 100);
        let message = match refusal {
            Refusal::Path(reason) => format!("a path {reason}"),
            _ => format!("`{}` {}", path.escape_debug(), refusal.in_words()),
        };
        self.diagnostics.push(refusal.diagnostic(span, &message));
    }
}

/// How long a chain of files may be, each brought in by the one before.
const DEEPEST: usize = 200;

fn data_path(init: Option<&Init>) -> Option<(Span, String, u64)> {
    let Some(Init::From(source)) = init else { return None };
    let path = source.path.text.split_once('#').map_or(&*source.path.text, |(path, _)| path);
    Some((source.path.span, path.to_owned(), MAX_DATA))
}
