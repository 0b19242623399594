//! A map for a world's own notes: a short list while there is little to note, a hash map beyond that.

use indexmap::{Equivalent, IndexMap};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;

/// How many entries a list may have. Most rollouts insert fewer rows, and a hash map of two entries weighs as much as a row.
const FEW: usize = 8;

/// A map that nobody iterates.
#[derive(Clone, Debug)]
pub(super) enum SmallMap<K, V> {
    Few(Vec<(K, V)>),
    Many(IndexMap<K, V, FxBuildHasher>),
}

impl<K: Hash + Eq, V> SmallMap<K, V> {
    pub(super) fn get<Q: ?Sized + Hash + Equivalent<K>>(&self, key: &Q) -> Option<&V> {
        match self {
            Self::Few(entries) => entries.iter().find(|(held, _)| key.equivalent(held)).map(|(_, value)| value),
            Self::Many(entries) => entries.get(key),
        }
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        let entries = match self {
            Self::Many(entries) => {
                entries.insert(key, value);
                return;
            }
            Self::Few(entries) => entries,
        };
        if let Some((_, held)) = entries.iter_mut().find(|(held, _)| *held == key) {
            *held = value;
        } else if entries.len() < FEW {
            if entries.len() == entries.capacity() {
                entries.reserve_exact(entries.len().max(2));
            }
            entries.push((key, value));
        } else {
            let mut many: IndexMap<K, V, FxBuildHasher> = entries.drain(..).collect();
            many.insert(key, value);
            *self = Self::Many(many);
        }
    }

    pub(super) fn remove<Q: ?Sized + Hash + Equivalent<K>>(&mut self, key: &Q) {
        match self {
            Self::Few(entries) => entries.retain(|(held, _)| !key.equivalent(held)),
            Self::Many(entries) => _ = entries.swap_remove(key),
        }
    }
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_grows_into_a_map_keeps_its_entries() {
        let mut map = SmallMap::default();
        for key in 0..40 {
            map.insert(key, key);
            map.insert(key, key * 10);
            assert_eq!(map.get(&(key / 2)), Some(&(key / 2 * 10)));
        }
        assert!(matches!(map, SmallMap::Many(_)));
        map.remove(&7);
        assert_eq!((map.get(&7), map.get(&8), map.get(&99)), (None, Some(&80), None));
    }

    #[test]
    fn few_entries_are_a_list() {
        let mut map = SmallMap::default();
        (0..FEW).for_each(|key| map.insert(key, ()));
        map.remove(&3);
        assert!(matches!(map, SmallMap::Few(_)));
        assert_eq!((map.get(&3), map.get(&4)), (None, Some(&())));
    }
}
