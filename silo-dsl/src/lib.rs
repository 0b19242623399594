//! The Silo language.
#![forbid(unsafe_code)]

pub mod check;
pub mod compile;
pub mod declare;
pub mod diagnostics;
pub mod interpret;
pub mod ir;
pub mod project;
pub mod seed;
pub mod syntax;
