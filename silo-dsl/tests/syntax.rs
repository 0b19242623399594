//! The syntax of the language: what parses into what, and what is said of what does not.

mod dump;
mod support;

use std::path::Path;

use silo_dsl::diagnostics::{Diagnostic, FileId, Sources, render};
use silo_dsl::syntax::parse;
use support::{beside, read};

/// What is said of a source.
fn said(name: &str, text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let (_, diagnostics) = parse(file, text);
    render::plain(&sources, &diagnostics)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[test]
fn broken_sources_are_explained() {
    insta::glob!("syntax/bad/*.silo", |path| {
        let name = name_of(path);
        beside(path).bind(|| insta::assert_snapshot!(name.as_str(), said(&name, &read(path))));
    });
}

#[test]
fn whole_sources_become_trees() {
    insta::glob!("syntax/good/*.silo", |path| {
        let text = read(path);
        assert_eq!(said(&name_of(path), &text), "");
        let (tree, _) = parse(FileId(0), &text);
        let shown = format!("{text}\n--- is read as ---\n\n{}", dump::file(&tree));
        beside(path).bind(|| insta::assert_snapshot!(name_of(path).as_str(), shown));
    });
}

#[test]
fn l02_an_error_in_one_item_hides_nothing_of_the_others() {
    let text = "entity A { id key }\n\nentity B { id: key }\n\ntool c( { }\n\nfn d(: int = 1\n";
    let (tree, diagnostics) = parse(FileId(0), text);
    assert_eq!((tree.items.len(), tree.broken.len(), diagnostics.len()), (1, 3, 3), "{diagnostics:#?}");
    let names: Vec<_> = tree.broken.iter().filter_map(|item| Some(item.name.as_ref()?.as_str())).collect();
    assert_eq!(names, ["A", "c", "d"]);
}

#[test]
fn l01_one_missing_comma_is_one_error_at_its_place() {
    let text = "entity A { id: key \"A-0\" name: string, age: int, note: string? }\n";
    let (_, diagnostics) = parse(FileId(0), text);
    let [error] = diagnostics.as_slice() else { panic!("{diagnostics:#?}") };
    assert_eq!((error.message.as_str(), error.span().start), ("expected `,` after this", 24));
}

/// Every diagnostic of a source with its line and column.
fn places(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("a.silo", text);
    let (_, diagnostics) = parse(file, text);
    let place = |one: &Diagnostic| {
        let labels: Vec<String> = one.labels.iter().map(|label| sources.position(label.span).to_string()).collect();
        format!("{} {} {}", labels.join(" "), one.code, one.message)
    };
    render::ordered(&diagnostics).iter().map(place).collect()
}

#[test]
fn pe04_r30_places_do_not_move_with_what_stands_before() {
    insta::glob!("syntax/bad/*.silo", |path| {
        let text = read(path);
        let plain = places(&text);
        assert!(!plain.is_empty());
        assert_eq!(places(&text.replace('\n', "\r\n")), plain, "CRLF");
        assert_eq!(places(&text.replace('\n', "\r")), plain, "CR");
        assert_eq!(places(&format!("\u{feff}{text}")), plain, "byte order mark");
        let below = places(&format!("// -\n{text}"));
        for comment in ["// —", "// 👩‍👩‍👧 e\u{301}", "// שלום \u{202e}", "// \u{2028} \u{2029} \u{85}", "// \t"]
        {
            assert_eq!(places(&format!("{comment}\n{text}")), below, "{comment}");
        }
        let narrow = text.replace("    ", " ");
        assert_eq!(places(&text.replace("    ", "\t")), places(&narrow), "tabs");
    });
}

#[test]
fn pe04_a_column_moves_by_the_characters_before_it() {
    let at = |text: &str| places(&format!("record R {{ a: string = \"{text}\", b int }}\n"));
    assert_eq!(at("")[0], "1:29 E0101 expected `:` after this");
    for (text, characters) in [("—", 1), ("𐀐", 1), ("e\u{301}", 2), ("👩‍👩‍👧", 5), ("\t", 1), ("שלום", 4)]
    {
        assert_eq!(at(text)[0], format!("1:{} E0101 expected `:` after this", 29 + characters), "{text}");
    }
}

#[test]
fn pe05_a_byte_order_mark_stands_only_at_the_start() {
    assert_eq!(places("\u{feff}enum A { \"a\" }\n"), Vec::<String>::new());
    assert_eq!(places("enum A { \"\u{feff}a\" } // \u{feff}\n"), Vec::<String>::new());
    let doubled = places("\u{feff}\u{feff}enum A { \"a\" }\n");
    assert!(doubled[0].starts_with("1:1 E0107") && doubled[0].contains("U+FEFF"), "{doubled:?}");
    assert!(places("enum A \u{feff}{ \"a\" }\n")[0].starts_with("1:8 E0107"));
}
