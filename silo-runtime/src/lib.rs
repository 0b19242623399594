//! The rollout engine of Silo.
#![forbid(unsafe_code)]

pub mod artifacts;
pub mod calls;
pub mod diff;
pub mod environment;
pub mod explain;
pub mod grade;
pub mod ids;
pub mod input;
pub mod keys;
pub mod limits;
pub mod methods;
pub mod model;
pub mod reward;
pub mod rows;
pub mod schema;
pub mod session;
pub mod store;
pub mod table;
pub mod trace;
pub mod typed;
pub mod value;
pub mod wire;
pub mod world;
