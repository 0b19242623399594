//! What tests have shown of locals and field paths at a point of the code.
//!
//! Facts are kept in one map with a log of what was there before, so that leaving a branch costs what the branch learned.

use super::shared::Written;
use crate::ir::{FunctionId, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use silo_runtime::ids::{EntityId, FieldId, StateId};
use silo_runtime::value::dynamic::WorldName;
use std::collections::BTreeSet;

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Root {
    Local(Slot),
    State(StateId),
    World(WorldName, StateId),
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// A field of a row.
    Row(EntityId, FieldId),
    /// A field of a record.
    Record(FieldId),
    /// A derived field: any write may change it.
    Derived(FunctionId),
}

/// A local or a state field and fields from it, at most [`MAX_STEPS`] of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path {
    pub(crate) root: Root,
    pub(crate) steps: Vec<Step>,
}

/// Longer paths are not followed: nobody tests them, and following them would make long chains slow to check.
pub(crate) const MAX_STEPS: usize = 12;

/// What is known of the value at a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fact {
    /// It is not null.
    pub(crate) present: bool,
    /// It is one of these members of its enum.
    pub(crate) members: Option<BTreeSet<u16>>,
}

impl Fact {
    pub(crate) fn present() -> Self {
        Self { present: true, members: None }
    }

    pub(crate) fn one_of(members: BTreeSet<u16>) -> Self {
        Self { present: true, members: Some(members) }
    }

    /// What holds if both do.
    fn and(&self, other: &Self) -> Self {
        let members = match (&self.members, &other.members) {
            (Some(a), Some(b)) => Some(a.intersection(b).copied().collect()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Self { present: self.present || other.present, members }
    }

    /// What holds if either does; nothing is known where that is empty.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let members = match (&self.members, &other.members) {
            (Some(a), Some(b)) => Some(a.union(b).copied().collect()),
            _ => None,
        };
        Self { present: self.present && other.present, members }
    }

    fn is_empty(&self) -> bool {
        !self.present && self.members.is_none()
    }
}

/// The facts at a point of the code.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    known: FxHashMap<Path, Fact>,
    log: Vec<(Path, Option<Fact>)>,
}

/// A point of the code to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

/// What a branch has learned and forgotten: the state at its end of all paths it touched.
#[derive(Debug)]
pub(crate) struct Delta(Vec<(Path, Option<Fact>)>);

impl Facts {
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Fact> {
        self.known.get(path)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Adds what a test has shown.
    pub(crate) fn learn(&mut self, path: Path, fact: &Fact) {
        let fact = self.known.get(&path).map_or_else(|| fact.clone(), |known| known.and(fact));
        self.set(path, Some(fact));
    }

    fn set(&mut self, path: Path, fact: Option<Fact>) {
        let before = match fact {
            Some(fact) => self.known.insert(path.clone(), fact),
            None => self.known.remove(&path),
        };
        self.log.push((path, before));
    }

    /// How all that has changed since a mark stands now.
    pub(crate) fn since(&self, mark: Mark) -> Delta {
        let changed = self.log.get(mark.0..).unwrap_or_default();
        let mut seen: FxHashSet<&Path> = FxHashSet::default();
        let changed = changed.iter().filter(|(path, _)| seen.insert(path));
        Delta(changed.map(|(path, _)| (path.clone(), self.known.get(path).cloned())).collect())
    }

    /// Goes back to a mark.
    pub(crate) fn forget_since(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            let Some((path, before)) = self.log.pop() else { break };
            match before {
                Some(fact) => self.known.insert(path, fact),
                None => self.known.remove(&path),
            };
        }
    }

    /// Goes on as a branch ended that is the only one which goes on.
    fn adopt(&mut self, delta: Delta) {
        for (path, fact) in delta.0 {
            self.set(path, fact);
        }
    }

    /// Goes on after branches that started here: what holds at the end of each of them.
    pub(crate) fn join(&mut self, mut ends: Vec<Delta>) {
        if ends.len() == 1
            && let Some(only) = ends.pop()
        {
            self.adopt(only);
            return;
        }
        let mut touched: Vec<Path> = Vec::new();
        let ends: Vec<FxHashMap<Path, Option<Fact>>> =
            ends.into_iter().map(|end| end.0.into_iter().collect()).collect();
        for end in &ends {
            // In the order of a hash map: each path is joined by itself, so the result is the same in any order.
            touched.extend(end.keys().cloned());
        }
        let mut done: FxHashSet<Path> = FxHashSet::default();
        for path in touched {
            if !done.insert(path.clone()) {
                continue;
            }
            let base = self.known.get(&path).cloned();
            let mut joined: Option<Fact> = None;
            for end in &ends {
                let at_end = end.get(&path).unwrap_or(&base).clone().unwrap_or_default();
                joined = Some(joined.map_or_else(|| at_end.clone(), |so_far| so_far.or(&at_end)));
            }
            let joined = joined.filter(|fact| !fact.is_empty());
            if joined != base {
                self.set(path, joined);
            }
        }
    }

    /// Forgets what a write may have changed.
    pub(crate) fn written(&mut self, written: &Written) {
        self.retain(|path| !touches(path, written));
    }

    /// Forgets all that starts at a local.
    pub(crate) fn local_written(&mut self, slot: Slot, fields: &[FieldId]) {
        self.retain(|path| path.root != Root::Local(slot) || !prefix(fields, &path.steps));
    }

    /// Forgets what has one of these properties.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Path) -> bool) {
        let gone: Vec<Path> = self.known.keys().filter(|path| !keep(path)).cloned().collect();
        for path in gone {
            self.set(path, None);
        }
    }
}

/// Whether a write may change the value at a path.
pub(crate) fn touches(path: &Path, written: &Written) -> bool {
    if path.steps.iter().any(|step| matches!(step, Step::Derived(_))) {
        return true;
    }
    match written {
        Written::State(state, fields) => path.root == Root::State(*state) && prefix(fields, &path.steps),
        Written::Row(entity, fields) => {
            let starts = path.steps.iter().enumerate();
            let mut starts = starts.filter(|(_, step)| matches!(step, Step::Row(e, _) if e == entity));
            starts.any(|(at, _)| prefix(fields, path.steps.get(at..).unwrap_or_default()))
        }
    }
}

/// Whether these fields lead to the path's value or to something that holds it. A write deeper in leaves the value there.
fn prefix(fields: &[FieldId], steps: &[Step]) -> bool {
    fields.len() <= steps.len()
        && fields.iter().zip(steps).all(|(field, step)| match step {
            Step::Row(_, id) | Step::Record(id) => id == field,
            Step::Derived(_) => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(slot: u32, fields: &[u16]) -> Path {
        Path {
            root: Root::Local(Slot(slot)),
            steps: fields.iter().map(|f| Step::Row(EntityId(0), FieldId(*f))).collect(),
        }
    }

    #[test]
    fn what_a_branch_learned_is_gone_after_it() {
        let mut facts = Facts::default();
        let mark = facts.mark();
        facts.learn(path(0, &[1]), &Fact::present());
        assert!(facts.get(&path(0, &[1])).is_some());
        facts.forget_since(mark);
        assert!(facts.is_empty());
    }

    #[test]
    fn only_what_all_branches_show_is_known_after_them() {
        let mut facts = Facts::default();
        let mark = facts.mark();
        facts.learn(path(0, &[1]), &Fact::present());
        facts.learn(path(0, &[2]), &Fact::present());
        let first = facts.since(mark);
        facts.forget_since(mark);
        facts.learn(path(0, &[1]), &Fact::present());
        let second = facts.since(mark);
        facts.forget_since(mark);
        facts.join(vec![first, second]);
        assert!(facts.get(&path(0, &[1])).is_some());
        assert!(facts.get(&path(0, &[2])).is_none());
    }

    #[test]
    fn a_write_forgets_the_paths_that_lead_through_the_field() {
        let mut facts = Facts::default();
        facts.learn(path(0, &[1, 2]), &Fact::present());
        facts.learn(path(1, &[2]), &Fact::present());
        facts.learn(path(1, &[1]), &Fact::present());
        facts.written(&Written::Row(EntityId(0), vec![FieldId(2)]));
        assert!(facts.get(&path(0, &[1, 2])).is_none());
        assert!(facts.get(&path(1, &[2])).is_none());
        assert!(facts.get(&path(1, &[1])).is_some());
    }

    #[test]
    fn members_of_either_branch_are_united() {
        let one = Fact::one_of([1].into());
        let two = Fact::one_of([2].into());
        assert_eq!(one.or(&two), Fact::one_of([1, 2].into()));
        assert_eq!(one.or(&Fact::default()), Fact::default());
    }
}
