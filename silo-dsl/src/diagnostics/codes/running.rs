//! E09xx: what is found by running.

codes! {
    INVARIANT = "E0901": "an invariant does not hold on the seed data"
    SETUP = "E0902": "the setup of a task fails"
    TASK_ID = "E0903": "the id of a task is empty or used twice"
    TASK_TEXT = "E0904": "a text of a task cannot be written"
    TOO_DEEP = "E0905": "calls nest too deep"
}
