use super::environment::{Source, task, tool};
use super::{Exit, Failure, Outcome};
use crate::clock::SystemClock;
use crate::terminal::say_line;
use crate::timeline::{changes, heading};
use silo_runtime::session::Setup;
use silo_runtime::trace::Discard;
use silo_runtime::value::json::{Json, Limits};

/// Make one tool call on a fresh world, and show its result and what it changed
///
/// For example: `silo call environments/crm get_user '{"userId": "USR-003"}'`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The tool to call
    tool: String,
    /// The input as a JSON object
    #[arg(default_value = "{}")]
    input: String,
    /// Start from the world of this task, after its setup, instead of the seed data
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Print the result and the changes as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let engine = args.source.engine()?;
    tool(&engine, &args.tool)?;
    let input = Json::parse(&args.input, Limits::bytes(u32::MAX)).map_err(|error| {
        Failure::mistake(format!("the input is no JSON: {error}"))
            .help("give an object in single quotes, with names in double quotes: '{\"limit\": 5}'")
    })?;
    let task = match &args.task {
        Some(id) => task(&engine, id)?,
        None => engine.free_play(),
    };
    let setup = Setup {
        run_id: "call".into(),
        agent: "call".into(),
        limits: engine.task(task).map(|task| task.limits.clone()).unwrap_or_default(),
        clock: Box::new(SystemClock::new()),
        sink: Box::new(Discard),
    };
    let mut session = engine.session(task, setup).map_err(|fault| Failure::broken(fault.message))?;
    let result = session.call(&args.tool, &input);
    if session.ended().is_some() {
        let outcome = session.finish(silo_runtime::session::Ending::Interrupted);
        return Err(Failure::broken(outcome.error.unwrap_or_else(|| "the call could not be made".to_owned())));
    }
    let diff = session.diff().to_json(&engine.environment().manifest().model);
    if args.json {
        let json =
            Json::object([("output", result.output.clone()), ("isError", Json::from(result.is_error)), ("diff", diff)]);
        say_line!("{}", json.to_pretty().trim_end());
    } else {
        say_line!("{}", result.output.to_pretty().trim_end());
        let changed = changes(&diff);
        if changed == "nothing" {
            anstream::eprintln!("\n{} nothing", heading("changed"));
        } else {
            anstream::eprintln!("\n{} {changed}\n{}", heading("changed"), diff.to_pretty().trim_end());
        }
    }
    Ok(if result.is_error { Exit::Failed } else { Exit::Passed })
}
