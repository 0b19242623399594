//! E02xx: names.

codes! {
    DUPLICATE = "E0201": "declared twice"
    UNKNOWN_TYPE = "E0202": "no such type"
    SHADOWS = "E0203": "a name hides another"
    SPELLING = "E0204": "a name is not spelt as its kind is"
    RESERVED = "E0205": "the name has a meaning of its own"
    UNKNOWN_TOOL = "E0206": "no such tool"
    UNKNOWN_PARAMETER = "E0207": "no such parameter"
    WIRE_CLASH = "E0208": "two names are one on the wire"
    WIRE_NAME = "E0209": "not a name that tool interfaces take"
}
