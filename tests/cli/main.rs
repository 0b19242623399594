//! The command line through the real binary: what a person sees, what a script reads, what is left on disk.

mod artifacts;
mod flags;
mod new;
mod run;
mod support;
mod verbs;
