use super::fixture::*;
use crate::store::{Edit, Step, TablePlace, Target};
use crate::value::dynamic::Value;

#[test]
fn rows_iterate_in_the_order_of_their_insertion() {
    let mut store = store();
    store.insert(&TablePlace::State(USERS), user("A", "first by name")).unwrap();
    store.remove(USER, "USR-002").unwrap();
    store.insert(&TablePlace::State(USERS), user("USR-002", "again")).unwrap();
    assert_eq!(keys(&store, USERS).join(" "), "USR-001 USR-003 A USR-002");
    assert_eq!(store.table(USERS).len(), 4);
    assert_eq!(store.table(USERS).iter().len(), 4);
}

#[test]
fn r28_a_loop_that_removes_its_rows_visits_each_once() {
    let mut world = world();
    let table = TablePlace::State(USERS);
    let mut visited = Vec::new();
    for row in read(&world).rows(&table) {
        visited.push(row.key.clone());
        change(&mut world).remove(USER, &row.key).unwrap();
    }
    assert_eq!(visited.join(" "), "USR-001 USR-002 USR-003");
    assert!(read(&world).table(USERS).is_empty());

    let lines = lines_of("SO-001");
    for row in read(&world).rows(&lines) {
        change(&mut world).remove(LINE, &row.key).unwrap();
    }
    assert_eq!(read(&world).len(&lines), 0);
}

#[test]
fn a_bare_key_finds_a_row_in_any_table() {
    let mut store = store();
    store.insert(&TablePlace::State(OLD_USERS), user("USR-090", "Old")).unwrap();
    assert!(store.row(USER, "USR-090").is_some());
    assert!(store.row_in(&TablePlace::State(USERS), "USR-090").is_none());
    assert!(store.row_in(&TablePlace::State(OLD_USERS), "USR-090").is_some());
    assert_eq!(int(&store.row(LINE, "SO-001-L2").unwrap().values[1]), Some(6));
    assert!(store.row_in(&lines_of("SO-001"), "SO-001-L2").is_some());
    assert!(store.row_in(&lines_of("SO-002"), "SO-001-L2").is_none());
    assert_eq!(store.keys(LINE).join(" "), "SO-001-L1 SO-001-L2 SO-002-L1");
    assert_eq!(store.keys(USER).join(" "), "USR-001 USR-002 USR-003 USR-090");
}

#[test]
fn a_row_that_moved_to_another_table_is_found_there() {
    let mut store = store();
    store.remove(LINE, "SO-001-L1").unwrap();
    store.insert(&lines_of("SO-002"), vec![text("SO-001-L1"), Value::Int(1)]).unwrap();
    let row = store.row(LINE, "SO-001-L1").unwrap();
    assert_eq!(&*row.owner.as_ref().unwrap().key, "SO-002");
    assert_eq!(store.table_of(row), Some(lines_of("SO-002")));
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(9)).unwrap();
    assert_eq!(int(&store.row(LINE, "SO-001-L1").unwrap().values[1]), Some(9));
}

#[test]
fn nested_rows_go_with_their_owner() {
    let mut store = store();
    store.remove(ORDER, "SO-001").unwrap();
    assert!(store.row(LINE, "SO-001-L1").is_none());
    let refused = store.set(LINE, "SO-001-L1", SECOND, Value::Int(1)).unwrap_err();
    assert_eq!(refused.to_string(), "invalid_state: SO-001-L1 was removed");
    let refused = store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)]).unwrap_err();
    assert_eq!(refused.to_string(), "invalid_state: SO-001 was removed");
    // An order of the same key has none of the lines of the one before.
    store.insert(&TablePlace::State(ORDERS), order("SO-001", &[])).unwrap();
    assert!(store.row(LINE, "SO-001-L1").is_none());
    assert_eq!(store.len(&lines_of("SO-001")), 0);
}

#[test]
fn local_keys_are_unique_within_their_owner_only() {
    let mut store = store();
    let one = store.insert(&notes_of("SO-001"), vec![Value::Null, text("a")]).unwrap();
    let other = store.insert(&notes_of("SO-002"), vec![Value::Null, text("b")]).unwrap();
    assert_ne!(one.key, other.key);
    let visible = |key: &str| store.row(NOTE, key).unwrap().visible_key();
    assert_eq!((&*visible(&one.key), &*visible(&other.key)), ("N1", "N1"));
    assert_eq!(string(&store.row_in(&notes_of("SO-002"), "N1").unwrap().values[1]), "b");
    let refused = store.insert(&notes_of("SO-002"), vec![text("N1"), text("c")]).unwrap_err();
    assert_eq!(refused.to_string(), "conflict: there is already a Note `N1`");
    store.set(NOTE, &other.key, SECOND, text("d")).unwrap();
    store.remove(NOTE, &one.key).unwrap();
    assert_eq!(store.len(&notes_of("SO-001")), 0);
    assert_eq!(string(&store.row(NOTE, &other.key).unwrap().values[1]), "d");
}

#[test]
fn parts_of_values_change_in_their_place() {
    let mut store = store();
    let config = Target::State(CONFIG);
    let at = |steps: &[Step]| steps.to_vec();
    store.change(&config, &at(&[Step::Field(CONFIG_TAGS)]), Edit::Push(text("b"))).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_TAGS), Step::Index(0)]), Edit::Set(text("A"))).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_MAX)]), Edit::Set(Value::Null)).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_RATES), Step::Key("z".into())]), Edit::Set(Value::Int(9))).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_RATES)]), Edit::RemoveKey("x".into())).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_RATES)]), Edit::RemoveKey("never there".into())).unwrap();
    let shown = crate::wire::to_json(store.scalar(CONFIG), store.model()).to_string();
    assert_eq!(shown, r#"{"tags":["A","b"],"max":null,"rates":{"y":2,"z":9}}"#);
    store.change(&config, &at(&[Step::Field(CONFIG_TAGS)]), Edit::RemoveAt(0)).unwrap();
    store.change(&config, &at(&[Step::Field(CONFIG_RATES)]), Edit::Clear).unwrap();
    let shown = crate::wire::to_json(store.scalar(CONFIG), store.model()).to_string();
    assert_eq!(shown, r#"{"tags":["b"],"max":null,"rates":{}}"#);
}

#[test]
fn a_path_that_leads_nowhere_says_so() {
    let mut store = store();
    let config = Target::State(CONFIG);
    let mut refusal = |steps: &[Step], edit| store.change(&config, steps, edit).unwrap_err().to_string();
    let refusals = [
        refusal(&[Step::Field(CONFIG_TAGS), Step::Index(1)], Edit::Set(text("b"))),
        refusal(&[Step::Field(CONFIG_TAGS), Step::Index(-1)], Edit::Set(text("b"))),
        refusal(&[Step::Field(CONFIG_TAGS)], Edit::RemoveAt(5)),
        refusal(&[Step::Field(CONFIG_RATES), Step::Key("q".into()), Step::Index(0)], Edit::Clear),
        refusal(&[Step::Field(CONFIG_MAX), Step::Index(0)], Edit::Set(Value::Null)),
    ];
    insta::assert_debug_snapshot!(refusals);
}

#[test]
fn what_the_key_and_the_case_rest_on_is_fixed() {
    let mut store = store();
    let refusals = [
        store.set(USER, "USR-001", FIRST, text("USR-009")).unwrap_err().to_string(),
        store.set(STOCK, "STK-P1-W1", SECOND, text("P2")).unwrap_err().to_string(),
        store.set(CARD, "GC-1", KIND, Value::Enum(crate::ids::EnumId(0), 1)).unwrap_err().to_string(),
        store.set(ORDER, "SO-001", LINES, Value::Null).unwrap_err().to_string(),
        store.set(CARD, "GC-1", EXPIRES, Value::Int(1)).unwrap_err().to_string(),
    ];
    insta::assert_debug_snapshot!(refusals);
}
