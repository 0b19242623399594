//! What list methods mean, whatever the elements are: used over typed rows and over interpreted values alike.
//!
//! Closures may fail with any error; the first failure ends the method.

use std::cmp::Ordering;

use crate::value::error::{ToolError, ToolResult};

/// Most elements that `range` makes.
pub const LONGEST_RANGE: i64 = 1_000_000;

/// Which way a sort key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// The lowest first.
    #[default]
    Ascending,
    /// `.desc()`: the highest first.
    Descending,
}

impl Direction {
    /// The order of two keys that may be null: nulls come last both ways.
    ///
    /// ```
    /// use silo_runtime::methods::collection::Direction::{Ascending, Descending};
    /// use std::cmp::Ordering::{Greater, Less};
    /// assert_eq!(Ascending.order(Some(&1), Some(&2), Ord::cmp), Less);
    /// assert_eq!(Descending.order(Some(&1), Some(&2), Ord::cmp), Greater);
    /// assert_eq!(Ascending.order(None, Some(&2), Ord::cmp), Greater);
    /// assert_eq!(Descending.order(None, Some(&2), Ord::cmp), Greater);
    /// ```
    pub fn order<K>(self, a: Option<&K>, b: Option<&K>, compare: impl FnOnce(&K, &K) -> Ordering) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => match self {
                Self::Ascending => compare(a, b),
                Self::Descending => compare(a, b).reverse(),
            },
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (None, None) => Ordering::Equal,
        }
    }
}

/// `sort_by`: stable; the key of each element is worked out once, in order. `compare` puts two keys in order, for which
/// several keys are best a tuple or an array compared one after the other by [`Direction::order`].
///
/// # Errors
/// Those of `key`.
pub fn sort_by_key<T, K, E>(
    items: impl IntoIterator<Item = T>,
    mut key: impl FnMut(&T, usize) -> Result<K, E>,
    compare: impl Fn(&K, &K) -> Ordering,
) -> Result<Vec<T>, E> {
    let mut keyed = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        keyed.push((key(&item, index)?, item));
    }
    keyed.sort_by(|(a, _), (b, _)| compare(a, b));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}

/// `min_by` and `max_by`: the first of the elements whose key is lowest, or with [`Direction::Descending`] highest.
/// Elements whose key is null count only if all are.
///
/// # Errors
/// Those of `key`.
pub fn extreme_by<T, K, E>(
    items: impl IntoIterator<Item = T>,
    direction: Direction,
    mut key: impl FnMut(&T, usize) -> Result<Option<K>, E>,
    compare: impl Fn(&K, &K) -> Ordering,
) -> Result<Option<T>, E> {
    let mut best: Option<(Option<K>, T)> = None;
    for (index, item) in items.into_iter().enumerate() {
        let next = key(&item, index)?;
        let better =
            best.as_ref().is_none_or(|(known, _)| direction.order(next.as_ref(), known.as_ref(), &compare).is_lt());
        if better {
            best = Some((next, item));
        }
    }
    Ok(best.map(|(_, item)| item))
}

/// `group_by`: groups in order of first appearance, the elements of each in order. Keys must be equal and hash alike.
///
/// # Errors
/// Those of `key`.
pub fn group_by<T, K: Eq + std::hash::Hash, E>(
    items: impl IntoIterator<Item = T>,
    mut key: impl FnMut(&T, usize) -> Result<K, E>,
) -> Result<Vec<(K, Vec<T>)>, E> {
    let mut groups: indexmap::IndexMap<K, Vec<T>, rustc_hash::FxBuildHasher> = indexmap::IndexMap::default();
    for (index, item) in items.into_iter().enumerate() {
        groups.entry(key(&item, index)?).or_default().push(item);
    }
    Ok(groups.into_iter().collect())
}

/// `distinct`: the first of equal elements each.
pub fn distinct<T: Eq + std::hash::Hash>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect::<indexmap::IndexSet<T, rustc_hash::FxBuildHasher>>().into_iter().collect()
}

/// `to_map`: of equal keys the last value wins, in the place of the first.
///
/// # Errors
/// Those of `entry`.
pub fn to_map<T, K: Eq + std::hash::Hash, V, E>(
    items: impl IntoIterator<Item = T>,
    mut entry: impl FnMut(T, usize) -> Result<(K, V), E>,
) -> Result<Vec<(K, V)>, E> {
    let mut map: indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher> = indexmap::IndexMap::default();
    for (index, item) in items.into_iter().enumerate() {
        let (key, value) = entry(item, index)?;
        map.insert(key, value);
    }
    Ok(map.into_iter().collect())
}

/// `take(n)`: how many of `count` elements are taken; none if `n` is negative.
pub fn take(count: usize, n: i64) -> usize {
    clamped(n).min(count)
}

/// `skip(n)`: how many of `count` elements are left out at the beginning; none if `n` is negative.
pub fn skip(count: usize, n: i64) -> usize {
    clamped(n).min(count)
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// How many elements the whole list has.
    pub total: i64,
    /// How many are on this page.
    pub count: i64,
    /// How many were to be skipped.
    pub offset: i64,
    /// The elements of this page.
    pub results: Vec<T>,
}

/// `page(limit, offset)`: negative numbers are 0; an offset beyond the end gives an empty page.
///
/// ```
/// use silo_runtime::methods::collection::page;
/// let page = page(vec!["a", "b", "c"], 2, 2);
/// assert_eq!((page.total, page.count, page.offset, page.results), (3, 1, 2, vec!["c"]));
/// ```
pub fn page<T>(items: Vec<T>, limit: i64, offset: i64) -> Page<T> {
    let whole = items.len();
    let start = skip(whole, offset);
    let count = take(whole - start, limit);
    let wide = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let results = items.into_iter().skip(start).take(count).collect();
    Page { total: wide(whole), count: wide(count), offset: offset.max(0), results }
}

/// `xs[i]`: the position, from 0.
///
/// # Errors
/// `not_found` outside the list; nothing counts from the end.
pub fn position(count: usize, index: i64) -> ToolResult<usize> {
    usize::try_from(index).ok().filter(|at| *at < count).ok_or_else(|| ToolError::no_element(index, count))
}

/// `range(a, b)`: the ints from `a` up to, but not with, `b`; none if `b` is not above `a`.
///
/// # Errors
/// `limit_exceeded` for more than [`LONGEST_RANGE`] ints.
pub fn range(from: i64, to: i64) -> ToolResult<std::ops::Range<i64>> {
    let count = to.checked_sub(from);
    if to > from && count.is_none_or(|count| count > LONGEST_RANGE) {
        return Err(ToolError::limit_exceeded(format!("range({from}, {to}) has more than {LONGEST_RANGE} numbers")));
    }
    Ok(from..to)
}

fn clamped(n: i64) -> usize {
    usize::try_from(n.max(0)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
