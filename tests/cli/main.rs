//! The command line through the real binary: what a person sees, what a script reads, what is left on disk.

#![expect(clippy::disallowed_methods, reason = "tests look at files and at the time")]

mod agents;
mod artifacts;
mod flags;
mod new;
mod run;
mod support;
mod verbs;
