//! Where the cells of a row stand in the text: what a CSV reader does not tell.

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The cells of the row that begins at a byte, quotes included.
pub(super) fn cells(text: &str, start: u32, separator: u8) -> impl Iterator<Item = Cell> {
    scan(text, start, separator).0.into_iter()
}

/// Whether a quote is opened in the row that begins at a byte, and closed nowhere.
pub(super) fn has_open_quote(text: &str, start: u32, separator: u8) -> bool {
    scan(text, start, separator).1
}

/// A reader says that a row begins at the line end before it.
pub(super) fn skip_line_ends(text: &str, start: u32) -> u32 {
    let rest = text.as_bytes().get(start as usize..).unwrap_or_default();
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    start.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX))
}

fn scan(text: &str, start: u32, separator: u8) -> (Vec<Cell>, bool) {
    let mut cells = Vec::new();
    let mut cell = start;
    let mut at = start;
    let mut quoted = false;
    for byte in text.as_bytes().get(start as usize..).unwrap_or_default() {
        match byte {
            // A doubled quote closes and opens again.
            b'"' if quoted => quoted = false,
            b'"' if at == cell || !quoted && was_quote(text, at) => quoted = true,
            b'\r' | b'\n' if !quoted => break,
            byte if *byte == separator && !quoted => {
                cells.push(Cell { start: cell, end: at });
                cell = at.saturating_add(1);
            }
            _ => {}
        }
        at = at.saturating_add(1);
    }
    cells.push(Cell { start: cell, end: at });
    (cells, quoted)
}

fn was_quote(text: &str, at: u32) -> bool {
    at.checked_sub(1).and_then(|before| text.as_bytes().get(before as usize)) == Some(&b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, start: u32, separator: u8) -> Vec<&str> {
        cells(text, start, separator).map(|cell| &text[cell.start as usize..cell.end as usize]).collect()
    }

    #[test]
    fn cells_end_at_separators_and_line_ends() {
        assert_eq!(of("a,b,c\r\nd,e,f", 0, b','), ["a", "b", "c"]);
        assert_eq!(of("a,b,c\nd,e,f", 6, b','), ["d", "e", "f"]);
        assert_eq!(of("a;,b;\n", 0, b';'), ["a", ",b", ""]);
        assert_eq!(of("", 0, b','), [""]);
    }

    #[test]
    fn quoted_cells_hold_separators_line_ends_and_quotes() {
        assert_eq!(of("1,\"a, b\",2\n", 0, b','), ["1", "\"a, b\"", "2"]);
        assert_eq!(of("\"a\nb\",2\n", 0, b','), ["\"a\nb\"", "2"]);
        assert_eq!(of("\"say \"\"hi, you\"\"\",2\n", 0, b','), ["\"say \"\"hi, you\"\"\"", "2"]);
        assert_eq!(of("5\" pipe,2\n", 0, b','), ["5\" pipe", "2"]);
    }

    #[test]
    fn an_open_quote_is_found() {
        assert!(has_open_quote("a,\"b\nc,d\n", 0, b','));
        assert!(!has_open_quote("a,\"b\"\nc,d\n", 0, b','));
    }
}
