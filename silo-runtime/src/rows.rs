//! The list methods of the language over any elements, with closures that may fail.

use crate::methods::collection::{self, Page};
use crate::value::{Checked, ToolResult};
use std::hash::Hash;

/// A list of elements, usually rows. Its methods run one after the other, each over all elements in order; the first closure
/// that fails ends it.
///
/// ```
/// use silo_runtime::rows::Rows;
/// let page = Rows::from(vec![3, 1, 2])
///     .keep(|n| Ok(*n > 1))?
///     .sorted_by(|n| *n)
///     .each(|n| Ok(n * 10))?
///     .page(20, 0);
/// assert_eq!(page.results, [20, 30]);
/// # Ok::<(), silo_runtime::value::ToolError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<T>(Vec<T>);

impl<T> Rows<T> {
    /// `filter`: the elements that a condition holds of.
    ///
    /// # Errors
    /// Those of the condition.
    pub fn keep(self, mut condition: impl FnMut(&T) -> ToolResult<bool>) -> ToolResult<Self> {
        let mut kept = Vec::new();
        for item in self.0 {
            if condition(&item)? {
                kept.push(item);
            }
        }
        Ok(Self(kept))
    }

    /// `map`: what each element gives.
    ///
    /// # Errors
    /// Those of the closure.
    pub fn each<U>(self, make: impl FnMut(T) -> ToolResult<U>) -> ToolResult<Rows<U>> {
        self.0.into_iter().map(make).collect::<ToolResult<_>>().map(Rows)
    }

    /// `flat_map`: what each element gives, joined.
    ///
    /// # Errors
    /// Those of the closure.
    pub fn each_of<U, I: IntoIterator<Item = U>>(
        self,
        mut make: impl FnMut(T) -> ToolResult<I>,
    ) -> ToolResult<Rows<U>> {
        let mut all = Vec::new();
        for item in self.0 {
            all.extend(make(item)?);
        }
        Ok(Rows(all))
    }

    /// `find`: the first element that a condition holds of.
    ///
    /// # Errors
    /// Those of the condition.
    pub fn find_row(self, mut condition: impl FnMut(&T) -> ToolResult<bool>) -> ToolResult<Option<T>> {
        for item in self.0 {
            if condition(&item)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    /// `all`: whether a condition holds of every element.
    ///
    /// # Errors
    /// Those of the condition.
    pub fn every(&self, mut condition: impl FnMut(&T) -> ToolResult<bool>) -> ToolResult<bool> {
        for item in &self.0 {
            if !condition(item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `any`: whether a condition holds of some element.
    ///
    /// # Errors
    /// Those of the condition.
    pub fn some(&self, mut condition: impl FnMut(&T) -> ToolResult<bool>) -> ToolResult<bool> {
        for item in &self.0 {
            if condition(item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `sort_by` a key that cannot fail: stable, lowest first.
    #[must_use]
    pub fn sorted_by<K: Ord>(mut self, key: impl FnMut(&T) -> K) -> Self {
        self.0.sort_by_cached_key(key);
        self
    }

    /// `sort_by` a key that may fail: stable, lowest first.
    ///
    /// # Errors
    /// Those of the key.
    pub fn sorted_by_checked<K: Ord>(self, mut key: impl FnMut(&T) -> ToolResult<K>) -> ToolResult<Self> {
        collection::sort_by_key(self.0, |item, _| key(item), Ord::cmp).map(Self)
    }

    /// `sum`: of what each element gives; nothing where there are no elements.
    ///
    /// # Errors
    /// Those of the closure, and `arithmetic` if the sum does not fit.
    pub fn sum_of<N: Checked>(&self, mut number: impl FnMut(&T) -> ToolResult<N>) -> ToolResult<Option<N>> {
        let mut sum: Option<N> = None;
        for item in &self.0 {
            let next = number(item)?;
            sum = Some(match sum {
                Some(sum) => sum.plus(next)?,
                None => next,
            });
        }
        Ok(sum)
    }

    /// `group_by`: groups in the order of their first element.
    ///
    /// # Errors
    /// Those of the key.
    pub fn grouped_by<K: Eq + Hash>(self, mut key: impl FnMut(&T) -> ToolResult<K>) -> ToolResult<Rows<(K, Self)>> {
        let groups = collection::group_by(self.0, |item, _| key(item))?;
        Ok(groups.into_iter().map(|(key, items)| (key, Self(items))).collect())
    }

    /// `take`: the first elements; a negative number takes none.
    #[must_use]
    pub fn take(mut self, count: i64) -> Self {
        self.0.truncate(collection::take(self.0.len(), count));
        self
    }

    /// `skip`: all but the first elements; a negative number skips none.
    #[must_use]
    pub fn skip(mut self, count: i64) -> Self {
        self.0.drain(..collection::skip(self.0.len(), count));
        self
    }

    /// `reverse`: the last element first.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// `page`: a part of the list and how long the whole is.
    pub fn page(self, limit: i64, offset: i64) -> Page<T> {
        collection::page(self.0, limit, offset)
    }

    /// `first`: the first element, if there is one.
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }

    /// `last`: the last element, if there is one.
    pub fn last(&self) -> Option<&T> {
        self.0.last()
    }

    /// `count`: how many elements there are.
    pub fn count(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: PartialEq> Rows<T> {
    /// `contains`: whether an element is in the list.
    pub fn contains(&self, item: &T) -> bool {
        self.0.contains(item)
    }
}

impl<T> From<Vec<T>> for Rows<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T> From<Rows<T>> for Vec<T> {
    fn from(rows: Rows<T>) -> Self {
        rows.0
    }
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> IntoIterator for Rows<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Rows<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
