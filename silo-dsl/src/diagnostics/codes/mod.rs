//! Every code that a diagnostic can carry, with its title and its page.
//!
//! One table per area keeps them apart; a new code is one line in its table and one Markdown file in `pages/`:
//!
//! | codes | area | table |
//! |---|---|---|
//! | E01xx | syntax | [`syntax`] |
//! | E02xx | names | [`names`] |
//! | E03xx | types | [`types`] |
//! | E04xx | declarations | [`declarations`] |
//! | E05xx | effects and statements | [`effects`] |
//! | E06xx | project files | [`project`] |
//! | E07xx | seed data | [`seed`] |
//! | E08xx | tasks and verification | [`tasks`] |
//! | E09xx | what is found by running | [`running`] |
//! | W0xxx | warnings | [`warnings`] |
//!
//! Codes are never reused: people search for them.

use std::fmt;

/// The code of a diagnostic, such as `E0101`, with its title and its page.
///
/// Made only by the tables of this module, so that every code has a page.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

struct Entry {
    id: &'static str,
    title: &'static str,
    page: &'static str,
}

impl Code {
    /// The code itself: `E0101`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// A short title, the same for every diagnostic of the code.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// The page that explains it, in Markdown.
    pub fn page(self) -> &'static str {
        self.0.page
    }

    /// The code with this id, if there is one; letters may be in either case.
    pub fn find(id: &str) -> Option<Self> {
        all().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.id().cmp(other.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The page that explains a code, or nothing if there is no such code.
///
/// ```
/// assert!(silo_dsl::diagnostics::explain("E0101").is_some());
/// assert!(silo_dsl::diagnostics::explain("E9999").is_none());
/// ```
pub fn explain(id: &str) -> Option<&'static str> {
    Code::find(id).map(Code::page)
}

/// Every code, in the order of the tables.
pub fn all() -> impl Iterator<Item = Code> {
    TABLES.iter().flat_map(|table| table.iter().copied())
}

/// A table of codes, one a line: `NAME = "E0101": "title"`. The page is `pages/E0101.md`.
macro_rules! codes {
    ($($name:ident = $id:literal: $title:literal)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub const $name: $crate::diagnostics::Code = $crate::diagnostics::codes::Code(
                &$crate::diagnostics::codes::Entry {
                    id: $id,
                    title: $title,
                    page: include_str!(concat!("../pages/", $id, ".md")),
                },
            );
        )*

        /// The codes of this table, in order.
        pub(super) const TABLE: &[$crate::diagnostics::Code] = &[$($name),*];
    };
}

pub mod declarations;
pub mod effects;
pub mod names;
pub mod project;
pub mod running;
pub mod seed;
pub mod syntax;
pub mod tasks;
pub mod types;
pub mod warnings;

const TABLES: [&[Code]; 10] = [
    syntax::TABLE,
    names::TABLE,
    types::TABLE,
    declarations::TABLE,
    effects::TABLE,
    project::TABLE,
    seed::TABLE,
    tasks::TABLE,
    running::TABLE,
    warnings::TABLE,
];

#[cfg(test)]
mod tests;
