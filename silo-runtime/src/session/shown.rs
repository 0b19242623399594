//! What an agent has been shown. An error may suggest a key only if the agent could have read it already, since error texts
//! would otherwise tell what no tool does.

use super::{Briefing, Session};
use crate::methods::nearest::by_distance;
use crate::value::Text;
use crate::value::error::UnknownKey;
use crate::value::json::Json;
use std::sync::Arc;

/// Of the keys closest to an unknown one, how many are tried.
const TRIED: usize = 20;

/// The texts an agent has received. Outputs are kept as they are: they are shared with the trace.
pub(super) struct Shown {
    briefing: Arc<Briefing>,
    outputs: Vec<Json>,
}

impl Shown {
    pub(super) fn new(briefing: Arc<Briefing>) -> Self {
        Self { briefing, outputs: Vec::new() }
    }

    pub(super) fn add(&mut self, output: &Json) {
        self.outputs.push(output.clone());
    }

    /// Whether the key occurs as a whole word in anything the agent received.
    fn contains(&self, key: &str) -> bool {
        let briefing = &self.briefing;
        has_word(&briefing.task, key)
            || briefing.policy.as_ref().is_some_and(|policy| has_word(policy, key))
            || briefing
                .tools
                .iter()
                .any(|tool| has_word(&tool.description, key) || json_has_word(&tool.input_schema, key))
            || self.outputs.iter().any(|output| json_has_word(output, key))
    }
}

impl Session {
    /// A key that may be named instead of one that no row has: the closest of those this agent has been shown.
    pub(super) fn suggest(&self, unknown: &UnknownKey) -> Option<Text> {
        let keys = self.environment().keys(&self.world, &unknown.entity);
        let close = by_distance(&unknown.key, keys.iter().map(|key| &**key));
        close.into_iter().take(TRIED).find(|key| self.shown.contains(key)).map(Text::from)
    }
}

fn json_has_word(json: &Json, word: &str) -> bool {
    match json {
        Json::String(text) => has_word(text, word),
        Json::Number(number) => number.to_string() == word,
        Json::Array(items) => items.iter().any(|item| json_has_word(item, word)),
        Json::Object(members) => members.iter().any(|(name, value)| has_word(name, word) || json_has_word(value, word)),
        Json::Null | Json::Bool(_) => false,
    }
}

/// Whether the word stands in the text, not next to a letter or digit.
fn has_word(text: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    text.match_indices(word).any(|(start, found)| {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let after = text.get(start + found.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
