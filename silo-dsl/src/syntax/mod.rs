//! From text to a syntax tree.
//!
//! [`parse`] never fails: it gives the tree of every item that could be read and the diagnostics of all that could not.

mod parse;
pub mod tree;

pub use parse::parse;
