//! The rollout engine of Silo.
#![forbid(unsafe_code)]

pub mod methods;
pub mod value;
