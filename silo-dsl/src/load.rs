//! From a path to an environment that can be run.

use crate::compile::{Compiled, compile, in_order};
use crate::diagnostics::{Diagnostic, Sources};
use crate::interpret::{self, Interpreted};
use crate::project::{LoadError, Project, with_deep_stack};
use std::path::Path;
use std::sync::Arc;

/// An environment as far as it could be compiled.
pub struct Loaded {
    /// The files that the diagnostics speak of.
    pub sources: Arc<Sources>,
    /// Everything that was found, in the order of the sources.
    pub diagnostics: Vec<Diagnostic>,
    /// The environment, if nothing that was found is an error.
    pub environment: Option<Interpreted>,
}

/// Reads and compiles an environment: a folder or a `.silo` file.
///
/// # Errors
/// There is no such environment.
pub fn load(path: &Path) -> Result<Loaded, LoadError> {
    with_deep_stack(|| Project::load(path).map(|project| load_project(&project)))
}

/// Compiles a project and makes it ready to run.
///
/// ```
/// use silo_dsl::{load_project, project::Project};
/// use silo_runtime::environment::Environment as _;
/// let project = Project::from_sources([("tiny.silo", "environment tiny { version: \"1.0\" }")]);
/// let environment = load_project(&project).environment.expect("no errors");
/// assert_eq!(&*environment.manifest().name, "tiny");
/// ```
pub fn load_project(project: &Project) -> Loaded {
    let sources = Arc::new(project.sources().clone());
    let (compiled, mut diagnostics) = compile(project);
    let link = |it: Compiled| {
        let environment = interpret::link(it.program, it.seed, sources.clone(), it.hash)?;
        let warnings = environment.passed_by_nothing();
        Ok::<_, Vec<Diagnostic>>((environment, warnings))
    };
    let environment = match compiled.map(|it| with_deep_stack(|| link(it))) {
        Some(Ok((environment, warnings))) => {
            diagnostics.extend(warnings);
            in_order(&mut diagnostics);
            Some(environment)
        }
        Some(Err(found)) => {
            diagnostics.extend(found);
            in_order(&mut diagnostics);
            None
        }
        None => None,
    };
    Loaded { sources, diagnostics, environment }
}
