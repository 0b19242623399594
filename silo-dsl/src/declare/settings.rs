//! Settings: of the environment, and the values that tasks share with it.

use super::collect::Items;
use super::constant::{Constant, Located};
use super::messages::duplicate;
use super::naming::NameStyle;
use super::{Declared, fields};
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use crate::syntax::tree::{self, ExprKind, Setting};
use silo_runtime::environment::RewardMode;
use silo_runtime::methods::nearest::nearest;
use silo_runtime::value::Text;
use std::sync::Arc;

/// The settings of an environment.
const ENVIRONMENT: [&str; 10] =
    ["version", "policy", "names", "references", "reward", "max_calls", "timeout", "steps", "title", "description"];

/// Reads the `environment` item; a project has exactly one.
pub(super) fn environment(declared: &mut Declared<'_>, items: &Items<'_>, entry: FileId, sink: &mut Vec<Diagnostic>) {
    let Some((item, environment)) = items.environments.first() else {
        if !items.broken_environment {
            sink.push(
                Diagnostic::error(
                    codes::declarations::ENVIRONMENT,
                    Span::new(entry, 0, 0),
                    "no `environment` is declared",
                )
                .label("expected in this file, or in one that it uses")
                .help("add `environment my_world { version: \"1.0\" }`"),
            );
        }
        return;
    };
    for (_, other) in items.environments.iter().skip(1) {
        sink.push(
            Diagnostic::error(codes::declarations::ENVIRONMENT, other.name.span, "a project has one environment")
                .label("a second one")
                .also(environment.name.span, "the first one")
                .help("put its settings into the first, or its files into a folder of their own"),
        );
    }
    declared.environment_span = Some(environment.name.span);
    declared.environment.name = Arc::clone(&environment.name.text);
    let docs = fields::docs(&item.docs);
    declared.environment.description = (!docs.is_empty()).then_some(docs);
    for setting in unique(&environment.settings, sink) {
        set(declared, setting, sink);
    }
}

/// Settings without those that are given again, which are reported.
pub(super) fn unique<'s>(
    settings: impl IntoIterator<Item = &'s Setting>,
    sink: &mut Vec<Diagnostic>,
) -> Vec<&'s Setting> {
    let mut kept: Vec<&Setting> = Vec::new();
    for setting in settings {
        match kept.iter().find(|first| first.name.text == setting.name.text) {
            Some(first) => sink.push(duplicate("setting", setting.name.as_str(), setting.name.span, first.name.span)),
            None => kept.push(setting),
        }
    }
    kept
}

/// A setting that does not exist.
pub(super) fn unknown(of: &str, name: &tree::Name, known: &[&'static str], sink: &mut Vec<Diagnostic>) {
    let all = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
    let diagnostic =
        Diagnostic::error(codes::declarations::SETTING, name.span, format!("{of} has no setting `{name}`"))
            .label("unknown")
            .note(format!("the settings are {all}"));
    let alike = || known.iter().copied().find(|known| starts_alike(name.as_str(), known));
    let near = nearest(name.as_str(), known.iter().copied()).or_else(alike);
    sink.push(match near {
        Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), name.span, near),
        None => diagnostic.help("take it away, or use one of those"),
    });
}

/// Whether two names begin with the same letters, mostly: `policies` is meant as `policy`.
fn starts_alike(a: &str, b: &str) -> bool {
    const LEAST: usize = 4;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    shared >= LEAST && 2 * shared > a.chars().count().max(b.chars().count())
}

fn set(declared: &mut Declared<'_>, setting: &Setting, sink: &mut Vec<Diagnostic>) {
    if !ENVIRONMENT.contains(&setting.name.as_str()) {
        unknown("an environment", &setting.name, &ENVIRONMENT, sink);
        return;
    }
    let Some(value) = declared.types.constants.evaluate(&setting.value, sink) else { return };
    let environment = &mut declared.environment;
    match setting.name.as_str() {
        "version" => environment.version = text(&value, setting, sink).unwrap_or_default(),
        "title" => environment.title = text(&value, setting, sink),
        "description" => environment.description = text(&value, setting, sink),
        // Files are read before constants are known.
        "policy" if !matches!(setting.value.kind, ExprKind::Text(_)) => {
            _ = wrong::<()>(setting, &value, "the path of a file, written out in quotes", sink);
        }
        "policy" => environment.policy = text(&value, setting, sink),
        "reward" => environment.reward = reward(&value, setting, sink).unwrap_or_default(),
        "max_calls" => {
            environment.max_calls = count(&value, setting, u32::MAX.into(), sink).and_then(|n| u32::try_from(n).ok());
        }
        "timeout" => environment.timeout_ms = duration(&value, setting, sink),
        "steps" => environment.steps = count(&value, setting, 1_000_000_000, sink),
        "names" => declared.types.naming.style = style(&value, setting, sink).unwrap_or_default(),
        _ => declared.types.naming.references = suffix(&value, setting, sink),
    }
}

/// Reports that a setting's value is of another kind than it needs.
pub(super) fn wrong<T>(setting: &Setting, value: &Located, expected: &str, sink: &mut Vec<Diagnostic>) -> Option<T> {
    let found = match &value.value {
        Constant::Text(text) => format!("this is `\"{}\"`", silo_runtime::value::text::shorten(text, 60)),
        other => format!("this is {}", other.kind()),
    };
    sink.push(
        Diagnostic::error(
            codes::declarations::SETTING,
            value.span,
            format!("the setting `{}` needs {expected}", setting.name),
        )
        .label(found),
    );
    None
}

/// A text.
pub(super) fn text(value: &Located, setting: &Setting, sink: &mut Vec<Diagnostic>) -> Option<Text> {
    match &value.value {
        Constant::Text(text) => Some(Arc::clone(text)),
        _ => wrong(setting, value, "a string", sink),
    }
}

/// A whole number from 1 to `most`.
pub(super) fn count(value: &Located, setting: &Setting, most: i64, sink: &mut Vec<Diagnostic>) -> Option<u64> {
    match value.value {
        Constant::Int(number) if (1..=most).contains(&number) => u64::try_from(number).ok(),
        _ => wrong(setting, value, &format!("a whole number from 1 to {most}"), sink),
    }
}

/// `"progress"`, `"strict"`, `"share"`.
pub(super) fn reward(value: &Located, setting: &Setting, sink: &mut Vec<Diagnostic>) -> Option<RewardMode> {
    match &value.value {
        Constant::Text(text) if **text == *"progress" => Some(RewardMode::Progress),
        Constant::Text(text) if **text == *"strict" => Some(RewardMode::Strict),
        Constant::Text(text) if **text == *"share" => Some(RewardMode::Share),
        _ => wrong(setting, value, "`\"progress\"`, `\"strict\"` or `\"share\"`", sink),
    }
}

/// The longest time a rollout may be given: a day.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;

/// `"30s"`, `"500ms"`, `"5m"`, `"1h"`: milliseconds, up to a day.
pub(super) fn duration(value: &Located, setting: &Setting, sink: &mut Vec<Diagnostic>) -> Option<u64> {
    let Constant::Text(text) = &value.value else {
        return wrong(setting, value, "a time in quotes, such as `\"30s\"`, `\"500ms\"` or `\"5m\"`", sink);
    };
    match parse_duration(text) {
        Some(milliseconds) if (1..=LONGEST_MS).contains(&milliseconds) => Some(milliseconds),
        Some(_) => wrong(setting, value, "a time of more than nothing and at most a day", sink),
        None => wrong(setting, value, "a time such as `\"30s\"`, `\"500ms\"`, `\"5m\"` or `\"1h\"`", sink),
    }
}

fn parse_duration(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..)? {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn style(value: &Located, setting: &Setting, sink: &mut Vec<Diagnostic>) -> Option<NameStyle> {
    if let Constant::Text(text) = &value.value
        && let Some((_, style)) = NameStyle::WRITTEN.iter().find(|(written, _)| **text == **written)
    {
        return Some(*style);
    }
    wrong(setting, value, "`\"camelCase\"`, `\"snake_case\"`, `\"PascalCase\"` or `\"kebab-case\"`", sink)
}

/// What is added to the names of references.
fn suffix(value: &Located, setting: &Setting, sink: &mut Vec<Diagnostic>) -> Option<Text> {
    let text = text(value, setting, sink)?;
    let fits = text.len() <= 16 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    if fits {
        Some(text)
    } else {
        wrong(setting, value, "up to 16 letters, digits, `_`, `.` or `-`, such as `\"Id\"`", sink)
    }
}

#[cfg(test)]
mod tests {
    use super::parse_duration;

    #[test]
    fn times_have_a_unit() {
        for (text, milliseconds) in
            [("30s", 30_000), ("500ms", 500), ("5m", 300_000), ("5min", 300_000), ("1h", 3_600_000)]
        {
            assert_eq!(parse_duration(text), Some(milliseconds), "{text}");
        }
        for text in ["", "30", "s", "-1s", "1.5s", "1 s", "1d", "１s", "99999999999999999999s", "18446744073709551615h"]
        {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
