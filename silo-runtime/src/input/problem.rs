//! What is wrong with a value, as data and as the agent reads it.

use crate::value::error::{ToolError, UnknownKey};
use crate::value::json::Json;
use crate::value::{Code, Text};
use std::fmt::Write as _;

/// How many problems are told; the rest is counted.
pub(super) const TOLD: usize = 20;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// A member of an object.
    Name(Text),
    /// An element of a list.
    Index(usize),
}

/// One thing that is wrong with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where, step by step; empty for the whole.
    pub at: Vec<PathSegment>,
    /// What the schema wants there.
    pub expected: String,
    /// What stands there, cut at 60 characters.
    pub received: String,
    /// Both in a sentence, with a suggestion where one is near.
    pub message: String,
    /// The entity and the key, where the problem is a key that no row has.
    pub unknown_key: Option<UnknownKey>,
}

/// Why a value was refused: its problems, unknown properties first, then the members as declared, depth first.
#[derive(Clone, Debug, PartialEq)]
pub struct InputFault {
    /// The problems that are told, never none.
    pub problems: Vec<Problem>,
    /// How many more there were.
    pub more: usize,
}

impl Problem {
    /// The place as text: `lines[0].qty`; empty for the whole.
    pub fn path(&self) -> String {
        path_text(&self.at)
    }

    fn to_json(&self) -> Json {
        Json::object([
            ("path", Json::from(self.path())),
            ("expected", Json::from(self.expected.as_str())),
            ("received", Json::from(self.received.as_str())),
            ("message", Json::from(self.message.as_str())),
        ])
    }
}

/// A path as text: names joined by dots, positions in brackets; a name that is no plain word in brackets and quotes.
pub(super) fn path_text(at: &[PathSegment]) -> String {
    let mut text = String::new();
    for segment in at {
        match segment {
            PathSegment::Index(index) => _ = write!(text, "[{index}]"),
            PathSegment::Name(name) if is_word(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            PathSegment::Name(name) => {
                let name = crate::value::text::shorten(name, 60);
                _ = write!(text, "[{}]", Json::from(name));
            }
        }
    }
    text
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

impl InputFault {
    /// Whether all that is wrong is keys that no row has.
    pub fn is_not_found(&self) -> bool {
        self.more == 0 && self.problems.iter().all(|problem| problem.unknown_key.is_some())
    }

    /// The error an agent gets from a tool with these parameters: all problems in one, `not_found` where keys alone are wrong.
    /// `suggest` gives a key that may be named instead of an unknown one.
    pub fn to_error(
        &self,
        tool: &str,
        parameters: &[Text],
        suggest: impl Fn(&UnknownKey) -> Option<Text>,
    ) -> ToolError {
        let mut sentences: Vec<String> = Vec::new();
        for problem in &self.problems {
            let mut sentence = problem.message.clone();
            if let Some(near) = problem.unknown_key.as_ref().and_then(&suggest) {
                _ = write!(sentence, " (did you mean `{near}`?)");
            }
            sentences.push(sentence);
        }
        if self.more > 0 {
            sentences.push(format!("and {} more", self.more));
        }
        let details = Json::object([("problems", self.problems.iter().map(Problem::to_json).collect::<Json>())]);
        if self.is_not_found() {
            return ToolError::new(Code::NOT_FOUND, sentences.join("; ")).with_details(details);
        }
        let mut message = sentences.join("; ");
        if parameters.is_empty() {
            _ = write!(message, ". `{tool}` takes no parameters");
        } else {
            _ = write!(message, ". `{tool}` takes {}", parameters.join(", "));
        }
        ToolError::new(Code::INVALID_INPUT, message).with_details(details)
    }
}
