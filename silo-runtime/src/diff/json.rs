//! Diffs as people read them: `state-diff.json`, and one difference in a line.

use super::{ChangeKind, Diff, Difference, path_text};
use crate::ids::StateId;
use crate::model::Model;
use crate::schema::Schema;
use crate::value::Text;
use crate::value::json::{Json, Object};
use crate::value::text::shorten;

/// Longest value shown in a line.
const SHOWN: usize = 60;

impl Diff {
    /// As it stands in `state-diff.json`.
    pub fn to_json(&self, model: &Model) -> Json {
        let mut scalars = Vec::new();
        let mut collections = Object::default();
        for differences in self.differences.chunk_by(|one, other| one.state == other.state) {
            let Some(state) = differences.first().map(|difference| difference.state) else { continue };
            match model.state_field(state) {
                Some(field) if matches!(field.schema, Schema::Table { .. }) => {
                    collections.insert(field.wire.clone(), collection(self, state, differences, model));
                }
                _ => scalars.extend(in_places(differences, 0).map(|place| {
                    let mut entry = Object::default();
                    entry.insert("field", Json::from(place_text(state, place, model)));
                    sides(&mut entry, place, model);
                    Json::from(entry)
                })),
            }
        }
        Json::object([("scalars", Json::from(scalars)), ("collections", Json::from(collections))])
    }
}

impl Difference {
    /// The difference in a line: `opportunities.OPP-003.ownerId: "USR-004" → "USR-003"`.
    pub fn describe(&self, model: &Model) -> String {
        let place = place_text(self.state, std::slice::from_ref(self), model);
        let whole_row = self.path.len() == 1 && self.row().is_some();
        let shown = |side: &Option<super::Held>| {
            side.as_ref().map(|held| shorten(&held.to_json(model).to_string(), SHOWN)).unwrap_or_default()
        };
        match self.kind() {
            ChangeKind::Added if whole_row => format!("{place} added"),
            ChangeKind::Removed if whole_row => format!("{place} removed"),
            ChangeKind::Added => format!("{place} added: {}", shown(&self.to)),
            ChangeKind::Removed => format!("{place} removed: {}", shown(&self.from)),
            ChangeKind::Changed => format!("{place}: {} → {}", shown(&self.from), shown(&self.to)),
        }
    }
}

fn collection(diff: &Diff, state: StateId, differences: &[Difference], model: &Model) -> Json {
    let keys = |kind| Json::from(diff.rows(state, kind).into_iter().map(Json::String).collect::<Vec<_>>());
    let mut rows = Object::default();
    for of_row in differences.chunk_by(|one, other| one.row() == other.row()) {
        let Some(key) = of_row.first().and_then(Difference::row) else { continue };
        let mut entry = Object::default();
        for place in in_places(of_row, 1) {
            match place.first().and_then(|difference| difference.path.get(1..)) {
                None | Some([]) => sides(&mut entry, place, model),
                Some(path) => {
                    let mut change = Object::default();
                    sides(&mut change, place, model);
                    entry.insert(path_text(path), Json::from(change));
                }
            }
        }
        rows.insert(key.clone(), Json::from(entry));
    }
    Json::object([
        ("added", keys(ChangeKind::Added)),
        ("removed", keys(ChangeKind::Removed)),
        ("changed", keys(ChangeKind::Changed)),
        ("rows", Json::from(rows)),
    ])
}

/// The differences by place: what was removed and inserted again is one.
fn in_places(differences: &[Difference], from: usize) -> impl Iterator<Item = &[Difference]> {
    differences.chunk_by(move |one, other| one.path.get(from..) == other.path.get(from..))
}

fn sides(entry: &mut Object, place: &[Difference], model: &Model) {
    for difference in place {
        if let Some(from) = &difference.from {
            entry.insert("from", from.to_json(model));
        }
    }
    for difference in place {
        if let Some(to) = &difference.to {
            entry.insert("to", to.to_json(model));
        }
    }
}

/// `now`, `config.limits.max`, `opportunities.OPP-003.ownerId`.
fn place_text(state: StateId, place: &[Difference], model: &Model) -> String {
    let name = model.state_field(state).map_or_else(Text::default, |field| field.wire.clone());
    let path = place.first().map(|difference| difference.path.as_slice()).unwrap_or_default();
    path.iter().fold(name.to_string(), |text, step| text + &step.to_string())
}
