//! E07xx: seed data.

codes! {}
