use crate::diff::ChangeKind::{Added, Changed, Removed};
use crate::diff::{Only, OnlyStep, uncovered};
use crate::ids::{FieldId, StateId};
use crate::store::tests::fixture::*;
use crate::store::{Edit, Step, TablePlace, Target};
use crate::value::dynamic::{Value, WorldName};
use crate::world::World;
use std::convert::Infallible;

fn changed() -> (World, World) {
    let mut world = world();
    let before = world.clone();
    let store = change(&mut world);
    store.set(USER, "USR-001", NAME, text("x")).unwrap();
    store.change(&Target::Row(USER, "USR-002".into()), &[Step::Field(TAGS)], Edit::Push(text("t"))).unwrap();
    store.remove(USER, "USR-003").unwrap();
    store.insert(&TablePlace::State(USERS), user("", "new")).unwrap();
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(9)).unwrap();
    store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)]).unwrap();
    store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_MAX)], Edit::Set(Value::Int(4))).unwrap();
    (before, world)
}

fn only(state: StateId, steps: &[OnlyStep]) -> Only {
    Only { state, steps: steps.to_vec(), kind: None }
}

fn fields(ids: &[FieldId]) -> OnlyStep {
    OnlyStep::Fields(ids.to_vec())
}

fn key(key: &str) -> OnlyStep {
    OnlyStep::Key(key.into())
}

fn left(permissions: &[Only]) -> Vec<String> {
    let (before, after) = changed();
    let diff = after.diff(&before);
    let left = uncovered::<Infallible>(&diff, permissions, |_, _| Ok(true)).unwrap();
    left.iter().map(|difference| difference.describe(&model())).collect()
}

#[test]
fn without_permissions_every_difference_is_named() {
    insta::assert_snapshot!(left(&[]).join("\n"), @r#"
    config.max: 3 → 4
    users.USR-001.name: "Ilse" → "x"
    users.USR-002.tags[0] added: "t"
    users.USR-003 removed
    users.USR-004 added
    orders.SO-001.lines.SO-001-L1.qty: 5 → 9
    orders.SO-001.lines.SO-001-L3 added: {"id":"SO-001-L3","qty":1}
    "#);
}

#[test]
fn a_table_covers_all_of_it() {
    assert_eq!(left(&[only(CONFIG, &[]), only(USERS, &[]), only(ORDERS, &[])]), [""; 0]);
}

#[test]
fn a_field_covers_it_in_rows_of_both_worlds_only() {
    let left = left(&[only(CONFIG, &[]), only(ORDERS, &[]), only(USERS, &[fields(&[NAME, TAGS])])]);
    assert_eq!(left, ["users.USR-003 removed", "users.USR-004 added"]);
}

#[test]
fn a_row_covers_it_and_its_field_no_more() {
    let others = [only(CONFIG, &[]), only(ORDERS, &[])];
    let with = |permission: Only| left(&[others.as_slice(), &[permission]].concat()).len();
    assert_eq!(with(only(USERS, &[key("USR-001")])), 3);
    assert_eq!(with(only(USERS, &[key("USR-001"), fields(&[NAME])])), 3);
    assert_eq!(with(only(USERS, &[key("USR-001"), fields(&[TAGS])])), 4);
    assert_eq!(with(only(USERS, &[key("USR-003")])), 3);
    assert_eq!(with(only(USERS, &[key("USR-002"), fields(&[TAGS]), key("0")])), 3);
    assert_eq!(with(only(USERS, &[key("USR-002"), fields(&[TAGS]), key("1")])), 4);
}

#[test]
fn longer_paths_pass_through_nested_tables_and_records() {
    let rest = [only(CONFIG, &[fields(&[CONFIG_MAX])]), only(USERS, &[])];
    let with = |permission: Only| left(&[rest.as_slice(), &[permission]].concat());
    let added = r#"orders.SO-001.lines.SO-001-L3 added: {"id":"SO-001-L3","qty":1}"#;
    let quantity = "orders.SO-001.lines.SO-001-L1.qty: 5 → 9";
    assert_eq!(with(only(ORDERS, &[fields(&[LINES]), fields(&[SECOND])])), [added]);
    assert_eq!(with(only(ORDERS, &[fields(&[LINES]), key("SO-001-L3")])), [quantity]);
    assert_eq!(with(only(ORDERS, &[key("SO-001"), fields(&[LINES])])), [""; 0]);
    assert_eq!(with(only(ORDERS, &[fields(&[CUSTOMER])])), [quantity, added]);
}

#[test]
fn a_kind_is_that_of_what_the_path_ends_at() {
    let rest = [only(CONFIG, &[])];
    let with = |state, steps: &[OnlyStep], kind| {
        let left = left(&[rest.as_slice(), &[Only { kind: Some(kind), ..only(state, steps) }]].concat());
        6 - left.len()
    };
    assert_eq!(with(USERS, &[], Added), 1);
    assert_eq!(with(USERS, &[], Removed), 1);
    assert_eq!(with(USERS, &[], Changed), 2, "an element added to a row's list changes the row");
    assert_eq!(with(USERS, &[fields(&[TAGS])], Added), 1);
    assert_eq!(with(USERS, &[fields(&[TAGS])], Changed), 0);
    assert_eq!(with(ORDERS, &[fields(&[LINES])], Added), 1);
    assert_eq!(with(ORDERS, &[fields(&[LINES])], Changed), 1);
    assert_eq!(with(ORDERS, &[fields(&[LINES]), fields(&[SECOND])], Changed), 1);
    assert_eq!(with(ORDERS, &[], Changed), 2);
}

#[test]
fn a_condition_sees_the_row_as_it_was_and_new_rows_as_they_are() {
    let (before, after) = changed();
    let diff = after.diff(&before);
    let mut seen = Vec::new();
    let left = uncovered::<Infallible>(&diff, &[only(USERS, &[]), only(CONFIG, &[])], |permission, difference| {
        let row = difference.row_ref(&model());
        seen.push(row.map_or("no row".to_owned(), |row| format!("{} {:?}", row.key, row.world)));
        Ok(permission == 1 || seen.len() == 2)
    });
    assert_eq!(seen, ["no row", "USR-001 Initial", "USR-002 Initial", "USR-003 Initial", "USR-004 Final"]);
    assert_eq!(left.unwrap().len(), 5);
    assert_eq!(WorldName::default(), WorldName::Initial);
    let failed = uncovered(&diff, &[only(USERS, &[])], |_, _| Err("no verdict"));
    assert_eq!(failed.unwrap_err(), "no verdict");
}

#[test]
fn a_row_inserted_again_needs_both_permissions() {
    let mut world = world();
    let before = world.clone();
    change(&mut world).remove(USER, "USR-001").unwrap();
    change(&mut world).insert(&TablePlace::State(USERS), user("USR-001", "Ilse")).unwrap();
    let diff = world.diff(&before);
    let left = |kind| {
        let permission = Only { kind: Some(kind), ..only(USERS, &[]) };
        uncovered::<Infallible>(&diff, &[permission], |_, _| Ok(true)).unwrap().len()
    };
    assert_eq!((left(Added), left(Removed), left(Changed)), (1, 1, 2));
}
