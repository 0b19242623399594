//! The command line: one file a verb.

mod call;
mod check;
mod environment;
mod explain;
mod new;
mod run;
mod tally;
mod tasks;
mod tools;
mod trace;

use crate::terminal::{BAD, styled};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

/// Worlds for AI agents that can be trusted.
///
/// An environment is a folder with a `.silo` file, or the file itself.
#[derive(Debug, Parser)]
#[command(name = "silo", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Run(run::Args),
    Check(check::Args),
    Tools(tools::Args),
    Tasks(tasks::Args),
    Call(call::Args),
    Trace(trace::Args),
    Explain(explain::Args),
    New(new::Args),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: everything is as it should be.
    Passed,
    /// 1: graded and failed, or findings.
    Failed,
    /// 2: the user's mistake.
    Mistake,
    /// 3: the environment or the agent is broken.
    Broken,
    /// 130: interrupted.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Passed => Self::SUCCESS,
            Exit::Failed => Self::from(1),
            Exit::Mistake => Self::from(2),
            Exit::Broken => Self::from(3),
            Exit::Interrupted => Self::from(130),
        }
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// A mistake of the user.
    pub fn mistake(message: impl Into<String>) -> Self {
        Self { exit: Exit::Mistake, message: message.into(), help: None }
    }

    /// Something that is broken.
    pub fn broken(message: impl Into<String>) -> Self {
        Self { exit: Exit::Broken, message: message.into(), help: None }
    }

    /// With what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", styled(BAD, "error"), self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

type Outcome = Result<Exit, Failure>;

/// Bytes of stack for the thread that does the work, so that bounds on nesting are the same wherever Silo runs.
const STACK: usize = 64 << 20;

/// Runs the command line.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // What cannot be printed any more cannot be helped.
            _ = error.print();
            return if error.use_stderr() { Exit::Mistake.into() } else { ExitCode::SUCCESS };
        }
    };
    let worker = std::thread::Builder::new().name("silo".to_owned()).stack_size(STACK).spawn(|| cli.verb.run());
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(Failure::broken("silo itself failed").help("please report this with what you ran")),
        Err(error) => Err(Failure::broken(format!("no thread could be started: {error}"))),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            anstream::eprintln!("{failure}");
            failure.exit.into()
        }
    }
}

impl Verb {
    fn run(self) -> Outcome {
        match self {
            Self::Run(args) => run::run(&args),
            Self::Check(args) => check::run(&args),
            Self::Tools(args) => tools::run(&args),
            Self::Tasks(args) => tasks::run(&args),
            Self::Call(args) => call::run(&args),
            Self::Trace(args) => trace::run(&args),
            Self::Explain(args) => explain::run(&args),
            Self::New(args) => new::run(&args),
        }
    }
}

/// The closest of some names, as a help text; otherwise what there is.
fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    match silo_runtime::methods::nearest::nearest(word, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}
