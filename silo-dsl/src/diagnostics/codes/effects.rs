//! E05xx: effects and statements.

codes! {
    NOT_HERE = "E0501": "a statement in the wrong place"
    WRITES = "E0502": "a change of the world in the wrong place"
    COPY = "E0503": "a change of a copy"
    READ_ONLY = "E0504": "a field that cannot be assigned"
    UNREACHABLE = "E0505": "code that is never reached"
    NO_RESULT = "E0506": "a way through without a result"
    CYCLE = "E0507": "calls that go round in a circle"
    NO_VALUE = "E0508": "the value of something that gives none"
    BAD_CODE = "E0509": "not an error code"
}
