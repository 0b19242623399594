//! The `silo` command.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    silo::commands::main(std::env::args_os())
}
