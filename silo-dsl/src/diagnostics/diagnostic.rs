//! One diagnostic and how it is built.

use super::{Code, Span};

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The environment cannot be used.
    Error,
    /// The environment can be used, but its author should know.
    Warning,
}

impl Severity {
    /// The word that starts the headline.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A marked stretch of source and what to say about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// What is marked; it may lie in another file than the other labels.
    pub span: Span,
    /// What to say there; empty marks without words.
    pub text: String,
    /// True for the place the diagnostic is about. Each diagnostic has exactly one such label, its first.
    pub primary: bool,
}

/// A replacement of some source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What stands there afterwards; empty to delete.
    pub replacement: String,
}

/// A change of the source that mends what the diagnostic is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What the change does: "insert the comma".
    pub message: String,
    /// The replacements, which do not overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// The text of one file with the edits in it carried out.
    ///
    /// Edits of other files are left out, and so is one that does not fit the text.
    pub fn apply(&self, file: super::FileId, text: &str) -> String {
        let mut edits: Vec<&Edit> = self.edits.iter().filter(|edit| edit.span.file == file).collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut result = String::with_capacity(text.len());
        let mut from = 0;
        for edit in edits {
            let range = edit.span.range();
            let (Some(before), Some(_)) = (text.get(from..range.start), text.get(range.clone())) else { continue };
            result.push_str(before);
            result.push_str(&edit.replacement);
            from = range.end;
        }
        result.push_str(text.get(from..).unwrap_or_default());
        result
    }
}

/// Something the author should know, with all that is needed to show it.
///
/// Built with [`Diagnostic::error`] or [`Diagnostic::warning`] and the methods that add to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of diagnostic it is; `silo explain` has a page on it.
    pub code: Code,
    /// How grave it is.
    pub severity: Severity,
    /// The headline: lower case, no full stop, user text in backticks.
    pub message: String,
    /// The places it is about, the primary one first.
    pub labels: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// Why it matters to whoever trains or grades an agent.
    pub why: Option<String>,
    /// What to do.
    pub help: Vec<String>,
    /// A change that mends it, where one is certain.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: Code, span: Span, message: String) -> Self {
        Self {
            code,
            severity,
            message,
            labels: vec![Label { span, text: String::new(), primary: true }],
            notes: Vec::new(),
            why: None,
            help: Vec::new(),
            fix: None,
        }
    }

    /// Says something at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = self.labels.first_mut() {
            primary.text = text.into();
        }
        self
    }

    /// Marks another place, in this file or another one, and says something there.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says why it matters to whoever trains or grades an agent.
    #[must_use]
    pub fn why(mut self, text: impl Into<String>) -> Self {
        self.why = Some(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a replacement that mends it; `message` says what the whole fix does and the first one counts.
    #[must_use]
    pub fn fix(mut self, message: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { span, replacement: replacement.into() };
        match &mut self.fix {
            Some(fix) => fix.edits.push(edit),
            None => self.fix = Some(Fix { message: message.into(), edits: vec![edit] }),
        }
        self
    }

    /// The place it is about.
    pub fn span(&self) -> Span {
        let start = Span::new(super::FileId(0), 0, 0);
        self.labels.iter().find(|label| label.primary).map_or(start, |label| label.span)
    }

    /// True for an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
