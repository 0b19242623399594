//! Keys with a counter: what stands round the number, and the number in a key.

use super::{KeyPart, part_text};
use crate::ids::FieldId;
use crate::model::Model;
use crate::value::Text;
use crate::value::dynamic::Value;

/// A key pattern filled in for one row: all of the key but its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// What stands before the number. Numbers are counted apart for each.
    pub before: Text,
    /// How many digits the number has at least; nothing where the pattern has no counter and `before` is the whole key.
    pub width: Option<u8>,
    /// What stands after the number.
    pub after: Text,
}

impl Frame {
    /// Fills in a pattern with the values of a row.
    ///
    /// # Errors
    /// The field of the pattern that holds null, or that is not there.
    pub fn new(parts: &[KeyPart], values: &[Value], parent: &str, model: &Model) -> Result<Self, FieldId> {
        Self::with(parts, parent, |field| values.get(field.index()).and_then(|value| part_text(value, model)))
    }

    /// Fills in a pattern with the texts of fields.
    ///
    /// # Errors
    /// The field of the pattern that has no text.
    pub fn with(
        parts: &[KeyPart],
        parent: &str,
        mut text: impl FnMut(FieldId) -> Option<Text>,
    ) -> Result<Self, FieldId> {
        let (mut before, mut after, mut width) = (String::new(), String::new(), None);
        for part in parts {
            let side = if width.is_some() { &mut after } else { &mut before };
            match part {
                KeyPart::Literal(text) => side.push_str(text),
                KeyPart::Parent => side.push_str(parent),
                KeyPart::Field(field) => side.push_str(&text(*field).ok_or(*field)?),
                KeyPart::Counter(digits) => width = Some(*digits),
            }
        }
        Ok(Self { before: before.into(), width, after: after.into() })
    }

    /// The number in a key of this frame. Numbers beyond 64 bits do not count: no generated key reaches them.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.width?;
        let digits = key.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        digits.parse().ok()
    }

    /// The key with a number.
    pub fn key(&self, number: i64) -> Text {
        let Self { before, width, after } = self;
        match width {
            Some(width) => format!("{before}{number:0width$}{after}", width = usize::from(*width)).into(),
            None => before.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(before: &str, width: u8, after: &str) -> Frame {
        Frame { before: before.into(), width: Some(width), after: after.into() }
    }

    #[test]
    fn a_key_outgrows_its_zeros() {
        assert_eq!(&*frame("OPP-", 3, "").key(7), "OPP-007");
        assert_eq!(&*frame("OPP-", 3, "").key(1000), "OPP-1000");
        assert_eq!(&*frame("A", 2, "-X").key(3), "A03-X");
    }

    #[test]
    fn only_plain_digits_are_a_number() {
        let frame = frame("OPP-", 3, "");
        assert_eq!(frame.number("OPP-016"), Some(16));
        assert_eq!(frame.number("OPP-16"), Some(16));
        for other in ["OPP-", "OPP-+1", "OPP--1", "OPP-1a", "ACC-001", "OPP-٣", "OPP-99999999999999999999"] {
            assert_eq!(frame.number(other), None, "{other}");
        }
    }

    #[test]
    fn before_and_after_never_share_a_digit() {
        let frame = frame("1", 1, "1");
        assert_eq!(frame.number("1"), None);
        assert_eq!(frame.number("11"), None);
        assert_eq!(frame.number("121"), Some(2));
    }

    #[test]
    fn a_missing_field_is_named() {
        let parts = [KeyPart::Literal("STK-".into()), KeyPart::Field(FieldId(1))];
        let model = Model::default();
        assert_eq!(Frame::new(&parts, &[Value::Null, Value::Null], "", &model), Err(FieldId(1)));
        let filled = Frame::new(&parts, &[Value::Null, Value::Int(4)], "", &model).unwrap();
        assert_eq!((&*filled.before, filled.width), ("STK-4", None));
        assert_eq!(&*filled.key(9), "STK-4");
    }
}
