//! What the values of a call cost: reading and writing JSON, calculating, dates.
#![expect(clippy::format_push_string, reason = "making the data is not measured")]

use divan::{Bencher, black_box};
use silo_runtime::methods::answer::AnswerText;
use silo_runtime::methods::calculate::calculate;
use silo_runtime::value::json::{Json, Limits, Located};
use silo_runtime::value::{Checked, Date, DateTime, Decimal};

fn main() {
    divan::main();
}

const INPUT: &str = r#"{"owner": "USR-004", "status": "open", "stale_only": true, "limit": 20, "min_amount": 1250.5}"#;

/// Rows as a data file has them, some 180 bytes each.
fn seed(rows: usize) -> String {
    let mut text = String::from("[\n");
    for n in 0..rows {
        let comma = if n + 1 == rows { "" } else { "," };
        text += &format!(
            "  {{ \"id\": \"OPP-{n:04}\", \"name\": \"Renewal {n}\", \"ownerId\": \"USR-{:03}\", \"stageId\": \"STG-{}\", \"amount\": {}.5, \"stageEntered\": \"2026-01-{:02}\", \"status\": \"open\", \"probability\": {} }}{comma}\n",
            n % 40,
            n % 7,
            n * 137,
            n % 28 + 1,
            n % 100
        );
    }
    text + "]"
}

#[divan::bench]
fn parse_input_of_five_fields() -> Option<Json> {
    Json::parse(black_box(INPUT), Limits::default()).ok()
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn parse_seed_rows(bencher: Bencher<'_, '_>, rows: usize) {
    let text = seed(rows);
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench_local(|| Located::parse(black_box(&text), Limits::default()).map(drop).is_ok());
}

#[divan::bench(args = [1, 20, 1_000])]
fn write_rows(bencher: Bencher<'_, '_>, rows: usize) {
    let json = Json::parse(&seed(rows), Limits::default()).unwrap_or_default();
    let mut out = String::new();
    bencher.bench_local(|| {
        out.clear();
        black_box(&json).write_compact(&mut out);
        out.len()
    });
}

#[divan::bench]
fn copy_out_20_rows(bencher: Bencher<'_, '_>) {
    let json = Json::parse(&seed(20), Limits::default()).unwrap_or_default();
    bencher.bench_local(|| black_box(&json).clone());
}

fn decimals() -> (Decimal, Decimal) {
    ("1234.56".parse().unwrap_or_default(), "0.0825".parse().unwrap_or_default())
}

#[divan::bench]
fn decimal_add(bencher: Bencher<'_, '_>) {
    let (a, b) = decimals();
    bencher.bench_local(|| black_box(a).plus(black_box(b)));
}

#[divan::bench]
fn decimal_multiply(bencher: Bencher<'_, '_>) {
    let (a, b) = decimals();
    bencher.bench_local(|| black_box(a).times(black_box(b)));
}

#[divan::bench]
fn decimal_divide(bencher: Bencher<'_, '_>) {
    let (a, b) = decimals();
    bencher.bench_local(|| black_box(a).over(black_box(b)));
}

#[divan::bench]
fn decimal_divide_by_a_hundred(bencher: Bencher<'_, '_>) {
    let (a, _) = decimals();
    bencher.bench_local(|| black_box(a).over(black_box(Decimal::from(100))));
}

#[divan::bench]
fn decimal_parse() -> Option<Decimal> {
    black_box("1234.56").parse().ok()
}

#[divan::bench]
fn decimal_write(bencher: Bencher<'_, '_>) {
    let (a, _) = decimals();
    bencher.bench_local(|| black_box(a).to_string());
}

#[divan::bench]
fn date_parse() -> Option<Date> {
    black_box("2026-03-31").parse().ok()
}

#[divan::bench]
fn datetime_parse() -> Option<DateTime> {
    black_box("2026-03-31T09:00:00.5+02:00").parse().ok()
}

#[divan::bench]
fn date_write() -> String {
    black_box(Date::MAX).to_string()
}

#[divan::bench]
fn date_days_until() -> i64 {
    black_box(Date::MIN).days_until(black_box(Date::MAX))
}

#[divan::bench]
fn calculate_a_sum() -> Option<Decimal> {
    calculate(black_box("(1204.50 + 88.20) * 1.08 - 12 / 5")).ok()
}

#[divan::bench]
fn read_an_answer() -> bool {
    AnswerText::new(black_box("Moved 2 open opportunities (OPP-005, OPP-006), worth $12,500.50 in all, to Kofi Adjei."))
        .names("OPP-006", Some("Northwind renewal"))
}
