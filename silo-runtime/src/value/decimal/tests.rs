//! Decimals against integers of any size, written out digit by digit.
#![expect(
    clippy::format_push_string,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "models and reports are written to be read"
)]

use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;
use crate::value::checked::Checked;

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn shown(result: ToolResult<Decimal>) -> String {
    result.map_or_else(|error| error.to_string(), |value| value.to_string())
}

/// A natural number in base ten, lowest digit first, without zeros at the end: slow and plainly right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Natural(Vec<u8>);

impl Natural {
    fn new(mut n: u128) -> Self {
        let mut digits = Vec::new();
        while n > 0 {
            digits.push((n % 10) as u8);
            n /= 10;
        }
        Self(digits)
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn shifted(&self, tens: usize) -> Self {
        let mut digits = vec![0; tens];
        digits.extend(&self.0);
        Self(digits).trimmed()
    }

    fn plus(&self, other: &Self) -> Self {
        let mut digits = Vec::new();
        let mut carry = 0;
        for at in 0..=self.0.len().max(other.0.len()) {
            let sum = self.0.get(at).unwrap_or(&0) + other.0.get(at).unwrap_or(&0) + carry;
            digits.push(sum % 10);
            carry = sum / 10;
        }
        Self(digits).trimmed()
    }

    /// `other` must not be larger.
    fn minus(&self, other: &Self) -> Self {
        let mut digits = Vec::new();
        let mut borrow = 0;
        for at in 0..self.0.len() {
            let mut digit = i16::from(self.0[at]) - i16::from(*other.0.get(at).unwrap_or(&0)) - borrow;
            borrow = i16::from(digit < 0);
            digit += 10 * borrow;
            digits.push(digit as u8);
        }
        Self(digits).trimmed()
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self(Vec::new());
        for (at, digit) in other.0.iter().enumerate() {
            for _ in 0..*digit {
                product = product.plus(&self.shifted(at));
            }
        }
        product
    }

    fn divided(&self, by: &Self) -> (Self, Self) {
        let mut quotient = vec![0; self.0.len()];
        let mut rest = Self(Vec::new());
        for at in (0..self.0.len()).rev() {
            rest = rest.shifted(1).plus(&Self::new(u128::from(self.0[at])));
            while rest.compare(by).is_ge() {
                rest = rest.minus(by);
                quotient[at] += 1;
            }
        }
        (Self(quotient).trimmed(), rest)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// A number as ±digits / 10^places.
#[derive(Clone, Debug)]
struct Model {
    negative: bool,
    digits: Natural,
    places: usize,
}

impl Model {
    fn of(value: Decimal) -> Self {
        let digits = Natural::new(value.mantissa().unsigned_abs());
        Self { negative: value.is_negative(), digits, places: value.scale() as usize }
    }

    /// The one spelling, or nothing if that takes more than 28 digits or places.
    fn spelled(mut self) -> Option<String> {
        while self.places > 0 && self.digits.0.first().is_none_or(|digit| *digit == 0) {
            if !self.digits.0.is_empty() {
                self.digits.0.remove(0);
            }
            self.places -= 1;
        }
        if self.digits.0.len() > 28 || self.places > 28 {
            return None;
        }
        let mut digits: Vec<char> = self.digits.0.iter().map(|digit| char::from(b'0' + digit)).collect();
        while digits.len() <= self.places {
            digits.push('0');
        }
        if self.places > 0 {
            digits.insert(self.places, '.');
        }
        if self.negative && !self.digits.0.is_empty() {
            digits.push('-');
        }
        Some(digits.into_iter().rev().collect())
    }

    fn aligned(&self, places: usize) -> Natural {
        self.digits.shifted(places - self.places)
    }

    fn plus(&self, other: &Self) -> Self {
        let places = self.places.max(other.places);
        let (a, b) = (self.aligned(places), other.aligned(places));
        let (negative, digits) = if self.negative == other.negative {
            (self.negative, a.plus(&b))
        } else if a.compare(&b).is_ge() {
            (self.negative, a.minus(&b))
        } else {
            (other.negative, b.minus(&a))
        };
        Self { negative, digits, places }
    }

    fn negated(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    fn times(&self, other: &Self) -> Self {
        let digits = self.digits.times(&other.digits);
        Self { negative: self.negative != other.negative, digits, places: self.places + other.places }
    }

    /// The quotient, half-even at as many places as 28 digits and 28 places allow.
    fn over(&self, other: &Self) -> Option<String> {
        let negative = self.negative != other.negative;
        for places in (0..=28).rev() {
            let dividend = self.digits.shifted(places + other.places);
            let divisor = other.digits.shifted(self.places);
            let (mut digits, rest) = dividend.divided(&divisor);
            let odd = digits.0.first().is_some_and(|digit| digit % 2 == 1);
            let up = match rest.plus(&rest).compare(&divisor) {
                Ordering::Less => false,
                Ordering::Equal => odd,
                Ordering::Greater => true,
            };
            // One more place is always wrong once the unrounded digits are too many.
            if digits.0.len() > 28
                && !(rest.0.is_empty() && Self { negative, digits: digits.clone(), places }.spelled().is_some())
            {
                continue;
            }
            if up {
                digits = digits.plus(&Natural::new(1));
            }
            return Self { negative, digits, places }.spelled();
        }
        None
    }

    /// The quotient rounded down, and what is left.
    fn floored(&self, other: &Self) -> (Self, Self) {
        let places = self.places.max(other.places);
        let (quotient, rest) = self.aligned(places).divided(&other.aligned(places));
        let negative = self.negative != other.negative;
        let up = negative && !rest.0.is_empty();
        let digits = if up { quotient.plus(&Natural::new(1)) } else { quotient };
        let whole = Self { negative, digits, places: 0 };
        let left = self.plus(&whole.times(other).negated());
        (whole, left)
    }
}

fn any_decimal() -> impl Strategy<Value = Decimal> {
    let mantissa = prop_oneof![
        -1000_i128..1000,
        any::<i64>().prop_map(i128::from),
        -(10_i128.pow(28) - 1)..10_i128.pow(28),
        (0_u32..28).prop_map(|tens| 10_i128.pow(tens)),
        (0_i128..20).prop_map(|n| 10_i128.pow(28) - 1 - n),
        (0_u32..40).prop_map(|twos| 2_i128.pow(twos)),
        (0_u32..40).prop_map(|fives| 5_i128.pow(fives)),
    ];
    (mantissa, prop_oneof![0_u32..5, 0_u32..=28])
        .prop_filter_map("28 digits", |(mantissa, scale)| Decimal::new(mantissa, scale))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_exact_is_right_and_the_rest_fails(a in any_decimal(), b in any_decimal()) {
        let (x, y) = (Model::of(a), Model::of(b));
        prop_assert_eq!(a.plus(b).ok().map(|sum| sum.to_string()), x.plus(&y).spelled(), "{} + {}", a, b);
        prop_assert_eq!(a.minus(b).ok().map(|left| left.to_string()), x.plus(&y.negated()).spelled(), "{} - {}", a, b);
        prop_assert_eq!(a.times(b).ok().map(|product| product.to_string()), x.times(&y).spelled(), "{} * {}", a, b);
    }

    #[test]
    fn quotients_are_half_even_at_the_28th_digit(a in any_decimal(), b in any_decimal()) {
        let expected = if b == 0 { None } else { Model::of(a).over(&Model::of(b)) };
        prop_assert_eq!(a.over(b).ok().map(|quotient| quotient.to_string()), expected, "{} / {}", a, b);
    }

    #[test]
    fn div_and_modulo_round_down(a in any_decimal(), b in any_decimal()) {
        let expected = (b != 0).then(|| Model::of(a).floored(&Model::of(b)));
        let (whole, left) = expected.map_or((None, None), |(whole, left)| (whole.spelled(), left.spelled()));
        prop_assert_eq!(a.div(b).ok().map(|whole| whole.to_string()), whole, "{} div {}", a, b);
        prop_assert_eq!(a.modulo(b).ok().map(|left| left.to_string()), left, "{} % {}", a, b);
    }

    #[test]
    fn rounding_agrees_with_adding_a_half_and_cutting(a in any_decimal(), places in 0_u32..30) {
        let unit = 10_i128.pow(a.scale().saturating_sub(places));
        let magnitude = a.mantissa().abs();
        let rounded = (magnitude + unit / 2) / unit * unit * a.mantissa().signum();
        prop_assert_eq!(a.round(i64::from(places)).ok(), Decimal::new(rounded, a.scale()));
        let whole = 10_i128.pow(a.scale());
        prop_assert_eq!(Some(a.floor()), Decimal::new(a.mantissa().div_euclid(whole), 0));
        prop_assert_eq!(Some(a.ceil()), Decimal::new(-(-a.mantissa()).div_euclid(whole), 0));
    }

    #[test]
    fn the_spelling_reads_back_and_orders_like_the_value(a in any_decimal(), b in any_decimal()) {
        prop_assert_eq!(a.to_string().parse::<Decimal>(), Ok(a));
        let difference = Model::of(a).plus(&Model::of(b).negated());
        let order = match (difference.digits.0.is_empty(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        };
        prop_assert_eq!(a.cmp(&b), order);
        prop_assert_eq!(a == b, a.to_string() == b.to_string());
    }

    #[test]
    fn any_spelling_gives_the_one_value(a in any_decimal(), zeros in 0_usize..5, shift in 0_i32..8) {
        let point = if a.is_whole() { "." } else { "" };
        let padded = format!("{a}{}{}", if zeros > 0 { point } else { "" }, "0".repeat(zeros));
        prop_assert_eq!(padded.parse::<Decimal>(), Ok(a), "{}", padded);
        prop_assert_eq!(format!("{}e{}", a.mantissa(), -i64::from(a.scale())).parse::<Decimal>(), Ok(a));
        prop_assert_eq!(format!("{}{}E-{shift}", a.mantissa(), "0".repeat(shift as usize)).parse::<Decimal>().ok(), Decimal::new(a.mantissa(), 0));
    }

    #[test]
    fn no_text_is_too_much(text in "-?[0-9]{0,40}\\.?[0-9]{0,40}([eE][-+]?[0-9]{1,20})?|\\PC{0,10}") {
        let _ = text.parse::<Decimal>();
    }
}

#[test]
fn r17_decimal_money_does_not_drift() {
    assert_eq!(shown(decimal("0.1").plus(decimal("0.2"))), "0.3");
    assert_eq!(shown(decimal("1.005").round(2)), "1.01");
    assert_eq!(shown(decimal("-1.005").round(2)), "-1.01");
    assert_eq!(shown(decimal("2.345").round(2)), "2.35");
    assert_eq!(decimal("140000.00").to_string(), "140000");
    assert_eq!(decimal("140000.0"), decimal("1.4e5"));
    let sum = (0..1000).try_fold(Decimal::ZERO, |sum, _| sum.plus(decimal("45.91"))).unwrap();
    assert_eq!(sum.to_string(), "45910");
}

#[test]
fn failures_say_why() {
    let largest = Decimal::MAX;
    assert_eq!(largest.to_string(), "9".repeat(28));
    assert_eq!(Decimal::MIN.to_string(), format!("-{}", "9".repeat(28)));
    let said = [
        largest.plus(Decimal::ONE),
        largest.minus(decimal("0.1")),
        largest.times(decimal("1.5")),
        decimal("12345678901234567890.12345678").times(decimal("1.23456789")),
        decimal("1e-28").times(decimal("0.1")),
        largest.over(decimal("0.1")),
        Decimal::ONE.over(Decimal::ZERO),
        Decimal::ONE.modulo(Decimal::ZERO),
        largest.div(decimal("1e-28")),
        decimal("-1e-28").modulo(largest),
        largest.round(-3),
    ]
    .map(shown);
    insta::assert_debug_snapshot!(said);
}

#[test]
fn quotients_round_only_at_the_last_digit() {
    assert_eq!(shown(Decimal::ONE.over(decimal("3"))), format!("0.{}", "3".repeat(28)));
    assert_eq!(shown(decimal("2").over(decimal("3"))), format!("0.{}7", "6".repeat(27)));
    assert_eq!(shown(decimal("100").over(decimal("3"))), format!("33.{}", "3".repeat(26)));
    assert_eq!(shown(decimal("1e27").over(decimal("3"))), format!("{}.3", "3".repeat(27)));
    assert_eq!(shown(decimal("1e-28").over(decimal("2"))), "0", "half-even, and 0 is even");
    assert_eq!(shown(decimal("3e-28").over(decimal("2"))), format!("0.{}2", "0".repeat(27)));
    assert_eq!(shown(decimal("-7").over(decimal("2"))), "-3.5");
}

#[test]
fn rest_and_floor_follow_the_divisor() {
    for (a, b, whole, left) in [
        ("7", "2", "3", "1"),
        ("-7", "2", "-4", "1"),
        ("7", "-2", "-4", "-1"),
        ("-7", "-2", "3", "-1"),
        ("5.5", "0.4", "13", "0.3"),
        ("-0.5", "1e20", "-1", "99999999999999999999.5"),
    ] {
        assert_eq!(
            (shown(decimal(a).div(decimal(b))).as_str(), shown(decimal(a).modulo(decimal(b))).as_str()),
            (whole, left),
            "{a} {b}"
        );
    }
}

#[test]
fn rounding_to_tens_is_half_away_from_zero_too() {
    assert_eq!(shown(decimal("1250").round(-2)), "1300");
    assert_eq!(shown(decimal("-1250").round(-2)), "-1300");
    assert_eq!(shown(decimal("1249.99").round(-2)), "1200");
    assert_eq!(shown(decimal("5").round(-1)), "10");
    assert_eq!(shown(decimal("5").round(i64::MIN)), "0");
    assert_eq!(shown(decimal("5.5").round(i64::MAX)), "5.5");
}

#[test]
fn zero_has_no_sign() {
    for text in ["-0", "-0.0", "0e5", "-0e-999999999999999999999", "0.000"] {
        assert_eq!(decimal(text).to_string(), "0", "{text}");
    }
    assert_eq!((-Decimal::ZERO).to_string(), "0");
    assert_eq!(shown(decimal("-0.001").round(2)), "0");
    assert_eq!(decimal("-0.5").ceil().to_string(), "0");
    assert_eq!(shown(decimal("-5").times(Decimal::ZERO)), "0");
    assert_eq!(shown(decimal("-5").plus(decimal("5"))), "0");
}

#[test]
fn pf10_numbers_that_other_parsers_bend() {
    let mut report = String::new();
    for text in [
        "1e400",
        "-1e400",
        "1e-400",
        "123456789012345678901234567890.12",
        "0.1e1",
        "1E-8",
        "1e-08",
        "-0",
        "1.0",
        "00",
        "1_000",
        "0x10",
        "+1",
        ".5",
        "1.",
        "NaN",
        "Infinity",
        "57748.80",
        "1e",
        "1e+",
        "--1",
        "",
        " 1",
        "1 ",
        "１",
        "1e99999999999999999999",
        "0e99999999999999999999",
        "1e-28",
        "1e-29",
        "1e27",
        "1e28",
        "9999999999999999999999999999",
        "10000000000000000000000000000",
        "0.00000000000000000000000000001",
    ] {
        let outcome = text.parse::<Decimal>().map_or_else(|error| error.to_string(), |value| value.to_string());
        report.push_str(&format!("{text:<36} {outcome}\n"));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_decimal_is_two_words() {
    assert_eq!(size_of::<Decimal>(), 16);
}
