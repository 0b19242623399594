//! Methods of dates and of points in time.

use super::{Gives, Kind, MethodSpec, Own, ParamSpec, own, param, plain};
use crate::ir::Method;

const N: ParamSpec = param("n", "int", Kind::Int);
const UNTIL: ParamSpec = param("d", "of the same type", Kind::Receiver);

const ADD_DAYS: MethodSpec =
    plain("add_days", &[N], "the same", (Method::AddDays, Gives::Receiver), "So many days later.");
const ADD_MONTHS: MethodSpec = plain(
    "add_months",
    &[N],
    "the same",
    (Method::AddMonths, Gives::Receiver),
    "So many months later, at the latest on the month's last day.",
);
const START: MethodSpec =
    plain("start_of_month", &[], "the same", (Method::StartOfMonth, Gives::Receiver), "The first day of its month.");
const END: MethodSpec =
    plain("end_of_month", &[], "the same", (Method::EndOfMonth, Gives::Receiver), "The last day of its month.");
const DAYS: MethodSpec = plain(
    "days_until",
    &[UNTIL],
    "int",
    (Method::DaysUntil, Gives::Int),
    "How many days lie between; negative if `d` is earlier.",
);
const YEAR: MethodSpec = plain("year", &[], "int", (Method::Year, Gives::Int), "Its year.");
const MONTH: MethodSpec = plain("month", &[], "int", (Method::Month, Gives::Int), "Its month, 1 to 12.");
const DAY: MethodSpec = plain("day", &[], "int", (Method::Day, Gives::Int), "Its day of the month.");
const WEEKDAY: MethodSpec =
    plain("weekday", &[], "int", (Method::Weekday, Gives::Int), "Its day of the week, 1 for Monday to 7 for Sunday.");
const FORMAT: MethodSpec = own(
    "format",
    &[param("pattern", "literal", Kind::Literal)],
    "string",
    Own::Format,
    "Written by a pattern of `YYYY MM DD HH mm ss`.",
);

pub(super) const DATE: &[MethodSpec] = &[ADD_DAYS, ADD_MONTHS, START, END, DAYS, YEAR, MONTH, DAY, WEEKDAY, FORMAT];

pub(super) const DATETIME: &[MethodSpec] = &[
    ADD_DAYS,
    ADD_MONTHS,
    START,
    END,
    DAYS,
    YEAR,
    MONTH,
    DAY,
    WEEKDAY,
    FORMAT,
    plain("add_minutes", &[N], "datetime", (Method::AddMinutes, Gives::Receiver), "So many minutes later."),
    plain("minutes_until", &[UNTIL], "int", (Method::MinutesUntil, Gives::Int), "How many whole minutes lie between."),
    plain("date", &[], "date", (Method::DateOf, Gives::Date), "Its day, in UTC."),
];
