//! Worlds and diffs against a model that keeps whole copies of everything in plain lists.

use crate::diff::{ChangeKind, Difference, Held, PathStep};
use crate::store::tests::fixture::*;
use crate::store::{Edit, Step, Store, TablePlace, Target};
use crate::value::dynamic::{DynRow, Value};
use crate::world::World;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Op {
    InsertUser(Option<u8>),
    RemoveUser(usize),
    Rename(usize, u8),
    Tag(usize, u8),
    Untag(usize),
    InsertOrder(Option<u8>, usize),
    RemoveOrder(usize),
    InsertLine(usize, Option<u8>),
    RemoveLine(usize, usize),
    Quantity(usize, usize, i64),
    Now(i64),
    Snapshot,
    Undo,
}

fn op() -> impl Strategy<Value = Op> {
    let key = || proptest::option::of(1..6_u8);
    prop_oneof![
        key().prop_map(Op::InsertUser),
        (0..6_usize).prop_map(Op::RemoveUser),
        (0..6_usize, 0..3_u8).prop_map(|(row, name)| Op::Rename(row, name)),
        (0..6_usize, 0..3_u8).prop_map(|(row, tag)| Op::Tag(row, tag)),
        (0..6_usize).prop_map(Op::Untag),
        (key(), 0..3_usize).prop_map(|(key, lines)| Op::InsertOrder(key, lines)),
        (0..4_usize).prop_map(Op::RemoveOrder),
        (0..4_usize, key()).prop_map(|(row, key)| Op::InsertLine(row, key)),
        (0..4_usize, 0..4_usize).prop_map(|(row, line)| Op::RemoveLine(row, line)),
        (0..4_usize, 0..4_usize, 1..4_i64).prop_map(|(row, line, quantity)| Op::Quantity(row, line, quantity)),
        (99..102_i64).prop_map(Op::Now),
        Just(Op::Snapshot),
        Just(Op::Undo),
    ]
}

/// A row: its key, which insertion made it, what is in it, and the rows of its table.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    key: String,
    birth: u32,
    name: String,
    tags: Vec<String>,
    lines: Vec<Row>,
}

/// A world that keeps everything in lists.
#[derive(Clone, Debug, Default)]
struct Naive {
    now: i64,
    users: Vec<Row>,
    orders: Vec<Row>,
    births: u32,
    highest: BTreeMap<String, i64>,
}

impl Naive {
    fn of_the_seed() -> Self {
        let mut naive = Self { now: 100, ..Self::default() };
        for (key, name) in [("USR-001", "Ilse"), ("USR-002", "Kofi"), ("USR-003", "Renata")] {
            let row = naive.make("USR-", 3, Some(key.to_owned()), name).unwrap();
            naive.users.push(row);
        }
        for (key, lines) in [("SO-001", &[5, 6][..]), ("SO-002", &[7])] {
            let mut order = naive.make("SO-", 3, Some(key.to_owned()), "").unwrap();
            for quantity in lines {
                order.lines.push(naive.make(&format!("{key}-L"), 1, None, &quantity.to_string()).unwrap());
            }
            naive.orders.push(order);
        }
        naive
    }

    /// A new row, unless the key is taken.
    fn make(&mut self, before: &str, width: usize, key: Option<String>, name: &str) -> Option<Row> {
        let taken = |key: &str| {
            let lines = self.orders.iter().flat_map(|order| &order.lines);
            self.users.iter().chain(&self.orders).chain(lines).any(|row| row.key == key)
        };
        let key = match key {
            Some(key) if taken(&key) => return None,
            Some(key) => key,
            None => {
                let mut number = self.highest.get(before).copied().unwrap_or(0) + 1;
                while taken(&format!("{before}{number:0width$}")) {
                    number += 1;
                }
                format!("{before}{number:0width$}")
            }
        };
        let number: i64 = key.strip_prefix(before).unwrap().parse().unwrap();
        let highest = self.highest.entry(before.to_owned()).or_insert(number);
        *highest = number.max(*highest);
        self.births += 1;
        Some(Row { key, birth: self.births, name: name.to_owned(), tags: Vec::new(), lines: Vec::new() })
    }
}

/// Does the same to both worlds and compares what comes of it.
fn apply(op: &Op, world: &mut World, naive: &mut Naive) {
    let users = TablePlace::State(USERS);
    let orders = TablePlace::State(ORDERS);
    let store = change(world);
    match op {
        Op::InsertUser(number) => {
            let key = number.map(|number| format!("USR-{number:03}"));
            let made = store.insert(&users, user(key.as_deref().unwrap_or_default(), "new"));
            let row = naive.make("USR-", 3, key, "new");
            assert_eq!(made.ok().map(|row| row.key.to_string()), row.as_ref().map(|row| row.key.clone()));
            naive.users.extend(row);
        }
        Op::RemoveUser(at) if *at < naive.users.len() => {
            let row = naive.users.remove(*at);
            store.remove(USER, &row.key).unwrap();
            assert!(store.remove(USER, &row.key).is_err());
        }
        Op::Rename(at, name) => {
            let Some(row) = naive.users.get_mut(*at) else { return };
            row.name = format!("n{name}");
            store.set(USER, &row.key, NAME, text(&row.name)).unwrap();
        }
        Op::Tag(at, tag) => {
            let Some(row) = naive.users.get_mut(*at) else { return };
            let tag = format!("t{tag}");
            let pushed =
                store.change(&Target::Row(USER, row.key.as_str().into()), &[Step::Field(TAGS)], Edit::Push(text(&tag)));
            let fits = row.tags.len() < 3 && !row.tags.contains(&tag);
            assert_eq!(pushed.is_ok(), fits);
            row.tags.extend(fits.then_some(tag));
        }
        Op::Untag(at) => {
            let Some(row) = naive.users.get_mut(*at) else { return };
            let untagged =
                store.change(&Target::Row(USER, row.key.as_str().into()), &[Step::Field(TAGS)], Edit::RemoveAt(0));
            assert_eq!(untagged.is_ok(), !row.tags.is_empty());
            if !row.tags.is_empty() {
                row.tags.remove(0);
            }
        }
        Op::InsertOrder(number, lines) => {
            let key = number.map(|number| format!("SO-{number:03}"));
            let lines = vec![("", 1); *lines];
            let made = store.insert(&orders, order(key.as_deref().unwrap_or_default(), &lines));
            let Some(mut row) = naive.make("SO-", 3, key, "") else {
                assert!(made.is_err());
                return;
            };
            for _ in &lines {
                let line = naive.make(&format!("{}-L", row.key), 1, None, "1").unwrap();
                row.lines.push(line);
            }
            assert_eq!(*made.unwrap().key, *row.key);
            naive.orders.push(row);
        }
        Op::RemoveOrder(at) if *at < naive.orders.len() => {
            let row = naive.orders.remove(*at);
            store.remove(ORDER, &row.key).unwrap();
            for line in row.lines {
                assert!(store.row(LINE, &line.key).is_none());
            }
        }
        Op::InsertLine(at, number) => {
            let Some(owner) = naive.orders.get(*at).map(|row| row.key.clone()) else { return };
            let key = number.map(|number| format!("{owner}-L{number}"));
            let value = key.as_deref().map_or(Value::Null, text);
            let made = store.insert(&lines_of(&owner), vec![value, Value::Int(2)]);
            let row = naive.make(&format!("{owner}-L"), 1, key, "2");
            assert_eq!(made.ok().map(|row| row.key.to_string()), row.as_ref().map(|row| row.key.clone()));
            naive.orders[*at].lines.extend(row);
        }
        Op::RemoveLine(at, line) => {
            let Some(order) = naive.orders.get_mut(*at).filter(|row| *line < row.lines.len()) else { return };
            let line = order.lines.remove(*line);
            store.remove(LINE, &line.key).unwrap();
        }
        Op::Quantity(at, line, quantity) => {
            let Some(line) = naive.orders.get_mut(*at).and_then(|row| row.lines.get_mut(*line)) else { return };
            line.name = quantity.to_string();
            store.set(LINE, &line.key, SECOND, Value::Int(*quantity)).unwrap();
        }
        Op::Now(now) => {
            naive.now = *now;
            store.set_scalar(NOW, Value::Int(*now)).unwrap();
        }
        _ => {}
    }
}

/// The naive world in the words of [`shown`].
fn expected(naive: &Naive) -> String {
    let rows = |rows: &[Row]| {
        let line = |row: &Row| format!("{}={}", row.key, row.name);
        let row = |row: &Row| {
            let lines: Vec<String> = row.lines.iter().map(line).collect();
            format!("{} {:?} {:?}\n", line(row), row.tags, lines)
        };
        rows.iter().map(row).collect::<String>()
    };
    format!("{}\n{}{}", naive.now, rows(&naive.users), rows(&naive.orders))
}

/// What the store holds.
fn shown(store: &Store) -> String {
    let mut out = format!("{}\n", int(store.scalar(NOW)).unwrap());
    for row in store.table(USERS) {
        let Value::List(tags) = &row.values[TAGS.index()] else { unreachable!() };
        let tags: Vec<&str> = tags.iter().map(string).collect();
        writeln!(out, "{}={} {tags:?} []", row.key, string(&row.values[NAME.index()])).unwrap();
        assert!(Arc::ptr_eq(store.row(USER, &row.key).unwrap(), row));
    }
    for row in store.table(ORDERS) {
        let line = |line: &Arc<DynRow>| {
            assert!(Arc::ptr_eq(store.row(LINE, &line.key).unwrap(), line));
            format!("{}={}", line.key, int(&line.values[SECOND.index()]).unwrap())
        };
        let lines: Vec<String> = store.rows(&lines_of(&row.key)).iter().map(line).collect();
        writeln!(out, "{}= [] {lines:?}", row.key).unwrap();
    }
    out
}

/// Every difference but those of order, as `path from to`.
fn differences(before: &Naive, after: &Naive) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if before.now != after.now {
        found.insert(format!("now {} {}", before.now, after.now));
    }
    compare("users", &before.users, &after.users, &mut found);
    compare("orders", &before.orders, &after.orders, &mut found);
    found
}

fn compare(at: &str, before: &[Row], after: &[Row], found: &mut BTreeSet<String>) {
    for was in before {
        let path = format!("{at}.{}", was.key);
        match after.iter().find(|is| is.key == was.key) {
            None => _ = found.insert(format!("{path} removed")),
            Some(is) if is.birth != was.birth => {
                if content(was) != content(is) {
                    found.extend([format!("{path} removed"), format!("{path} added")]);
                }
            }
            Some(is) => {
                if was.name != is.name {
                    found.insert(format!("{path} {} {}", was.name, is.name));
                }
                for tag in 0..was.tags.len().max(is.tags.len()) {
                    match (was.tags.get(tag), is.tags.get(tag)) {
                        (Some(was), Some(is)) if was == is => {}
                        (Some(was), Some(is)) => _ = found.insert(format!("{path}[{tag}] {was} {is}")),
                        (None, _) => _ = found.insert(format!("{path}[{tag}] added")),
                        (_, None) => _ = found.insert(format!("{path}[{tag}] removed")),
                    }
                }
                compare(&path, &was.lines, &is.lines, found);
            }
        }
    }
    for is in after.iter().filter(|is| !before.iter().any(|was| was.key == is.key)) {
        found.insert(format!("{at}.{} added", is.key));
    }
}

fn content(row: &Row) -> (String, Vec<String>, Vec<(String, String)>) {
    (row.name.clone(), row.tags.clone(), row.lines.iter().map(|line| (line.key.clone(), line.name.clone())).collect())
}

/// A difference in the words of [`differences`].
fn described(difference: &Difference) -> String {
    let model = model();
    let mut path = model.state[difference.state.index()].name.to_string();
    for step in &difference.path {
        match step {
            PathStep::Key(key) => write!(path, ".{key}").unwrap(),
            PathStep::Index(index) => write!(path, "[{index}]").unwrap(),
            PathStep::Field(..) => {}
        }
    }
    let side = |held: &Option<Held>| {
        held.as_ref().map(|held| held.to_json(&model).to_string().replace('"', "")).unwrap_or_default()
    };
    match difference.kind() {
        ChangeKind::Added => format!("{path} added"),
        ChangeKind::Removed => format!("{path} removed"),
        ChangeKind::Changed => format!("{path} {} {}", side(&difference.from), side(&difference.to)),
    }
}

/// Checks the diff of two worlds. Rows that it gives as removed and added though their content is the same must have moved,
/// and without them the rows of both worlds are in one order.
fn check_diff(before: (&World, &Naive), after: (&World, &Naive)) {
    let diff = after.0.diff(before.0);
    let mut found: BTreeSet<String> = diff.differences.iter().map(described).collect();
    assert_eq!(found.len(), diff.differences.len(), "no difference stands twice");
    let expected = differences(before.1, after.1);
    let moved: BTreeSet<String> = found.difference(&expected).cloned().collect();
    found.retain(|difference| !moved.contains(difference));
    assert_eq!(found, expected);

    let mut tables = vec![("users".to_owned(), before.1.users.clone(), after.1.users.clone())];
    tables.push(("orders".to_owned(), before.1.orders.clone(), after.1.orders.clone()));
    for was in &before.1.orders {
        let is = after.1.orders.iter().find(|is| is.key == was.key && is.birth == was.birth);
        tables.extend(is.map(|is| (format!("orders.{}", was.key), was.lines.clone(), is.lines.clone())));
    }
    let mut explained = BTreeSet::new();
    for (at, was, is) in tables {
        let is_moved = |row: &Row| moved.contains(&format!("{at}.{} removed", row.key));
        // A row inserted anew with other content stands in both lists already, wherever it stands in the table.
        let is_replaced = |row: &Row, other: &Row| row.birth != other.birth && content(row) != content(other);
        let stays = |row: &&Row, others: &[Row]| {
            others.iter().any(|other| other.key == row.key && !is_replaced(row, other)) && !is_moved(row)
        };
        let order = |rows: &[Row], others: &[Row]| -> Vec<String> {
            rows.iter().filter(|row| stays(row, others)).map(|row| row.key.clone()).collect()
        };
        assert_eq!(order(&was, &is), order(&is, &was));
        for row in was.iter().filter(|row| is_moved(row)) {
            let now = is.iter().find(|is| is.key == row.key).expect("a row that moved is in both worlds");
            assert_ne!(now.birth, row.birth, "a row that stayed did not move");
            explained.extend([format!("{at}.{} removed", row.key), format!("{at}.{} added", row.key)]);
        }
        let keys = |rows: &[Row], others: &[Row]| -> Vec<String> {
            let both = rows.iter().filter(|row| others.iter().any(|other| other.key == row.key));
            both.map(|row| row.key.clone()).collect()
        };
        if keys(&was, &is) == keys(&is, &was) {
            assert!(!was.iter().any(is_moved), "nothing moved");
        }
    }
    assert_eq!(moved, explained);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_world_is_what_a_naive_one_is(ops in vec(op(), 0..60)) {
        let (mut world, mut naive) = (world(), Naive::of_the_seed());
        let initial = (world.clone(), naive.clone());
        let mut snapshot = initial.clone();
        for op in &ops {
            match op {
                Op::Snapshot => snapshot = (world.clone(), naive.clone()),
                Op::Undo => (world, naive) = snapshot.clone(),
                op => apply(op, &mut world, &mut naive),
            }
            assert_eq!(read(&world).table(USERS).len(), naive.users.len());
        }
        for (world, naive) in [(&world, &naive), (&initial.0, &initial.1), (&snapshot.0, &snapshot.1)] {
            assert_eq!(shown(read(world)), expected(naive));
        }
        let last = (&world, &naive);
        let (initial, snapshot) = ((&initial.0, &initial.1), (&snapshot.0, &snapshot.1));
        for (before, after) in [(initial, last), (last, initial), (snapshot, last), (last, snapshot)] {
            check_diff(before, after);
        }
    }
}
