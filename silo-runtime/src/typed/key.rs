//! References to typed rows.

use crate::value::Text;
use crate::value::json::Json;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A reference to a row of `E`: its key. It means the same row in every world.
///
/// ```
/// use silo_runtime::typed::Key;
/// struct User;
/// let owner: Key<User> = Key::new("USR-004");
/// assert!(owner == "USR-004");
/// assert_eq!(owner.to_string(), "USR-004");
/// ```
pub struct Key<E> {
    text: Text,
    // Whatever the entity, its key can be sent and shared.
    entity: PhantomData<fn() -> E>,
}

impl<E> Key<E> {
    /// The reference to the row with this key.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { text: text.into(), entity: PhantomData }
    }

    /// No key yet: the table makes one when the row is inserted.
    pub fn generated() -> Self {
        Self::new("")
    }

    /// The key's text.
    pub fn text(&self) -> &Text {
        &self.text
    }
}

impl<E> Clone for Key<E> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), entity: PhantomData }
    }
}

impl<E> PartialEq for Key<E> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<E> Eq for Key<E> {}

impl<E> PartialOrd for Key<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Key<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl<E> Hash for Key<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<E> PartialEq<str> for Key<E> {
    fn eq(&self, other: &str) -> bool {
        *self.text == *other
    }
}

impl<E> PartialEq<&str> for Key<E> {
    fn eq(&self, other: &&str) -> bool {
        *self.text == **other
    }
}

impl<E> fmt::Display for Key<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E> fmt::Debug for Key<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<E> From<&Key<E>> for Json {
    fn from(key: &Key<E>) -> Self {
        Self::String(key.text.clone())
    }
}
