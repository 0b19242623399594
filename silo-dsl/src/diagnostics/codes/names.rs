//! E02xx: names.

codes! {}
