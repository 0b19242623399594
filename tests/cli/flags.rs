use crate::support::{Place, shown};
use std::fmt::Write as _;

#[test]
fn r14_flags_take_only_what_makes_sense() {
    let place = Place::with_rooms();
    for flag in ["--timeout", "--max-calls", "--runs"] {
        for value in ["abc", "-1", "1e99", "0", "", "NaN"] {
            let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", flag, value]);
            assert_eq!(ran.code, Some(2), "{flag} {value}: {}", ran.shown());
            assert!(ran.stderr.contains("expected"), "{flag} {value} says what is accepted: {}", ran.stderr);
        }
    }
    assert!(place.runs().is_empty(), "no rollout began");
    shown!("flags_say_what_they_take", place.silo(&["run", "rooms", "--task", "BOOK-1", "--timeout", "abc"]));
}

#[test]
fn mistakes_name_what_was_meant() {
    let place = Place::with_rooms();
    shown!("unknown_task", place.silo(&["run", "rooms", "--task", "BOOK-2"]));
    shown!("unknown_tool", place.silo(&["call", "rooms", "list_room", "{}"]));
    shown!("unknown_agent", place.silo(&["run", "rooms", "--task", "BOOK-1", "--agent", "soluton"]));
    shown!("unknown_code", place.silo(&["explain", "E9999"]));
    shown!("no_such_environment", place.silo(&["check", "nowhere"]));
}

#[test]
fn help_is_as_reviewed() {
    let place = Place::empty();
    let mut all = place.silo(&["--help"]).stdout;
    for verb in ["run", "check", "tools", "tasks", "call", "trace", "explain", "new"] {
        _ = writeln!(all, "\n------- silo {verb} --help");
        all.push_str(&place.silo(&[verb, "--help"]).stdout);
    }
    crate::support::settled().bind(|| insta::assert_snapshot!("help", all));
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::with_rooms();
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1"]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    let forced = place.command(&["run", "rooms", "--task", "BOOK-1"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let refused = place.command(&["run", "rooms", "--task", "BOOK-1"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!refused.stdout.contains(&0x1b));
}
