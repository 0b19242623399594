use super::*;
use crate::diagnostics::render;
use std::fs;

fn shown(project: &Project) -> String {
    render::plain(&project.sources, &project.diagnostics)
}

fn of<const N: usize>(files: [(&str, &str); N]) -> Project {
    Project::from_sources(files)
}

/// A folder `world` with these files, and the folder that holds it.
fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, std::path::PathBuf) {
    let holder = tempfile::tempdir().expect("a folder");
    let root = holder.path().join("world");
    fs::create_dir(&root).expect("a folder");
    for (name, bytes) in files {
        let place = root.join(name);
        fs::create_dir_all(place.parent().expect("a parent")).expect("a folder");
        #[expect(clippy::disallowed_methods, reason = "the test makes its files")]
        fs::write(place, bytes).expect("a file");
    }
    (holder, root)
}

fn codes(project: &Project) -> Vec<&'static str> {
    project.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

fn names(project: &Project) -> Vec<&str> {
    project.files().map(Source::name).collect()
}

#[test]
fn files_are_brought_in_once_and_in_order() {
    let project = of([
        ("world.silo", "environment world { }\nuse \"a.silo\"\nuse \"b.silo\"\nuse \"a.silo\"\n"),
        ("a.silo", "use \"b.silo\"\nenum A { \"x\" }\n"),
        ("b.silo", "enum B { \"x\" }\n"),
    ]);
    assert_eq!(shown(&project), "");
    assert_eq!(names(&project), ["world.silo", "a.silo", "b.silo"]);
}

#[test]
fn l05_circles_are_reported_where_they_close() {
    let project = of([
        ("world.silo", "environment world { }\nuse \"a.silo\"\n"),
        ("a.silo", "use \"b.silo\"\n"),
        ("b.silo", "use \"a.silo\"\nuse \"b.silo\"\nuse \"world.silo\"\n"),
    ]);
    assert_eq!(codes(&project), ["E0604", "E0604", "E0604"]);
    assert!(shown(&project).contains("b.silo:1:5"), "{}", shown(&project));
}

#[test]
fn pe07_paths_out_are_errors_at_the_literal() {
    for path in
        ["../x.silo", "/etc/hosts", "C:\\\\x.silo", "a\\\\b.silo", "file:///etc/hosts", "", ".", "a/../../b.silo"]
    {
        let project = Project::from_sources([("world.silo", format!("use \"{path}\"\n"))]);
        assert_eq!(codes(&project), ["E0601"], "{path}");
        assert!(shown(&project).contains("world.silo:1:5"), "{}", shown(&project));
    }
    let project = of([(
        "world.silo",
        "environment world { policy: \"../policy.md\" }\nstate { a: int from \"data/../../x.json\" }\nconst B: int from \"/etc/hosts\"\n",
    )]);
    assert_eq!(codes(&project), ["E0601", "E0601", "E0601"]);
}

#[test]
fn pe07_no_link_leads_out_and_nothing_outside_is_shown() {
    let (holder, root) = folder(&[
        ("world.silo", b"environment world { }\nuse \"link.silo\"\nuse \"inside.silo\"\nstate { a: int from \"out/secret.json\" }\n"),
        ("real.silo", b"enum A { \"x\" }\n"),
    ]);
    #[expect(clippy::disallowed_methods, reason = "the test makes its files")]
    fs::write(holder.path().join("secret.silo"), "TOP SECRET").expect("a file");
    #[expect(clippy::disallowed_methods, reason = "the test makes its files")]
    fs::write(holder.path().join("secret.json"), "\"TOP SECRET\"").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.silo", root.join("link.silo")).expect("a link");
        std::os::unix::fs::symlink("real.silo", root.join("inside.silo")).expect("a link");
        std::os::unix::fs::symlink("..", root.join("out")).expect("a link");
        let project = Project::load(&root).expect("it loads");
        assert_eq!(codes(&project), ["E0603", "E0603"]);
        assert_eq!(names(&project), ["world.silo", "inside.silo"]);
        assert!(!shown(&project).contains("SECRET"));
    }
}

#[cfg(unix)]
#[test]
fn pe07_folders_pipes_and_devices_are_refused_without_waiting() {
    use std::process::Command;
    let (_holder, root) = folder(&[
        ("world.silo", b"environment world { policy: \"tools\" }\nuse \"pipe.silo\"\nuse \"gone.silo\"\nstate { a: int from \"zero.json\" }\n"),
        ("tools/x.silo", b""),
    ]);
    let made = Command::new("mkfifo").arg(root.join("pipe.silo")).status().expect("mkfifo runs");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", root.join("zero.json")).expect("a link");
    let project = Project::load(&root).expect("it loads");
    let mut codes = codes(&project);
    codes.sort_unstable();
    assert_eq!(codes, ["E0602", "E0602", "E0602", "E0603"], "{}", shown(&project));
}

#[test]
fn large_files_are_refused_unread() {
    let (_holder, root) =
        folder(&[("world.silo", b"environment world { }\nstate { a: int from \"big.json\" }\nuse \"big.silo\"\n")]);
    // Files of holes, which take no place.
    for (name, size) in [("big.json", 3 << 30), ("big.silo", MAX_SOURCE + 1)] {
        #[expect(clippy::disallowed_methods, reason = "the test makes its files")]
        let file = fs::File::create(root.join(name)).expect("a file");
        file.set_len(size).expect("a size");
    }
    let project = Project::load(&root).expect("it loads");
    assert_eq!(codes(&project), ["E0605", "E0605"]);
}

#[test]
fn pd08_bytes_that_are_not_utf8_are_counted() {
    let (_holder, root) = folder(&[
        (
            "world.silo",
            b"environment world { policy: \"policy.md\" }\nuse \"a.silo\"\nstate { a: int from \"a.csv\" }\n",
        ),
        ("policy.md", b"Caf\xe9 rules"),
        ("a.silo", b"// \xf0\x28\x8c\x28\n"),
        ("a.csv", b"\xff\xfea\0"),
    ]);
    let project = Project::load(&root).expect("it loads");
    assert_eq!(codes(&project), ["E0606", "E0606", "E0606"]);
    assert!(shown(&project).contains("the first stray byte is number 4 of the file"), "{}", shown(&project));
    assert_eq!(names(&project), ["world.silo"]);
}

#[cfg(unix)]
#[test]
fn pd08_odd_file_names_are_nobodys() {
    use std::os::unix::ffi::OsStrExt;
    let (_holder, root) = folder(&[("other.silo", b"environment world { }\n")]);
    let odd = root.join(std::ffi::OsStr::from_bytes(b"caf\xe9.silo"));
    #[expect(clippy::disallowed_methods, reason = "the test makes its files")]
    fs::write(odd, "environment odd { }").expect("a file");
    assert_eq!(names(&Project::load(&root).expect("it loads")), ["other.silo"]);
}

#[test]
fn a_folder_is_entered_by_its_own_name_or_its_only_environment() {
    let (_holder, root) = folder(&[("world.silo", b"environment a { }"), ("other.silo", b"environment b { }")]);
    assert_eq!(names(&Project::load(&root).expect("it loads")), ["world.silo"]);
    assert_eq!(names(&Project::load(&root.join("other.silo")).expect("it loads")), ["other.silo"]);

    let (_holder, root) = folder(&[("a.silo", b"enum A { \"x\" }"), ("b.silo", b"environment b { }")]);
    assert_eq!(names(&Project::load(&root).expect("it loads")), ["b.silo"]);

    let (_holder, root) = folder(&[("a.silo", b"environment a { }"), ("b.silo", b"environment b { }")]);
    assert!(Project::load(&root).unwrap_err().to_string().contains("several environments: `a.silo`, `b.silo`"));

    let (_holder, root) = folder(&[("readme.md", b"")]);
    assert!(Project::load(&root).unwrap_err().to_string().contains("holds no environment"));
    assert!(Project::load(&root.join("readme.md")).unwrap_err().to_string().contains("not a `.silo` file"));
    assert!(Project::load(&root.join("gone")).unwrap_err().to_string().contains("there is no"));
}

#[test]
fn pe05_marks_and_line_ends_count_for_the_hash() {
    let plain = of([("world.silo", "environment world { }\n")]);
    let mark = of([("world.silo", "\u{feff}environment world { }\n")]);
    let ends = of([("world.silo", "environment world { }\r\n")]);
    let name = of([("other.silo", "environment world { }\n")]);
    assert_eq!(shown(&mark), "");
    assert_eq!(plain.hash().len(), 64);
    assert_eq!(plain.hash(), of([("world.silo", "environment world { }\n")]).hash());
    for other in [mark, ends, name] {
        assert_ne!(plain.hash(), other.hash());
    }
}

#[test]
fn the_hash_does_not_depend_on_the_order_of_reading() {
    let one = of([("w.silo", "use \"a.silo\"\nuse \"b.silo\"\n"), ("a.silo", ""), ("b.silo", "")]);
    let (_holder, root) = folder(&[("b.silo", b""), ("a.silo", b""), ("w.silo", b"use \"a.silo\"\nuse \"b.silo\"\n")]);
    assert_eq!(one.hash(), Project::load(&root.join("w.silo")).expect("it loads").hash());
}

#[test]
fn a_missing_entry_is_reported() {
    let project = Project::from_sources(Vec::<(&str, &str)>::new());
    assert_eq!(codes(&project), ["E0602"]);
    let project = Project::from_sources([("world.silo", vec![0xff])]);
    assert_eq!(codes(&project), ["E0606"]);
}

#[test]
fn a_long_chain_of_files_ends_in_a_diagnostic() {
    let files: Vec<(String, String)> =
        (0..300).map(|at| (format!("f{at}.silo"), format!("use \"f{}.silo\"\n", at + 1))).collect();
    let project = Project::from_sources(files);
    assert_eq!(codes(&project), ["E0604"]);
}
