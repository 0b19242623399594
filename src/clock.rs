//! The clock of real rollouts: the one place where the time comes in.
#![expect(clippy::disallowed_methods, reason = "a session is handed its clock; this is it")]

use silo_runtime::session::Clock;
use silo_runtime::value::{Date, DateTime};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time of this machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    since: Instant,
}

impl SystemClock {
    /// A clock whose elapsed time counts from now.
    pub fn new() -> Self {
        Self { since: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime {
        utc(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}

/// The instant so long after the beginning of 1970, cut to milliseconds.
fn utc(since_1970: Duration) -> DateTime {
    let seconds = i64::try_from(since_1970.as_secs()).unwrap_or(i64::MAX);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let midnight = Date::of(1970, 1, 1).and_then(|date| date.add_days(days)).unwrap_or(Date::MAX);
    let part = |number: i64| i8::try_from(number).unwrap_or_default();
    let nanosecond = i32::try_from(since_1970.subsec_millis() * 1_000_000).unwrap_or_default();
    let time = (part(second / 3600), part(second / 60 % 60), part(second % 60));
    DateTime::new(midnight, time.0, time.1, time.2, nanosecond).unwrap_or(DateTime::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_utc_to_the_millisecond() {
        assert_eq!(utc(Duration::ZERO).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(utc(Duration::new(951_868_799, 123_999_999)).to_string(), "2000-02-29T23:59:59.123Z");
    }
}
