//! What a value is read from: a literal, or a data file of one of three formats.

use super::csv::Table;
use super::json;
use super::places::{Parts, Places};
use super::refuse_option;
use crate::declare::constant::Constant;
use crate::declare::messages::did_you_mean;
use crate::declare::types::Types;
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use crate::project::Project;
use crate::syntax::tree::DataSource;
use rustc_hash::FxHashMap;
use silo_runtime::ids::EntityId;
use silo_runtime::model::Field;
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::value::json::{Json, Object};
use silo_runtime::value::text::shorten;
use std::borrow::Cow;
use std::sync::Arc;

/// JSON files that were read, since several tables may come from one.
pub(super) type Cache = FxHashMap<FileId, Option<Json>>;

/// Where values come from.
#[derive(Debug)]
pub(crate) struct Source<'p> {
    content: Content<'p>,
    incomplete: bool,
}

#[derive(Debug)]
enum Content<'p> {
    /// In the source itself.
    Literal { json: Json, places: Places },
    /// A JSON file, or the part of it that a pointer names; `key` is the member under which an object's rows get their key.
    Json { json: Json, file: FileId, text: &'p str, pointer: String, key: Option<Arc<str>> },
    /// JSON Lines: each line's value, and where it begins.
    Lines { rows: Vec<Json>, starts: Vec<u32>, file: FileId, text: &'p str },
    /// A CSV file.
    Csv(Table<'p>),
}

impl Source<'_> {
    pub(super) fn literal(json: Json, places: Places) -> Self {
        Self { content: Content::Literal { json, places }, incomplete: false }
    }

    /// Whether some of its rows were reported and left out already.
    pub(super) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// The whole value.
    pub(super) fn json(&self) -> Json {
        match &self.content {
            Content::Literal { json, .. } | Content::Json { json, .. } => json.clone(),
            Content::Lines { rows, .. } => Json::from(rows.clone()),
            Content::Csv(table) => (0..table.len()).filter_map(|row| table.row(row)).collect(),
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        match &self.content {
            Content::Literal { json, .. } | Content::Json { json, .. } => match json {
                Json::Array(rows) => rows.len(),
                Json::Object(rows) => rows.len(),
                _ => 0,
            },
            Content::Lines { rows, .. } => rows.len(),
            Content::Csv(table) => table.len(),
        }
    }

    /// A row.
    pub(super) fn row(&self, position: usize) -> Option<Cow<'_, Json>> {
        match &self.content {
            Content::Literal { json, .. } => element(json, None, position),
            Content::Json { json, key, .. } => element(json, key.as_ref(), position),
            Content::Lines { rows, .. } => rows.get(position).map(Cow::Borrowed),
            Content::Csv(table) => table.row(position).map(Cow::Owned),
        }
    }

    /// The name under which a row stands in an object of rows, which is its key.
    pub(super) fn name(&self, position: usize) -> Option<&Arc<str>> {
        match &self.content {
            Content::Literal { json: Json::Object(rows), .. } | Content::Json { json: Json::Object(rows), .. } => {
                rows.names().get(position)
            }
            _ => None,
        }
    }

    /// Where the whole value stands, or one row. Computed anew each time: for messages only.
    pub(super) fn places(&self, row: Option<usize>) -> Option<Places> {
        match &self.content {
            Content::Literal { places, .. } => part(places.clone(), row),
            Content::Json { file, text, pointer, .. } => part(json::places(*file, text, pointer)?, row),
            Content::Lines { rows, starts, file, text } => match row {
                Some(row) => json::line_places(*file, text, *starts.get(row)?),
                None => {
                    let rows: Vec<Places> = starts
                        .iter()
                        .take(rows.len())
                        .filter_map(|start| json::line_places(*file, text, *start))
                        .collect();
                    let span = rows.first()?.span;
                    Some(Places { span, parts: Parts::Elements(rows) })
                }
            },
            Content::Csv(table) => match row {
                Some(row) => table.places(row),
                None => {
                    let rows: Vec<Places> = (0..table.len()).filter_map(|row| table.places(row)).collect();
                    Some(Places { span: table.start(), parts: Parts::Elements(rows) })
                }
            },
        }
    }

    /// Whether values are cells of a CSV file.
    pub(super) fn is_csv(&self) -> bool {
        matches!(self.content, Content::Csv(_))
    }

    /// Whether values stand in a data file, not in the source.
    pub(super) fn is_file(&self) -> bool {
        !matches!(self.content, Content::Literal { .. })
    }
}

fn element<'a>(json: &'a Json, key: Option<&Arc<str>>, position: usize) -> Option<Cow<'a, Json>> {
    match json {
        Json::Array(rows) => rows.get(position).map(Cow::Borrowed),
        Json::Object(entries) => {
            let (name, row) = entries.iter().nth(position)?;
            // Under its key a row need not say it again.
            match (key, row) {
                (Some(key), Json::Object(members)) if !members.contains(key) => {
                    let mut whole = Object::new();
                    whole.insert(Arc::clone(key), Json::String(name.clone()));
                    for (name, value) in members.iter() {
                        whole.insert(name.clone(), value.clone());
                    }
                    Some(Cow::Owned(Json::from(whole)))
                }
                _ => Some(Cow::Borrowed(row)),
            }
        }
        _ => None,
    }
}

fn part(places: Places, row: Option<usize>) -> Option<Places> {
    let Some(row) = row else { return Some(places) };
    match places.parts {
        Parts::Elements(items) => items.into_iter().nth(row),
        Parts::Members(members) => members.into_iter().nth(row).map(|(_, _, value)| value),
        Parts::None => None,
    }
}

/// Options of a CSV file.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    /// What reads as null.
    pub(super) null: Option<Arc<str>>,
    /// What stands between cells; a comma if not given.
    pub(super) separator: Option<u8>,
}

/// Reads a data file; nothing if it cannot be read, which is reported.
pub(super) fn open<'p>(
    types: &Types<'_>,
    project: &'p Project,
    cache: &mut Cache,
    from: &DataSource,
    schema: &Schema,
    declared_at: Span,
    sink: &mut Vec<Diagnostic>,
) -> Option<Source<'p>> {
    // A file that could not be read is reported already.
    let (file, source) = project.data(from.path.span)?;
    let text = source.text();
    let (path, pointer) = from.path.text.split_once('#').unwrap_or((&from.path.text, ""));
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let is_csv = extension == "csv";
    let options = options(types, from, is_csv, sink)?;
    if extension != "json" && !pointer.is_empty() {
        refuse_option(from.path.span, "only a JSON file has parts to point at", "take the `#…` away", sink);
        return None;
    }
    match extension.as_str() {
        "json" => {
            let whole = json::read(cache, file, text, sink)?;
            let Some(json) = json::pointed(&whole, pointer) else {
                json::report_pointer(text, from, pointer, sink);
                return None;
            };
            let key = object_key(types, schema);
            check_kind(types, json, schema, declared_at, || json::places(file, text, pointer), from, sink)?;
            let pointer = pointer.to_owned();
            Some(Source { content: Content::Json { json: json.clone(), file, text, pointer, key }, incomplete: false })
        }
        "jsonl" | "ndjson" => {
            rows_of(types, schema, from, sink)?;
            let (rows, starts, complete) = json::read_lines(file, text, sink);
            Some(Source { content: Content::Lines { rows, starts, file, text }, incomplete: !complete })
        }
        "csv" => {
            let (fields, key) = rows_of(types, schema, from, sink)?;
            let (table, complete) = Table::read(types, file, text, &fields, key, options, declared_at, sink)?;
            Some(Source { content: Content::Csv(table), incomplete: !complete })
        }
        _ => {
            let message = format!("`{}` is no data file by its name", shorten(path, 100).escape_debug());
            refuse_option(from.path.span, message, "data files end in `.json`, `.jsonl` or `.csv`", sink);
            None
        }
    }
}

/// For a table that is an object in JSON: the name of the key's member.
fn object_key(types: &Types<'_>, schema: &Schema) -> Option<Arc<str>> {
    let Schema::Table { entity, wire: TableWire::Object } = schema else { return None };
    let shape = types.model.entity(*entity)?;
    Some(Arc::clone(&shape.fields.get(shape.key.index())?.wire))
}

/// Reports a table that is not what a table is in JSON.
fn check_kind(
    types: &Types<'_>,
    json: &Json,
    schema: &Schema,
    declared_at: Span,
    places: impl FnOnce() -> Option<Places>,
    from: &DataSource,
    sink: &mut Vec<Diagnostic>,
) -> Option<()> {
    let Schema::Table { entity, wire } = schema else { return Some(()) };
    let (expected, fits) = match wire {
        TableWire::Array => ("a list of rows", matches!(json, Json::Array(_))),
        TableWire::Object => ("an object from key to row", matches!(json, Json::Object(_))),
    };
    if fits {
        return Some(());
    }
    let name = types.model.entity(*entity).map_or_else(String::new, |shape| shape.name.to_string());
    let span = places().map_or(from.path.span, |places| json::head(places.span));
    let diagnostic = Diagnostic::error(codes::seed::VALUE, span, format!("expected {expected}, found {}", json.kind()))
        .label(format!("this is {}", json.kind()))
        .also(declared_at, format!("a `table<{name}>` is declared here"));
    let diagnostic = match (wire, json) {
        (TableWire::Array, Json::Object(members)) => {
            let list = members.iter().find(|(_, value)| matches!(value, Json::Array(_))).map(|(name, _)| name);
            match list {
                Some(list) => diagnostic
                    .help(format!("point at the part that holds the rows: `from \"{}#/{list}\"`", from.path.text)),
                None => diagnostic
                    .help(format!("if the members are rows by their keys, declare `table<{name}>(wire: \"object\")`")),
            }
        }
        (TableWire::Object, Json::Array(_)) => diagnostic.help("take `wire: \"object\"` away"),
        _ => diagnostic,
    };
    sink.push(diagnostic);
    None
}

/// The fields of the rows of a table or of a list of records, and which is the key.
fn rows_of(
    types: &Types<'_>,
    schema: &Schema,
    from: &DataSource,
    sink: &mut Vec<Diagnostic>,
) -> Option<(Vec<Field>, Option<EntityId>)> {
    match schema {
        Schema::Table { entity, .. } => types.model.entity(*entity).map(|shape| (shape.fields.clone(), Some(*entity))),
        Schema::List { item, .. } => match **item {
            Schema::Record(record) => types.model.record(record).map(|shape| (shape.fields.clone(), None)),
            _ => not_rows(from, sink),
        },
        _ => not_rows(from, sink),
    }
}

fn not_rows<T>(from: &DataSource, sink: &mut Vec<Diagnostic>) -> Option<T> {
    refuse_option(
        from.path.span,
        "files of this format hold rows, and this is neither a table nor a list of records",
        "put the value into a `.json` file",
        sink,
    );
    None
}

/// The options written after a path; nothing if one is wrong, which is reported.
fn options(types: &Types<'_>, from: &DataSource, is_csv: bool, sink: &mut Vec<Diagnostic>) -> Option<Options> {
    const KNOWN: [&str; 2] = ["null", "separator"];
    let mut options = Options::default();
    let mut complete = true;
    for (at, option) in from.options.iter().enumerate() {
        let name = option.name.as_str();
        if !KNOWN.contains(&name) {
            let diagnostic =
                Diagnostic::error(codes::seed::OPTION, option.name.span, format!("a data file has no option `{name}`"))
                    .label("unknown");
            sink.push(did_you_mean(
                diagnostic,
                &option.name,
                KNOWN.into_iter(),
                "the options are `null` and `separator`",
            ));
            complete = false;
        } else if !is_csv {
            refuse_option(option.span, format!("`{name}` is an option of CSV files"), "take it away", sink);
            complete = false;
        } else if let Some(first) = from.options.iter().take(at).find(|before| before.name.text == option.name.text) {
            sink.push(crate::declare::messages::twice("option", &option.name, first.name.span));
            complete = false;
        } else if let Some(value) = types.constants.evaluate(&option.value, sink) {
            match (name, &value.value) {
                ("null", Constant::Text(text)) => options.null = Some(Arc::clone(text)),
                ("separator", Constant::Text(text)) if separator(text).is_some() => options.separator = separator(text),
                _ => {
                    let needs = if name == "null" {
                        "a string: the cell that means null"
                    } else {
                        "one ASCII character, such as `\";\"` or `\"\\t\"`"
                    };
                    refuse_option(
                        value.span,
                        format!("the option `{name}` needs {needs}"),
                        format!("this is {}", value.value.kind()),
                        sink,
                    );
                    complete = false;
                }
            }
        } else {
            complete = false;
        }
    }
    complete.then_some(options)
}

fn separator(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Some(*byte),
        _ => None,
    }
}
