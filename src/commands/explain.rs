use super::{Exit, Failure, Outcome, did_you_mean};
use crate::terminal::columns;
use crate::terminal::{say, say_line};
use silo_dsl::diagnostics::codes;

/// Explain a diagnostic code: what it means, an example that has it, and the same mended
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The code, as in `error[E0201]`, or a word to look for; all codes are listed where none is given
    code: Option<String>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let Some(code) = &args.code else {
        let rows: Vec<Vec<String>> =
            codes::all().map(|code| vec![code.id().to_owned(), code.title().to_owned()]).collect();
        say!("{}", columns(&rows));
        return Ok(Exit::Passed);
    };
    match codes::explain(&spelled(code)) {
        Some(page) => {
            say_line!("{}", page.trim_end());
            Ok(Exit::Passed)
        }
        None if found(code).next().is_some() => {
            let rows: Vec<Vec<String>> =
                found(code).map(|code| vec![code.id().to_owned(), code.title().to_owned()]).collect();
            say!("{}", columns(&rows));
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

/// The codes in whose titles a word stands.
fn found(word: &str) -> impl Iterator<Item = codes::Code> {
    let word = word.to_lowercase();
    codes::all().filter(move |code| code.title().to_lowercase().contains(&word))
}

/// A code as it is printed: `e331` is `E0331`.
fn spelled(code: &str) -> String {
    let code = code.to_uppercase();
    match code.split_at_checked(1) {
        Some((letter @ ("E" | "W"), number)) if number.len() < 4 => format!("{letter}{number:0>4}"),
        _ => code,
    }
}
