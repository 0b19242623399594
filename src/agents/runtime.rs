//! Finds what a module needs to run: Node, Python, and for TypeScript a Node that strips types, or `tsx`.

use super::spec::Language;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const JAVASCRIPT_HOST: &str = include_str!("javascript/host.mjs");
const PYTHON_HOST: &str = include_str!("python/host.py");

/// Gives the hosted module its descriptors: 3 and 4 for the protocol, nothing to read on 0, and 1 and 2 for its log. So
/// whatever it prints, by whatever means, is no message.
const REDIRECT: &str = "exec 3<&0 4>&1 0</dev/null 1>&2; exec \"$@\"";

/// A command that hosts a module. The message on failure says what to install.
pub(super) fn host(path: &Path, language: Language) -> Result<Command, String> {
    #[expect(clippy::disallowed_methods, reason = "programs are found on PATH; no artifact depends on where")]
    let programs = Programs { path: env::var_os("PATH").unwrap_or_default() };
    programs.host(path, language)
}

/// Where programs are installed.
struct Programs {
    /// Folders, as in the environment variable.
    path: OsString,
}

impl Programs {
    fn host(&self, file: &Path, language: Language) -> Result<Command, String> {
        let file = file.canonicalize().map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", REDIRECT, "sh"]);
        match language {
            Language::Python => command.arg(self.python()?).args(["-u", "-c", PYTHON_HOST]),
            Language::JavaScript => javascript(command.arg(self.node("JavaScript")?)),
            Language::TypeScript => javascript(command.args(self.typescript(&file)?)),
        };
        command.arg(file);
        Ok(command)
    }

    fn python(&self) -> Result<PathBuf, String> {
        self.find("python3").or_else(|| self.find("python")).ok_or_else(|| {
            "`python3` was not found on PATH; install Python 3.8 or newer to run a Python agent (https://www.python.org)".to_owned()
        })
    }

    fn node(&self, language: &str) -> Result<PathBuf, String> {
        self.find("node").ok_or_else(|| {
            let wanted = if language == "TypeScript" { "22.6" } else { "18" };
            format!("`node` was not found on PATH; install Node {wanted} or newer to run a {language} agent (https://nodejs.org)")
        })
    }

    /// Node itself where it strips types, else `tsx`.
    fn typescript(&self, file: &Path) -> Result<Vec<OsString>, String> {
        let node = self.node("TypeScript")?;
        let version = version(&node);
        match version {
            Some(version) if strips_types_by_default(version) => return Ok(vec![node.into()]),
            Some(version) if version >= (22, 6) => return Ok(vec![node.into(), "--experimental-strip-types".into()]),
            _ => {}
        }
        if let Some(loader) = self.tsx(file) {
            return Ok(vec![node.into(), "--import".into(), loader.into()]);
        }
        let found = version.map_or_else(String::new, |(major, minor)| format!(" {major}.{minor}"));
        Err(format!(
            "Node{found} cannot run TypeScript by itself; install Node 22.6 or newer, or `tsx` beside the agent (`npm install tsx`)"
        ))
    }

    /// The loader of the installed `tsx` that is nearest to the agent: in a `node_modules` of its folder or of one above,
    /// else beside the `tsx` on PATH. The command itself will not do, for it runs Node without our descriptors.
    fn tsx(&self, file: &Path) -> Option<PathBuf> {
        let local = file.ancestors().skip(1).map(|folder| folder.join("node_modules/tsx/dist/loader.mjs"));
        let global =
            self.find("tsx").and_then(|command| Some(command.canonicalize().ok()?.with_file_name("loader.mjs")));
        local.chain(global).find(|loader| loader.is_file())
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        env::split_paths(&self.path).map(|folder| folder.join(name)).find(|file| is_program(file))
    }
}

fn javascript(command: &mut Command) -> &mut Command {
    command.args(["--input-type=module", "-e", JAVASCRIPT_HOST, "--"])
}

fn strips_types_by_default(version: (u32, u32)) -> bool {
    version >= (23, 6) || (version.0 == 22 && version.1 >= 18)
}

/// Major and minor version of a Node.
fn version(node: &Path) -> Option<(u32, u32)> {
    let output = Command::new(node).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, rest) = text.trim().strip_prefix('v')?.split_once('.')?;
    let (minor, _) = rest.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_strips_types_by_default_since_these_versions() {
        let by_default = [(22, 18), (22, 20), (23, 6), (24, 0), (26, 1)];
        assert!(by_default.into_iter().all(strips_types_by_default));
        assert!(
            [(18, 20), (20, 20), (22, 6), (22, 17), (23, 5)]
                .into_iter()
                .all(|version| !strips_types_by_default(version))
        );
    }

    #[test]
    fn a_missing_runtime_says_what_to_install() {
        let agent = tempfile::NamedTempFile::new().unwrap();
        let nothing = Programs { path: OsString::new() };
        let message = |language| nothing.host(agent.path(), language).unwrap_err();
        assert_eq!(
            message(Language::JavaScript),
            "`node` was not found on PATH; install Node 18 or newer to run a JavaScript agent (https://nodejs.org)"
        );
        assert_eq!(
            message(Language::TypeScript),
            "`node` was not found on PATH; install Node 22.6 or newer to run a TypeScript agent (https://nodejs.org)"
        );
        assert_eq!(
            message(Language::Python),
            "`python3` was not found on PATH; install Python 3.8 or newer to run a Python agent (https://www.python.org)"
        );
    }

    #[cfg(unix)]
    mod with_programs {
        use super::*;
        use std::fs::{File, Permissions, create_dir_all};
        use std::io::Write as _;
        use std::os::unix::fs::PermissionsExt as _;

        fn program(file: &Path, script: &str) {
            create_dir_all(file.parent().unwrap()).unwrap();
            let mut created = File::create_new(file).unwrap();
            created.set_permissions(Permissions::from_mode(0o755)).unwrap();
            created.write_all(format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
        }

        #[test]
        fn typescript_runs_in_a_node_that_strips_types_or_in_the_nearest_tsx() {
            let root = tempfile::tempdir().unwrap();
            let agent = root.path().join("agents/deep/agent.ts");
            let with_node = |version: &str| {
                let folder = root.path().join(version);
                program(&folder.join("node"), &format!("echo v{version}.1"));
                (folder.join("node").into_os_string(), Programs { path: folder.into_os_string() })
            };
            let (node, programs) = with_node("24.2");
            assert_eq!(programs.typescript(&agent), Ok(vec![node]));
            let (node, programs) = with_node("22.6");
            assert_eq!(programs.typescript(&agent), Ok(vec![node, "--experimental-strip-types".into()]));
            let (_, programs) = with_node("20.20");
            assert_eq!(
                programs.typescript(&agent).unwrap_err(),
                "Node 20.20 cannot run TypeScript by itself; install Node 22.6 or newer, or `tsx` beside the agent (`npm install tsx`)"
            );
            let loader = root.path().join("node_modules/tsx/dist/loader.mjs");
            program(&loader, "");
            let node = root.path().join("20.20/node").into_os_string();
            assert_eq!(programs.typescript(&agent), Ok(vec![node, "--import".into(), loader.into()]));
        }
    }
}
