//! Brackets: which are open, and which was forgotten.

/// The kinds of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) enum Bracket {
    /// `( )`
    Round,
    /// `[ ]`
    Square,
    /// `{ }`
    Curly,
    /// The braces of a hole in a string.
    Hole,
}

impl Bracket {
    /// The bracket that closes it.
    pub(in crate::syntax) fn closer(self) -> &'static str {
        match self {
            Self::Round => ")",
            Self::Square => "]",
            Self::Curly | Self::Hole => "}",
        }
    }

    /// The bracket that opens it.
    pub(in crate::syntax) fn opener(self) -> &'static str {
        match self {
            Self::Round => "(",
            Self::Square => "[",
            Self::Curly | Self::Hole => "{",
        }
    }
}

/// A bracket that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opener {
    pub(super) bracket: Bracket,
    /// The byte it stands at.
    pub(super) at: u32,
    /// How far the line it stands on is indented.
    pub(super) indent: u32,
    /// True for a hole in `"""` text.
    pub(super) triple: bool,
    /// Where the string of a hole begins.
    pub(super) text_at: u32,
    /// How many `list<`, `map<`, `table<` were open around it.
    pub(super) angles: u32,
}

/// A bracket that is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) struct Unclosed {
    pub(in crate::syntax) bracket: Bracket,
    /// The byte it stands at.
    pub(in crate::syntax) at: u32,
    /// Where its closing bracket is missing, as far as the indentation tells: the end of the last token inside.
    pub(in crate::syntax) missing_at: u32,
    /// True if the indentation told.
    pub(in crate::syntax) by_indent: bool,
}

/// What a closing bracket did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// It closes the innermost open bracket.
    Closed,
    /// It closes one further out; this one inside was never closed.
    Skipped(Unclosed),
    /// Nothing open fits it.
    Unmatched,
}

/// The open brackets of one item.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    open: Vec<Opener>,
    /// The first bracket that the indentation shows to be forgotten, and where its item went on without it.
    suspect: Option<Unclosed>,
}

impl Brackets {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn innermost(&self) -> Option<Opener> {
        self.open.last().copied()
    }

    pub(super) fn push(&mut self, opener: Opener) {
        self.open.push(opener);
    }

    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    /// Closes the holes of strings that may not hold a line end, and all that is open in them; gives the innermost.
    pub(super) fn leave_line(&mut self) -> Option<Opener> {
        let is_line_hole = |opener: &Opener| opener.bracket == Bracket::Hole && !opener.triple;
        let innermost = self.open.iter().rev().find(|opener| is_line_hole(opener)).copied();
        if let Some(outermost) = self.open.iter().position(is_line_hole) {
            self.open.truncate(outermost);
        }
        innermost
    }

    /// Takes note of the first token of a line: one that is indented no further than the line of an open bracket, and
    /// does not close it, shows that its closing bracket was forgotten before.
    pub(super) fn begin_line(&mut self, indent: u32, closes: bool, last_end: u32) {
        let Some(top) = self.open.last() else { return };
        let forgotten = if closes { indent < top.indent } else { indent <= top.indent };
        if self.suspect.is_none() && forgotten && top.bracket != Bracket::Hole {
            self.suspect = Some(Unclosed { bracket: top.bracket, at: top.at, missing_at: last_end, by_indent: true });
        }
    }

    /// Closes a bracket; one that skips others closes them too.
    pub(super) fn close(&mut self, bracket: Bracket, last_end: u32) -> Closing {
        let fits = |opener: &Opener| opener.bracket == bracket;
        match self.open.last() {
            Some(top) if fits(top) => {
                self.open.pop();
                Closing::Closed
            }
            _ => {
                // Never out of the hole of a string: the string would be torn apart.
                let reach = self.open.iter().rev().take_while(|opener| opener.bracket != Bracket::Hole);
                let Some(distance) = reach.into_iter().position(fits) else { return Closing::Unmatched };
                let unclosed = self.forgotten(last_end);
                self.open.truncate(self.open.len().saturating_sub(distance + 1));
                unclosed.map_or(Closing::Closed, Closing::Skipped)
            }
        }
    }

    /// Ends the item: the bracket that was forgotten, if any is open.
    pub(super) fn finish(&mut self, last_end: u32) -> Option<Unclosed> {
        let unclosed = if self.open.is_empty() { None } else { self.forgotten(last_end) };
        self.open.clear();
        self.suspect = None;
        unclosed
    }

    /// The bracket to blame: the first that the indentation gave away, else the innermost.
    fn forgotten(&mut self, last_end: u32) -> Option<Unclosed> {
        let top = self.open.last()?;
        let innermost = Unclosed { bracket: top.bracket, at: top.at, missing_at: last_end, by_indent: false };
        Some(self.suspect.take().unwrap_or(innermost))
    }
}
