//! W0xxx: warnings.

codes! {
    NEAR_NAMES = "W0060": "names that differ in case only"
    NULL_TEXT = "W0061": "cells that read NULL"
}
