use super::{Exit, Failure, Outcome, did_you_mean};
use crate::terminal::columns;
use silo_dsl::diagnostics::codes;

/// Explain a diagnostic code: what it means, an example that has it, and the same mended
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The code, as in `error[E0201]`; all codes are listed where none is given
    code: Option<String>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let Some(code) = &args.code else {
        let rows: Vec<Vec<String>> =
            codes::all().map(|code| vec![code.id().to_owned(), code.title().to_owned()]).collect();
        anstream::print!("{}", columns(&rows));
        return Ok(Exit::Passed);
    };
    match codes::explain(&code.to_uppercase()) {
        Some(page) => {
            println!("{}", page.trim_end());
            Ok(Exit::Passed)
        }
        None => {
            let names: Vec<&str> = codes::all().map(codes::Code::id).collect();
            Err(Failure::mistake(format!("there is no diagnostic `{code}`")).help(did_you_mean(
                code,
                names,
                "`silo explain` lists all codes",
            )))
        }
    }
}
