//! E08xx: tasks and verification.

codes! {
    ID = "E0801": "not an id of a task"
    NO_INSTRUCTION = "E0802": "a task without an instruction"
    PART_TWICE = "E0803": "a part of a task twice"
    NO_REQUIRED_CHECK = "E0830": "a task that every run passes"
    OUTCOME = "E0831": "checks that depend on the run"
    NO_REFERENCE = "E0832": "a reference world without a solution"
    ANSWER = "E0833": "not a part of the answer"
    CHANGES = "E0834": "not a path of changes"
    WEIGHT = "E0835": "not a weight"
    NOT_FINAL = "E0836": "a comparison of another world"
}
