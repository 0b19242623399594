use super::fixture::*;
use crate::store::{Edit, Step, Store, TablePlace, Target};
use crate::value::ToolResult;
use crate::value::dynamic::Value;
use crate::world::World;

const IN_USERS: TablePlace = TablePlace::State(USERS);

/// Runs a tool as a session does: the world of a failed one is the world before it.
fn call<T>(world: &mut World, tool: impl FnOnce(&mut Store) -> ToolResult<T>) -> ToolResult<T> {
    let before = world.clone();
    let result = tool(change(world));
    if result.is_err() {
        *world = before;
    }
    result
}

#[test]
fn r01_a_failed_tool_leaves_no_rows_and_uses_up_no_keys() {
    let mut world = world();
    let (initial, before) = (world.clone(), dump(read(&world)));
    call(&mut world, |store| {
        store.insert(&IN_USERS, user("", "account"))?;
        store.insert(&TablePlace::State(ORDERS), order("", &[("", 1)]))?;
        store.insert(&TablePlace::State(CARDS), gift_card("GC-9", "-1"))
    })
    .unwrap_err();
    assert_eq!(dump(read(&world)), before);
    assert!(world.diff(&initial).is_empty());
    assert!(world.touched(&initial).state.is_empty());
    assert_eq!(&*change(&mut world).insert(&IN_USERS, user("", "a")).unwrap().key, "USR-004");
    assert_eq!(&*change(&mut world).insert(&TablePlace::State(ORDERS), order("", &[])).unwrap().key, "SO-003");
}

#[test]
fn r02_a_rejected_create_does_not_burn_a_key() {
    let mut world = world();
    let rejected = call(&mut world, |store| store.insert(&IN_USERS, user("", "")));
    assert_eq!(
        rejected.unwrap_err().to_string(),
        "invalid_state: `users.USR-004.name` must have at least 1 character, but would have 0"
    );
    let created = call(&mut world, |store| store.insert(&IN_USERS, user("", "good")));
    assert_eq!(&*created.unwrap().key, "USR-004");
}

#[test]
fn pb10_every_kind_of_change_is_undone() {
    let mut world = world();
    let (initial, before) = (world.clone(), dump(read(&world)));
    call(&mut world, |store| {
        store.set(USER, "USR-001", NAME, text("x"))?;
        store.remove(USER, "USR-002")?;
        store.insert(&IN_USERS, user("USR-002", "y"))?;
        store.insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)])?;
        store.remove(LINE, "SO-001-L1")?;
        store.set(LINE, "SO-002-L1", SECOND, Value::Int(9))?;
        store.remove(ORDER, "SO-002")?;
        store.set_scalar(NOW, Value::Int(0))?;
        store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_TAGS)], Edit::Push(text("t")))?;
        store.change(&Target::Row(USER, "USR-001".into()), &[Step::Field(TAGS)], Edit::Push(text("t")))?;
        store.insert(&TablePlace::State(TICKETS), vec![Value::Null, Value::Null])?;
        store.remove(USER, "USR-999")
    })
    .unwrap_err();
    assert_eq!(dump(read(&world)), before);
    assert!(world.diff(&initial).is_empty());
    assert_eq!(
        &*change(&mut world).insert(&lines_of("SO-001"), vec![Value::Null, Value::Int(1)]).unwrap().key,
        "SO-001-L3"
    );
    assert_eq!(
        &*change(&mut world).insert(&TablePlace::State(TICKETS), vec![Value::Null, Value::Null]).unwrap().key,
        "8"
    );
}

#[test]
fn pb08_a_card_used_twice_is_no_overdraft() {
    let mut world = world();
    let before = dump(read(&world));
    let refused = call(&mut world, |store| {
        store.set(CARD, "GC-1", SECOND, decimal("20"))?;
        store.set(CARD, "GC-1", SECOND, decimal("-60"))
    });
    assert_eq!(
        refused.unwrap_err().to_string(),
        "invalid_state: `cards.GC-1.balance` must be at least 0, but would be -60"
    );
    let refused = call(&mut world, |store| {
        store.remove(CARD, "GC-2")?;
        store.remove(CARD, "GC-2")
    });
    assert_eq!(refused.unwrap_err().to_string(), "invalid_state: GC-2 was removed");
    assert_eq!(dump(read(&world)), before);
}

#[test]
fn pb01_no_world_sees_what_another_one_wrote() {
    let seed = seed();
    let initial = dump(&Store::new(seed.clone()));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (seed, initial) = (&seed, &initial);
            scope.spawn(move || {
                for round in 0..20 {
                    let mut world = World::new(Store::new(seed.clone()));
                    assert_eq!(dump(read(&world)), *initial);
                    let store = change(&mut world);
                    store.set(USER, "USR-001", NAME, text(&format!("{thread} {round}"))).unwrap();
                    store.set(LINE, "SO-001-L1", SECOND, Value::Int(thread + 1)).unwrap();
                    store.insert(&IN_USERS, user("", "new")).unwrap();
                    store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_TAGS)], Edit::Push(text("t"))).unwrap();
                    store.remove(USER, "USR-003").unwrap();
                    assert_eq!(keys(store, USERS).join(" "), "USR-001 USR-002 USR-004");
                }
            });
        }
    });
    assert_eq!(dump(&Store::new(seed)), initial);
}

#[test]
fn pb02_lists_and_records_are_values() {
    let seed = seed();
    let mut world = World::new(Store::new(seed.clone()));
    let bound = read(&world).scalar(CONFIG).clone();
    let store = change(&mut world);
    store.change(&Target::State(CONFIG), &[Step::Field(CONFIG_TAGS)], Edit::Push(text("b"))).unwrap();
    // What was bound before stays as it was, and changing it leaves the world alone.
    let mut bound = bound;
    crate::store::apply(&mut bound, &[Step::Field(CONFIG_TAGS)], Edit::Push(text("c"))).unwrap();
    let shown = |value: &Value| crate::wire::to_json(value, &model()).to_string();
    assert_eq!(shown(&bound), r#"{"tags":["a","c"],"max":3,"rates":{"x":1,"y":2}}"#);
    assert_eq!(shown(read(&world).scalar(CONFIG)), r#"{"tags":["a","b"],"max":3,"rates":{"x":1,"y":2}}"#);
    assert_eq!(shown(Store::new(seed).scalar(CONFIG)), r#"{"tags":["a"],"max":3,"rates":{"x":1,"y":2}}"#);
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let mut world = world();
    change(&mut world).set(USER, "USR-001", NAME, text("one")).unwrap();
    let snapshot = world.clone();
    let then = dump(read(&snapshot));
    change(&mut world).set(USER, "USR-001", NAME, text("two")).unwrap();
    change(&mut world).remove(LINE, "SO-001-L1").unwrap();
    assert_eq!(dump(read(&snapshot)), then);
    assert!(!world.is_snapshot_of(&snapshot));
}
