//! E08xx: tasks and verification.

codes! {
    ID = "E0801": "not an id of a task"
    NO_INSTRUCTION = "E0802": "a task without an instruction"
    PART_TWICE = "E0803": "a part of a task twice"
}
