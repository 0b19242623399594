//! Paths as sources write them.

/// The longest path, in bytes.
const LONGEST: usize = 1024;

/// Why a path may not be used; the words go on from "a path".
pub(super) fn refuse(path: &str) -> Option<&'static str> {
    let bytes = path.as_bytes();
    Some(if path.is_empty() {
        "may not be empty"
    } else if path.len() > LONGEST {
        "has at most 1024 bytes"
    } else if path.chars().any(char::is_control) {
        "holds no control characters"
    } else if path.contains("://") || path.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:")) {
        "is no URL: it names a file in the environment's folder"
    } else if path.contains('\\') {
        "is written with `/`, on every system"
    } else if path.starts_with('/')
        || (bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic))
    {
        "is relative to the environment's folder, never absolute"
    } else if path.split('/').any(|part| part == "..") {
        "stays within the environment's folder: `..` would leave it"
    } else if path.split('/').any(|part| part.is_empty() || part == ".") {
        "names a file, without `.` and empty parts"
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use super::refuse;

    #[test]
    fn plain_paths_are_taken() {
        for path in
            ["a.silo", "tools/leads.silo", "data/a b.json", "daten/größe.csv", "...silo", "a..b/c.json", "ab:c.json"]
        {
            assert_eq!(refuse(path), None, "{path}");
        }
    }

    #[test]
    fn pe07_every_way_out_is_refused() {
        let long = "a".repeat(1025);
        for path in [
            "",
            ".",
            "..",
            "../x.silo",
            "data/../../x.json",
            "a/..",
            "/etc/hosts",
            "//host/x",
            "C:\\x.md",
            "c:/x.md",
            "C:x.md",
            "data\\x.json",
            "file:///etc/hosts",
            "FILE:x",
            "https://x.example/a.json",
            "a//b",
            "a/",
            "./a.silo",
            "a/./b",
            "a\0b",
            "a\nb",
            &long,
        ] {
            assert!(refuse(path).is_some(), "{path:?}");
        }
    }
}
