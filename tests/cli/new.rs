use crate::support::{Place, shown};

#[test]
fn a_new_environment_runs_and_passes_at_once() {
    let place = Place::with_rooms();
    for task in ["BOOK-1", "COUNT-1"] {
        let ran = place.silo(&["run", "rooms", "--task", task]);
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
    }
    let checked = place.silo(&["check", "rooms"]);
    assert_eq!(checked.code, Some(0), "{}", checked.shown());
}

#[test]
fn nothing_is_overwritten() {
    let place = Place::with_rooms();
    place.write("rooms/README.md", "mine");
    let ran = place.silo(&["new", "rooms"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(std::fs::read_to_string(place.path().join("rooms/README.md")).unwrap(), "mine");
    shown!("new_refuses_a_folder_that_is_there", ran);
}

#[test]
fn a_name_must_be_one() {
    let place = Place::empty();
    for name in ["Grüße", "9lives", "a b", ".", "..", ""] {
        assert_eq!(place.silo(&["new", name]).code, Some(2), "{name}");
    }
    assert!(std::fs::read_dir(place.path()).unwrap().next().is_none());
}
