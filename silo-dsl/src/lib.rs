//! The Silo language.
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod interpret;
pub mod ir;
pub mod syntax;
