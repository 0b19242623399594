//! What is said when one sign is missing: one thing, in the right place, with a fix where there is only one.

use silo_dsl::diagnostics::{Diagnostic, FileId};
use silo_dsl::syntax::parse;

const FILE: FileId = FileId(0);

const SAMPLE: &str = include_str!("syntax/good/sample.silo");

/// A source without one of its signs.
struct Dropped {
    text: String,
    /// Where the sign stood.
    at: usize,
    sign: char,
}

/// The source without each of its signs in turn; those in strings and comments stay.
fn without_each_sign(source: &str) -> Vec<Dropped> {
    let mut dropped = Vec::new();
    let mut in_comment = false;
    let mut in_text = false;
    let mut before = '\n';
    for (at, sign) in source.char_indices() {
        match sign {
            '\n' => in_comment = false,
            '/' if before == '/' && !in_text => in_comment = true,
            '"' if !in_comment => in_text = !in_text,
            _ => {}
        }
        let outside = !in_comment && (!in_text || sign == '"');
        let arrow_or_triple = source[at..].starts_with("\"\"\"") || source[..=at].ends_with("\"\"\"") || before == '"';
        if outside && ",:{}()[]|\"".contains(sign) && !(sign == '"' && arrow_or_triple) {
            let text = format!("{}{}", &source[..at], &source[at + sign.len_utf8()..]);
            dropped.push(Dropped { text, at, sign });
        }
        before = sign;
    }
    dropped
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn errors(text: &str) -> Vec<Diagnostic> {
    parse(FILE, text).1.into_iter().filter(Diagnostic::is_error).collect()
}

#[test]
fn pe08_a_dropped_sign_is_one_error_near_its_place() {
    let mut faults = Vec::new();
    let (mut broken, mut mended, mut exact) = (0, 0, 0);
    for Dropped { text, at, sign } in without_each_sign(SAMPLE) {
        let found = errors(&text);
        let line = line_of(&text, at);
        let place = format!("line {line}, `{sign}` of `{}`", SAMPLE.lines().nth(line - 1).unwrap_or_default().trim());
        let [error] = found.as_slice() else {
            // A comma before a line end may be left out, and some signs leave another program behind.
            if found.len() > 1 {
                let list: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
                faults.push(format!("{place}: {} errors: {}", found.len(), list.join("; ")));
            }
            continue;
        };
        broken += 1;
        let near = error.labels.iter().any(|label| line_of(&text, label.span.start as usize).abs_diff(line) <= 1);
        if !near {
            faults.push(format!(
                "{place}: said in line {}: {}",
                line_of(&text, error.span().start as usize),
                error.message
            ));
        }
        if let Some(fix) = &error.fix {
            let fixed = fix.apply(FILE, &text);
            if errors(&fixed).is_empty() {
                mended += 1;
                let blanks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                exact += usize::from(blanks(&fixed) == blanks(SAMPLE));
            } else {
                faults.push(format!("{place}: the fix does not compile: {}", error.message));
            }
        }
    }
    println!("{broken} broken, {mended} mended, {exact} as they were");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(mended * 10 > broken * 7, "{mended} of {broken} mended");
}
