use super::fixture::*;
use crate::ids::{EntityId, StateId};
use crate::schema::Schema;
use crate::store::bounds::check;
use crate::store::{Edit, SeedBuilder, Step, Store, TablePlace, Target};
use crate::value::dynamic::Value;
use std::sync::Arc;

#[test]
fn pb08_limits_hold_wherever_a_value_is_stored() {
    let mut store = store();
    let kofi = Target::Row(USER, "USR-002".into());
    store.change(&kofi, &[Step::Field(TAGS)], Edit::Set(texts(&["a", "b"]))).unwrap();
    let refusals = [
        store.insert(&TablePlace::State(CARDS), gift_card("GC-3", "-0.01")).unwrap_err(),
        store.set(CARD, "GC-1", SECOND, decimal("-20")).unwrap_err(),
        store.set(LINE, "SO-001-L1", SECOND, Value::Int(0)).unwrap_err(),
        store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(100)]).unwrap_err(),
        store.insert(&TablePlace::State(ORDERS), order("", &[("", 1), ("", 0)])).unwrap_err(),
        store.set(USER, "USR-001", NAME, text("")).unwrap_err(),
        store.set(USER, "USR-001", NAME, text("a name of more than twenty")).unwrap_err(),
        store.set(USER, "USR-001", NAME, Value::Null).unwrap_err(),
        store.set(USER, "USR-001", NAME, Value::Int(5)).unwrap_err(),
        store.set(USER, "USR-001", PHONE, text("+49 30")).unwrap_err(),
        store.change(&kofi, &[Step::Field(TAGS)], Edit::Push(text("a"))).unwrap_err(),
        store.change(&kofi, &[Step::Field(TAGS)], Edit::Set(texts(&["a", "b", "c", "d"]))).unwrap_err(),
        store.change(&kofi, &[Step::Field(TAGS), Step::Index(0)], Edit::Set(text("b"))).unwrap_err(),
    ];
    insta::assert_debug_snapshot!(refusals.map(|refusal| refusal.to_string()));
}

#[test]
fn what_keeps_the_limits_is_stored() {
    let mut store = store();
    store.set(CARD, "GC-1", SECOND, decimal("0")).unwrap();
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(99)).unwrap();
    let kofi = Target::Row(USER, "USR-002".into());
    for tag in ["a", "b", "c"] {
        store.change(&kofi, &[Step::Field(TAGS)], Edit::Push(text(tag))).unwrap();
    }
    store.change(&kofi, &[Step::Field(TAGS), Step::Index(1)], Edit::Set(text("b"))).unwrap();
    store.change(&kofi, &[Step::Field(LIMITS), Step::Key("day".into())], Edit::Set(Value::Int(5))).unwrap();
    store.set(USER, "USR-002", PHONE, text("030 12")).unwrap();
    let row = store.row(USER, "USR-002").unwrap();
    assert_eq!(
        crate::wire::row_to_json(row, store.model()).to_string(),
        r#"{"id":"USR-002","name":"Kofi","managerId":null,"tags":["a","b","c"],"limits":{"day":5},"phone":"030 12"}"#
    );
}

#[test]
fn tables_in_tables_end_at_a_depth() {
    let mut store = Store::new(Arc::new(SeedBuilder::new(folders()).finish()));
    let mut table = TablePlace::State(StateId(0));
    let mut depth = 0;
    let refused = loop {
        match store.insert(&table, vec![text(&format!("F{depth}")), Value::Null]) {
            Ok(row) => table = TablePlace::Nested { entity: row.entity, key: row.key, field: SECOND },
            Err(refused) => break refused,
        }
        depth += 1;
        assert!(depth < 100);
    };
    assert_eq!(refused.to_string(), "limit_exceeded: tables nest too deep");
    let deepest = format!("F{}", depth - 1);
    assert!(store.row(EntityId(0), &deepest).is_some());
    store.remove(EntityId(0), "F0").unwrap();
    assert!(store.row(EntityId(0), &deepest).is_none());
}

#[test]
fn a_long_list_of_different_elements_is_checked_in_time() {
    let items = (0..200_000).map(|item| text(&item.to_string())).collect();
    let schema = Schema::List { item: Box::new(Schema::TEXT), min_items: None, max_items: None, unique: true };
    assert!(check(&schema, &Value::List(Arc::new(items)), &model()).is_ok());
}
