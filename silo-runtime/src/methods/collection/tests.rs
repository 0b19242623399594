#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "models and reports are written to be read"
)]

use std::cmp::Ordering;
use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

fn sorted(items: Vec<(Option<i8>, i8)>, first: Direction, second: Direction) -> Vec<(usize, (Option<i8>, i8))> {
    let key = |item: &(usize, (Option<i8>, i8)), _| Ok::<_, Infallible>(item.1);
    let compare = |a: &(Option<i8>, i8), b: &(Option<i8>, i8)| {
        first.order(a.0.as_ref(), b.0.as_ref(), Ord::cmp).then_with(|| second.order(Some(&a.1), Some(&b.1), Ord::cmp))
    };
    sort_by_key(items.into_iter().enumerate(), key, compare).unwrap_or_else(|never| match never {})
}

proptest! {
    #[test]
    fn sorts_are_stable_with_nulls_last(items in prop::collection::vec((prop::option::of(-2_i8..3), -2_i8..3), 0..30), down in any::<bool>()) {
        let direction = if down { Direction::Descending } else { Direction::Ascending };
        // The model ranks each key by a number in which null is the highest both ways.
        let rank = |key: Option<i8>| match key {
            Some(key) if down => -i32::from(key),
            Some(key) => i32::from(key),
            None => 1000,
        };
        let mut expected: Vec<_> = items.iter().copied().enumerate().collect();
        expected.sort_by_key(|(at, (first, second))| (rank(*first), *second, *at));
        prop_assert_eq!(sorted(items, direction, Direction::Ascending), expected);
    }

    #[test]
    fn the_extreme_is_the_first_of_the_sorted(items in prop::collection::vec(prop::option::of(-2_i8..3), 0..20), down in any::<bool>()) {
        let direction = if down { Direction::Descending } else { Direction::Ascending };
        let pairs = || items.iter().copied().enumerate();
        let found = extreme_by(pairs(), direction, |item, _| Ok::<_, Infallible>(item.1), Ord::cmp).unwrap_or_default();
        let sorted = sort_by_key(pairs(), |item, _| Ok::<_, Infallible>(item.1), |a, b| direction.order(a.as_ref(), b.as_ref(), Ord::cmp));
        prop_assert_eq!(found, sorted.unwrap_or_default().into_iter().next());
    }

    #[test]
    fn groups_keep_every_element_in_order(items in prop::collection::vec(0_u8..5, 0..30)) {
        let groups = group_by(items.iter().copied().enumerate(), |item, _| Ok::<_, Infallible>(item.1)).unwrap_or_default();
        let mut firsts = Vec::new();
        for item in &items {
            if !firsts.contains(item) {
                firsts.push(*item);
            }
        }
        prop_assert_eq!(groups.iter().map(|(key, _)| *key).collect::<Vec<_>>(), firsts.clone());
        prop_assert_eq!(distinct(items.iter().copied()), firsts);
        for (key, members) in groups {
            let expected: Vec<_> = items.iter().copied().enumerate().filter(|(_, item)| *item == key).collect();
            prop_assert_eq!(members, expected);
        }
    }

    #[test]
    fn pages_are_what_taking_after_skipping_gives(count in 0_usize..10, limit in -3_i64..12, offset in -3_i64..12) {
        let items: Vec<usize> = (0..count).collect();
        let expected: Vec<usize> = items.iter().copied().skip(offset.max(0) as usize).take(limit.max(0) as usize).collect();
        let page = page(items, limit, offset);
        prop_assert_eq!(page.total, count as i64);
        prop_assert_eq!(page.count, expected.len() as i64);
        prop_assert_eq!(page.offset, offset.max(0));
        prop_assert_eq!(page.results, expected);
    }
}

#[test]
fn the_first_failure_ends_a_method() {
    let mut seen = 0;
    let result = sort_by_key(
        [1, 2, 3],
        |item, index| {
            seen = index;
            if *item == 2 { Err("two") } else { Ok(*item) }
        },
        i32::cmp,
    );
    assert_eq!((result, seen), (Err("two"), 1));
}

#[test]
fn of_equal_keys_the_last_value_takes_the_first_place() {
    let map = to_map([("a", 1), ("b", 2), ("a", 3)], |pair, _| Ok::<_, Infallible>(pair));
    assert_eq!(map, Ok(vec![("a", 3), ("b", 2)]));
}

#[test]
fn ranges_leave_out_their_end_and_are_bounded() {
    assert_eq!(range(2, 5).unwrap().collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(range(5, 2).unwrap().count(), 0);
    assert_eq!(range(0, LONGEST_RANGE).unwrap().count(), 1_000_000);
    assert_eq!(range(0, LONGEST_RANGE + 1).unwrap_err().code, "limit_exceeded");
    assert_eq!(range(i64::MIN, i64::MAX).unwrap_err().code, "limit_exceeded");
    assert_eq!(range(i64::MAX, i64::MIN).unwrap().count(), 0);
}

#[test]
fn positions_do_not_count_from_the_end() {
    assert_eq!(position(3, 2).unwrap(), 2);
    assert_eq!(
        position(3, -1).unwrap_err().to_string(),
        "not_found: there is no element at position -1: the list has 3 elements, at positions 0 to 2"
    );
}

#[test]
fn nulls_are_equal_among_themselves() {
    assert_eq!(Direction::Descending.order::<i32>(None, None, Ord::cmp), Ordering::Equal);
}
