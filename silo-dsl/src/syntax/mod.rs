//! From text to a syntax tree.
//!
//! [`parse`] never fails: it gives the tree of every item that could be read and the diagnostics of all that could not.

pub mod hints;
mod parse;
mod prescan;
pub mod tree;

pub use parse::parse;
pub use prescan::{MAX_SOURCE, decode};
