//! Silo: worlds for AI agents that can be trusted.
//!
//! The library of the `silo` command: [`agents`] play rollouts, [`rollout`] takes one from start to artifacts, [`commands`] is
//! the command line. The engine is [`silo_runtime`], the language [`silo_dsl`].
#![forbid(unsafe_code)]

pub mod agents;
pub mod clock;
pub mod commands;
pub mod rollout;
mod symptoms;
mod terminal;
mod timeline;
