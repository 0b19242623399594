use super::environment::{Source, tool};
use super::{Exit, Outcome};
use crate::terminal::{columns, lines};
use crate::terminal::{say, say_line};
use crate::timeline::heading;
use silo_runtime::environment::{Manifest, ToolSpec};
use silo_runtime::schema::{Direction, json_schema};
use silo_runtime::value::json::Json;

/// Show the tools of an environment, or one of them with its schemas
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The tool to show
    name: Option<String>,
    /// Print the tools with their JSON Schemas (draft 2020-12) as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let engine = args.source.engine()?;
    let manifest = engine.environment().manifest();
    match &args.name {
        Some(name) => {
            let tool = tool(&engine, name)?;
            if args.json {
                say_line!("{}", schema(tool, manifest).to_pretty().trim_end());
            } else {
                show(tool, manifest);
            }
        }
        None if args.json => {
            let tools: Json = manifest.tools.iter().map(|tool| schema(tool, manifest)).collect();
            say_line!("{}", tools.to_pretty().trim_end());
        }
        None => {
            let rows: Vec<Vec<String>> = manifest
                .tools
                .iter()
                .map(|tool| {
                    let kind = if tool.read_only { "reads" } else { "writes" };
                    vec![tool.name.to_string(), kind.to_owned(), first_sentence(&tool.description)]
                })
                .collect();
            say!("{}", columns(&rows));
        }
    }
    Ok(Exit::Passed)
}

fn schema(tool: &ToolSpec, manifest: &Manifest) -> Json {
    Json::object([
        ("name", Json::from(&tool.name)),
        ("description", Json::from(&tool.description)),
        ("readOnly", Json::from(tool.read_only)),
        ("inputSchema", json_schema(&tool.input, Direction::Input, &manifest.model)),
        ("outputSchema", json_schema(&tool.output, Direction::Output, &manifest.model)),
    ])
}

fn show(tool: &ToolSpec, manifest: &Manifest) {
    let kind = if tool.read_only { "reads only" } else { "may change the world" };
    say_line!("{} ({kind})\n{}\n", heading(&tool.name), lines(&tool.description));
    say_line!("{}", heading("input"));
    say_line!("{}\n", json_schema(&tool.input, Direction::Input, &manifest.model).to_pretty().trim_end());
    say_line!("{}", heading("output"));
    say_line!("{}", json_schema(&tool.output, Direction::Output, &manifest.model).to_pretty().trim_end());
}

fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => line.to_owned(),
    }
}
