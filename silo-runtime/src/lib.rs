//! The rollout engine of Silo.
#![forbid(unsafe_code)]
