//! Loading the environment that a command is about.

use super::{Exit, Failure, did_you_mean};
use silo_dsl::Loaded;
use silo_runtime::environment::ToolSpec;
use silo_runtime::ids::TaskId;
use silo_runtime::session::Engine;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which environment.
#[derive(Debug, clap::Args)]
pub(super) struct Source {
    /// The environment: a folder or a `.silo` file
    #[arg(value_name = "ENV")]
    pub(super) environment: PathBuf,
}

impl Source {
    /// Reads and compiles the environment.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        let mut loaded = silo_dsl::load(&self.environment).map_err(|error| {
            let failure = Failure::mistake(error.message);
            match error.help {
                Some(help) => failure.help(help),
                None => failure,
            }
        })?;
        // Files are named as the reader can open them from where the command was given.
        let is_file = self.environment.extension().is_some_and(|extension| extension == "silo");
        let folder = if is_file { self.environment.parent() } else { Some(self.environment.as_path()) };
        if let Some(folder) = folder.filter(|folder| *folder != Path::new(".")) {
            loaded.sources = Arc::new(loaded.sources.as_ref().clone().under(folder));
        }
        Ok(loaded)
    }

    /// The environment, ready for rollouts. What is wrong with it is printed.
    ///
    /// # Errors
    /// It does not compile.
    pub(super) fn engine(&self) -> Result<Arc<Engine>, Failure> {
        let loaded = self.load()?;
        let shown = self.environment.display();
        match loaded.environment {
            Some(environment) => Ok(Engine::new(Arc::new(environment))),
            None => {
                anstream::eprint!("{}", render(&loaded));
                Err(Failure { exit: Exit::Mistake, message: format!("`{shown}` does not compile"), help: None })
            }
        }
    }
}

/// The findings as text, with styles where errors go to a terminal.
pub(super) fn render(loaded: &Loaded) -> String {
    if std::io::stderr().is_terminal() {
        silo_dsl::diagnostics::render::styled(&loaded.sources, &loaded.diagnostics)
    } else {
        silo_dsl::diagnostics::render::plain(&loaded.sources, &loaded.diagnostics)
    }
}

/// The tool with this name.
///
/// # Errors
/// There is none; the message names the closest.
pub(super) fn tool<'a>(engine: &'a Engine, name: &str) -> Result<&'a ToolSpec, Failure> {
    let tools = &engine.environment().manifest().tools;
    tools.iter().find(|tool| &*tool.name == name).ok_or_else(|| {
        let known = format!("`silo tools` lists the {} there are", tools.len());
        Failure::mistake(format!("there is no tool `{name}`")).help(did_you_mean(
            name,
            tools.iter().map(|tool| &*tool.name),
            &known,
        ))
    })
}

/// The task with this id.
///
/// # Errors
/// There is none; the message names the closest.
pub(super) fn task(engine: &Engine, id: &str) -> Result<TaskId, Failure> {
    engine.find_task(id).ok_or_else(|| {
        let tasks = &engine.environment().manifest().tasks;
        let known = format!("`silo tasks` lists the {} there are", tasks.len());
        Failure::mistake(format!("there is no task `{id}`")).help(did_you_mean(
            id,
            tasks.iter().map(|task| &*task.id),
            &known,
        ))
    })
}
