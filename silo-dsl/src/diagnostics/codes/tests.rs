use super::{Code, TABLES, all};
use crate::diagnostics::FileId;
use crate::syntax::parse;

/// The code blocks of a page below a heading, with their languages.
fn blocks(page: &str, heading: &str) -> Vec<(String, String)> {
    let Some((_, section)) = page.split_once(&format!("\n## {heading}\n")) else { return Vec::new() };
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut blocks = Vec::new();
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), block.join("\n")));
        }
    }
    blocks
}

fn of_language(page: &str, heading: &str) -> Vec<String> {
    blocks(page, heading).into_iter().filter(|(language, _)| language == "silo").map(|(_, text)| text).collect()
}

#[test]
fn codes_are_in_order_without_gaps_or_reuse() {
    for table in TABLES {
        for pair in table.windows(2) {
            let (area, number) = pair[0].id().split_at(if pair[0].id().starts_with('W') { 4 } else { 3 });
            let (next_area, next) = pair[1].id().split_at(area.len());
            let (number, next): (u32, u32) = (number.parse().unwrap(), next.parse().unwrap());
            // Engineers of one area may each take a block of ten.
            let begins_block = next > number && next % 10 == 0;
            let follows =
                if area == next_area { next == number + 1 || begins_block } else { area < next_area && next <= 1 };
            assert!(follows, "{} follows {}", pair[1], pair[0]);
        }
    }
}

/// Limits of size, whose examples would fill books.
const TOO_LARGE_TO_SHOW: [&str; 2] = ["E0404", "E0421"];

/// True for codes about files, data and what happens when code runs: no piece of source shows them alone.
fn is_beyond_source(code: Code) -> bool {
    ["E06", "E07", "E09", "W006", "W009"].iter().any(|area| code.id().starts_with(area))
        || TOO_LARGE_TO_SHOW.contains(&code.id())
}

#[test]
fn every_code_has_a_page_with_its_title_and_two_examples() {
    let mut faults = Vec::new();
    for code in all() {
        let first = format!("# {}: {}\n", code.id(), code.title());
        if !code.page().starts_with(&first) {
            faults.push(format!("{code} does not begin with `{}`", first.trim()));
        }
        if code.page().len() < first.len() + 40 {
            faults.push(format!("{code} has no explanation"));
        }
        for heading in ["Wrong", "Right"] {
            if !is_beyond_source(code) && blocks(code.page(), heading).is_empty() {
                faults.push(format!("{code} has no example below `## {heading}`"));
            }
        }
    }
    assert!(faults.is_empty(), "pages:\n{}", faults.join("\n"));
}

#[test]
fn wrong_examples_of_syntax_give_their_code_and_right_ones_nothing() {
    let is_syntax = |code: &Code| code.id().starts_with("E01") || code.id().starts_with("W001");
    for code in all().filter(is_syntax) {
        for text in of_language(code.page(), "Wrong") {
            let (_, diagnostics) = parse(FileId(0), &text);
            let mut codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
            codes.dedup();
            assert_eq!(codes, [code], "the wrong example of {code}: {text}");
        }
    }
    for code in all() {
        for text in of_language(code.page(), "Right") {
            let (_, diagnostics) = parse(FileId(0), &text);
            assert_eq!(diagnostics, [], "the right example of {code}");
        }
    }
}

#[test]
fn explains_codes_in_any_case() {
    assert_eq!(super::explain("e0101"), super::explain("E0101"));
    assert_eq!(super::explain("E9999"), None);
}
