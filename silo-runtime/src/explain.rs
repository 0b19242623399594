//! Checks that explain themselves. What a check's condition came to is kept as a [`Finding`] of a few fixed forms, and told in
//! one way, so that a verdict reads the same whichever back end reached it.
//!
//! ```
//! use silo_runtime::explain::{Finding, Part};
//! let owner = Part::new("final.deals[o].owner", "USR-004");
//! let broken = Finding::equal(owner, Part::literal("USR-003"), false);
//! let check = Finding::all("hers", 2, Some(("OPP-005".to_owned(), broken)));
//! assert!(!check.holds());
//! assert_eq!(check.detail(), "OPP-005 of 2 in `hers`: `final.deals[o].owner` is USR-004, expected USR-003");
//! ```

mod answer;
#[cfg(test)]
mod tests;

use crate::value::Text;
use crate::value::text::{shorten, visible};

/// Longest text of a value.
const VALUE: usize = 60;
/// Longest text of a piece of source.
const SOURCE: usize = 80;
/// How deep conditions within conditions are told. What has no conditions within it is told at any depth.
const DEPTH: u8 = 3;
/// With so few elements, an `any` that found none tells what was found of each.
const FEW: usize = 2;

/// A part of a condition: the source and what it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The expression as written; nothing for a literal, which says itself.
    source: Option<Text>,
    /// Its value as people read it.
    value: String,
}

impl Part {
    /// An expression and its value.
    pub fn new(source: impl Into<Text>, value: &str) -> Self {
        Self { source: Some(source.into()), value: shown(value) }
    }

    /// A literal.
    pub fn literal(value: &str) -> Self {
        Self { source: None, value: shown(value) }
    }

    fn stated(&self) -> String {
        match &self.source {
            Some(source) => format!("`{}` is {}", cut(source), self.value),
            None => self.value.clone(),
        }
    }

    fn expected(&self) -> String {
        match &self.source {
            Some(source) => format!("{} (`{}`)", self.value, cut(source)),
            None => self.value.clone(),
        }
    }
}

/// What a condition, or a part of one, came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    holds: bool,
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Compared { relation: Relation, left: Part, right: Part },
    All { source: Text, count: usize, broken: Option<(String, Box<Finding>)> },
    Any { source: Text, condition: Text, count: usize, found: Found },
    And(Vec<Finding>),
    Or(Vec<Finding>),
    Not(Box<Finding>),
    Contains { item: Part, source: Part },
    Holds { source: Text, of: Option<Part> },
    Said { text: String, as_wanted: String },
}

/// What an `any` came to.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    /// The first element that fits.
    One(String),
    /// None fits; of few elements, what was found of each.
    None(Vec<(String, Finding)>),
}

/// How two parts were compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Relation {
    /// What holds where this one does not.
    fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }

    fn expectation(self) -> &'static str {
        match self {
            Self::Equal => "",
            Self::NotEqual => "anything but ",
            Self::Less => "less than ",
            Self::LessOrEqual => "at most ",
            Self::Greater => "more than ",
            Self::GreaterOrEqual => "at least ",
        }
    }
}

impl Finding {
    fn new(holds: bool, form: Form) -> Self {
        Self { holds, form }
    }

    /// `left == right`.
    pub fn equal(left: Part, right: Part, holds: bool) -> Self {
        Self::compared(Relation::Equal, left, right, holds)
    }

    /// A comparison.
    pub fn compared(relation: Relation, left: Part, right: Part, holds: bool) -> Self {
        Self::new(holds, Form::Compared { relation, left, right })
    }

    /// `xs.all(f)`: how many elements, and the first that broke it with what was found of it.
    pub fn all(source: impl Into<Text>, count: usize, broken: Option<(String, Self)>) -> Self {
        let broken = broken.map(|(element, finding)| (shown(&element), Box::new(finding)));
        Self::new(broken.is_none(), Form::All { source: source.into(), count, broken })
    }

    /// `xs.any(f)` that found an element: how many there are, and which it was.
    pub fn any(source: impl Into<Text>, count: usize, found: &str) -> Self {
        let (source, condition) = (source.into(), Text::default());
        Self::new(true, Form::Any { source, condition, count, found: Found::One(shown(found)) })
    }

    /// `xs.any(f)` that found none: the condition as written, how many elements there are, and where they are few, what was
    /// found of each.
    pub fn none(source: impl Into<Text>, condition: impl Into<Text>, count: usize, tried: Vec<(String, Self)>) -> Self {
        let tried = tried.into_iter().map(|(element, finding)| (shown(&element), finding)).collect();
        let (source, condition) = (source.into(), condition.into());
        Self::new(false, Form::Any { source, condition, count, found: Found::None(tried) })
    }

    /// Whether [`none`](Self::none) wants to be told what was found of each of so many elements.
    pub fn tells_each(count: usize) -> bool {
        count <= FEW
    }

    /// `a and b and …`, as far as it was evaluated.
    pub fn and(terms: Vec<Self>) -> Self {
        Self::new(terms.iter().all(Self::holds), Form::And(terms))
    }

    /// `a or b or …`, as far as it was evaluated.
    pub fn or(terms: Vec<Self>) -> Self {
        Self::new(terms.iter().any(Self::holds), Form::Or(terms))
    }

    /// `not a`.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(!self.holds, Form::Not(Box::new(self)))
    }

    /// `xs.contains(x)`, `x in xs`: what was looked for, and the value that it was looked for in.
    pub fn contains(item: Part, source: Part, holds: bool) -> Self {
        Self::new(holds, Form::Contains { item, source })
    }

    /// Anything else that is true or false.
    pub fn held(source: impl Into<Text>, holds: bool) -> Self {
        Self::new(holds, Form::Holds { source: source.into(), of: None })
    }

    /// Anything else that is true or false of a value: `note.starts_with("Re:")` of `note`.
    pub fn held_of(source: impl Into<Text>, of: Part, holds: bool) -> Self {
        Self::new(holds, Form::Holds { source: source.into(), of: Some(of) })
    }

    /// A condition that could not be evaluated: a look-up that found nothing, arithmetic without a result.
    pub fn failed(message: impl Into<String>) -> Self {
        let text = message.into();
        Self::new(false, Form::Said { as_wanted: text.clone(), text })
    }

    /// A sentence of its own, and another one for where the finding is as it should be: below a `not`.
    fn said(holds: bool, text: String, as_wanted: String) -> Self {
        Self::new(holds, Form::Said { text, as_wanted })
    }

    /// Whether the condition holds.
    pub fn holds(&self) -> bool {
        self.holds
    }

    /// What was expected and what was found, in a sentence without a full stop.
    pub fn detail(&self) -> String {
        self.told(DEPTH, true)
    }

    /// The finding in words. What is wanted of it is not the truth below a `not`.
    fn told(&self, depth: u8, wanted: bool) -> String {
        let Some(below) = depth.checked_sub(1) else { return self.told_shortly(wanted) };
        let fine = self.holds == wanted;
        match &self.form {
            Form::All { source, count, broken } => match broken {
                Some((element, finding)) => {
                    format!("{element} of {count} in `{}`: {}", cut(source), finding.told(below, wanted))
                }
                None if *count == 0 => format!("`{}` is empty", cut(source)),
                None if wanted => format!("holds for all {count} of `{}`", cut(source)),
                None => format!("holds for all {count} of `{}`, expected one for which it does not", cut(source)),
            },
            Form::Any { source, found: Found::None(tried), count, .. } if !tried.is_empty() && !fine => {
                let tried =
                    tried.iter().map(|(element, finding)| format!("{element}: {}", finding.told(below, wanted)));
                format!("none of {count} in `{}`: {}", cut(source), tried.collect::<Vec<_>>().join("; "))
            }
            Form::And(terms) | Form::Or(terms) => {
                let telling: Vec<_> = terms.iter().filter(|term| term.holds == self.holds).collect();
                match telling.as_slice() {
                    // One term is as deep as the whole.
                    [one] => one.told(depth, wanted),
                    _ => telling.iter().map(|term| term.told(below, wanted)).collect::<Vec<_>>().join("; "),
                }
            }
            Form::Not(inner) => inner.told(depth, !wanted),
            _ => self.told_shortly(wanted),
        }
    }

    /// The finding without what is within it.
    fn told_shortly(&self, wanted: bool) -> String {
        let fine = self.holds == wanted;
        match &self.form {
            Form::Compared { relation, left, right } => {
                let relation = if wanted { *relation } else { relation.opposite() };
                compared(relation, left, right, fine)
            }
            Form::Any { source, count, found: Found::One(element), .. } if !fine => {
                format!("{element} is one of {count} in `{}`, expected none", cut(source))
            }
            Form::Any { source, found: Found::One(element), .. } => format!("{element} is one in `{}`", cut(source)),
            Form::Any { source, count: 0, .. } => format!("`{}` is empty", cut(source)),
            Form::Any { source, condition, count, .. } if !fine && !condition.is_empty() => {
                format!("none of {count} in `{}` fits `{}`", cut(source), cut(condition))
            }
            Form::Any { source, count, .. } => format!("none of {count} in `{}`", cut(source)),
            Form::Contains { item, source } => contained(item, source, self.holds),
            Form::Holds { source, of: Some(of) } => format!("`{}` is {}: {}", cut(source), self.holds, of.stated()),
            Form::Holds { source, of: None } => format!("`{}` is {}", cut(source), self.holds),
            Form::Said { as_wanted, .. } if fine => as_wanted.clone(),
            Form::Said { text, .. } => text.clone(),
            Form::Not(inner) => inner.told_shortly(!wanted),
            Form::All { .. } | Form::And(_) | Form::Or(_) => {
                if self.holds {
                    "holds".to_owned()
                } else {
                    "does not hold".to_owned()
                }
            }
        }
    }
}

fn compared(relation: Relation, left: &Part, right: &Part, holds: bool) -> String {
    // A literal on the left says what is expected of the right.
    let (found, wanted) = if left.source.is_none()
        && right.source.is_some()
        && matches!(relation, Relation::Equal | Relation::NotEqual)
    {
        (right, left)
    } else {
        (left, right)
    };
    match (holds, relation) {
        (true, Relation::Equal) => found.stated(),
        (true, _) => format!("{}, {}{}", found.stated(), relation.expectation(), wanted.expected()),
        (false, _) => format!("{}, expected {}{}", found.stated(), relation.expectation(), wanted.expected()),
    }
}

fn contained(item: &Part, source: &Part, holds: bool) -> String {
    let verb = if holds { "is in" } else { "is not in" };
    let within = match (&source.source, holds) {
        (Some(within), true) => format!("`{}`", cut(within)),
        (Some(within), false) => format!("`{}`: {}", cut(within), source.value),
        (None, _) => source.value.clone(),
    };
    match &item.source {
        Some(_) => format!("{}, which {verb} {within}", item.stated()),
        None => format!("{} {verb} {within}", item.value),
    }
}

/// A value, cut, with nothing in it that cannot be seen. A quoted text that is cut keeps its closing quote.
fn shown(value: &str) -> String {
    if value.starts_with('"') {
        let cut = shorten(value, VALUE - 1);
        return if cut.len() < value.len() { visible(&format!("{cut}\"")) } else { visible(&cut) };
    }
    visible(&shorten(value, VALUE))
}

/// A piece of source on one line, cut.
fn cut(source: &str) -> String {
    let line: Vec<&str> = source.split_whitespace().collect();
    shorten(&line.join(" "), SOURCE)
}
