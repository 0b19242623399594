//! Numbers as people write them into sentences.

use crate::value::decimal::Decimal;

/// The numbers of a text, in order.
pub(super) fn numbers(text: &str) -> Vec<Decimal> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = String::new();
    while let Some(first) = rest.chars().next() {
        let length = token(rest);
        if length == 0 {
            // What stands before a number decides on its sign; more than a few characters never matter.
            if before.len() > 64 {
                before.clear();
                before.push(' ');
            }
            before.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        read(token, &before, &mut found);
        before.clear();
        // The next token cannot follow at once, so that this stands for any letter or digit.
        before.push('x');
        rest = after;
    }
    found
}

/// The length of the token at the start: letters and digits, joined by what joins them. 0 if there is none.
fn token(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut end = 0;
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let joins = match c {
            '-' | '_' => before.is_alphanumeric() && next.is_alphanumeric(),
            '.' => (before.is_ascii_digit() || at == 0) && next.is_ascii_digit(),
            ',' | ':' | '/' => before.is_ascii_digit() && next.is_ascii_digit(),
            _ => c.is_alphanumeric(),
        };
        if !joins {
            break;
        }
        end = at + c.len_utf8();
        before = c;
    }
    end
}

fn read(token: &str, before: &str, found: &mut Vec<Decimal>) {
    let whole_words = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '/'));
    if token.contains(whole_words) || before.ends_with('#') {
        return;
    }
    // The point of a number stands free; otherwise it ends what stands before.
    let ends_before = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '.');
    let token = if ends_before { token.trim_start_matches('.') } else { token };
    let parts: Vec<&str> = match token.split('/').collect::<Vec<_>>() {
        // `3/8` is three of eight, but `3/8/2026` is a day.
        parts if parts.len() <= 2 => parts.into_iter().flat_map(thousands).collect(),
        _ => return,
    };
    for (index, part) in parts.into_iter().enumerate() {
        let plain: String = part.chars().filter(|c| *c != ',').collect();
        let spelled = if plain.starts_with('.') { format!("0{plain}") } else { plain };
        if let Ok(number) = spelled.parse::<Decimal>() {
            found.push(if index == 0 && is_negative(before) { -number } else { number });
        }
    }
}

/// `1,234,567.5` is one number, `1,2,3` are three.
fn thousands(token: &str) -> Vec<&str> {
    let mut groups = token.split(',');
    let first = groups.next().unwrap_or_default();
    let whole = |group: &str, last: bool| {
        let digits = if last { group.split('.').next().unwrap_or_default() } else { group };
        digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let rest: Vec<&str> = groups.collect();
    let grouped = !first.is_empty()
        && first.len() <= 3
        && !first.contains('.')
        && rest.iter().enumerate().all(|(index, group)| whole(group, index + 1 == rest.len()));
    if grouped || rest.is_empty() { vec![token] } else { token.split(',').collect() }
}

/// Whether what stands before a number ends in its minus sign: one that follows no word, number or other dash, with or
/// without a currency sign on either side.
fn is_negative(before: &str) -> bool {
    const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];
    let unpriced = before.strip_suffix(CURRENCIES).unwrap_or(before);
    let Some(signless) = unpriced.strip_suffix(['-', '\u{2212}']) else { return false };
    let unpriced = signless.strip_suffix(CURRENCIES).unwrap_or(signless);
    unpriced
        .chars()
        .next_back()
        .is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '-' | '\u{2212}' | '%' | ')' | '.')))
}
