use super::{Exit, Failure, Outcome};
use crate::terminal::say_line;
use crate::terminal::{GOOD, styled};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Start an environment of your own: a small one that runs and passes at once
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder to make; its last part becomes the environment's name
    name: PathBuf,
}

/// The files of a new environment. `NAME` in their names and texts becomes the environment's name.
const FILES: &[(&str, &str)] = &[
    ("NAME.silo", include_str!("new/NAME.silo")),
    ("policy.md", include_str!("new/policy.md")),
    ("data/people.json", include_str!("new/people.json")),
    ("data/rooms.json", include_str!("new/rooms.json")),
    ("README.md", include_str!("new/README.md")),
];

pub(super) fn run(args: &Args) -> Outcome {
    let folder = &args.name;
    let shown = folder.display();
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().replace('-', "_");
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !is_name {
        return Err(Failure::mistake(format!("`{shown}` gives no name to an environment"))
            .help("use lower-case letters, digits and `_`, beginning with a letter, such as `library`"));
    }
    if folder.exists() {
        return Err(
            Failure::mistake(format!("`{shown}` is there already")).help("name a folder that does not exist yet")
        );
    }
    for (file, text) in FILES {
        let path = folder.join(file.replace("NAME", &name));
        write(&path, &text.replace("NAME", &name))
            .map_err(|error| Failure::broken(format!("`{}` cannot be written: {error}", path.display())))?;
    }
    say_line!("{} {shown}\n", styled(GOOD, "made"));
    say_line!("  silo run {shown} --task BOOK-1");
    say_line!("  silo check {shown}");
    say_line!("  silo call {shown} list_rooms '{{\"minSeats\": 6}}'");
    Ok(Exit::Passed)
}

/// Writes a file that is not there yet.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
