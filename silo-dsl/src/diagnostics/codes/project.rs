//! E06xx: project files.

codes! {
    PATH = "E0601": "a path that may not be used"
    FILE = "E0602": "the file cannot be read"
    OUTSIDE = "E0603": "a link leaves the folder"
    CYCLE = "E0604": "files use each other in a circle"
    TOO_LARGE = "E0605": "the file is too large"
    NOT_UTF8 = "E0606": "the file is not UTF-8"
}
