//! Dates against a day count written from the rules of the calendar.
#![expect(clippy::format_push_string, clippy::string_slice, reason = "models and reports are written to be read")]

use proptest::prelude::*;

use super::*;

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn instant(text: &str) -> DateTime {
    text.parse().unwrap()
}

/// The calendar, year by year and month by month.
mod model {
    pub(super) fn is_leap(year: i64) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    pub(super) fn days_in(year: i64, month: i64) -> i64 {
        match month {
            2 => 28 + i64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Days since 0000-01-01, which was a Saturday.
    pub(super) fn count(year: i64, month: i64, day: i64) -> i64 {
        let years: i64 = (0..year).map(|year| 365 + i64::from(is_leap(year))).sum();
        let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
        years + months + day - 1
    }

    pub(super) fn weekday(count: i64) -> i64 {
        (count + 5) % 7 + 1
    }
}

fn any_parts() -> impl Strategy<Value = (i64, i64, i64)> {
    let year = prop_oneof![0_i64..=9999, 1995_i64..2035, Just(0), Just(9999), Just(1900), Just(2000)];
    (year, 1_i64..=12, 1_i64..=31).prop_map(|(year, month, day)| (year, month, day.min(model::days_in(year, month))))
}

fn any_date() -> impl Strategy<Value = Date> {
    any_parts().prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
}

fn any_instant() -> impl Strategy<Value = DateTime> {
    (any_date(), 0_i8..24, 0_i8..60, 0_i8..60, prop_oneof![Just(0), 0_i32..1_000_000_000])
        .prop_map(|(date, hour, minute, second, nano)| DateTime::new(date, hour, minute, second, nano).unwrap())
}

fn count(date: Date) -> i64 {
    model::count(date.year(), date.month(), date.day())
}

proptest! {
    #[test]
    fn days_agree_with_the_count((year, month, day) in any_parts(), other in any_date()) {
        let date = Date::new(year, month, day).unwrap();
        prop_assert_eq!((date.year(), date.month(), date.day()), (year, month, day));
        prop_assert_eq!(date.weekday(), model::weekday(count(date)));
        prop_assert_eq!(date.days_until(other), count(other) - count(date));
        prop_assert_eq!(date.add_days(date.days_until(other)).ok(), Some(other));
        prop_assert_eq!(date.cmp(&other), count(date).cmp(&count(other)));
        prop_assert_eq!(date.start_of_month().day(), 1);
        prop_assert_eq!(date.end_of_month().day(), model::days_in(year, month));
        prop_assert_eq!(date.to_string().parse::<Date>(), Ok(date));
        prop_assert_eq!(date.format("YYYY-MM-DD").ok(), Some(date.to_string()));
    }

    #[test]
    fn only_days_of_the_calendar_exist(year in -2_i64..10_002, month in -1_i64..15, day in -1_i64..34) {
        let exists = (0..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1 && day <= model::days_in(year, month);
        prop_assert_eq!(Date::new(year, month, day).is_ok(), exists);
    }

    #[test]
    fn months_keep_the_day_or_end_the_month(start in any_date(), months in -30_000_i64..30_000) {
        let counted = start.year() * 12 + start.month() - 1 + months;
        let (year, month) = (counted.div_euclid(12), counted.rem_euclid(12) + 1);
        let expected = (0..=9999).contains(&year).then(|| (year, month, start.day().min(model::days_in(year, month))));
        let moved = start.add_months(months).ok();
        prop_assert_eq!(moved.map(|date| (date.year(), date.month(), date.day())), expected);
    }

    #[test]
    fn instants_agree_with_the_count(a in any_instant(), b in any_instant(), minutes in -10_000_000_i64..10_000_000) {
        let nanoseconds = |at: DateTime| {
            let text = at.to_string();
            let clock: Vec<i128> = [11..13, 14..16, 17..19].map(|part| text[part].parse().unwrap()).to_vec();
            let fraction = text[19..].trim_end_matches('Z').trim_start_matches('.');
            let fraction: i128 = format!("{fraction:0<9}").parse().unwrap();
            (((i128::from(count(at.date())) * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]) * 1_000_000_000 + fraction
        };
        let apart = nanoseconds(b) - nanoseconds(a);
        prop_assert_eq!(i128::from(a.minutes_until(b)), apart / 60_000_000_000);
        prop_assert_eq!(i128::from(a.days_until(b)), apart / 86_400_000_000_000);
        prop_assert_eq!(a.days_until(b), -b.days_until(a));
        prop_assert_eq!(a.cmp(&b), 0.cmp(&apart));
        if let Ok(later) = a.add_minutes(minutes) {
            prop_assert_eq!(nanoseconds(later) - nanoseconds(a), i128::from(minutes) * 60_000_000_000);
            prop_assert_eq!(later.add_minutes(-minutes).ok(), Some(a));
        }
        prop_assert!(a.start_of_month() <= a && a <= a.end_of_month());
        prop_assert_eq!(a.end_of_month().date(), a.date().end_of_month());
        prop_assert_eq!(a.to_string().parse::<DateTime>(), Ok(a));
    }

    #[test]
    fn an_offset_is_a_number_of_minutes(at in any_instant(), hours in 0_i64..24, minutes in 0_i64..60, east in any::<bool>()) {
        let text = at.to_string();
        let sign = if east { '+' } else { '-' };
        let shifted = format!("{}{sign}{hours:02}:{minutes:02}", text.trim_end_matches('Z'));
        let offset = hours * 60 + minutes;
        let expected = at.add_minutes(if east { -offset } else { offset });
        prop_assert_eq!(shifted.parse::<DateTime>().ok(), expected.ok());
    }

    #[test]
    fn no_text_is_too_much(text in "[-0-9TZ:.+]{0,40}|\\PC{0,20}") {
        let _ = (text.parse::<Date>(), text.parse::<DateTime>(), DateTime::parse_seed(&text), DateTime::parse_literal(&text));
        let _ = (Date::MIN.format(&text), DateTime::MAX.format(&text));
    }
}

fn read_date(text: &str) -> String {
    text.parse::<Date>().map_or_else(|reason| reason.to_string(), |date| format!("= {date}"))
}

#[test]
fn r19_days_that_do_not_exist_are_not_rolled_over() {
    assert_eq!(read_date("2026-02-30"), "there is no 30 February 2026");
    assert_eq!(Date::of(2026, 2, 30).unwrap_err().to_string(), "invalid_input: there is no 30 February 2026");
    assert_eq!(date("2026-01-31").add_months(1).unwrap(), date("2026-02-28"));
    assert_eq!(date("2024-01-31").add_months(1).unwrap(), date("2024-02-29"));
}

#[test]
fn pc11_only_days_that_exist_in_their_one_shape_are_dates() {
    let mut report = String::new();
    for text in [
        "2026-02-30",
        "2024-02-29",
        "2023-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2026-3-1",
        "2026-03-31T00:00:00Z",
        "20260331",
        " 2026-03-31",
        "2026-03-31\n",
        "２０２６-03-31",
        "0000-01-01",
        "+10000-01-01",
        "10000-01-01",
        "-001-01-01",
        "",
        "today",
    ] {
        report.push_str(&format!("{:<24} {}\n", text.escape_debug().to_string(), read_date(text)));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn pf13_dates_are_never_guessed() {
    let mut report = String::new();
    for text in [
        "03/08/2026",
        "26/06/2026",
        "2026/08/03",
        "3.8.2026",
        "20260803",
        "45873",
        "2026-08-03T00:00:00+02:00",
        "2026-08-03 ",
        "2026-08-03",
        "2026-08-03T09:00:00",
        "2026-08-03T09:00Z",
        "2026-08-03 09:00:00Z",
        "2026-08-03T09:00:00z",
        "2026-08-03T24:00:00Z",
        "2026-08-03T23:59:60Z",
        "2026-08-03T09:60:00Z",
        "2026-08-03T09:00:00.1234567890Z",
        "2026-08-03T09:00:00.Z",
        "2026-08-03T09:00:00.000Z",
        "2026-08-03T09:00:00.120Z",
        "2026-08-03T09:00:00+0200",
        "2026-08-03T09:00:00+02",
        "2026-08-03T09:00:00+24:00",
        "2026-08-03T09:00:00-00:00",
        "2026-08-03T09:00:00ZZ",
        "2026-02-30T09:00:00Z",
        "0000-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-00:01",
    ] {
        let seed = DateTime::parse_seed(text).map_or_else(|reason| reason.to_string(), |at| format!("= {at}"));
        let strict = text.parse::<DateTime>().map_or_else(|reason| reason.to_string(), |at| format!("= {at}"));
        report.push_str(&format!("{text}\n  date      {}\n  datetime  {strict}\n", read_date(text)));
        if seed != strict {
            report.push_str(&format!("  in seed   {seed}\n"));
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn literals_may_leave_out_seconds_but_not_the_zone() {
    let read = |text| DateTime::parse_literal(text).map_or_else(|reason| reason.to_string(), |at| at.to_string());
    assert_eq!(read("2026-03-31T09:00Z"), "2026-03-31T09:00:00Z");
    assert_eq!(read("2026-03-31T09:00:00.250Z"), "2026-03-31T09:00:00.25Z");
    assert_eq!(read("2026-03-31T09:00"), "expected a time zone (`Z` or an offset) at the end of `2026-03-31T09:00`");
    assert_eq!(
        read("2026-03-31T09:00+01:00"),
        "expected an instant in UTC, ending in `Z`, found `2026-03-31T09:00+01:00`"
    );
}

#[test]
fn pb05_days_are_those_of_utc() {
    let late = instant("2026-12-31T23:30:00Z");
    assert_eq!(late.date(), date("2026-12-31"));
    assert_eq!(late.add_minutes(30).unwrap().date(), date("2027-01-01"));
    assert_eq!(late.weekday(), 4);
    assert_eq!(late.format("YYYY-MM-DDTHH:mm:ssZ").unwrap(), "2026-12-31T23:30:00Z");
    assert_eq!(late.days_until(instant("2027-01-01T00:30:00Z")), 0, "an hour is no day");
    assert_eq!(late.date().days_until(date("2027-01-01")), 1);
    assert_eq!(date("2024-02-29").add_months(12).unwrap(), date("2025-02-28"));
    assert_eq!(date("2026-03-31").add_months(-1).unwrap(), date("2026-02-28"));
}

#[test]
fn leaving_the_years_is_an_error() {
    let said = [
        Date::MAX.add_days(1).map(|date| date.to_string()),
        Date::MIN.add_days(-1).map(|date| date.to_string()),
        Date::MIN.add_days(i64::MIN).map(|date| date.to_string()),
        Date::MAX.add_months(1).map(|date| date.to_string()),
        Date::MIN.add_months(i64::MAX).map(|date| date.to_string()),
        DateTime::MAX.add_minutes(1).map(|at| at.to_string()),
        DateTime::MIN.add_days(-1).map(|at| at.to_string()),
    ]
    .map(|result| result.unwrap_err().to_string());
    insta::assert_debug_snapshot!(said);
}

#[test]
fn patterns_hold_nothing_that_only_looks_like_a_part() {
    let at = instant("2026-03-05T07:08:09Z");
    assert_eq!(at.format("DD.MM.YYYY, HH:mm:ss").unwrap(), "05.03.2026, 07:08:09");
    assert_eq!(at.date().format("YYYY年MM月").unwrap(), "2026年03月");
    assert_eq!(at.date().format("").unwrap(), "");
    let said = ["YY-MM", "MMM", "D.M.", "hh:mm a", "DDDD", "Day DD"]
        .map(|pattern| at.format(pattern).unwrap_err().to_string());
    insta::assert_debug_snapshot!(said);
    assert_eq!(check_format("HH:mm", false), Err("a date has no time of day, so `HH` cannot be written".to_owned()));
    assert_eq!(check_format("HH:mm", true), Ok(()));
}

#[test]
fn dates_are_small() {
    assert_eq!((size_of::<Date>(), size_of::<DateTime>()), (4, 12));
}
