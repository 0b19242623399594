use super::fixture::*;
use crate::store::{SeedBuilder, SeedPlace, StoreFault};
use crate::value::dynamic::Value;

#[test]
fn pb07_a_key_used_twice_names_both_rows() {
    let mut builder = SeedBuilder::new(model());
    builder.row(USERS, user("USR-001", "a")).unwrap();
    builder.row(USERS, user("USR-002", "")).unwrap_err();
    builder.row(USERS, user("USR-002", "b")).unwrap();
    let found = builder.row(OLD_USERS, user("USR-002", "c")).unwrap_err();
    assert_eq!(found.fault, StoreFault::Duplicate { entity: USER, key: "USR-002".into() });
    assert_eq!(found.at, SeedPlace { state: OLD_USERS, row: 0, nested: vec![] });
    assert_eq!(found.first, Some(SeedPlace { state: USERS, row: 2, nested: vec![] }));
}

#[test]
fn a_key_used_twice_in_nested_tables_names_both_rows() {
    let mut builder = SeedBuilder::new(model());
    builder.row(ORDERS, order("SO-001", &[("A", 1), ("B", 1)])).unwrap();
    let found = builder.row(ORDERS, order("SO-002", &[("C", 1), ("B", 1)])).unwrap_err();
    assert_eq!(found.at, SeedPlace { state: ORDERS, row: 1, nested: vec![(LINES, 1)] });
    assert_eq!(found.first, Some(SeedPlace { state: ORDERS, row: 0, nested: vec![(LINES, 1)] }));
    let found = builder.row(ORDERS, order("SO-003", &[("D", 1), ("D", 1)])).unwrap_err();
    assert_eq!(found.at.nested, [(LINES, 1)]);
    assert_eq!(found.first, Some(SeedPlace { state: ORDERS, row: 2, nested: vec![(LINES, 0)] }));
}

#[test]
fn a_seed_finds_its_nested_rows() {
    let store = store();
    let line = store.row(LINE, "SO-002-L1").unwrap();
    assert_eq!(&*line.owner.as_ref().unwrap().key, "SO-002");
    assert_eq!(int(&line.values[1]), Some(7));
    assert_eq!(store.table(ORDERS).len(), 2);
    assert_eq!(int(store.scalar(NOW)), Some(100));
    assert!(matches!(store.scalar(USERS), Value::Null));
    assert!(store.row(STOCK, "STK-P1-W1").is_some());
    assert!(store.row(TICKET, "7").is_some());
}
