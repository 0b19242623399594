//! E02xx: names.

codes! {
    DUPLICATE = "E0201": "declared twice"
    UNKNOWN_TYPE = "E0202": "no such type"
    SHADOWS = "E0203": "a name hides another"
    RESERVED = "E0204": "the name has a meaning of its own"
    UNKNOWN_TOOL = "E0205": "no such tool"
    UNKNOWN_PARAMETER = "E0206": "no such parameter"
    WIRE_CLASH = "E0207": "two names are one on the wire"
    WIRE_NAME = "E0208": "not a name that tool interfaces take"
    UNKNOWN_NAME = "E0220": "no such name"
    UNKNOWN_FIELD = "E0221": "no such field"
    UNKNOWN_METHOD = "E0222": "no such method"
    UNKNOWN_FUNCTION = "E0223": "no such function"
    UNKNOWN_MEMBER = "E0224": "no such member of an enum"
    UNKNOWN_KEY = "E0225": "no such row in the seed data"
    NOT_A_VALUE = "E0226": "a name that stands for no value"
    STATE_WITHOUT_WORLD = "E0227": "state without a world"
}
