//! What rules and verifiers see beside a world: the calls so far, the other worlds, the answer.

use super::stop::{Eval, Reason, Stop};
use silo_runtime::calls::Calls;
use silo_runtime::diff::Diff;
use silo_runtime::environment::Fault;
use silo_runtime::grade::Answer;
use silo_runtime::methods::answer::AnswerText;
use silo_runtime::store::Store;
use silo_runtime::value::dynamic::WorldName;
use silo_runtime::world::World;
use std::cell::OnceCell;

/// What code sees beside its world.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'a> {
    /// The calls so far, for rules and verifiers.
    pub calls: Option<&'a Calls>,
    /// What a verifier judges.
    pub judged: Option<&'a Judged<'a>>,
}

/// What a verifier judges.
pub(super) struct Judged<'a> {
    /// The world as the agent left it.
    pub last: &'a Store,
    /// The world after the reference solution, computed when first asked for.
    pub reference: &'a dyn Fn() -> Result<World, Fault>,
    /// The world after the reference solution, once computed.
    pub cached: OnceCell<Result<World, Fault>>,
    /// What differs between the initial world and the final one, once asked for.
    pub diff: OnceCell<Diff>,
    /// What the agent answered.
    pub answer: &'a Answer,
    /// The text of the answer, read for numbers and words once somebody asks.
    pub text: OnceCell<AnswerText>,
}

impl<'a> Context<'a> {
    /// Nothing beside the world.
    pub(super) const NONE: &'static Context<'static> = &Context { calls: None, judged: None };

    /// A world beside the first.
    #[cold]
    pub(super) fn world(&self, name: WorldName) -> Eval<&'a Store> {
        let judged = self.judged()?;
        match name {
            WorldName::Reference => judged.reference(),
            _ => Ok(judged.last),
        }
    }

    /// What is judged, in a verifier.
    pub(super) fn judged(&self) -> Eval<&'a Judged<'a>> {
        self.judged.ok_or_else(|| Stop::broken("code outside of verifiers reads what only they see"))
    }

    /// The calls so far.
    pub(super) fn calls(&self) -> Eval<&'a Calls> {
        self.calls.ok_or_else(|| Stop::broken("code that sees no calls reads them"))
    }
}

impl Judged<'_> {
    /// The world after the reference solution.
    pub(super) fn reference(&self) -> Eval<&Store> {
        match self.reference_world()? {
            Ok(world) => world.state().ok_or_else(|| Stop::broken("the reference world is of another kind")),
            Err(fault) => Err(Stop::new(Reason::Solution(fault.message.clone()))),
        }
    }

    /// The text of the answer.
    pub(super) fn text(&self) -> &AnswerText {
        self.text.get_or_init(|| AnswerText::new(&self.answer.text))
    }

    fn reference_world(&self) -> Eval<&Result<World, Fault>> {
        if self.cached.get().is_none() {
            let _ = self.cached.set((self.reference)());
        }
        self.cached.get().ok_or_else(|| Stop::broken("the reference world is missing"))
    }
}
