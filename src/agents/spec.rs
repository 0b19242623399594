//! The values of `--agent`.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// How near a word must be to a name to be taken for a slip of it, from 0 to 1.
const NEAR: f64 = 0.7;

/// Which agent plays a rollout, as a user writes it.
///
/// ```
/// use silo::agents::AgentSpec;
///
/// assert_eq!("noop".parse::<AgentSpec>().unwrap(), AgentSpec::Noop);
/// let error = "soluton".parse::<AgentSpec>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `solution`?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentSpec {
    /// `solution`: the task's reference solution.
    Solution,
    /// `noop`: makes no calls and gives no answer.
    Noop,
    /// `script:FILE`: calls and an answer from a JSON file.
    Script(PathBuf),
    /// `exec:COMMAND`: a program that speaks the protocol on its standard input and output.
    Exec {
        /// The command as written.
        command: String,
        /// The program and its arguments.
        words: Vec<String>,
    },
    /// A path: a module that is hosted in a process of its own.
    Module {
        /// The file.
        path: PathBuf,
        /// What it is written in.
        language: Language,
    },
}

/// What an agent's module is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.mjs` or `.js`.
    JavaScript,
    /// `.ts`.
    TypeScript,
    /// `.py`.
    Python,
}

/// Why a value of `--agent` names no agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    message: String,
    help: Option<String>,
}

impl SpecError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: Some(help.into()) }
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for SpecError {}

const FORMS: &str = "an agent is `solution`, `noop`, `script:FILE`, `exec:COMMAND`, or the path of a `.mjs`, `.js`, `.ts` or `.py` module";

impl std::str::FromStr for AgentSpec {
    type Err = SpecError;

    /// Reads a value of `--agent`. Files must exist: better to say so before the rollout than as its result.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        match text {
            "" => return Err(SpecError::new("no agent is named", FORMS)),
            "solution" => return Ok(Self::Solution),
            "noop" => return Ok(Self::Noop),
            _ => {}
        }
        if let Some(file) = text.strip_prefix("script:") {
            if file.is_empty() {
                return Err(SpecError::new(
                    "`script:` names no file",
                    "write `script:FILE`, where FILE holds a JSON list of calls",
                ));
            }
            return existing(Path::new(file)).map(Self::Script);
        }
        if let Some(command) = text.strip_prefix("exec:") {
            return exec(command);
        }
        module(text)
    }
}

impl fmt::Display for AgentSpec {
    /// The agent's name in `run.json` and in the trace: the value as it was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solution => f.write_str("solution"),
            Self::Noop => f.write_str("noop"),
            Self::Script(path) => write!(f, "script:{}", path.display()),
            Self::Exec { command, .. } => write!(f, "exec:{command}"),
            Self::Module { path, .. } => write!(f, "{}", path.display()),
        }
    }
}

fn exec(command: &str) -> Result<AgentSpec, SpecError> {
    match shlex::split(command) {
        Some(words) if words.first().is_some_and(|program| !program.is_empty()) => {
            Ok(AgentSpec::Exec { command: command.to_owned(), words })
        }
        Some(_) => {
            Err(SpecError::new("`exec:` names no program", "write `exec:COMMAND`, such as `exec:./agent --verbose`"))
        }
        None => Err(SpecError::new(
            format!("the command `{command}` ends inside a quotation or after a backslash"),
            "close the quotation; words are split as a shell would",
        )),
    }
}

fn module(text: &str) -> Result<AgentSpec, SpecError> {
    let path = Path::new(text);
    let language = match path.extension().and_then(|extension| extension.to_str()) {
        Some("mjs" | "js") => Language::JavaScript,
        Some("ts") => Language::TypeScript,
        Some("py") => Language::Python,
        _ => return Err(no_agent(text, path)),
    };
    Ok(AgentSpec::Module { path: existing(path)?, language })
}

fn no_agent(text: &str, path: &Path) -> SpecError {
    if path.is_dir() {
        return SpecError::new(format!("`{text}` is a folder, not an agent"), "name the module inside it");
    }
    if path.is_file() {
        return SpecError::new(
            format!("`{text}` is no kind of module that can be hosted"),
            "expected `.mjs`, `.js`, `.ts` or `.py`; run any other program as `exec:COMMAND`",
        );
    }
    let (word, colon) = text.split_once(':').map_or((text, ""), |(word, _)| (word, ":"));
    let names: &[&str] = if colon.is_empty() { &["solution", "noop"] } else { &["script", "exec"] };
    let message = format!("there is no agent `{text}`");
    match nearest(&word.to_lowercase(), names.iter().map(|&name| name.to_owned())) {
        Some(name) => SpecError::new(message, format!("did you mean `{name}{colon}`?")),
        None => SpecError::new(message, FORMS),
    }
}

/// A path to a file that is there.
fn existing(path: &Path) -> Result<PathBuf, SpecError> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let shown = path.display();
    if path.is_dir() {
        return Err(SpecError::new(format!("`{shown}` is a folder, not a file"), "name the file inside it"));
    }
    if path.exists() {
        return Err(SpecError::new(format!("`{shown}` is a device or a pipe"), "name a plain file"));
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(SpecError::new(
            format!("there is no file `{shown}`"),
            format!("there is no folder `{}` either", folder.display()),
        ));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut names: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let help = match nearest(&name, names.into_iter()) {
        Some(near) => format!("did you mean `{}`?", path.with_file_name(near).display()),
        None => "a path is relative to the current folder".to_owned(),
    };
    Err(SpecError::new(format!("there is no file `{shown}`"), help))
}

/// The name that `word` is most likely a slip of; the first of equals.
fn nearest(word: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let mut best: Option<(f64, String)> = None;
    for name in names {
        let likeness = strsim::normalized_damerau_levenshtein(word, &name);
        if likeness >= NEAR && best.as_ref().is_none_or(|(most, _)| likeness > *most) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AgentSpec, String> {
        text.parse().map_err(|error: SpecError| error.to_string())
    }

    #[test]
    fn every_form_is_read_and_written_back() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["calls.json", "a.mjs", "b.js", "c.ts", "d.py"] {
            fs::File::create_new(folder.path().join(file)).unwrap();
        }
        let at = |file: &str| folder.path().join(file).display().to_string();
        let values = ["solution", "noop", &format!("script:{}", at("calls.json")), "exec:./agent --name 'a b'"];
        for value in values.into_iter().map(str::to_owned).chain(["a.mjs", "b.js", "c.ts", "d.py"].map(at)) {
            assert_eq!(parse(&value).unwrap().to_string(), value);
        }
        let AgentSpec::Exec { words, .. } = parse("exec:./agent --name 'a b'").unwrap() else {
            panic!("not a command")
        };
        assert_eq!(words, ["./agent", "--name", "a b"]);
    }

    #[test]
    fn a_value_that_names_no_agent_says_what_would() {
        let expected = [
            (
                "",
                "no agent is named; an agent is `solution`, `noop`, `script:FILE`, `exec:COMMAND`, or the path of a `.mjs`, `.js`, `.ts` or `.py` module",
            ),
            (
                "gpt",
                "there is no agent `gpt`; an agent is `solution`, `noop`, `script:FILE`, `exec:COMMAND`, or the path of a `.mjs`, `.js`, `.ts` or `.py` module",
            ),
            ("soluton", "there is no agent `soluton`; did you mean `solution`?"),
            ("Noop", "there is no agent `Noop`; did you mean `noop`?"),
            ("exce:./a", "there is no agent `exce:./a`; did you mean `exec:`?"),
            ("script:", "`script:` names no file; write `script:FILE`, where FILE holds a JSON list of calls"),
            ("exec:  ", "`exec:` names no program; write `exec:COMMAND`, such as `exec:./agent --verbose`"),
            ("exec:''", "`exec:` names no program; write `exec:COMMAND`, such as `exec:./agent --verbose`"),
            (
                "exec:echo 'a",
                "the command `echo 'a` ends inside a quotation or after a backslash; close the quotation; words are split as a shell would",
            ),
            ("src", "`src` is a folder, not an agent; name the module inside it"),
            (
                "Cargo.toml",
                "`Cargo.toml` is no kind of module that can be hosted; expected `.mjs`, `.js`, `.ts` or `.py`; run any other program as `exec:COMMAND`",
            ),
            ("nowhere/agent.mjs", "there is no file `nowhere/agent.mjs`; there is no folder `nowhere` either"),
            ("script:Cargo.tmol", "there is no file `Cargo.tmol`; did you mean `Cargo.toml`?"),
            ("script:src", "`src` is a folder, not a file; name the file inside it"),
        ];
        for (value, message) in expected {
            assert_eq!(parse(value).unwrap_err(), message, "{value}");
        }
    }
}
