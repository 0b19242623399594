//! What the methods of the language mean, without source places: one meaning for every back end.
//!
//! Methods of dates are those of [`Date`](crate::value::Date) and [`DateTime`](crate::value::DateTime), exact arithmetic is
//! [`Checked`](crate::value::Checked).
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

pub mod answer;
pub mod calculate;
pub mod collection;
pub mod date;
pub mod nearest;
pub mod number;
pub mod pattern;
pub mod text;
