//! The way in: JSON decoded against a [`Schema`](crate::schema::Schema), every problem of a value found in one pass. Tool inputs, typed answers and
//! seed data all come through here, so that what one of them accepts the others accept too.

mod decode;
mod problem;

pub use decode::{Decoder, Keys};
pub use problem::{InputFault, PathSegment, Problem};
