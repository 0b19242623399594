//! The Silo language.
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod syntax;
