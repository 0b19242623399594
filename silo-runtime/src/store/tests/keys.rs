use super::fixture::*;
use crate::store::TablePlace;
use crate::value::dynamic::Value;

const IN_USERS: TablePlace = TablePlace::State(USERS);

#[test]
fn generated_keys_count_from_the_highest_ever_used() {
    let mut store = store();
    let mut made = Vec::new();
    made.push(store.insert(&IN_USERS, user("", "a")).unwrap().key);
    store.insert(&IN_USERS, user("USR-041", "b")).unwrap();
    store.remove(USER, "USR-041").unwrap();
    made.push(store.insert(&IN_USERS, user("", "c")).unwrap().key);
    // The other table of the entity shares the numbers.
    made.push(store.insert(&TablePlace::State(OLD_USERS), user("", "d")).unwrap().key);
    // Keys of another form do not count.
    store.insert(&IN_USERS, user("ADMIN-999", "e")).unwrap();
    store.insert(&IN_USERS, user("USR-77x", "f")).unwrap();
    made.push(store.insert(&IN_USERS, user("", "g")).unwrap().key);
    store.insert(&IN_USERS, user("USR-999", "h")).unwrap();
    made.push(store.insert(&IN_USERS, user("", "i")).unwrap().key);
    assert_eq!(made.join(" "), "USR-004 USR-042 USR-043 USR-044 USR-1000");
}

#[test]
fn numbers_are_counted_apart_for_each_text_before_them() {
    let mut store = store();
    let mut line = |order: &str| store.insert(&lines_of(order), vec![Value::Null, Value::Int(1)]).unwrap().key;
    let made = [line("SO-001"), line("SO-002"), line("SO-002"), line("SO-001")];
    assert_eq!(made.join(" "), "SO-001-L3 SO-002-L2 SO-002-L3 SO-001-L4");
}

#[test]
fn integer_keys_are_one_above_the_highest() {
    let mut store = store();
    let tickets = TablePlace::State(TICKETS);
    assert_eq!(&*store.insert(&tickets, vec![Value::Null, Value::Null]).unwrap().key, "8");
    store.insert(&tickets, vec![Value::Int(i64::MAX), Value::Null]).unwrap();
    let refused = store.insert(&tickets, vec![Value::Null, Value::Null]).unwrap_err();
    assert_eq!(refused.to_string(), "limit_exceeded: no number is left for the key of another Ticket");
    store.insert(&tickets, vec![text("0042"), Value::Null]).unwrap();
    assert!(store.row(TICKET, "42").is_some());
    assert_eq!(int(&store.row(TICKET, "8").unwrap().values[0]), Some(8));
}

#[test]
fn a_generated_key_steps_over_one_that_stands_elsewhere() {
    let mut store = store();
    // A line of SO-002 that bears a key of SO-001's.
    store.insert(&lines_of("SO-002"), vec![text("SO-001-L3"), Value::Int(1)]).unwrap();
    assert_eq!(&*store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)]).unwrap().key, "SO-001-L4");
}

#[test]
fn keys_made_of_fields_are_computed_and_checked() {
    let mut store = store();
    let stocks = TablePlace::State(STOCKS);
    let mut insert = |key, product, place| store.insert(&stocks, vec![key, product, place]);
    assert_eq!(&*insert(Value::Null, text("P2"), text("W1")).unwrap().key, "STK-P2-W1");
    assert_eq!(&*insert(text("STK-P3-W1"), text("P3"), text("W1")).unwrap().key, "STK-P3-W1");
    let refusals = [
        insert(text("STK-P9-W1"), text("P4"), text("W1")).unwrap_err().to_string(),
        insert(Value::Null, text("P2"), text("W1")).unwrap_err().to_string(),
        insert(Value::Null, text("P2"), Value::Null).unwrap_err().to_string(),
        insert(Value::Null, text("P\n"), text("W1")).unwrap_err().to_string(),
    ];
    insta::assert_debug_snapshot!(refusals);
}

#[test]
fn a_key_that_nothing_makes_must_be_given() {
    let mut store = store();
    let cards = TablePlace::State(CARDS);
    let mut card = gift_card("GC-3", "1");
    card[0] = Value::Null;
    let refusals = [
        store.insert(&cards, card).unwrap_err().to_string(),
        store.insert(&cards, gift_card("", "1")).unwrap_err().to_string(),
        store.insert(&cards, gift_card("a\u{1f}b", "1")).unwrap_err().to_string(),
        store.insert(&cards, gift_card("GC-1", "1")).unwrap_err().to_string(),
    ];
    insta::assert_debug_snapshot!(refusals);
}

#[test]
fn pb07_insert_never_overwrites_a_row() {
    let mut store = store();
    let before = dump(&store);
    for table in [IN_USERS, TablePlace::State(OLD_USERS)] {
        let refused = store.insert(&table, user("USR-002", "impostor")).unwrap_err();
        assert_eq!(refused.to_string(), "conflict: there is already a User `USR-002`");
    }
    let refused = store.insert(&lines_of("SO-002"), vec![text("SO-001-L1"), Value::Int(1)]).unwrap_err();
    assert_eq!(refused.to_string(), "conflict: there is already a Line `SO-001-L1`");
    assert_eq!(dump(&store), before);
}

#[test]
fn pf14_a_removed_key_may_be_inserted_by_hand_and_is_never_generated_again() {
    let mut world = world();
    let before = world.clone();
    let store = change(&mut world);
    store.set(USER, "USR-001", MANAGER, reference(USER, "USR-003")).unwrap();
    store.remove(USER, "USR-003").unwrap();
    assert_eq!(store.read(USER, "USR-003").unwrap_err().to_string(), "invalid_state: USR-003 was removed");
    let undo = world.clone();

    let store = change(&mut world);
    assert_eq!(&*store.insert(&IN_USERS, user("", "new")).unwrap().key, "USR-004");
    store.insert(&IN_USERS, user("USR-003", "somebody else")).unwrap();
    // A reference is its key: it finds the new row.
    assert_eq!(string(&store.read(USER, "USR-003").unwrap().values[1]), "somebody else");
    let diff = world.diff(&before).to_json(&model());
    insta::assert_snapshot!(diff.to_pretty());

    let store = change(&mut world);
    store.insert(&IN_USERS, user("", "x")).unwrap();
    world = undo;
    assert_eq!(&*change(&mut world).insert(&IN_USERS, user("", "new")).unwrap().key, "USR-004");
}
