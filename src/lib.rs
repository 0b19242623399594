//! Silo: worlds for AI agents that can be trusted.
#![forbid(unsafe_code)]

pub mod agents;
