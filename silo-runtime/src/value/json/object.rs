//! Objects: names with values, in the order written.

use std::collections::BTreeMap;
use std::fmt;
use std::slice;
use std::sync::Arc;

use super::Json;
use crate::value::text::Text;

/// The members of a JSON object: unique names in the order written.
///
/// Made for the small objects of tool calls: a look-up walks the names. Rows of one shape can share their names, see
/// [`Object::shared`].
#[derive(Clone, Default)]
pub struct Object {
    names: Names,
    values: Vec<Json>,
}

/// As many as there are values.
#[derive(Clone)]
pub(super) enum Names {
    Own(Vec<Text>),
    Shared(Arc<[Text]>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl Names {
    pub(super) fn as_slice(&self) -> &[Text] {
        match self {
            Self::Own(names) => names,
            Self::Shared(names) => names,
        }
    }
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// An object whose names are shared with others of its shape. The names must be unique; values without a name, and
    /// names without a value, are left out.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use silo_runtime::value::json::{Json, Object};
    /// let names: Arc<[Arc<str>]> = ["id".into(), "name".into()].into();
    /// let rows: Vec<_> = (0..20).map(|n| Object::shared(&names, vec![Json::from(n), "x".into()])).collect();
    /// assert_eq!(rows[3].get("id"), Some(&Json::from(3)));
    /// ```
    pub fn shared(names: &Arc<[Text]>, mut values: Vec<Json>) -> Self {
        values.truncate(names.len());
        let names = if values.len() == names.len() {
            Names::Shared(Arc::clone(names))
        } else {
            Names::Own(names.iter().take(values.len()).cloned().collect())
        };
        Self { names, values }
    }

    /// The caller vouches that the names are unique and as many as the values.
    pub(super) fn from_parts(names: Names, values: Vec<Json>) -> Self {
        debug_assert_eq!(names.as_slice().len(), values.len());
        Self { names, values }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.values.get(self.position(name)?)
    }

    /// Whether there is a member of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The names, in order.
    pub fn names(&self) -> &[Text] {
        self.names.as_slice()
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> &[Json] {
        &self.values
    }

    /// The members, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.names().iter().zip(&self.values))
    }

    /// Sets a member: a new one at the end, a known one in its place. Gives back the value it had.
    pub fn insert(&mut self, name: impl Into<Text>, value: Json) -> Option<Json> {
        let name = name.into();
        if let Some(old) = self.position(&name).and_then(|at| self.values.get_mut(at)) {
            return Some(std::mem::replace(old, value));
        }
        if let Names::Shared(names) = &self.names {
            self.names = Names::Own(names.to_vec());
        }
        if let Names::Own(names) = &mut self.names {
            names.push(name);
            self.values.push(value);
        }
        None
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names().iter().position(|known| **known == *name)
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.names() == other.names() && self.values == other.values
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The members of an [`Object`], in order.
#[derive(Clone, Debug)]
pub struct Iter<'a>(std::iter::Zip<slice::Iter<'a, Text>, slice::Iter<'a, Json>>);

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Text, &'a Json);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Text, &'a Json);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Of equal names the last wins, in the place of the first.
impl FromIterator<(Text, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Json)>>(members: I) -> Self {
        /// Up to here walking the names is quicker than an index.
        const FEW: usize = 16;
        let members = members.into_iter();
        let (expected, _) = members.size_hint();
        let mut object = Self { names: Names::Own(Vec::with_capacity(expected)), values: Vec::with_capacity(expected) };
        let mut index: BTreeMap<Text, usize> = BTreeMap::new();
        for (name, value) in members {
            if object.len() < FEW {
                object.insert(name, value);
                continue;
            }
            if index.is_empty() {
                index.extend(object.names().iter().cloned().zip(0..));
            }
            let next = object.len();
            let at = *index.entry(Text::clone(&name)).or_insert(next);
            if let Some(old) = object.values.get_mut(at) {
                *old = value;
            } else if let Names::Own(names) = &mut object.names {
                names.push(name);
                object.values.push(value);
            }
        }
        object
    }
}
