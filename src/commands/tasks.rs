use super::environment::{Source, task};
use super::{Exit, Failure, Outcome};
use crate::terminal::{columns, lines};
use crate::terminal::{say, say_line};
use crate::timeline::heading;
use silo_runtime::environment::TaskSpec;
use silo_runtime::value::Text;
use silo_runtime::value::json::Json;

/// List the tasks of an environment, or show one of them
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The task to show, with its instruction
    id: Option<String>,
    /// Print the tasks as JSON, with their instructions
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let engine = args.source.engine()?;
    let tasks = &engine.environment().manifest().tasks;
    if let Some(id) = &args.id {
        let task = engine.task(task(&engine, id)?).map_err(|fault| Failure::broken(fault.message))?;
        if args.json {
            say_line!("{}", to_json(task).to_pretty().trim_end());
        } else {
            say_line!("{} {}", heading(&task.id), task.title.as_deref().unwrap_or_default());
            say_line!("{}", lines(&task.instruction));
        }
        return Ok(Exit::Passed);
    }
    if args.json {
        let tasks: Json = tasks.iter().map(to_json).collect();
        say_line!("{}", tasks.to_pretty().trim_end());
        return Ok(Exit::Passed);
    }
    let rows: Vec<Vec<String>> = tasks
        .iter()
        .map(|task| {
            let or_dash = |text: &Option<Text>| text.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
            vec![task.id.to_string(), or_dash(&task.difficulty), or_dash(&task.title)]
        })
        .collect();
    say!("{}", columns(&rows));
    Ok(Exit::Passed)
}

fn to_json(task: &TaskSpec) -> Json {
    let optional = |text: &Option<Text>| text.as_ref().map_or(Json::Null, Json::from);
    Json::object([
        ("id", Json::from(&task.id)),
        ("title", optional(&task.title)),
        ("difficulty", optional(&task.difficulty)),
        ("tags", task.tags.iter().map(Json::from).collect()),
        ("instruction", Json::from(&task.instruction)),
        ("typedAnswer", Json::from(task.answer.is_some())),
        ("hasSolution", Json::from(task.has_solution)),
    ])
}
