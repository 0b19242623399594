//! The `silo` command.
#![forbid(unsafe_code)]
fn main() {}
