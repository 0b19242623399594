//! Diagnostics as data: what is wrong, where, why it matters and what to do about it.
//!
//! Every pass of the compiler returns [`Diagnostic`]s and never prints. They are made in one way, with a builder that
//! starts from a [`Code`] and a place, and are turned into text in one place, [`render`]:
//!
//! ```
//! use silo_dsl::diagnostics::{Diagnostic, Sources, Span, codes, render};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("crm.silo", "entity User { nmae: string }");
//! let span = Span::new(file, 14, 18);
//! let diagnostic = Diagnostic::error(codes::syntax::UNEXPECTED, span, "expected a field, found something else")
//!     .label("not a field")
//!     .help("write the field's name, a colon and its type");
//! assert!(render::plain(&sources, &[diagnostic]).contains("crm.silo:1:15"));
//! ```
//!
//! Positions are byte offsets; lines and columns are computed only when a person reads them, by [`Sources::position`].

pub mod codes;
mod diagnostic;
pub mod render;
mod sources;

pub use codes::{Code, explain};
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
pub use sources::{FileId, Position, Source, Sources, Span};
