//! From bytes to text.

use crate::diagnostics::{Diagnostic, FileId, Span, codes};

/// The text of a source or data file, and what is wrong if it is not UTF-8.
///
/// Then the text has U+FFFD for each stretch of bytes that is none, so that the diagnostic, which has its place in that
/// text, can be shown; it names the byte of the file itself.
pub fn decode(file: FileId, bytes: &[u8]) -> (String, Option<Diagnostic>) {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return (text.to_owned(), None),
        Err(error) => error,
    };
    let offset = error.valid_up_to();
    let at = u32::try_from(offset).unwrap_or(u32::MAX);
    let span = Span::new(file, at, at.saturating_add(3));
    let byte = bytes.get(offset).copied().unwrap_or_default();
    let diagnostic = Diagnostic::error(
        codes::syntax::ENCODING,
        span,
        format!("expected a file in UTF-8, found the byte 0x{byte:02x} at byte {offset}"),
    )
    .label("no character in UTF-8");
    let diagnostic = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => diagnostic.help("the file is in UTF-16: save it as UTF-8"),
        _ => diagnostic.help("save the file as UTF-8"),
    };
    (String::from_utf8_lossy(bytes).into_owned(), Some(diagnostic))
}
