//! W0xxx: warnings.

codes! {}
