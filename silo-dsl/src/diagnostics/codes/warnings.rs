//! W0xxx: warnings. The third digit is that of the area: W001x is syntax, as E01xx is.

codes! {
    LOST_DOCS = "W0010": "documentation of nothing"
    NEAR_NAMES = "W0060": "names that differ in case only"
    NULL_TEXT = "W0061": "cells that read NULL"
}
