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

use crate::value::Text;
use crate::value::text::shorten;

/// Longest text of a value.
const VALUE: usize = 60;
/// Longest text of a piece of source.
const SOURCE: usize = 80;
/// How deep the parts of a condition are told.
const DEPTH: u8 = 3;

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
        Self { source: Some(source.into()), value: shorten(value, VALUE) }
    }

    /// A literal.
    pub fn literal(value: &str) -> Self {
        Self { source: None, value: shorten(value, VALUE) }
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
    Any { source: Text, count: usize, found: Option<String> },
    And(Vec<Finding>),
    Or(Vec<Finding>),
    Not(Box<Finding>),
    Contains { item: Part, source: Text },
    Holds { source: Text },
    Failed { message: String },
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
        let broken = broken.map(|(element, finding)| (shorten(&element, VALUE), Box::new(finding)));
        Self::new(broken.is_none(), Form::All { source: source.into(), count, broken })
    }

    /// `xs.any(f)`: how many elements, and the first that was found.
    pub fn any(source: impl Into<Text>, count: usize, found: Option<String>) -> Self {
        let found = found.map(|element| shorten(&element, VALUE));
        Self::new(found.is_some(), Form::Any { source: source.into(), count, found })
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
    pub fn negated(inner: Self) -> Self {
        Self::new(!inner.holds, Form::Not(Box::new(inner)))
    }

    /// `xs.contains(x)`, `x in xs`.
    pub fn contains(item: Part, source: impl Into<Text>, holds: bool) -> Self {
        Self::new(holds, Form::Contains { item, source: source.into() })
    }

    /// Anything else that is true or false.
    pub fn held(source: impl Into<Text>, holds: bool) -> Self {
        Self::new(holds, Form::Holds { source: source.into() })
    }

    /// A condition that could not be evaluated: a look-up that found nothing, arithmetic without a result.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(false, Form::Failed { message: message.into() })
    }

    /// Whether the condition holds.
    pub fn holds(&self) -> bool {
        self.holds
    }

    /// What was expected and what was found, in a sentence without a full stop.
    pub fn detail(&self) -> String {
        self.told(DEPTH)
    }

    fn told(&self, depth: u8) -> String {
        if depth == 0 {
            return if self.holds { "holds".to_owned() } else { "does not hold".to_owned() };
        }
        match &self.form {
            Form::Compared { relation, left, right } => compared(*relation, left, right, self.holds),
            Form::All { source, count, broken } => match broken {
                Some((element, finding)) => {
                    format!("{element} of {count} in `{}`: {}", cut(source), finding.told(depth - 1))
                }
                None if *count == 0 => format!("`{}` is empty", cut(source)),
                None => format!("holds for all {count} of `{}`", cut(source)),
            },
            Form::Any { source, count, found } => match found {
                Some(element) => format!("{element} is one in `{}`", cut(source)),
                None if *count == 0 => format!("`{}` is empty", cut(source)),
                None => format!("none of {count} in `{}`", cut(source)),
            },
            Form::And(terms) => {
                let telling: Vec<_> = terms.iter().filter(|term| self.holds || !term.holds).collect();
                joined(&telling, depth)
            }
            Form::Or(terms) => {
                let telling: Vec<_> = terms.iter().filter(|term| !self.holds || term.holds).collect();
                joined(&telling, depth)
            }
            Form::Not(inner) => match &inner.form {
                Form::Holds { source } => format!("`{}` is {}", cut(source), inner.holds),
                _ => inner.told(depth - 1),
            },
            Form::Contains { item, source } => {
                let verb = if self.holds { "is in" } else { "is not in" };
                match &item.source {
                    Some(_) => format!("{}, which {verb} `{}`", item.stated(), cut(source)),
                    None => format!("{} {verb} `{}`", item.value, cut(source)),
                }
            }
            Form::Holds { source } => format!("`{}` is {}", cut(source), self.holds),
            Form::Failed { message } => message.clone(),
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

fn joined(terms: &[&Finding], depth: u8) -> String {
    terms.iter().map(|term| term.told(depth - 1)).collect::<Vec<_>>().join("; ")
}

/// A piece of source on one line, cut.
fn cut(source: &str) -> String {
    let line: Vec<&str> = source.split_whitespace().collect();
    shorten(&line.join(" "), SOURCE)
}
