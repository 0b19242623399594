//! The keys of the seed data, for literal references in code.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use silo_runtime::ids::EntityId;
use silo_runtime::value::Text;

/// The keys of all rows of the seed data, by entity.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    entities: Vec<EntityKeys>,
}

/// The keys of one entity.
#[derive(Clone, Debug, Default)]
struct EntityKeys {
    keys: IndexSet<Text, FxBuildHasher>,
    incomplete: bool,
}

impl Keys {
    /// No keys of so many entities.
    pub(crate) fn new(entities: usize) -> Self {
        Self { entities: vec![EntityKeys::default(); entities] }
    }

    /// Adds a key; false if it is there already.
    pub(crate) fn add(&mut self, entity: EntityId, key: Text) -> bool {
        self.entities.get_mut(entity.index()).is_some_and(|entity| entity.keys.insert(key))
    }

    /// Some rows of the entity could not be read, so that a key that is not here may exist all the same.
    pub(crate) fn set_incomplete(&mut self, entity: EntityId) {
        if let Some(entity) = self.entities.get_mut(entity.index()) {
            entity.incomplete = true;
        }
    }

    /// Whether a row of the entity has this key.
    pub fn has(&self, entity: EntityId, key: &str) -> bool {
        self.entities.get(entity.index()).is_some_and(|entity| entity.keys.contains(key))
    }

    /// The keys of an entity, in the order of the tables.
    pub fn keys(&self, entity: EntityId) -> impl Iterator<Item = &Text> {
        self.entities.get(entity.index()).into_iter().flat_map(|entity| &entity.keys)
    }

    /// Whether all rows of the entity could be read. If not, a missing key must not be reported.
    pub fn usable(&self, entity: EntityId) -> bool {
        self.entities.get(entity.index()).is_some_and(|entity| !entity.incomplete)
    }

    /// The keys that are most like a text, at most three, the nearest first.
    pub fn nearest(&self, entity: EntityId, key: &str) -> Vec<Text> {
        const SHOWN: usize = 3;
        const LONGEST: usize = 200;
        if key.len() > LONGEST {
            return Vec::new();
        }
        let most = (key.chars().count() / 3).max(1);
        let mut near: Vec<(usize, &Text)> = self
            .keys(entity)
            .filter(|known| known.len() <= LONGEST)
            .map(|known| (strsim::osa_distance(key, known), known))
            .filter(|(distance, _)| *distance <= most)
            .collect();
        near.sort_by_key(|(distance, _)| *distance);
        near.into_iter().take(SHOWN).map(|(_, known)| known.clone()).collect()
    }
}
