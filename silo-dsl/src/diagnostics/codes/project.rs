//! E06xx: project files.

codes! {}
