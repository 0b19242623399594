//! What all rollouts of an environment share: each task's world, briefing and baseline, made once.

use super::{Briefing, Session, Setup, ToolDescription};
use crate::calls::Calls;
use crate::environment::{Environment, Fault, TaskSpec};
use crate::grade::{Answer, Check, Grading};
use crate::ids::TaskId;
use crate::limits::Limits;
use crate::schema::{Direction, json_schema};
use crate::session::call::guarded;
use crate::trace::Discard;
use crate::value::Text;
use crate::world::World;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// An environment, ready for rollouts. What a task needs is made when it is first run, and then shared: a fresh world costs a
/// pointer.
pub struct Engine {
    environment: Arc<dyn Environment>,
    tools: Arc<[ToolDescription]>,
    tasks: Vec<Prepared>,
    free_play: TaskSpec,
    caller: Text,
}

#[derive(Default)]
struct Prepared {
    briefing: OnceLock<Arc<Briefing>>,
    initial: OnceLock<Result<World, Fault>>,
    reference: OnceLock<Result<World, Fault>>,
    baseline: OnceLock<Result<Vec<Check>, Fault>>,
}

impl Engine {
    /// An engine for an environment.
    pub fn new(environment: Arc<dyn Environment>) -> Arc<Self> {
        let manifest = environment.manifest();
        let tools = manifest.tools.iter().map(|tool| ToolDescription {
            name: tool.name.clone(),
            description: tool.description.clone(),
            input_schema: json_schema(&tool.input, Direction::Input, &manifest.model),
        });
        let tools = tools.collect();
        // One more than there are tasks: the last is that of free play.
        let tasks = (0..=manifest.tasks.len()).map(|_| Prepared::default()).collect();
        Arc::new(Self { environment, tools, tasks, free_play: TaskSpec::default(), caller: "agent".into() })
    }

    /// The environment.
    pub fn environment(&self) -> &Arc<dyn Environment> {
        &self.environment
    }

    /// Who makes an agent's calls, as `calls` shows it: the one text for all of them.
    pub(super) fn caller(&self) -> &Text {
        &self.caller
    }

    /// The tools as an agent is told of them.
    pub fn tools(&self) -> &Arc<[ToolDescription]> {
        &self.tools
    }

    /// The task with this id in the source.
    pub fn find_task(&self, id: &str) -> Option<TaskId> {
        self.environment.manifest().tasks.iter().position(|task| &*task.id == id).map(TaskId::from)
    }

    /// A task of no content, for calls outside any task: the seed world, no instruction, no grader.
    pub fn free_play(&self) -> TaskId {
        TaskId::from(self.tasks.len().saturating_sub(1))
    }

    /// Starts a rollout.
    ///
    /// # Errors
    /// The task's world cannot be made: its setup fails.
    pub fn session(self: &Arc<Self>, task: TaskId, setup: Setup) -> Result<Session, Fault> {
        Session::start(self.clone(), task, setup)
    }

    /// What is declared of a task.
    ///
    /// # Errors
    /// There is no such task.
    pub fn task(&self, task: TaskId) -> Result<&TaskSpec, Fault> {
        if task == self.free_play() {
            return Ok(&self.free_play);
        }
        self.environment.manifest().tasks.get(task.index()).ok_or_else(|| no_task(task))
    }

    fn prepared(&self, task: TaskId) -> Result<&Prepared, Fault> {
        self.tasks.get(task.index()).ok_or_else(|| no_task(task))
    }

    pub(super) fn briefing(&self, task: TaskId) -> Result<Arc<Briefing>, Fault> {
        let spec = self.task(task)?;
        let make = || {
            let manifest = self.environment.manifest();
            Arc::new(Briefing {
                task: spec.instruction.clone(),
                policy: manifest.policy.clone(),
                tools: self.tools.clone(),
                answer_schema: spec
                    .answer
                    .as_ref()
                    .map(|answer| json_schema(answer, Direction::Input, &manifest.model)),
            })
        };
        Ok(self.prepared(task)?.briefing.get_or_init(make).clone())
    }

    pub(super) fn initial(&self, task: TaskId) -> Result<World, Fault> {
        let fresh =
            || if task == self.free_play() { Ok(self.environment.seed()) } else { self.environment.world(task) };
        let make = || guarded(fresh).unwrap_or_else(Err);
        self.prepared(task)?.initial.get_or_init(make).clone()
    }

    /// The world after the reference solution.
    pub(super) fn reference(self: &Arc<Self>, task: TaskId) -> Result<World, Fault> {
        let make = || {
            let setup = Setup {
                run_id: "reference".into(),
                agent: "solution".into(),
                limits: self.task(task)?.limits.clone(),
                clock: Box::new(Still),
                sink: Box::new(Discard),
            };
            let mut session = self.session(task, setup)?;
            match super::solve(&mut session) {
                Some(super::Ending::Output(_)) => Ok(session.world.clone()),
                Some(super::Ending::AgentError(message)) => {
                    Err(Fault { message: format!("the reference solution fails: {message}") })
                }
                Some(_) => Err(Fault { message: "the reference solution did not come to its end".to_owned() }),
                None => Err(Fault { message: "the task has no reference solution".to_owned() }),
            }
        };
        self.prepared(task)?.reference.get_or_init(make).clone()
    }

    /// The checks of the task on the untouched world, with no answer and no calls.
    pub(super) fn baseline(self: &Arc<Self>, task: TaskId) -> Result<&[Check], Fault> {
        let make = || {
            let initial = self.initial(task)?;
            self.grade(task, &initial, &initial, &Answer::default(), &Calls::default(), &[])
        };
        match self.prepared(task)?.baseline.get_or_init(make) {
            Ok(checks) => Ok(checks),
            Err(fault) => Err(fault.clone()),
        }
    }

    /// All checks of a task, the built-in ones last: `answer` where the answer is typed, `policy` where rules count.
    pub(super) fn grade(
        self: &Arc<Self>,
        task: TaskId,
        initial: &World,
        last: &World,
        answer: &Answer,
        calls: &Calls,
        violations: &[String],
    ) -> Result<Vec<Check>, Fault> {
        let spec = self.task(task)?;
        let reference = || self.reference(task);
        let grading = Grading { task, initial, last, reference: &reference, answer, calls };
        let mut checks = guarded(|| self.environment.grade(&grading))??;
        if spec.answer.is_some() {
            checks.push(match &answer.problem {
                _ if answer.typed.is_some() => Check::built_in("answer", true, "the answer is of the declared type"),
                Some(problem) => Check::built_in("answer", false, problem),
                None => Check::built_in("answer", false, "there is no answer"),
            });
        }
        if spec.rules && !self.environment.manifest().rules.is_empty() {
            let broken = violations.join("; ");
            let detail = if violations.is_empty() { "no rule was broken" } else { &broken };
            checks.push(Check::built_in("policy", violations.is_empty(), detail));
        }
        Ok(checks)
    }
}

fn no_task(task: TaskId) -> Fault {
    Fault { message: format!("there is no task number {}", task.0) }
}

/// The clock of rollouts whose times nobody sees.
struct Still;

impl super::Clock for Still {
    fn now(&self) -> crate::value::DateTime {
        crate::value::DateTime::MIN
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A rollout's limits: the task's, narrowed or widened by what the command line says.
impl Limits {
    /// These limits with other calls and time where given.
    #[must_use]
    pub fn with(mut self, max_calls: Option<u32>, timeout: Option<Duration>) -> Self {
        self.max_calls = max_calls.unwrap_or(self.max_calls);
        if let Some(timeout) = timeout {
            self.timeout_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        }
        self
    }
}
