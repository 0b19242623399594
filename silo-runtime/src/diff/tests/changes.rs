use crate::diff::{ChangeKind, Order};
use crate::store::tests::fixture::*;
use crate::store::{Edit, Step, Store, TablePlace, Target};
use crate::value::dynamic::{Value, ValueMap};
use crate::world::World;
use std::sync::Arc;

const IN_USERS: TablePlace = TablePlace::State(USERS);

/// What the changes look like in `state-diff.json`.
fn shown(changes: impl FnOnce(&mut Store)) -> String {
    let mut world = world();
    let before = world.clone();
    changes(change(&mut world));
    world.diff(&before).to_json(&model()).to_pretty()
}

fn lines(changes: impl FnOnce(&mut Store)) -> Vec<String> {
    let mut world = world();
    let before = world.clone();
    changes(change(&mut world));
    world.diff(&before).differences.iter().map(|difference| difference.describe(&model())).collect()
}

fn ilse(steps: &[Step], edit: Edit) -> impl FnOnce(&mut Store) {
    move |store| store.change(&Target::Row(USER, "USR-001".into()), steps, edit).unwrap()
}

#[test]
fn r03_a_changed_field_has_its_path_and_both_values() {
    let shown = shown(|store| {
        store.set(USER, "USR-002", MANAGER, reference(USER, "USR-003")).unwrap();
        store.set(USER, "USR-002", NAME, text("Kofi A.")).unwrap();
        store.set(CARD, "GC-1", SECOND, decimal("99.50")).unwrap();
        store.set_scalar(NOW, Value::Int(101)).unwrap();
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r03_a_table_emptied_lists_every_row() {
    let shown = shown(|store| {
        for row in store.rows(&IN_USERS) {
            store.remove(USER, &row.key).unwrap();
        }
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r03_rows_added_removed_and_changed_stand_apart() {
    let shown = shown(|store| {
        store.insert(&IN_USERS, user("", "Ama")).unwrap();
        store.remove(USER, "USR-002").unwrap();
        store.set(USER, "USR-003", NAME, text("Renate")).unwrap();
        store.insert(&TablePlace::State(TICKETS), vec![Value::Null, text("late")]).unwrap();
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r03_a_nested_row_is_found_by_its_keys() {
    let shown = shown(|store| {
        store.set(LINE, "SO-001-L1", SECOND, Value::Int(9)).unwrap();
        store.remove(LINE, "SO-001-L2").unwrap();
        store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)]).unwrap();
        store.insert(&notes_of("SO-002"), vec![Value::Null, text("call back")]).unwrap();
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r03_scalars_are_compared_part_by_part() {
    let shown = shown(|store| {
        let config = Target::State(CONFIG);
        store.change(&config, &[Step::Field(CONFIG_TAGS)], Edit::Push(text("b"))).unwrap();
        store.change(&config, &[Step::Field(CONFIG_MAX)], Edit::Set(Value::Null)).unwrap();
        store.change(&config, &[Step::Field(CONFIG_RATES), Step::Key("x".into())], Edit::Set(Value::Int(5))).unwrap();
        store.change(&config, &[Step::Field(CONFIG_RATES)], Edit::RemoveKey("y".into())).unwrap();
        store.change(&config, &[Step::Field(CONFIG_RATES), Step::Key("z".into())], Edit::Set(Value::Int(1))).unwrap();
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r03_an_optional_that_becomes_null_and_a_null_that_becomes_a_record_are_whole() {
    let mut world = world();
    let with_config = world.clone();
    change(&mut world).set_scalar(CONFIG, Value::Null).unwrap();
    let gone = world.diff(&with_config);
    assert_eq!(
        gone.differences[0].describe(&model()),
        r#"config: {"tags":["a"],"max":3,"rates":{"x":1,"y":2}} → null"#
    );
    let back = with_config.diff(&world);
    assert_eq!(
        back.differences[0].describe(&model()),
        r#"config: null → {"tags":["a"],"max":3,"rates":{"x":1,"y":2}}"#
    );
    assert_eq!((gone.differences.len(), back.differences.len()), (1, 1));
}

#[test]
fn r03_a_list_is_compared_by_position() {
    let mut world = world();
    change(&mut world).set(USER, "USR-001", TAGS, texts(&["a", "b", "c"])).unwrap();
    let before = world.clone();
    let mut after = |tags: &[&str]| -> Vec<String> {
        change(&mut world).set(USER, "USR-001", TAGS, texts(tags)).unwrap();
        world.diff(&before).differences.iter().map(|difference| difference.describe(&model())).collect()
    };
    assert_eq!(
        after(&["b", "a", "c"]),
        [r#"users.USR-001.tags[0]: "a" → "b""#, r#"users.USR-001.tags[1]: "b" → "a""#],
        "reordered"
    );
    assert_eq!(after(&["a", "b"]), [r#"users.USR-001.tags[2] removed: "c""#]);
    assert_eq!(after(&["a", "b", "c"]), [""; 0]);
}

#[test]
fn r03_an_appended_element_is_added() {
    let tagged = lines(ilse(&[Step::Field(TAGS)], Edit::Push(text("new"))));
    assert_eq!(tagged, [r#"users.USR-001.tags[0] added: "new""#]);
}

#[test]
fn r03_the_order_of_a_map_is_part_of_it() {
    let mut world = world();
    let before = world.clone();
    let turned: ValueMap = [("y".into(), Value::Int(2)), ("x".into(), Value::Int(1))].into_iter().collect();
    let steps = [Step::Field(CONFIG_RATES)];
    change(&mut world).change(&Target::State(CONFIG), &steps, Edit::Set(Value::Map(Arc::new(turned)))).unwrap();
    let diff = world.diff(&before);
    insta::assert_snapshot!(diff.to_json(&model()), @r#"{"scalars":[{"field":"config.rates.x","from":1,"to":1}],"collections":{}}"#);
    assert!(world.compare(&before, Order::Ignored).is_empty());
}

#[test]
fn r03_a_row_may_be_called_constructor() {
    let shown = shown(|store| {
        for key in ["constructor", "__proto__", "a.b", "x y"] {
            store.insert(&TablePlace::State(CARDS), gift_card(key, "1")).unwrap();
        }
        store
            .change(
                &Target::Row(USER, "USR-001".into()),
                &[Step::Field(LIMITS), Step::Key("a.b \"c\"".into())],
                Edit::Set(Value::Int(1)),
            )
            .unwrap();
    });
    insta::assert_snapshot!(shown);
}

#[test]
fn r04_a_world_put_back_as_it_was_has_no_diff() {
    let mut world = world();
    let before = world.clone();
    let store = change(&mut world);
    store.set(USER, "USR-001", NAME, text("x")).unwrap();
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(9)).unwrap();
    store.set_scalar(NOW, Value::Int(1)).unwrap();
    store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_TAGS)], Edit::Push(text("t"))).unwrap();
    store.insert(&IN_USERS, user("", "new")).unwrap();
    assert!(!world.diff(&before).is_empty());

    let store = change(&mut world);
    store.set(USER, "USR-001", NAME, text("Ilse")).unwrap();
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(5)).unwrap();
    store.set_scalar(NOW, Value::Int(100)).unwrap();
    store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_TAGS)], Edit::RemoveAt(1)).unwrap();
    store.remove(USER, "USR-004").unwrap();
    let diff = world.diff(&before);
    assert!(diff.is_empty());
    assert_eq!(diff.to_json(&model()).to_string(), r#"{"scalars":[],"collections":{}}"#);
}

#[test]
fn pf14_a_row_inserted_again_as_it_was_and_where_it_was_is_no_difference() {
    let again = |key: &'static str, name: &'static str| {
        move |store: &mut Store| {
            store.remove(USER, key).unwrap();
            store.insert(&IN_USERS, user(key, name)).unwrap();
        }
    };
    assert_eq!(lines(again("USR-003", "Renata")), [""; 0], "the last row is where it was");
    assert_eq!(lines(again("USR-003", "Renate")), ["users.USR-003 removed", "users.USR-003 added"]);
    assert_eq!(lines(again("USR-001", "Ilse")), ["users.USR-001 removed", "users.USR-001 added"], "it is the last now");
    let turned = lines(|store| {
        for (key, name) in [("USR-001", "Ilse"), ("USR-002", "Kofi"), ("USR-003", "Renata")] {
            again(key, name)(store);
        }
    });
    assert_eq!(turned, [""; 0], "all are where they were");
    let nested = lines(|store| {
        store.remove(LINE, "SO-001-L1").unwrap();
        store.insert(&lines_of("SO-001"), vec![text("SO-001-L1"), Value::Int(5)]).unwrap();
        store.remove(LINE, "SO-002-L1").unwrap();
        store.insert(&lines_of("SO-002"), vec![text("SO-002-L1"), Value::Int(7)]).unwrap();
    });
    assert_eq!(
        nested,
        [
            r#"orders.SO-001.lines.SO-001-L1 removed: {"id":"SO-001-L1","qty":5}"#,
            r#"orders.SO-001.lines.SO-001-L1 added: {"id":"SO-001-L1","qty":5}"#
        ]
    );
}

#[test]
fn a_row_that_went_to_another_table_left_one_and_came_to_the_other() {
    let moved = lines(|store| {
        store.remove(USER, "USR-002").unwrap();
        store.insert(&TablePlace::State(OLD_USERS), user("USR-002", "Kofi")).unwrap();
    });
    assert_eq!(moved, ["users.USR-002 removed", "oldUsers.USR-002 added"]);
}

#[test]
fn two_ways_to_the_same_world_compare_equal_without_order() {
    let setup = world();
    let go = |keys: [&str; 2]| {
        let mut world = setup.clone();
        for key in keys {
            change(&mut world).insert(&IN_USERS, user(key, key)).unwrap();
            change(&mut world).insert(&lines_of("SO-001"), vec![text(key), Value::Int(1)]).unwrap();
        }
        change(&mut world).remove(USER, "USR-001").unwrap();
        change(&mut world).insert(&IN_USERS, user("USR-001", "Ilse")).unwrap();
        world
    };
    let (one, other) = (go(["A", "B"]), go(["B", "A"]));
    assert!(one.compare(&other, Order::Ignored).is_empty());
    assert!(!one.diff(&other).is_empty());
}

#[test]
fn rows_are_listed_by_kind() {
    let mut world = world();
    let before = world.clone();
    let store = change(&mut world);
    store.set(USER, "USR-001", NAME, text("x")).unwrap();
    store.set(USER, "USR-001", TAGS, texts(&["x", "y"])).unwrap();
    store.remove(USER, "USR-002").unwrap();
    store.insert(&IN_USERS, user("", "new")).unwrap();
    store.set(LINE, "SO-001-L1", SECOND, Value::Int(9)).unwrap();
    let diff = world.diff(&before);
    let rows = |kind| diff.rows(USERS, kind).join(" ");
    assert_eq!(rows(ChangeKind::Changed), "USR-001");
    assert_eq!(rows(ChangeKind::Removed), "USR-002");
    assert_eq!(rows(ChangeKind::Added), "USR-004");
    assert_eq!(diff.rows(ORDERS, ChangeKind::Changed).join(" "), "SO-001");
}

#[test]
fn what_was_touched_names_the_rows_of_state_tables() {
    let mut world = world();
    let before = world.clone();
    let store = change(&mut world);
    store.set(LINE, "SO-002-L1", SECOND, Value::Int(9)).unwrap();
    store.set(USER, "USR-001", NAME, text("x")).unwrap();
    store.remove(USER, "USR-003").unwrap();
    store.set_scalar(NOW, Value::Int(1)).unwrap();
    let touched = world.touched(&before).state;
    let shown: Vec<String> = touched.iter().map(|(state, keys)| format!("{} {}", state.0, keys.join(" "))).collect();
    assert_eq!(shown, ["0 ", "2 USR-001 USR-003", "3 SO-002"]);
    assert!(World::touched(&before, &before).state.is_empty());
}
