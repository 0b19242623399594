//! What is on its way to an agent that may read slowly, or never.

/// Bytes that wait to be written. It is the host that keeps it small: see [`Outbox::is_full`].
#[derive(Debug, Default)]
pub(super) struct Outbox {
    bytes: Vec<u8>,
    written: usize,
    closed: bool,
}

/// While this much waits, no more of the agent's messages are read: an agent that does not read its results can make no
/// calls either, and the memory it can take is bounded.
const FULL: usize = 16 << 20;

impl Outbox {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        if !self.closed {
            self.bytes.extend_from_slice(line.as_bytes());
            self.bytes.push(b'\n');
        }
    }

    /// What waits to be written.
    pub(super) fn waiting(&self) -> &[u8] {
        &self.bytes[self.written..]
    }

    /// Records that the first `count` waiting bytes were written.
    pub(super) fn written(&mut self, count: usize) {
        self.written += count;
        if self.written == self.bytes.len() {
            self.bytes.clear();
            self.written = 0;
            self.bytes.shrink_to(1 << 16);
        } else if self.written > 1 << 20 && self.written > self.bytes.len() / 2 {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }

    /// Whether the agent must read before it is heard again.
    pub(super) fn is_full(&self) -> bool {
        self.waiting().len() >= FULL
    }

    /// Drops what waits and whatever comes: the agent has closed its end.
    pub(super) fn close(&mut self) {
        *self = Self { closed: true, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_leave_in_order_whatever_part_is_written() {
        let mut outbox = Outbox::default();
        let mut seen = Vec::new();
        for i in 0..2000 {
            outbox.line(&format!("{i}:{}", "x".repeat(1500)));
            let part = outbox.waiting().len() * 2 / 3;
            seen.extend_from_slice(&outbox.waiting()[..part]);
            outbox.written(part);
        }
        seen.extend_from_slice(outbox.waiting());
        let lines: Vec<_> = seen.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 2000);
        assert!(lines.iter().enumerate().all(|(i, line)| line.starts_with(format!("{i}:x").as_bytes())));
    }

    #[test]
    fn a_closed_outbox_keeps_nothing() {
        let mut outbox = Outbox::default();
        outbox.line("one");
        outbox.close();
        outbox.line("two");
        assert_eq!(outbox.waiting(), b"");
    }
}
