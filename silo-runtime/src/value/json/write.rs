//! Writing JSON: compact, pretty, and piece by piece.

use std::fmt::{self, Write as _};

use super::{Json, Number};

impl Json {
    /// Appends the value without any blanks.
    pub fn write_compact(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => write_number(out, number),
            Self::String(text) => write_string(out, text),
            Self::Array(elements) => {
                let mut array = ArrayWriter::new(out);
                for element in elements.iter() {
                    array.element(element);
                }
                array.finish();
            }
            Self::Object(members) => {
                let mut object = ObjectWriter::new(out);
                for (name, value) in members.iter() {
                    object.member(name, value);
                }
                object.finish();
            }
        }
    }

    /// The value over several lines, indented by two spaces; empty arrays and objects are `[]` and `{}`. No line break at
    /// the end.
    ///
    /// ```
    /// use silo_runtime::value::Json;
    /// let value = Json::object([("ids", Json::array([1, 2])), ("none", Json::array([0; 0]))]);
    /// assert_eq!(value.to_pretty(), "{\n  \"ids\": [\n    1,\n    2\n  ],\n  \"none\": []\n}");
    /// ```
    pub fn to_pretty(&self) -> String {
        let mut out = String::new();
        self.write_pretty(&mut out, 0);
        out
    }

    /// Appends the value as [`Self::to_pretty`] writes it, its following lines indented by `indent` levels more.
    pub fn write_pretty(&self, out: &mut String, indent: usize) {
        match self {
            Self::Array(elements) if !elements.is_empty() => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    new_line(out, index > 0, indent + 1);
                    element.write_pretty(out, indent + 1);
                }
                new_line(out, false, indent);
                out.push(']');
            }
            Self::Object(members) if !members.is_empty() => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    new_line(out, index > 0, indent + 1);
                    write_string(out, name);
                    out.push_str(": ");
                    value.write_pretty(out, indent + 1);
                }
                new_line(out, false, indent);
                out.push('}');
            }
            _ => self.write_compact(out),
        }
    }
}

fn new_line(out: &mut String, comma: bool, indent: usize) {
    out.push_str(if comma { ",\n" } else { "\n" });
    for _ in 0..indent {
        out.push_str("  ");
    }
}

impl fmt::Display for Json {
    /// The compact form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write_compact(&mut out);
        f.write_str(&out)
    }
}

fn write_number(out: &mut String, number: &Number) {
    match number {
        Number::Int(int) => write_int(out, *int),
        Number::Lexical(text) => out.push_str(text),
        Number::Decimal(decimal) => {
            // Writing to a string never fails.
            let written = write!(out, "{decimal}");
            debug_assert!(written.is_ok());
        }
    }
}

/// The digits two at a time are not worth it here; the formatting machinery of the standard library is, at three times this.
fn write_int(out: &mut String, int: i64) {
    let mut digits = [0_u8; 20];
    let mut left = int.unsigned_abs();
    let mut first = digits.len();
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + u8::try_from(left % 10).unwrap_or(0);
        left /= 10;
        first = at;
        if left == 0 {
            break;
        }
    }
    if int < 0 {
        out.push('-');
    }
    out.push_str(digits.get(first..).and_then(|digits| std::str::from_utf8(digits).ok()).unwrap_or_default());
}

/// Appends a text as a JSON string, quotes included. Only what must be escaped is: quotes, backslashes and control
/// characters.
///
/// ```
/// let mut out = String::new();
/// silo_runtime::value::json::write_string(&mut out, "a \"b\"\n");
/// assert_eq!(out, r#""a \"b\"\n""#);
/// ```
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        // The bytes looked for are whole characters, so that the cuts are sound.
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let special = from.bytes().next().unwrap_or(b'"');
        match special {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            _ => {
                let written = write!(out, "\\u{special:04x}");
                debug_assert!(written.is_ok());
            }
        }
        rest = from.get(1..).unwrap_or("");
    }
    out.push_str(rest);
    out.push('"');
}

/// Writes an object member by member.
///
/// ```
/// use silo_runtime::value::json::{Json, ObjectWriter};
/// let mut line = String::new();
/// let mut event = ObjectWriter::new(&mut line);
/// event.member("seq", &Json::from(1)).member("type", &"run_start".into());
/// event.with("tools", |out| out.push_str("[]"));
/// event.finish();
/// assert_eq!(line, r#"{"seq":1,"type":"run_start","tools":[]}"#);
/// ```
#[must_use = "an object is not whole until `finish`"]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    any: bool,
}

impl<'a> ObjectWriter<'a> {
    /// Begins an object.
    pub fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, any: false }
    }

    /// Writes a member. Names must differ; that is the caller's to see to.
    pub fn member(&mut self, name: &str, value: &Json) -> &mut Self {
        self.with(name, |out| value.write_compact(out))
    }

    /// Writes a member whose value is written by `write`, which must append one JSON value.
    pub fn with(&mut self, name: &str, write: impl FnOnce(&mut String)) -> &mut Self {
        if std::mem::replace(&mut self.any, true) {
            self.out.push(',');
        }
        write_string(self.out, name);
        self.out.push(':');
        write(self.out);
        self
    }

    /// Ends the object.
    pub fn finish(self) {
        self.out.push('}');
    }
}

/// Writes an array element by element.
#[must_use = "an array is not whole until `finish`"]
pub struct ArrayWriter<'a> {
    out: &'a mut String,
    any: bool,
}

impl<'a> ArrayWriter<'a> {
    /// Begins an array.
    pub fn new(out: &'a mut String) -> Self {
        out.push('[');
        Self { out, any: false }
    }

    /// Writes an element.
    pub fn element(&mut self, value: &Json) -> &mut Self {
        self.with(|out| value.write_compact(out))
    }

    /// Writes an element by `write`, which must append one JSON value.
    pub fn with(&mut self, write: impl FnOnce(&mut String)) -> &mut Self {
        if std::mem::replace(&mut self.any, true) {
            self.out.push(',');
        }
        write(self.out);
        self
    }

    /// Ends the array.
    pub fn finish(self) {
        self.out.push(']');
    }
}
