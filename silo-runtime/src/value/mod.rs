//! The values a world is made of: text, exact numbers, dates, JSON, and the error an agent gets instead of a value.
//!
//! Everything here is exact and the same on every machine: no binary floating point, no local time, no hash order.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

pub mod checked;
pub mod date;
pub mod decimal;
pub mod dynamic;
pub mod error;
pub mod json;
pub mod text;

pub use checked::Checked;
pub use date::{Date, DateTime};
pub use decimal::Decimal;
pub use error::{Code, ToolError, ToolResult, UnknownKey};
pub use json::{Json, Number, Object};
pub use text::Text;
