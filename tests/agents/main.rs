//! Agents of every kind against a rollout that only remembers its calls: each way to end has an outcome of its own, and
//! nothing an agent does can hang the run, reach the protocol or leave a process behind.
#![cfg(unix)]

mod docs;
mod exec;
mod fake;
mod javascript;
mod languages;
mod python;
mod session;
