//! The attributes and derives with which environments are written in Rust: `#[tool]`, `#[state]`, `#[derive(Entity)]`,
//! `#[verifier]` and their kin. None exists yet; the crate is here so that its place in the workspace is.
#![forbid(unsafe_code)]
