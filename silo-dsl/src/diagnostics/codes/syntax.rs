//! E01xx: syntax.

codes! {
    UNEXPECTED = "E0101": "something else was expected here"
}
