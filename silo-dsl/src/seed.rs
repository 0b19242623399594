//! Seed data: what tables, state and constants begin with.

mod keys;
pub(crate) mod places;

pub use keys::Keys;
