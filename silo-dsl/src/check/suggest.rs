//! The nearest name to a misspelt one.

/// The nearest of some names, if one is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(name);
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates.into_iter().take(LIMIT) {
        if candidate == name {
            continue;
        }
        let likeness = likeness(&wanted, &fold(candidate));
        if likeness >= ENOUGH && best.is_none_or(|(top, _)| likeness > top) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// More names than this are not compared: a world of so many has no typical misspelling.
const LIMIT: usize = 5_000;

/// How alike two words must be.
const ENOUGH: f64 = 0.65;

/// Longer words are not compared letter by letter.
const LONGEST: usize = 64;

/// The word without what people get wrong first: case, and how words are joined.
fn fold(word: &str) -> String {
    word.chars().filter(|c| *c != '_' && *c != '-' && *c != ' ').flat_map(char::to_lowercase).collect()
}

fn likeness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    if a.len() > LONGEST || b.len() > LONGEST {
        return 0.0;
    }
    let plain = strsim::normalized_damerau_levenshtein(a, b);
    // `stage` for `stage_entered`, `amount` for `amounts`: a beginning counts, if it is more than a letter or two.
    let begins = a.len() >= 4 && b.len() >= 4 && (a.starts_with(b) || b.starts_with(a));
    if begins { plain.max(ENOUGH) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("ownr", ["owner", "order"]), Some("owner"));
        assert_eq!(nearest("nmae", ["name", "amount"]), Some("name"));
        assert_eq!(nearest("stageEntered", ["stage", "stage_entered"]), Some("stage_entered"));
        assert_eq!(nearest("colour", ["amount", "owner"]), None);
        assert_eq!(nearest("Open", ["open", "won"]), Some("open"));
    }
}
