//! `changes nothing`, `changes only …`, `same world as reference`, and the rows that were added, removed and changed.

use super::condition::truth;
use super::reader::{Reader, dangling};
use super::stop::{Eval, Stop};
use super::view::{Scope, View};
use crate::ir::{ChangeKind, ChangePath, ChangeSpec, ChangeStep, ExprId, ExprKind, Method, Slot};
use silo_runtime::diff::{self, Diff, Difference, Only, OnlyStep, Order, uncovered};
use silo_runtime::keys;
use silo_runtime::schema::Schema;
use silo_runtime::store::TablePlace;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::WorldName;

/// The most differences that a failed check names.
const SHOWN: usize = 5;

impl<'a> Reader<'a> {
    /// What differs between the initial world and the final one.
    pub(super) fn diff(&self) -> Eval<&'a Diff> {
        let judged = self.context.judged()?;
        Ok(judged.diff.get_or_init(|| diff::between(self.initial, judged.last, Order::Counts)))
    }

    /// `changes nothing` without permissions, `changes only …` with them.
    pub(super) fn changes(&self, specs: &'a [ChangeSpec]) -> Eval<(bool, String)> {
        let diff = self.diff()?;
        let only = specs.iter().map(|spec| self.permission(&spec.path, spec.kind)).collect::<Eval<Vec<_>>>()?;
        let found = uncovered(diff, &only, |index, difference| match specs.get(index) {
            Some(ChangeSpec { path, filter: Some((slot, condition)), .. }) => {
                self.permits(*slot, *condition, difference, self.tables_on(path))
            }
            _ => Ok(true),
        })?;
        Ok(self.verdict(&found, if specs.is_empty() { "nothing changed" } else { "nothing else changed" }))
    }

    /// `same world as reference [ignoring …]`.
    pub(super) fn same_world(&self, ignoring: &'a [ChangePath]) -> Eval<(bool, String)> {
        let judged = self.context.judged()?;
        let only = ignoring.iter().map(|path| self.permission(path, None)).collect::<Eval<Vec<_>>>()?;
        let diff = diff::between(judged.reference()?, judged.last, Order::Ignored);
        let found = uncovered(&diff, &only, |_, _| Ok::<_, Stop>(true))?;
        Ok(self.verdict(&found, "the worlds are the same"))
    }

    /// The condition of a permission on the row that changed.
    fn permits(&self, slot: Slot, condition: ExprId, difference: &Difference, tables: usize) -> Eval<bool> {
        self.charge(1)?;
        let row = difference.row_at(&self.env.program.model, tables);
        let row = row.ok_or_else(|| Stop::broken("a condition on rows stands at a change of something else"))?;
        let found = self.store(row.world)?.row(row.entity, &row.key).ok_or_else(|| dangling(&row.key))?;
        let scope = Scope { first: slot, arguments: &[View::Row(found, row.world)], outer: None };
        let view = self.view(Some(&scope), condition)?;
        if view.is_null() { Ok(false) } else { truth(&view) }
    }

    /// How many tables a path goes through: the condition is on the row of the innermost.
    fn tables_on(&self, path: &ChangePath) -> usize {
        let model = &self.env.program.model;
        let table = |schema: &Schema| match schema {
            Schema::Table { entity, .. } => Some(*entity),
            _ => None,
        };
        let mut entity = model.state_field(path.state).and_then(|field| table(&field.schema));
        let mut count = 1;
        for step in &path.steps {
            let (ChangeStep::Fields(fields), Some(shape)) = (step, entity.and_then(|entity| model.entity(entity)))
            else {
                continue;
            };
            let [field] = fields.as_slice() else { break };
            match shape.fields.get(field.index()).and_then(|field| table(&field.schema)) {
                Some(nested) => {
                    entity = Some(nested);
                    count += 1;
                }
                None => break,
            }
        }
        count
    }

    fn permission(&self, path: &ChangePath, kind: Option<ChangeKind>) -> Eval<Only> {
        let steps = path.steps.iter().map(|step| match step {
            ChangeStep::Fields(fields) => Ok(OnlyStep::Fields(fields.clone())),
            ChangeStep::Key(key) => self.step_key(*key).map(OnlyStep::Key),
        });
        let kind = kind.map(|kind| match kind {
            ChangeKind::Added => diff::ChangeKind::Added,
            ChangeKind::Removed => diff::ChangeKind::Removed,
            ChangeKind::Changed => diff::ChangeKind::Changed,
        });
        Ok(Only { state: path.state, steps: steps.collect::<Eval<_>>()?, kind })
    }

    fn step_key(&self, key: ExprId) -> Eval<Text> {
        let key = self.view(None, key)?;
        Ok(keys::visible(&self.key_text(&key)?))
    }

    fn verdict(&self, found: &[&Difference], fine: &str) -> (bool, String) {
        if found.is_empty() {
            return (true, fine.to_owned());
        }
        let model = &self.env.program.model;
        let mut told: Vec<String> = found.iter().take(SHOWN).map(|difference| difference.describe(model)).collect();
        if found.len() > SHOWN {
            told.push(format!("and {} more", found.len() - SHOWN));
        }
        (false, told.join("; "))
    }

    /// `added()`, `removed()`, `changed()` of a table of a world.
    pub(super) fn changed_rows<'t>(&self, receiver: ExprId, method: Method) -> Eval<Vec<View<'a, 't>>>
    where
        'a: 't,
    {
        let ExprKind::WorldState(_, state) = self.expr(receiver)?.kind else {
            return Err(Stop::broken("changed rows were asked of something else than a table of a world"));
        };
        let (kind, world) = match method {
            Method::Added => (diff::ChangeKind::Added, WorldName::Final),
            Method::Removed => (diff::ChangeKind::Removed, WorldName::Initial),
            _ => (diff::ChangeKind::Changed, WorldName::Final),
        };
        let keys = self.diff()?.rows(state, kind);
        self.charge(keys.len())?;
        let store = self.store(world)?;
        let rows = keys.iter().map(|key| match store.row_in(&TablePlace::State(state), key) {
            Some(row) => Ok(View::Row(row, world)),
            None => Err(dangling(key)),
        });
        rows.collect()
    }
}
