//! From names in the source to names on the wire.

use crate::ir::Type;
use silo_runtime::value::Text;

/// The environment's naming: how words are joined, and what is added to references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// `names`
    pub style: NameStyle,
    /// `references`: added to the names of references, such as `Id`.
    pub references: Option<Text>,
}

/// How the words of a name are joined on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameStyle {
    /// As in the source.
    #[default]
    AsWritten,
    /// `stageEntered`
    CamelCase,
    /// `StageEntered`
    PascalCase,
    /// `stage_entered`
    SnakeCase,
    /// `stage-entered`
    KebabCase,
}

impl NameStyle {
    /// Every style that the setting `names` can ask for, as it is written there.
    pub const WRITTEN: [(&'static str, Self); 4] = [
        ("camelCase", Self::CamelCase),
        ("snake_case", Self::SnakeCase),
        ("PascalCase", Self::PascalCase),
        ("kebab-case", Self::KebabCase),
    ];

    /// The name in this style.
    ///
    /// Words end at underscores and before a capital that follows a small letter or a digit.
    ///
    /// ```
    /// use silo_dsl::declare::NameStyle;
    /// assert_eq!(NameStyle::CamelCase.convert("stage_entered"), "stageEntered");
    /// assert_eq!(NameStyle::SnakeCase.convert("stageEntered"), "stage_entered");
    /// assert_eq!(NameStyle::AsWritten.convert("stage_entered"), "stage_entered");
    /// ```
    pub fn convert(self, name: &str) -> String {
        let words = words(name);
        let separator = match self {
            Self::AsWritten => return name.to_owned(),
            Self::CamelCase | Self::PascalCase => "",
            Self::SnakeCase => "_",
            Self::KebabCase => "-",
        };
        let mut out = String::with_capacity(name.len() + 4);
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                out.push_str(separator);
            }
            match self {
                Self::PascalCase => push_capitalised(&mut out, word),
                Self::CamelCase if at > 0 => push_capitalised(&mut out, word),
                Self::AsWritten | Self::CamelCase | Self::SnakeCase | Self::KebabCase => out.push_str(word),
            }
        }
        out
    }
}

impl Naming {
    /// The name on the wire of a field, a member, a parameter or a state field of this type.
    ///
    /// A reference gets the environment's suffix, a list of references its plural, unless the name ends in it already.
    pub fn wire(&self, name: &str, ty: &Type) -> Text {
        let suffix = self.references.as_deref().unwrap_or_default();
        let converted = match ty.required() {
            _ if suffix.is_empty() => self.style.convert(name),
            Type::Entity(_) | Type::AnyEntity => suffixed(self.style.convert(name), suffix),
            Type::List(item) if matches!(item.required(), Type::Entity(_) | Type::AnyEntity) => {
                let plural = format!("{suffix}s");
                let whole = self.style.convert(name);
                if whole.ends_with(&plural) { whole } else { suffixed(self.style.convert(&singular(name)), &plural) }
            }
            _ => self.style.convert(name),
        };
        Text::from(converted)
    }
}

fn suffixed(mut name: String, suffix: &str) -> String {
    if !name.ends_with(suffix) {
        name.push_str(suffix);
    }
    name
}

/// `goods_receipts` → `goods_receipt`, `companies` → `company`, `staff` → `staff`.
fn singular(name: &str) -> String {
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = '_';
    for c in name.chars() {
        let starts = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (c == '_' || starts) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c != '_' {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn push_capitalised(out: &mut String, word: &str) {
    let mut chars = word.chars();
    out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
    out.push_str(chars.as_str());
}

#[cfg(test)]
mod tests;
