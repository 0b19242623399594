//! Changing a part of a value in its place. Records, lists and maps are copied where others share them.

use crate::ids::FieldId;
use crate::value::dynamic::{Value, ValueMap};
use crate::value::{Text, ToolError, ToolResult};
use std::sync::Arc;

/// A step from a value into one of its parts, on the way to what is changed.
#[derive(Clone, Debug)]
pub enum Step {
    /// A field of a row or record.
    Field(FieldId),
    /// An element of a list.
    Index(i64),
    /// An entry of a map.
    Key(Text),
}

/// What is done to the value at the end of the way.
#[derive(Clone, Debug)]
pub enum Edit {
    /// `place = value`. An entry of a map need not be there yet.
    Set(Value),
    /// `list.push(value)`.
    Push(Value),
    /// `list.remove_at(index)`.
    RemoveAt(i64),
    /// `map.remove(key)`. An entry that is not there stays away.
    RemoveKey(Text),
    /// `list.clear()`, `map.clear()`.
    Clear,
}

/// Changes a part of a value: of a `var`, of a field of a row, of a state field. Limits are not checked here.
///
/// # Errors
/// `not_found` for an element or entry that is not there, `invalid_state` for a way through null. Nothing is changed then.
pub fn apply(value: &mut Value, steps: &[Step], edit: Edit) -> ToolResult<()> {
    let (Edit::Set(new), Some((last, way))) = (&edit, steps.split_last()) else {
        return finish(walk(value, steps)?, edit);
    };
    let holder = walk(value, way)?;
    match (holder, last) {
        (Value::Map(entries), Step::Key(key)) => _ = Arc::make_mut(entries).insert(key.clone(), new.clone()),
        (holder, last) => *step_into(holder, last)? = new.clone(),
    }
    Ok(())
}

fn walk<'a>(value: &'a mut Value, steps: &[Step]) -> ToolResult<&'a mut Value> {
    steps.iter().try_fold(value, |value, step| step_into(value, step))
}

fn step_into<'a>(value: &'a mut Value, step: &Step) -> ToolResult<&'a mut Value> {
    match (value, step) {
        (Value::Record(record), Step::Field(field)) => {
            if record.values.get(field.index()).is_none() {
                return Err(no_part());
            }
            Arc::make_mut(record).values.get_mut(field.index()).ok_or_else(no_part)
        }
        (Value::List(items), Step::Index(index)) => {
            let at = position(*index, items.len())?;
            Arc::make_mut(items).get_mut(at).ok_or_else(no_part)
        }
        (Value::Map(entries), Step::Key(key)) => {
            if !entries.contains_key(key) {
                return Err(ToolError::no_entry(key));
            }
            Arc::make_mut(entries).get_mut(key).ok_or_else(no_part)
        }
        (Value::Null, _) => Err(ToolError::invalid_state("there is nothing to change: it is null")),
        _ => Err(no_part()),
    }
}

fn finish(place: &mut Value, edit: Edit) -> ToolResult<()> {
    match (place, edit) {
        (place, Edit::Set(value)) => *place = value,
        (Value::List(items), Edit::Push(value)) => Arc::make_mut(items).push(value),
        (Value::List(items), Edit::RemoveAt(index)) => {
            let at = position(index, items.len())?;
            Arc::make_mut(items).remove(at);
        }
        (Value::Map(entries), Edit::RemoveKey(key)) => {
            if entries.contains_key(&key) {
                Arc::make_mut(entries).shift_remove(&key);
            }
        }
        (Value::List(items), Edit::Clear) => *items = Arc::new(Vec::new()),
        (Value::Map(entries), Edit::Clear) => *entries = Arc::new(ValueMap::default()),
        (Value::Null, _) => return Err(ToolError::invalid_state("there is nothing to change: it is null")),
        _ => return Err(no_part()),
    }
    Ok(())
}

/// The position of an element in a list of so many.
pub(super) fn position(index: i64, count: usize) -> ToolResult<usize> {
    usize::try_from(index).ok().filter(|at| *at < count).ok_or_else(|| ToolError::no_element(index, count))
}

pub(super) fn no_part() -> ToolError {
    ToolError::invalid_state("there is no such part of the value")
}
