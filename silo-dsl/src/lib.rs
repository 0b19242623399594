//! The Silo language.
#![forbid(unsafe_code)]

pub mod check;
pub mod compile;
pub mod declare;
pub mod diagnostics;
pub mod interpret;
pub mod ir;
mod load;
pub mod project;
pub mod seed;
pub mod syntax;

pub use load::{Loaded, load, load_project};
