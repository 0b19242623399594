//! Checks as a reward in [0, 1].

use crate::environment::RewardMode;
use crate::grade::Check;
use crate::value::{Checked, Decimal};

/// The reward of a rollout.
///
/// - *progress*: checks that already hold on the untouched world (`baseline`) are guards, the others goals; the reward is the
///   weighted share of goals reached, and 0 if a required guard is broken or a rule was violated. Doing nothing is worth 0,
///   everything right 1. A task without goals gives 0.
/// - *strict*: 1 when passed, else 0.
/// - *share*: the weighted share of all checks.
pub fn reward(mode: RewardMode, checks: &[Check], baseline: &[Check], passed: bool, broke_policy: bool) -> Decimal {
    match mode {
        RewardMode::Strict => {
            if passed {
                Decimal::ONE
            } else {
                Decimal::ZERO
            }
        }
        RewardMode::Share => share(checks.iter()),
        RewardMode::Progress => {
            let is_guard = |index: usize, check: &Check| held_before(index, check, baseline);
            let broken = checks
                .iter()
                .enumerate()
                .any(|(index, check)| is_guard(index, check) && check.required && !check.passed);
            if broken || broke_policy {
                return Decimal::ZERO;
            }
            share(checks.iter().enumerate().filter(|(index, check)| !is_guard(*index, check)).map(|(_, check)| check))
        }
    }
}

/// Whether the check held on the untouched world. Both lists come from the same verifiers over the same initial world, so that
/// a check stands at the same place in both.
fn held_before(index: usize, check: &Check, baseline: &[Check]) -> bool {
    baseline.get(index).is_some_and(|before| before.label == check.label && before.passed)
}

fn share<'a>(checks: impl Iterator<Item = &'a Check>) -> Decimal {
    let (mut reached, mut all) = (Decimal::ZERO, Decimal::ZERO);
    for check in checks {
        all = all.plus(check.weight).unwrap_or(all);
        if check.passed {
            reached = reached.plus(check.weight).unwrap_or(reached);
        }
    }
    reached.over(all).unwrap_or(Decimal::ZERO)
}
