use super::environment::{Source, render};
use super::{Exit, Outcome};
use crate::terminal::say_line;
use crate::terminal::{GOOD, styled};
use silo_runtime::environment::Environment as _;

/// Compile an environment and its seed data, and say everything that is wrong with it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let loaded = args.source.load()?;
    let exit = if loaded.diagnostics.is_empty() { Exit::Passed } else { Exit::Failed };
    if args.json {
        let json = silo_dsl::diagnostics::render::json(&loaded.sources, &loaded.diagnostics);
        say_line!("{}", json.to_pretty().trim_end());
        return Ok(exit);
    }
    anstream::eprint!("{}", render(&loaded));
    if let (Exit::Passed, Some(environment)) = (exit, &loaded.environment) {
        let manifest = environment.manifest();
        let counts = [
            (manifest.model.entities.len(), "entity", "entities"),
            (manifest.tools.len(), "tool", "tools"),
            (manifest.tasks.len(), "task", "tasks"),
            (manifest.rules.len(), "rule", "rules"),
        ];
        let counts = counts.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
        say_line!("{} {} {}: {}", styled(GOOD, "ok"), manifest.name, manifest.version, counts.join(", "));
    }
    Ok(exit)
}
