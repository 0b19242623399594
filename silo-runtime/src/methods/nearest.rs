//! "Did you mean …?"

/// Longer words are no slips of the pen, and comparing them would take long.
const LONGEST: usize = 100;

/// The name that someone who wrote `word` most likely meant, if one is near enough to say so: first one that differs in
/// case or blanks only, then one with few letters wrong, then one that has a word more or less. Of equally near ones the
/// first.
///
/// ```
/// use silo_runtime::methods::nearest::nearest;
/// assert_eq!(nearest("OPEN", ["won", "open"]), Some("open"));
/// assert_eq!(nearest("staus", ["owner", "status"]), Some("status"));
/// assert_eq!(nearest("owner_id", ["status", "owner"]), Some("owner"));
/// assert_eq!(nearest("colour", ["status", "owner"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = Word::new(word)?;
    let scored = candidates.into_iter().filter_map(|candidate| Some((word.distance(candidate)?, candidate)));
    scored.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, candidate)| candidate)
}

/// All names near enough to `word`, the nearest first; equally near ones in the order given.
pub fn by_distance<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let Some(word) = Word::new(word) else { return Vec::new() };
    let mut scored: Vec<_> =
        candidates.into_iter().filter_map(|candidate| Some((word.distance(candidate)?, candidate))).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The word that was written, prepared for many comparisons.
struct Word {
    lower: String,
    length: usize,
    parts: Vec<String>,
}

impl Word {
    fn new(word: &str) -> Option<Self> {
        let word = word.trim();
        let length = word.chars().take(LONGEST + 1).count();
        if length == 0 || length > LONGEST {
            return None;
        }
        Some(Self { lower: word.to_lowercase(), length, parts: parts(word) })
    }

    /// How far the candidate is; `None` if it is too far to be meant. Below 10: the same but for case and the like;
    /// below 100: letters; above: words.
    fn distance(&self, candidate: &str) -> Option<usize> {
        let length = candidate.chars().take(2 * LONGEST).count();
        let apart = self.length.abs_diff(length);
        if length == 0 || length >= 2 * LONGEST {
            return None;
        }
        let lower = candidate.to_lowercase();
        if self.lower == lower {
            return Some(0);
        }
        let candidate_parts = parts(candidate);
        if self.parts == candidate_parts {
            return Some(1);
        }
        let allowed = match self.length.max(length) {
            0..=2 => 0,
            3..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        if apart <= allowed {
            let wrong = strsim::osa_distance(&self.lower, &lower);
            if wrong <= allowed {
                return Some(10 + wrong);
            }
        }
        let (short, long) = if self.parts.len() < candidate_parts.len() {
            (&self.parts, &candidate_parts)
        } else {
            (&candidate_parts, &self.parts)
        };
        let extends = !short.is_empty() && (long.starts_with(short) || long.ends_with(short));
        extends.then(|| 100 + long.len() - short.len())
    }
}

/// The words a name is made of, in lower case: `ownerId` and `owner_id` are both `owner` and `id`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let starts = c.is_uppercase() && after_lower;
        if (starts || !c.is_alphanumeric()) && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_slip_wins_over_a_wrong_letter() {
        assert_eq!(nearest("Opem", ["open", "OPEM"]), Some("OPEM"));
        assert_eq!(nearest(" open", ["won", "open"]), Some("open"));
        assert_eq!(nearest("stageEntered", ["stage_center", "stage_entered"]), Some("stage_entered"));
    }

    #[test]
    fn few_letters_may_be_wrong_and_fewer_in_short_words() {
        assert_eq!(nearest("nmae", ["name", "amount"]), Some("name"), "swapped letters are one slip");
        assert_eq!(nearest("Opn", ["open", "won", "lost"]), Some("open"));
        assert_eq!(nearest("opened", ["won", "open"]), Some("open"));
        assert_eq!(nearest("USR-03", ["USR-999", "USR-003"]), Some("USR-003"));
        assert_eq!(nearest("id", ["at", "to"]), None);
        assert_eq!(nearest("cat", ["dog"]), None);
    }

    #[test]
    fn a_name_may_have_a_word_too_many() {
        assert_eq!(nearest("ownerId", ["status", "owner"]), Some("owner"));
        assert_eq!(nearest("stale", ["stale_only"]), Some("stale_only"));
        assert_eq!(nearest("opportunity_identifier", ["opportunity"]), Some("opportunity"));
    }

    #[test]
    fn nothing_is_near_to_nothing_or_to_a_wall_of_text() {
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("  ", ["a"]), None);
        assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
        assert_eq!(nearest("a", [&*"a".repeat(1_000_000)]), None);
    }

    #[test]
    fn all_near_ones_come_nearest_first() {
        assert_eq!(
            by_distance("USR-003", ["USR-103", "ORD-999", "usr-003", "USR-004"]),
            ["usr-003", "USR-103", "USR-004"]
        );
    }
}
