//! W0xxx: warnings. The third digit is that of the area: W001x is syntax, as E01xx is.

codes! {
    LOST_DOCS = "W0010": "documentation of nothing"
    NEVER_NULL = "W0030": "a test of null that says nothing"
    UNKNOWN_KEY = "W0031": "a key that the seed data has not"
    UNUSED_VALUE = "W0032": "a value that nobody uses"
    NEAR_NAMES = "W0060": "names that differ in case only"
    NULL_TEXT = "W0061": "cells that read NULL"
    PASSED_BY_NOTHING = "W0090": "a task that doing nothing passes"
}
