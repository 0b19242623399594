//! Schemas in words, for messages: "an integer from 1 to 100".

use super::{MapKey, Schema};
use crate::keys::KeyPattern;
use crate::model::Model;
use std::fmt::{Display, Write as _};

impl Schema {
    /// What the schema wants, as a noun phrase with its article.
    pub fn describe(&self, model: &Model) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::True => "true".to_owned(),
            Self::String { min_length, max_length, pattern } => {
                let mut text = "text".to_owned();
                match (min_length, max_length) {
                    (Some(1), None) => text.push_str(" that is not empty"),
                    (Some(min), Some(max)) if min == max => _ = write!(text, " of {}", characters(*min)),
                    (Some(min), Some(max)) => _ = write!(text, " of {min} to {}", characters(*max)),
                    (Some(min), None) => _ = write!(text, " of at least {}", characters(*min)),
                    (None, Some(max)) => _ = write!(text, " of at most {}", characters(*max)),
                    (None, None) => {}
                }
                if let Some(pattern) = pattern {
                    _ = write!(text, " that matches `{}`", pattern.source());
                }
                text
            }
            Self::Int { min, max } => format!("an integer{}", range(min.as_ref(), max.as_ref(), "within 64 bits")),
            Self::Decimal { min, max } => {
                format!("a number{}", range(min.as_ref(), max.as_ref(), "of at most 28 digits"))
            }
            Self::Date => "a date such as \"2026-03-31\"".to_owned(),
            Self::DateTime => "a date and time such as \"2026-03-31T09:00:00Z\"".to_owned(),
            Self::Enum(of) => match model.enum_shape(*of) {
                Some(shape) if shape.members.len() > 1 => format!("one of {}", quoted(&shape.members)),
                Some(shape) => quoted(&shape.members),
                None => "a member of an enum".to_owned(),
            },
            Self::Record(record) => match model.record(*record).and_then(|shape| shape.name.clone()) {
                Some(name) => format!("{} {name} as an object", article(&name)),
                None => "an object".to_owned(),
            },
            Self::Entity(entity) => match model.entity(*entity) {
                Some(shape) if shape.pattern == KeyPattern::Integer => {
                    format!("the key of {} {}, an integer", article(&shape.name), shape.name)
                }
                Some(shape) => format!("the key of {} {}, as text", article(&shape.name), shape.name),
                None => "a key, as text".to_owned(),
            },
            Self::AnyEntity(entities) => {
                let shapes = entities.iter().filter_map(|id| model.entity(*id));
                let names: Vec<_> = shapes.map(|shape| format!("{} {}", article(&shape.name), shape.name)).collect();
                format!("the key of {}, as text", names.join(" or "))
            }
            Self::List { item, min_items, max_items, unique } => {
                let of = match (min_items, max_items) {
                    (Some(min), Some(max)) if min == max => format!("a list of {}", items(*min)),
                    (Some(min), Some(max)) => format!("a list of {min} to {}", items(*max)),
                    (Some(min), None) => format!("a list of at least {}", items(*min)),
                    (None, Some(max)) => format!("a list of at most {}", items(*max)),
                    (None, None) => "a list".to_owned(),
                };
                let different = if *unique { ", no two equal" } else { "" };
                format!("{of}{different}, each {}", item.describe(model))
            }
            Self::Map { key, value } => {
                let key = match key {
                    MapKey::String => "text".to_owned(),
                    MapKey::Enum(of) => Self::Enum(*of).describe(model),
                    MapKey::Entity(entity) => Self::Entity(*entity).describe(model),
                };
                format!("an object from {key} to {}", value.describe(model))
            }
            Self::Table { entity, .. } => match model.entity(*entity) {
                Some(shape) => format!("the rows of {}", shape.name),
                None => "rows".to_owned(),
            },
            Self::Optional(inner) => format!("{} or null", inner.describe(model)),
            Self::AnyOf(options) => {
                let options: Vec<_> = options.iter().map(|option| option.describe(model)).collect();
                options.join(" or ")
            }
        }
    }
}

/// The article of a name; `u` mostly sounds as in "user".
fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" }
}

fn quoted(members: &[impl Display]) -> String {
    members.iter().map(|member| format!("\"{member}\"")).collect::<Vec<_>>().join(", ")
}

fn characters(count: u32) -> String {
    format!("{count} character{}", if count == 1 { "" } else { "s" })
}

fn items(count: u32) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}

fn range<N: Display>(min: Option<&N>, max: Option<&N>, unbounded: &str) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => format!(" {unbounded}"),
    }
}
