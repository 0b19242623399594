//! E04xx: declarations.

codes! {}
