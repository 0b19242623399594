//! Writing for people: styles that vanish where the output is no terminal, and text that cannot play tricks on one.

use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether what cannot be shown has been told of.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Writes to standard output. A reader that has gone, or a disk that is full, must not stop a rollout: its files are what counts.
pub(crate) fn show(text: fmt::Arguments<'_>) {
    let mut out = anstream::stdout();
    let written = out.write_fmt(text).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
        && !TOLD.swap(true, Ordering::Relaxed)
    {
        // If that cannot be written either, nobody is there to be told.
        _ = writeln!(io::stderr(), "silo: standard output cannot be written: {error}");
    }
}

/// `print!` that never panics, with styles for terminals.
macro_rules! say {
    ($($text:tt)*) => { crate::terminal::show(format_args!($($text)*)) };
}

/// `println!` that never panics, with styles for terminals.
macro_rules! say_line {
    ($($text:tt)*) => { crate::terminal::show(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {say, say_line};

/// Something good.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Something bad.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Something to look at.
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default().bold();
/// The thing that matters.
pub(crate) const STRONG: Style = Style::new().bold();
/// What can be skipped.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// A text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A text on one line, for a terminal: control characters and those that turn the direction of writing are escaped, anything
/// past so many characters is cut.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            line.push('…');
            break;
        }
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            _ if is_tricky(character) => _ = write!(line, "{}", character.escape_unicode()),
            _ => line.push(character),
        }
    }
    line
}

/// A text of several lines, for a terminal.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(|line| one_line(line, usize::MAX)).collect::<Vec<_>>().join("\n")
}

fn is_tricky(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Rows as columns, each as wide as its widest cell; the last may be as long as it likes.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let last = column + 1 == row.len();
            let padding = if last { 0 } else { widths[column].saturating_sub(cell.chars().count()) + 2 };
            _ = write!(line, "{cell}{}", " ".repeat(padding));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tricky_characters_are_escaped() {
        assert_eq!(one_line("a\u{202e}b\u{1b}[31m\nc\u{feff}", 80), "a\\u{202e}b\\u{1b}[31m\\nc\\u{feff}");
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(one_line("grüße 🦀🦀🦀", 7), "grüße 🦀…");
    }

    #[test]
    fn columns_line_up() {
        let rows = [["a", "bb", "c"], ["aaa", "b", "cc"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(columns(&rows), "a    bb  c\naaa  b   cc\n");
    }
}
