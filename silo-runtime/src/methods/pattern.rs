//! Regular expressions that match a whole text, in time linear in it.
//!
//! A pattern means the same here and in JSON Schema (ECMA-262 with the `u` flag): what the two read differently is either
//! translated when it is published or refused.

mod translate;

use std::fmt;

use regex_lite::{Regex, RegexBuilder};

/// The longest pattern, in characters.
const LONGEST: usize = 1000;

/// What a compiled pattern may take, in bytes: it bounds the time a match takes per character.
const COMPILED: usize = 256 * 1024;

/// A compiled pattern. It matches a text as a whole; `\d`, `\w` and `\s` are the ASCII ones.
///
/// ```
/// use silo_runtime::methods::pattern::Pattern;
/// let postcode = Pattern::new(r"\d{4} ?[A-Z]{2}")?;
/// assert!(postcode.matches("1017 AB"));
/// assert!(!postcode.matches("NL 1017 AB"));
/// assert_eq!(postcode.published(), r"^(?:\d{4} ?[A-Z]{2})$");
/// # Ok::<(), silo_runtime::methods::pattern::PatternError>(())
/// ```
#[derive(Clone)]
pub struct Pattern {
    source: Box<str>,
    published: Box<str>,
    regex: Regex,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`PatternError`], saying what is wrong with it and what to write instead.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let length = source.chars().count();
        if length > LONGEST {
            return Err(PatternError::new(format!("it has {length} characters; at most {LONGEST} are allowed")));
        }
        let translated = translate::publish(source)?;
        let regex =
            RegexBuilder::new(&format!("^(?:{source})$")).size_limit(COMPILED).build().map_err(|error| match error
                .to_string()
            {
                large if large.contains("size limit") => {
                    PatternError::new("its repetitions make it too large; use smaller ones")
                }
                other => PatternError::new(other),
            })?;
        Ok(Self { source: source.into(), published: format!("^(?:{translated})$").into(), regex })
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The pattern as the author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The pattern as a JSON Schema states it: anchored at both ends, in the dialect of ECMA-262.
    pub fn published(&self) -> &str {
        &self.published
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.source)
    }
}

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(String);

impl PatternError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests;
