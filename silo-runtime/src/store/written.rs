//! State fields that a world wrote.

use crate::ids::StateId;

/// What a world wrote of its state fields, by id. Few are written, so that a sorted list is the smallest and quickest map.
#[derive(Clone, Debug)]
pub(super) struct Written<T>(Vec<(StateId, T)>);

impl<T> Written<T> {
    pub(super) fn get(&self, state: StateId) -> Option<&T> {
        let at = self.0.binary_search_by_key(&state, |(state, _)| *state).ok()?;
        self.0.get(at).map(|(_, written)| written)
    }

    /// What was written of a field, to write more; `first` is what it starts from.
    pub(super) fn get_or_insert_with(&mut self, state: StateId, first: impl FnOnce() -> T) -> Option<&mut T> {
        let at = match self.0.binary_search_by_key(&state, |(state, _)| *state) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (state, first()));
                at
            }
        };
        self.0.get_mut(at).map(|(_, written)| written)
    }

    /// The fields, in the model's order.
    pub(super) fn states(&self) -> impl Iterator<Item = StateId> {
        self.0.iter().map(|(state, _)| *state)
    }

    /// Takes what was written of a field.
    pub(super) fn take(&mut self, state: StateId) -> Option<T> {
        let at = self.0.binary_search_by_key(&state, |(state, _)| *state).ok()?;
        Some(self.0.remove(at).1)
    }
}

impl<T> Default for Written<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}
