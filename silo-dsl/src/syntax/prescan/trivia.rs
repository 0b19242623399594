//! Comments and documentation, as they are found.

/// A `///` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) struct DocComment {
    /// Its first slash.
    pub(in crate::syntax) start: u32,
    /// The end of its line.
    pub(in crate::syntax) end: u32,
    /// The end of the token before it, commas left out.
    pub(in crate::syntax) after: u32,
    /// The start of the token behind it, or the end of the file.
    pub(in crate::syntax) before: u32,
    /// True if a token stands before it on its line.
    pub(in crate::syntax) trailing: bool,
}

/// A `//` comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) struct RawComment {
    /// Its first slash.
    pub(in crate::syntax) start: u32,
    /// The end of its line.
    pub(in crate::syntax) end: u32,
    /// True if a token stands before it on its line.
    pub(in crate::syntax) trailing: bool,
}
