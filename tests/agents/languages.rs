//! What holds for modules in every language.

use crate::fake::{has, module, play};

#[test]
fn modules_that_do_the_same_are_heard_the_same() {
    if !has("node") || !has("python3") {
        return;
    }
    let (javascript, python) = (play(module("everything.mjs")), play(module("everything.py")));
    assert_eq!((javascript.output(), &javascript.calls), (python.output(), &python.calls));
}
