use super::moves::moved;
use super::{Base, Delta, Pair, TableRef, pairs};
use crate::value::Text;
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

type Row = (Text, u8);

fn base(rows: usize) -> Base<Row> {
    Base::new((0..rows).map(|row| Arc::new((format!("{row}").into(), 0))).collect()).unwrap()
}

fn keys(table: TableRef<'_, Row>) -> String {
    table.iter().map(|row| &*row.0).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_table_without_a_delta_is_its_base() {
    let base = base(3);
    let table = TableRef::new(&base, None);
    assert_eq!((table.len(), keys(table)), (3, "0 1 2".to_owned()));
    assert!(pairs(table, table, |row| &row.0).is_empty());
}

#[test]
fn a_slot_is_never_used_twice() {
    let base = base(1);
    let mut delta = Delta::new(&base);
    let first = delta.push(Arc::new(("a".into(), 0))).unwrap();
    delta.remove(&base, first).unwrap();
    let second = delta.push(Arc::new(("a".into(), 0))).unwrap();
    assert!(first < second);
    assert!(TableRef::new(&base, Some(&delta)).get(first).is_none());
    assert!(delta.remove(&base, first).is_none());
}

#[test]
fn a_row_of_the_base_is_shared_until_it_is_written() {
    let base = base(2);
    let slots: Vec<_> = base.iter().map(|(slot, _)| slot).collect();
    let mut delta = Delta::new(&base);
    let row = delta.get_mut(&base, slots[0]).unwrap();
    assert!(Arc::ptr_eq(row, base.get(slots[0]).unwrap()));
    Arc::make_mut(row).1 = 9;
    assert_eq!(base.get(slots[0]).unwrap().1, 0);
    assert_eq!(TableRef::new(&base, Some(&delta)).get(slots[0]).unwrap().1, 9);
}

#[test]
fn a_removed_row_cannot_be_changed() {
    let base = base(2);
    let slot = base.iter().next().unwrap().0;
    let mut delta = Delta::new(&base);
    assert!(delta.remove(&base, slot).is_some());
    assert!(delta.remove(&base, slot).is_none());
    assert!(delta.get_mut(&base, slot).is_none());
    assert_eq!(TableRef::new(&base, Some(&delta)).len(), 1);
}

#[test]
fn few_rows_are_said_to_have_moved() {
    // Rows 0 to 4, all inserted anew, the first now last.
    let places = [(0, 4), (1, 0), (2, 1), (3, 2), (4, 3)];
    assert_eq!(moved(&places, |_| 0, |_| 0), [true, false, false, false, false]);
    // With a row between them that was not inserted anew, the one that passed it moved.
    assert_eq!(moved(&[(0, 1)], |place| place.min(1), |_| 1), [true]);
}

#[derive(Clone, Debug)]
enum Op {
    Push(u8),
    Remove(usize),
    Set(usize, u8),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_delta_over_a_base_is_a_list(
        size in 0..6_usize,
        ops in vec(
            prop_oneof![
                any::<u8>().prop_map(Op::Push),
                (0..8_usize).prop_map(Op::Remove),
                (0..8_usize, any::<u8>()).prop_map(|(at, value)| Op::Set(at, value)),
            ],
            0..40,
        ),
    ) {
        let base = base(size);
        let mut delta = Delta::new(&base);
        let mut list: Vec<_> = base.iter().map(|(slot, row)| (slot, (**row).clone())).collect();
        for op in ops {
            match op {
                Op::Push(value) => {
                    let row: Row = (format!("new {}", list.len()).into(), value);
                    list.push((delta.push(Arc::new(row.clone())).unwrap(), row));
                }
                Op::Remove(at) if at < list.len() => {
                    let (slot, row) = list.remove(at);
                    assert_eq!(*delta.remove(&base, slot).unwrap(), row);
                }
                Op::Set(at, value) if at < list.len() => {
                    list[at].1.1 = value;
                    Arc::make_mut(delta.get_mut(&base, list[at].0).unwrap()).1 = value;
                }
                _ => {}
            }
        }
        let table = TableRef::new(&base, Some(&delta));
        let rows: Vec<Row> = table.iter().map(|row| (**row).clone()).collect();
        assert_eq!(rows, list.iter().map(|(_, row)| row.clone()).collect::<Vec<_>>());
        assert_eq!(table.len(), list.len());
        for (slot, row) in &list {
            assert_eq!(**table.get(*slot).unwrap(), *row);
        }
        // What differs from the base is what the list says.
        let whole = TableRef::new(&base, None);
        let found = pairs(whole, table, |row| &row.0);
        let removed = found.iter().filter(|pair| matches!(pair, Pair::Removed(_))).count();
        let added = found.iter().filter(|pair| matches!(pair, Pair::Added(_))).count();
        assert_eq!(whole.len() - removed + added, table.len());
        assert!(pairs(table, table, |row| &row.0).is_empty());
    }
}
