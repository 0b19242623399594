//! Tasks that are passed by doing nothing: each is graded once on the world that an agent is given, without calls and without
//! an answer.

use super::Interpreted;
use crate::diagnostics::{Diagnostic, codes};
use silo_runtime::calls::Calls;
use silo_runtime::environment::{Environment, Fault};
use silo_runtime::grade::{Answer, Check, Grading};
use silo_runtime::ids::TaskId;
use silo_runtime::value::Text;

/// The most tasks of a family, and the most checks, that are named.
const NAMED: usize = 3;

impl Interpreted {
    /// Warnings at the tasks that an agent passes by doing nothing. Those that look at the reference world are left out: it is
    /// not computed before a run asks for it.
    pub fn passed_by_nothing(&self) -> Vec<Diagnostic> {
        let declared = 0..self.program.tasks.len();
        declared.filter_map(|declared| self.passed_task(declared)).collect()
    }

    /// The warning at a task or family, if doing nothing passes it, or one of its tasks.
    fn passed_task(&self, declared: usize) -> Option<Diagnostic> {
        let task = self.program.tasks.get(declared)?;
        // An answer that is missing fails the engine's own check of a typed one.
        if task.answer.is_some() {
            return None;
        }
        let linked = self.tasks.iter().zip(&self.manifest.tasks).enumerate();
        let mut tasks = 0;
        let mut passed: Vec<(&Text, Vec<Check>)> = Vec::new();
        for (position, (_, spec)) in linked.filter(|(_, (linked, _))| linked.task == declared) {
            tasks += 1;
            let checks = self.untouched(TaskId::from(position)).unwrap_or_default();
            if checks.iter().any(|check| check.required) && checks.iter().all(|check| check.passed || !check.required) {
                passed.push((&spec.id, checks));
            }
        }
        let (_, checks) = passed.first()?;
        let ids = listed(passed.iter().map(|(id, _)| *id));
        let said = if tasks == 1 {
            format!("doing nothing passes {ids}")
        } else {
            format!("doing nothing passes {} of the {tasks} tasks of this family: {ids}", passed.len())
        };
        let required = listed(checks.iter().filter(|check| check.required).map(|check| &check.label));
        let found = Diagnostic::warning(codes::warnings::PASSED_BY_NOTHING, task.span, said)
            .note(format!("all that is required holds before the agent begins: {required}"));
        let found = if passed.iter().any(|(_, checks)| checks.iter().all(|check| check.passed)) {
            found.note("no check is left to be reached, so that no run earns a reward for what it does")
        } else {
            found
        };
        let found = found
            .why("an agent that does nothing is counted among those that succeed")
            .help("require what the instruction asks for: `check \"…\": …` on `final`, `answer` or `calls`");
        let some = task.family.is_some() && passed.len() < tasks;
        Some(if some {
            found.help("or leave out the tasks that are done already, with a `.filter(…)` after `in`")
        } else {
            found
        })
    }

    /// The checks of a task on its untouched world.
    fn untouched(&self, task: TaskId) -> Result<Vec<Check>, Fault> {
        let world = self.world(task)?;
        let reference = || Err(Fault { message: "the reference world is not computed yet".to_owned() });
        let (answer, calls) = (Answer::default(), Calls::default());
        let (initial, last) = (&world, &world);
        self.grade(&Grading { task, initial, last, reference: &reference, answer: &answer, calls: &calls })
    }
}

/// The first few, in backticks.
fn listed<'t>(items: impl Iterator<Item = &'t Text>) -> String {
    let items: Vec<_> = items.collect();
    let mut told: Vec<String> = items.iter().take(NAMED).map(|item| format!("`{item}`")).collect();
    if items.len() > NAMED {
        told.push(format!("and {} more", items.len() - NAMED));
    }
    told.join(", ")
}
