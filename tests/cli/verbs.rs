use crate::support::{Place, shown};

#[test]
fn tools_and_tasks_are_listed() {
    let place = Place::with_rooms();
    shown!("tools", place.silo(&["tools", "rooms"]));
    shown!("tool", place.silo(&["tools", "rooms", "book_room"]));
    shown!("tasks", place.silo(&["tasks", "rooms"]));
}

#[test]
fn a_call_shows_its_result_and_what_changed() {
    let place = Place::with_rooms();
    let input = r#"{"roomId": "ROOM-02", "byId": "PER-001", "on": "2026-04-02", "title": "Review"}"#;
    shown!("call_writes", place.silo(&["call", "rooms", "book_room", input]));
    shown!("call_reads", place.silo(&["call", "rooms", "list_rooms", r#"{"minSeats": 12}"#]));
    shown!("call_refused", place.silo(&["call", "rooms", "book_room", r#"{"room": "ROOM-02", "on": "2026-02-30"}"#]));
    shown!("call_no_json", place.silo(&["call", "rooms", "list_rooms", "{min_seats: 12}"]));
}

#[test]
fn a_trace_is_told_again() {
    let place = Place::with_rooms();
    place.silo(&["run", "rooms", "--task", "BOOK-1"]);
    shown!("trace", place.silo(&["trace"]));
    let folder = place.runs().pop().unwrap();
    let id = folder.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(place.silo(&["trace", &id]).stdout, place.silo(&["trace"]).stdout);
    assert_eq!(place.silo(&["trace", &id[id.len() - 8..]]).code, Some(0));
    assert_eq!(place.silo(&["trace", "nothing"]).code, Some(2));
}

#[test]
fn a_killed_rollout_is_still_readable() {
    let place = Place::with_rooms();
    place.silo(&["run", "rooms", "--task", "BOOK-1"]);
    let folder = place.runs().pop().unwrap();
    let trace = std::fs::read_to_string(folder.join("trace.jsonl")).unwrap();
    std::fs::write(folder.join("trace.jsonl"), &trace[..trace.len() - 200]).unwrap();
    for file in ["run.json", "result.json", "state-diff.json", "agent.log"] {
        std::fs::remove_file(folder.join(file)).unwrap();
    }
    shown!("trace_of_a_killed_rollout", place.silo(&["trace"]));
}

#[test]
fn a_broken_environment_is_the_users_mistake() {
    let place = Place::with_rooms();
    let source = std::fs::read_to_string(place.path().join("rooms/rooms.silo")).unwrap();
    place.write("rooms/rooms.silo", &source.replace("r.seats >= min_seats", "r.seat >= min_seats"));
    let checked = place.silo(&["check", "rooms"]);
    assert_eq!(checked.code, Some(1));
    shown!("check_finds", checked);
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1"]);
    assert_eq!(ran.code, Some(2));
    assert!(place.runs().is_empty());
}

#[test]
fn codes_are_explained() {
    let place = Place::empty();
    let listed = place.silo(&["explain"]);
    assert_eq!(listed.code, Some(0));
    let first = listed.stdout.split_whitespace().next().unwrap().to_owned();
    let page = place.silo(&["explain", &first.to_lowercase()]);
    assert_eq!(page.code, Some(0));
    assert!(page.stdout.contains(&first) || page.stdout.lines().count() > 5, "{}", page.stdout);
}
