//! Tables: rows shared by every world of a seed, and what one world changed of them.
//!
//! A [`Base`] holds the seed's rows and is never changed. A [`Delta`] holds, for one world, the rows of the base that it
//! changed or removed, by position, and the rows that it added. A [`TableRef`] reads both as one table. Copying a delta costs
//! what changed; a row that nobody touched is shared by every world in the process.
//!
//! A row's place is its [`Slot`]: the rows of the base have the first ones, in order, and every insertion takes the next. A
//! slot is never used twice, so a row that is removed and inserted again has another one: iteration in the order of slots is
//! iteration in the order of insertion, and two worlds see a row differ in slot if one of them inserted it anew.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod delta;
mod moves;
mod pairs;

#[cfg(test)]
mod tests;

pub use delta::{Base, Delta, Iter, Slot, TableRef};
pub(crate) use moves::moved;
pub use pairs::{Pair, pairs};
