//! E08xx: tasks and verification.

codes! {}
