//! `"…".calculate()`: the value of an arithmetic expression in a text.

use crate::value::checked::Checked;
use crate::value::decimal::{Decimal, NotDecimal};
use crate::value::error::{ToolError, ToolResult};
use crate::value::text::{shorten, visible};

/// The longest expression, in bytes.
const LONGEST: usize = 10_000;

/// How many parentheses and minus signs may wait for what they belong to.
const DEEPEST: usize = 100;

/// The exact value of an expression of numbers, `+`, `-`, `*`, `/` and parentheses. Numbers are those of JSON (`2`, `0.5`,
/// `1e3`); blanks mean nothing; quotients round half-even at the 28th digit. There are no powers, no thousands separators
/// and no digits but 0 to 9.
///
/// ```
/// use silo_runtime::methods::calculate::calculate;
/// assert_eq!(calculate("0.1 + 0.2")?.to_string(), "0.3");
/// assert_eq!(calculate("-(-(3)) * (4 - 1.5)")?.to_string(), "7.5");
/// assert_eq!(calculate("1/0").unwrap_err().code, "arithmetic");
/// assert_eq!(calculate("2**10").unwrap_err().code, "invalid_input");
/// # Ok::<(), silo_runtime::value::ToolError>(())
/// ```
///
/// # Errors
/// `invalid_input`, with the place, for what is no such expression; `arithmetic`, if it divides by zero or a result does not
/// fit; `limit_exceeded` beyond 10,000 bytes or 100 open parentheses and signs.
pub fn calculate(text: &str) -> ToolResult<Decimal> {
    if text.len() > LONGEST {
        return Err(ToolError::limit_exceeded(format!(
            "the expression has {} bytes; at most {LONGEST} are calculated",
            text.len()
        )));
    }
    let mut machine = Machine { text, at: 0, operators: Vec::new(), values: Vec::new() };
    machine.run()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `(`, at that byte.
    Open(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    fn binary(c: char) -> Option<Self> {
        Some(match c {
            '+' => Self::Add,
            '-' => Self::Subtract,
            '*' => Self::Multiply,
            '/' => Self::Divide,
            _ => return None,
        })
    }

    fn precedence(self) -> u8 {
        match self {
            Self::Open(_) => 0,
            Self::Add | Self::Subtract => 1,
            Self::Multiply | Self::Divide => 2,
            Self::Negate => 3,
        }
    }
}

/// Two stacks, so that nesting costs no call stack.
struct Machine<'a> {
    text: &'a str,
    at: usize,
    operators: Vec<Operator>,
    values: Vec<Decimal>,
}

impl Machine<'_> {
    fn run(&mut self) -> ToolResult<Decimal> {
        loop {
            self.operand()?;
            loop {
                match self.next() {
                    Some(')') => self.close()?,
                    Some(c) => {
                        let operator = Operator::binary(c).ok_or_else(|| self.unexpected("an operator"))?;
                        self.apply_down_to(operator.precedence())?;
                        self.push(operator)?;
                        self.at += c.len_utf8();
                        break;
                    }
                    None => return self.finish(),
                }
            }
        }
    }

    /// Signs and parentheses, and then a number.
    fn operand(&mut self) -> ToolResult<()> {
        loop {
            match self.next() {
                Some('-') => self.push(Operator::Negate)?,
                Some('(') => self.push(Operator::Open(self.at))?,
                Some('0'..='9') => {
                    let number = self.number()?;
                    self.values.push(number);
                    return Ok(());
                }
                _ => return Err(self.unexpected("a number or `(`")),
            }
            self.at += 1;
        }
    }

    fn number(&mut self) -> ToolResult<Decimal> {
        let rest = self.rest();
        let mut length = 0;
        let mut before = ' ';
        for c in rest.chars() {
            let exponent_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
            if !c.is_alphanumeric() && c != '.' && c != '_' && !exponent_sign {
                break;
            }
            before = c;
            length += c.len_utf8();
        }
        let word = rest.get(..length).unwrap_or_default();
        let number = word.parse::<Decimal>().map_err(|error| match error {
            NotDecimal::TooLong(_) => ToolError::arithmetic(error.to_string()),
            NotDecimal::NotANumber(_) => {
                let place = self.place(self.at);
                ToolError::invalid_input(format!(
                    "`{}` {place} is no number; expected one such as 12.5",
                    shorten(word, 60)
                ))
            }
        })?;
        self.at += length;
        Ok(number)
    }

    fn close(&mut self) -> ToolResult<()> {
        self.apply_down_to(1)?;
        if self.operators.pop().is_none() {
            return Err(ToolError::invalid_input(format!("the `)` {} closes nothing", self.place(self.at))));
        }
        self.at += 1;
        Ok(())
    }

    fn finish(&mut self) -> ToolResult<Decimal> {
        self.apply_down_to(1)?;
        if let Some(Operator::Open(at)) = self.operators.last().copied() {
            return Err(ToolError::invalid_input(format!("the `(` {} is never closed", self.place(at))));
        }
        // Every operand has found its operator, so that one value is left.
        Ok(self.values.pop().unwrap_or_default())
    }

    fn push(&mut self, operator: Operator) -> ToolResult<()> {
        if self.operators.len() >= DEEPEST {
            return Err(ToolError::limit_exceeded(format!(
                "more than {DEEPEST} parentheses and signs are open {}",
                self.place(self.at)
            )));
        }
        self.operators.push(operator);
        Ok(())
    }

    /// Applies the operators that bind at least that tightly.
    fn apply_down_to(&mut self, precedence: u8) -> ToolResult<()> {
        while let Some(operator) = self.operators.last().copied().filter(|last| last.precedence() >= precedence) {
            self.operators.pop();
            let right = self.values.pop().unwrap_or_default();
            let mut left = || self.values.pop().unwrap_or_default();
            let result = match operator {
                Operator::Negate | Operator::Open(_) => -right,
                Operator::Add => left().plus(right)?,
                Operator::Subtract => left().minus(right)?,
                Operator::Multiply => left().times(right)?,
                Operator::Divide => left().over(right)?,
            };
            self.values.push(result);
        }
        Ok(())
    }

    /// The next character that is no blank.
    fn next(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// `at character 3`, from 1.
    fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        format!("at character {}", before.chars().count() + 1)
    }

    fn unexpected(&self, expected: &str) -> ToolError {
        let Some(found) = self.rest().chars().next() else {
            return ToolError::invalid_input(format!("expected {expected}, but the expression ends"));
        };
        let hint = match found {
            '*' if self.text.get(..self.at).is_some_and(|before| before.ends_with('*')) => {
                "; there is no power, multiply instead"
            }
            '^' => "; there is no power, use `*`",
            ',' => "; write numbers without thousands separators",
            '%' => "; divide by 100 instead",
            c if c.is_numeric() && !c.is_ascii_digit() => "; the digits are 0 to 9",
            _ => "",
        };
        let found = visible(found.encode_utf8(&mut [0; 4]));
        ToolError::invalid_input(format!("expected {expected} {}, found `{found}`{hint}", self.place(self.at)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        match calculate(text) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn precedence_is_that_of_school() {
        assert_eq!(shown("1 + 2 * 3"), "7");
        assert_eq!(shown("(1 + 2) * 3"), "9");
        assert_eq!(shown("10 - 4 - 3"), "3");
        assert_eq!(shown("100 / 8 / 5"), "2.5");
        assert_eq!(shown("2 - -3"), "5");
        assert_eq!(shown("-2 * -3"), "6");
        assert_eq!(shown("\t1\r\n+ 1e3"), "1001");
    }

    #[test]
    fn pb11_a_calculator_calculates_and_does_nothing_else() {
        let mut report = String::new();
        let cases = [
            "9**9**9",
            "1/0",
            "1e400",
            "0.1+0.2",
            "2^3",
            "1,000*2",
            "-(-(3))",
            "",
            "  ",
            "1+١",
            "1 2",
            "(1",
            "1)",
            "()",
            "1+",
            "*1",
            "2x",
            "1_000",
            ".5",
            "5.",
            "007",
            "1=1",
            "50%",
            "__import__('os')",
            "NaN",
            "9999999999999999999999999999+1",
        ];
        for case in cases {
            report += [&format!("{case:<32}"), " ", &shown(case), "\n"].concat().as_str();
        }
        insta::assert_snapshot!(report);
    }

    #[test]
    fn pb11_depth_and_length_are_limited() {
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(calculate(&deep).unwrap_err().code, "limit_exceeded");
        let nested = format!("{}1{}", "(".repeat(4_000), ")".repeat(4_000));
        assert_eq!(
            calculate(&nested).unwrap_err().to_string(),
            "limit_exceeded: more than 100 parentheses and signs are open at character 101"
        );
        assert_eq!(calculate(&"-".repeat(9_000)).unwrap_err().code, "limit_exceeded");
        assert_eq!(calculate(&"1+".repeat(500_000)).unwrap_err().code, "limit_exceeded");
        assert_eq!(calculate(&format!("{}1", "1+".repeat(4_999))).unwrap(), 5_000);
        assert_eq!(calculate(&format!("{}1{}", "(".repeat(100), ")".repeat(100))).unwrap(), 1);
    }

    /// An expression beside its value, worked out while it is made.
    fn expression() -> impl Strategy<Value = (String, i128)> {
        let leaf = (0_i64..1000).prop_map(|n| (n.to_string(), i128::from(n)));
        leaf.prop_recursive(4, 24, 2, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|((a, x), (b, y))| (format!("({a} + {b})"), x + y)),
                (inner.clone(), inner.clone()).prop_map(|((a, x), (b, y))| (format!("({a}-{b})"), x - y)),
                (inner.clone(), 0_i64..20).prop_map(|((a, x), n)| (format!("{n} *{a}"), x * i128::from(n))),
                inner.prop_map(|(a, x)| (format!("-{a}"), -x)),
            ]
        })
        .prop_filter("a product binds tighter than what is put before it", |(text, _)| !text.contains("--"))
    }

    proptest! {
        #[test]
        fn whole_expressions_have_the_value_they_were_made_with((text, value) in expression()) {
            let calculated = calculate(&text).map(|value| value.to_string());
            prop_assert_eq!(calculated.ok(), Some(value.to_string()), "{}", text);
        }

        #[test]
        fn no_text_is_too_much(text in "[-+*/(). 0-9e]{0,40}|\\PC{0,20}") {
            let _ = calculate(&text);
        }
    }
}
