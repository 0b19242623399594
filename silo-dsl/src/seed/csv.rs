//! CSV files: the first line names the columns, by the names that the fields have on the wire.
//!
//! What a cell is read as comes from the declaration of its column, so `007` stays text where text is declared. A cell that is
//! empty is null for an optional field, an empty text for a string, and an error otherwise.

mod header;
mod raw;

use super::places::{Parts, Places};
use super::source::Options;
use crate::declare::types::Types;
use crate::diagnostics::{Diagnostic, FileId, Span, codes};
use header::Column;
use silo_runtime::ids::EntityId;
use silo_runtime::keys::KeyPattern;
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;
use silo_runtime::value::json::{Json, Limits, Number, Object};
use std::sync::Arc;

/// The rows of a CSV file.
#[derive(Debug)]
pub(super) struct Table<'p> {
    file: FileId,
    text: &'p str,
    separator: u8,
    columns: Vec<Column>,
    rows: Vec<Row>,
    null: Option<Arc<str>>,
}

/// A row: its cells, and where it begins.
#[derive(Debug)]
struct Row {
    cells: csv::StringRecord,
    start: u32,
}

impl<'p> Table<'p> {
    /// Reads a file, and says whether all of its rows are whole; nothing if its columns are wrong. Both are reported.
    #[expect(clippy::too_many_arguments, reason = "the parts of one declaration, used nowhere else together")]
    pub(super) fn read(
        types: &Types<'_>,
        file: FileId,
        text: &'p str,
        fields: &[Field],
        key: Option<EntityId>,
        options: Options,
        declared_at: Span,
        sink: &mut Vec<Diagnostic>,
    ) -> Option<(Self, bool)> {
        let separator = options.separator.unwrap_or(b',');
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let body = text.get(mark..).unwrap_or_default();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(body.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut rows = Vec::new();
        let mut header: Option<Row> = None;
        // A row of the right text cannot fail to be read: the text is UTF-8 already, and lengths may differ.
        while reader.read_record(&mut record).unwrap_or(false) {
            let start = record.position().map_or(0, csv::Position::byte);
            let start =
                u32::try_from(start).unwrap_or(u32::MAX).saturating_add(u32::try_from(mark).unwrap_or_default());
            let row = Row { cells: record.clone(), start: raw::skip_line_ends(text, start) };
            match header {
                None => header = Some(row),
                Some(_) => rows.push(row),
            }
        }
        let Some(header) = header else {
            sink.push(
                Diagnostic::error(codes::seed::SYNTAX, Span::new(file, 0, 0), "the file is empty")
                    .label("expected the names of the columns")
                    .help("the first line of a CSV file names its columns"),
            );
            return None;
        };
        let mut table = Self { file, text, separator, columns: Vec::new(), rows, null: options.null };
        let places = table.cells(header.start);
        table.columns = header::read(types, &header.cells, &places, fields, key, declared_at, separator, sink)?;
        let closed = table.drop_open_row(sink);
        let even = table.drop_uneven_rows(sink);
        table.warn_of_null_texts(fields, sink);
        Some((table, closed && even))
    }

    /// The places of the cells of the row that begins there.
    fn cells(&self, start: u32) -> Vec<Span> {
        raw::cells(self.text, start, self.separator).map(|cell| Span::new(self.file, cell.start, cell.end)).collect()
    }

    /// Leaves out a last row with a quote that is closed nowhere: a reader takes all that follows for one text.
    fn drop_open_row(&mut self, sink: &mut Vec<Diagnostic>) -> bool {
        let Some(last) = self.rows.last() else { return true };
        if !raw::has_open_quote(self.text, last.start, self.separator) {
            return true;
        }
        let start = self.cells(last.start).last().map_or(last.start, |cell| cell.start);
        sink.push(
            Diagnostic::error(
                codes::seed::COLUMNS,
                Span::new(self.file, start, start.saturating_add(1)),
                "a quote is opened and never closed",
            )
            .label("all that follows would be one text")
            .help("close the quote; a quote inside of a text is doubled: `\"\"`")
            .note("this row and what follows it is not loaded"),
        );
        self.rows.pop();
        false
    }

    /// Leaves out the rows that have more or fewer cells than there are columns, and reports them together.
    fn drop_uneven_rows(&mut self, sink: &mut Vec<Diagnostic>) -> bool {
        let wanted = self.columns.len();
        let uneven: Vec<usize> =
            self.rows.iter().enumerate().filter(|(_, row)| row.cells.len() != wanted).map(|(at, _)| at).collect();
        let Some(first) = uneven.first().and_then(|at| self.rows.get(*at)) else { return true };
        let found = first.cells.len();
        let cells = self.cells(first.start);
        // A text with a comma that is not quoted goes on after the comma, mostly with a blank.
        let stray = (found > wanted).then(|| first.cells.iter().position(|cell| cell.starts_with(' '))).flatten();
        let at = stray.or(found.checked_sub(1)).and_then(|at| cells.get(at)).copied();
        let span = at.unwrap_or(Span::new(self.file, first.start, first.start));
        let more = match uneven.len() - 1 {
            0 => String::new(),
            1 => " (and 1 more row)".to_owned(),
            more => format!(" (and {more} more rows)"),
        };
        let message = format!("{}, the header has {wanted}{more}", count(found, "field"));
        let mut diagnostic = Diagnostic::error(codes::seed::COLUMNS, span, message);
        diagnostic = if found > wanted {
            let separator = char::from(self.separator);
            // The author's own text, put right.
            let quoted = stray
                .and_then(|at| Some((first.cells.get(at.checked_sub(1)?)?, first.cells.get(at)?)))
                .map(|(before, after)| format!("{before}{separator}{after}"))
                .filter(|text| !text.contains('"') && text.len() <= 100)
                .unwrap_or_else(|| format!("…{separator} …"));
            diagnostic
                .label(if stray.is_some() {
                    "this looks like the rest of the field before it"
                } else {
                    "one of these is too many"
                })
                .help(format!(
                    "a text that holds `{}` stands in quotes: `\"{}\"`",
                    separator.escape_debug(),
                    quoted.escape_debug()
                ))
        } else {
            diagnostic.label("the row ends here").help("write the separators of empty fields too")
        };
        sink.push(diagnostic.note("rows with another number of fields are not loaded"));
        self.rows.retain(|row| row.cells.len() == wanted);
        false
    }

    /// Text columns in which databases have left their word for null.
    fn warn_of_null_texts(&self, fields: &[Field], sink: &mut Vec<Diagnostic>) {
        if self.null.is_some() {
            return;
        }
        for (at, column) in self.columns.iter().enumerate() {
            if !matches!(column.schema, Schema::String { .. }) {
                continue;
            }
            let reads_null = |row: &&Row| row.cells.get(at) == Some("NULL");
            let cells = self.rows.iter().filter(reads_null).count();
            let Some(first) = self.rows.iter().find(reads_null) else { continue };
            let Some(field) = fields.iter().find(|field| field.wire == column.wire) else { continue };
            let span =
                self.cells(first.start).get(at).copied().unwrap_or(Span::new(self.file, first.start, first.start));
            let reads = if cells == 1 { "reads" } else { "read" };
            sink.push(
                Diagnostic::warning(
                    codes::warnings::NULL_TEXT,
                    span,
                    format!("{} of `{}` {reads} NULL", count(cells, "cell"), column.wire),
                )
                .label("four letters, not null")
                .help(if matches!(field.schema, Schema::Optional(_)) {
                    "if it means null, say so: `from \"….csv\"(null: \"NULL\")`"
                } else {
                    "if it means null, make the field optional and say so: `from \"….csv\"(null: \"NULL\")`"
                }),
            );
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The beginning of the file.
    pub(super) fn start(&self) -> Span {
        Span::new(self.file, 0, 0)
    }

    /// A row as JSON, by the types of its columns.
    pub(super) fn row(&self, position: usize) -> Option<Json> {
        let row = self.rows.get(position)?;
        let mut members = Object::new();
        for (column, cell) in self.columns.iter().zip(row.cells.iter()) {
            // A field of some cases is absent where its cell is empty.
            if column.in_case && (cell.is_empty() || self.is_null(cell)) {
                continue;
            }
            members.insert(Arc::clone(&column.wire), self.value(column, cell));
        }
        Some(Json::from(members))
    }

    /// The places of a row's cells.
    pub(super) fn places(&self, position: usize) -> Option<Places> {
        let row = self.rows.get(position)?;
        let cells = self.cells(row.start);
        let span = cells.first()?.to(*cells.last()?);
        let members = self
            .columns
            .iter()
            .zip(&cells)
            .map(|(column, cell)| (Arc::clone(&column.wire), *cell, Places::leaf(*cell)))
            .collect();
        Some(Places { span, parts: Parts::Members(members) })
    }

    fn is_null(&self, cell: &str) -> bool {
        self.null.as_deref() == Some(cell)
    }

    fn value(&self, column: &Column, cell: &str) -> Json {
        if self.is_null(cell) || (cell.is_empty() && column.optional) {
            return Json::Null;
        }
        let text = || Json::from(cell);
        match &column.schema {
            Schema::Bool => match cell {
                "true" => Json::Bool(true),
                "false" => Json::Bool(false),
                _ => text(),
            },
            Schema::Int { .. } | Schema::Decimal { .. } => Number::parse(cell).map_or_else(text, Json::Number),
            Schema::Entity(_) if column.int_key => Number::parse(cell).map_or_else(text, Json::Number),
            // A cell can hold more than one value as JSON only.
            Schema::List { .. } | Schema::Record(_) | Schema::Map { .. } | Schema::Table { .. } => {
                Json::parse(cell, Limits::default()).unwrap_or_else(|_| text())
            }
            _ => text(),
        }
    }
}

/// Whether the keys of an entity are integers.
fn has_int_key(types: &Types<'_>, schema: &Schema) -> bool {
    match schema {
        Schema::Entity(entity) => types.model.entity(*entity).is_some_and(|shape| shape.pattern == KeyPattern::Integer),
        _ => false,
    }
}

fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
