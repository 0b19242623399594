//! E05xx: effects and statements.

codes! {}
