//! What an agent printed, bounded.

use std::collections::VecDeque;
use std::fmt::Write as _;

/// What an agent printed, kept up to a limit: the beginning, which says how it started, and the end, which says how it
/// failed. What lies between is counted and left out.
#[derive(Debug)]
pub struct AgentLog {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Default for AgentLog {
    /// A log of at most 1 MiB.
    fn default() -> Self {
        Self::new(1 << 20)
    }
}

impl AgentLog {
    /// A log that keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { half: limit / 2, head: Vec::new(), tail: VecDeque::new(), left_out: 0 }
    }

    /// Whether nothing was printed.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Adds bytes as they were printed.
    pub fn append(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend_from_slice(first);
        let kept = &rest[rest.len().saturating_sub(self.half)..];
        let overflow = (self.tail.len() + kept.len()).saturating_sub(self.half);
        self.tail.drain(..overflow);
        self.tail.extend(kept);
        self.left_out += (overflow + rest.len() - kept.len()) as u64;
    }

    /// Adds a line of its own, whether or not the last one was ended.
    pub fn line(&mut self, text: &str) {
        if self.tail.back().or(self.head.last()).is_some_and(|&last| last != b'\n') {
            self.append(b"\n");
        }
        self.append(text.as_bytes());
        self.append(b"\n");
    }

    /// The last line that is not blank, shortened to `length` characters: where a crashed program usually says why.
    pub(crate) fn last_line(&self, length: usize) -> Option<String> {
        let bytes: Vec<u8> = if self.tail.is_empty() { self.head.clone() } else { self.tail.iter().copied().collect() };
        let end = &bytes[bytes.len().saturating_sub(4096)..];
        let text = String::from_utf8_lossy(end);
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(|line| super::excerpt(line, length))
    }

    /// The text of `agent.log`. A note stands where the log was cut; bytes that are not UTF-8 are shown as `�`, and a note
    /// at the end counts them.
    pub fn to_text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let mut text = String::with_capacity(self.head.len() + tail.len());
        let mut foreign = 0;
        if self.left_out == 0 {
            foreign += lossy(&[self.head.as_slice(), &tail].concat(), &mut text);
        } else {
            let (head, tail) = (whole_end(&self.head), whole_start(&tail));
            let left_out = self.left_out + (self.head.len() - head.len() + self.tail.len() - tail.len()) as u64;
            foreign += lossy(head, &mut text);
            let _ = writeln!(text, "\n[silo: the log was cut here, {left_out} bytes are left out]");
            foreign += lossy(tail, &mut text);
        }
        if foreign > 0 {
            let line_end = if text.ends_with('\n') { "" } else { "\n" };
            let bytes = if foreign == 1 { "1 byte that is".to_owned() } else { format!("{foreign} bytes that are") };
            let _ = writeln!(text, "{line_end}[silo: {bytes} not UTF-8, shown as \u{fffd}]");
        }
        text
    }
}

/// Decodes bytes, and says how many could not be.
fn lossy(bytes: &[u8], text: &mut String) -> usize {
    let mut foreign = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            foreign += chunk.invalid().len();
            text.push('\u{fffd}');
        }
    }
    foreign
}

/// Without a character that was cut off at the end.
fn whole_end(bytes: &[u8]) -> &[u8] {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let width = match bytes[at] {
            0b1100_0000..=0b1101_1111 => 2,
            0b1110_0000..=0b1110_1111 => 3,
            0b1111_0000..=0b1111_0111 => 4,
            0b1000_0000..=0b1011_1111 => continue,
            _ => 1,
        };
        return if width > back { &bytes[..at] } else { bytes };
    }
    bytes
}

/// Without the rest of a character that was cut off at the start.
fn whole_start(bytes: &[u8]) -> &[u8] {
    let rest = bytes.iter().take(3).take_while(|&&byte| byte & 0b1100_0000 == 0b1000_0000).count();
    &bytes[rest..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_log_is_kept_as_it_is() {
        let mut log = AgentLog::default();
        assert!(log.is_empty());
        log.append("grüße 🦀\r50%\r".as_bytes());
        log.line("from the protocol");
        assert_eq!(log.to_text(), "grüße 🦀\r50%\r\nfrom the protocol\n");
    }

    #[test]
    fn a_long_log_keeps_its_beginning_and_its_end() {
        let mut log = AgentLog::new(20);
        log.append(b"beginning and a long way to the end");
        assert_eq!(log.to_text(), "beginning \n[silo: the log was cut here, 15 bytes are left out]\nto the end");
        let mut in_pieces = AgentLog::new(20);
        for byte in b"beginning and a long way to the end" {
            in_pieces.append(&[*byte]);
        }
        assert_eq!(in_pieces.to_text(), log.to_text());
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        let mut log = AgentLog::new(10);
        log.append("ééééééééé".as_bytes());
        assert_eq!(log.to_text(), "éé\n[silo: the log was cut here, 10 bytes are left out]\néé");
    }

    #[test]
    fn pd08_bytes_that_are_not_utf8_are_marked_and_counted() {
        let mut log = AgentLog::default();
        log.append(b"a\xF0\x28\x8C\x28b\0c\n");
        assert_eq!(log.to_text(), "a\u{fffd}(\u{fffd}(b\0c\n[silo: 2 bytes that are not UTF-8, shown as \u{fffd}]\n");
    }

    #[test]
    fn the_last_line_skips_blank_ones() {
        let mut log = AgentLog::default();
        assert_eq!(log.last_line(9), None);
        log.append(b"Traceback\nKeyError: 'x'\n\n  \n");
        assert_eq!(log.last_line(40).as_deref(), Some("KeyError: 'x'"));
    }
}
