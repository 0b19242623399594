//! The Silo language.
#![forbid(unsafe_code)]
