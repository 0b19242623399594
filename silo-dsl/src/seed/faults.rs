//! What is wrong with the values of one source, grouped where it repeats.

use super::json::head;
use super::places::Places;
use super::source::Source;
use crate::declare::{Declared, FieldDecl, TypeKind, wrong_value};
use crate::diagnostics::{Diagnostic, Span, codes};
use silo_runtime::ids::EntityId;
use silo_runtime::input::{InputFault, PathSegment, Problem};
use silo_runtime::model::Field;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::json::Json;
use silo_runtime::value::text::shorten;

/// How many problems of one value are looked at, and of one row.
pub(super) const TOLD: usize = 1_000;
pub(super) const TOLD_OF_ROW: usize = 20;
/// How many kinds of faults of one source are shown, and how many other rows of each are named.
const KINDS: usize = 10;
const NAMED: usize = 5;

/// What a source holds.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// The rows of an entity.
    Rows(EntityId),
    /// A value.
    Value(&'a Schema),
}

/// The faults of one source so far.
pub(super) struct Faults<'a> {
    declared: &'a Declared<'a>,
    source: &'a Source<'a>,
    of: Of<'a>,
    kinds: Vec<Kind>,
    /// Faults of kinds that are not shown.
    other: usize,
}

/// Faults that differ in their row and in what was found only.
struct Kind {
    /// The path without positions, and what is expected.
    path: Vec<Text>,
    expected: String,
    first: Problem,
    row: Option<usize>,
    /// Rows of further ones.
    more_rows: Vec<usize>,
    more: usize,
}

impl<'a> Faults<'a> {
    pub(super) fn new(declared: &'a Declared<'a>, source: &'a Source<'a>, of: Of<'a>) -> Self {
        Self { declared, source, of, kinds: Vec::new(), other: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.other == 0
    }

    /// Adds the problems of a row, or of the whole value.
    pub(super) fn add(&mut self, row: Option<usize>, fault: InputFault) {
        self.other += fault.more;
        let misspelt: Vec<Vec<PathSegment>> = fault.problems.iter().filter_map(meant).collect();
        for problem in fault.problems {
            // It is there, under a name that is nearly its own: that says all.
            if problem.received == "nothing" && misspelt.contains(&problem.at) {
                continue;
            }
            let path: Vec<Text> = problem
                .at
                .iter()
                .filter_map(|segment| if let PathSegment::Name(name) = segment { Some(name.clone()) } else { None })
                .collect();
            // A database's word for null is a kind of its own: something else is to be done about it.
            let null = |problem: &Problem| problem.received == "\"NULL\"";
            let known = self.kinds.iter().position(|kind| {
                kind.path == path && kind.expected == problem.expected && null(&kind.first) == null(&problem)
            });
            let full = self.kinds.len() >= KINDS;
            if let Some(kind) = known.and_then(|at| self.kinds.get_mut(at)) {
                kind.more += 1;
                if kind.more_rows.len() < NAMED {
                    kind.more_rows.extend(row);
                }
            } else if full {
                self.other += 1;
            } else {
                let expected = problem.expected.clone();
                self.kinds.push(Kind { path, expected, first: problem, row, more_rows: Vec::new(), more: 0 });
            }
        }
    }

    /// Reports them.
    pub(super) fn report(&self, sink: &mut Vec<Diagnostic>) {
        let last = self.kinds.len().saturating_sub(1);
        for (at, kind) in self.kinds.iter().enumerate() {
            let Some(places) = self.source.places(kind.row) else { continue };
            let mut diagnostic = if kind.first.unknown_key.is_some() {
                self.dangling(kind, &places)
            } else if self.source.is_file() {
                self.in_file(kind, &places)
            } else {
                wrong_value(&kind.first, &places)
            };
            if kind.more > 0 {
                diagnostic = diagnostic.note(self.more_like(kind));
            }
            if at == last && self.other > 0 {
                diagnostic = diagnostic.note(format!("and {} more faults of other kinds", self.other));
            }
            sink.push(diagnostic);
        }
    }

    fn more_like(&self, kind: &Kind) -> String {
        let names: Vec<String> = kind.more_rows.iter().map(|row| self.row_name(Some(*row))).collect();
        let more = format!("and {} more like this", kind.more);
        match names.len() {
            0 => more,
            shown if shown < kind.more => format!("{more}: {}, …", names.join(", ")),
            _ => format!("{more}: {}", names.join(", ")),
        }
    }

    /// How a row is called: by its key if that can be read.
    fn row_name(&self, row: Option<usize>) -> String {
        let Some(row) = row else { return "the value".to_owned() };
        let key = || {
            let Of::Rows(entity) = self.of else { return None };
            let shape = self.declared.types.model.entity(entity)?;
            let json = self.source.row(row)?;
            match json.get(&shape.fields.get(shape.key.index())?.wire)? {
                Json::String(key) if !key.is_empty() => Some(shorten(key, 40)),
                Json::Number(key) => Some(key.to_string()),
                _ => None,
            }
        };
        key().map_or_else(|| format!("row {}", row + 1), |key| format!("`{key}`"))
    }

    /// The name on the wire of an entity's key.
    fn key_name(&self, entity: EntityId) -> Option<&Text> {
        let shape = self.declared.types.model.entity(entity)?;
        shape.fields.get(shape.key.index()).map(|field| &field.wire)
    }

    /// A reference to no row.
    fn dangling(&self, kind: &Kind, places: &Places) -> Diagnostic {
        let found = places.find(&kind.first.at);
        let Some(unknown) = &kind.first.unknown_key else { return wrong_value(&kind.first, places) };
        let message = format!("no `{}` has the key `{}`", unknown.entity, shorten(&unknown.key, 60));
        let message = match (self.source.is_file(), kind.row) {
            (true, Some(_)) => format!("`{}` of {}: {message}", kind.first.path(), self.row_name(kind.row)),
            (true, None) => format!("`{}`: {message}", kind.first.path()),
            (false, _) => message,
        };
        let mut diagnostic =
            Diagnostic::error(codes::seed::DANGLING, found.wrong(&kind.first), message).label("no such row");
        if self.source.is_file()
            && let Some((field, span)) = self.declaration(&kind.first.at)
        {
            diagnostic = diagnostic.also(span, format!("`{field}` is declared here"));
        }
        let entity = self.declared.types.find(&unknown.entity).map(|def| def.kind);
        let near = match entity {
            Some(TypeKind::Entity(entity)) => self.declared.seed.nearest(entity, &unknown.key),
            _ => Vec::new(),
        };
        match near.as_slice() {
            [] => diagnostic.help("add the row to its table, or name one that is there"),
            [one] => diagnostic.help(format!("did you mean `{one}`?")),
            [first, rest @ ..] => {
                let rest: Vec<String> = rest.iter().map(|key| format!("`{key}`")).collect();
                diagnostic.help(format!("the nearest keys are `{first}`, {}", rest.join(", ")))
            }
        }
    }

    fn in_file(&self, kind: &Kind, places: &Places) -> Diagnostic {
        let problem = &kind.first;
        let found = places.find(&problem.at);
        let row = self.row_name(kind.row);
        let path = problem.path();
        let subject = match (path.is_empty(), kind.row) {
            (true, _) => row.clone(),
            (false, Some(_)) => format!("`{path}` of {row}"),
            (false, None) => format!("`{path}`"),
        };
        if let (Some((_, message)), Some(table)) = (problem.message.rsplit_once("the key `"), problem.at.split_last())
            && let Some((key, "")) = message.rsplit_once("` stands twice")
        {
            let table = Problem { at: table.1.to_vec(), ..problem.clone() }.path();
            let message = format!("the key `{key}` stands twice in `{table}` of {row}");
            return Diagnostic::error(codes::seed::DUPLICATE_KEY, found.value, message)
                .label("a row with this key stands in the table already")
                .help("give one of the two rows another key");
        }
        if let (true, Some(position), Of::Rows(entity), "\"\"") =
            (path.is_empty(), kind.row, self.of, &*problem.received)
            && let Some(key) = self.key_name(entity)
        {
            let at = [PathSegment::Name(key.clone())];
            return Diagnostic::error(
                codes::seed::VALUE,
                places.find(&at).value,
                format!("`{key}` of row {} is empty", position + 1),
            )
            .label("every row needs a key")
            .help("write the key of the row");
        }
        let unknown = problem.expected == "no such property";
        let diagnostic = if unknown {
            let span = found.name.unwrap_or(found.value);
            return self.unknown_member(problem, span, &subject);
        } else if found.missing {
            Diagnostic::error(codes::seed::VALUE, head(found.value), format!("{subject} is missing"))
                .label(format!("expected {}", problem.expected))
        } else {
            let received = match (problem.received.as_str(), self.source.is_csv()) {
                ("\"\"", true) => "an empty cell",
                (received, _) => received,
            };
            let message = format!("{subject}: expected {}, found {received}", problem.expected);
            let span = found.wrong(problem);
            let span = if span.end - span.start > 200 { head(span) } else { span };
            Diagnostic::error(codes::seed::VALUE, span, message)
        };
        let diagnostic = self.explain(diagnostic, problem);
        match self.declaration(&problem.at) {
            Some((field, span)) if !unknown => diagnostic.also(span, format!("`{field}` is declared here")),
            _ => diagnostic,
        }
    }

    /// A member that is no field.
    fn unknown_member(&self, problem: &Problem, span: Span, subject: &str) -> Diagnostic {
        let error = |message: String| Diagnostic::error(codes::seed::VALUE, span, message);
        if let Some(PathSegment::Name(near)) = meant(problem).as_ref().and_then(|path| path.last()) {
            return error(format!("{subject} is not declared")).label("unknown").fix(
                format!("did you mean `{near}`?"),
                span,
                format!("\"{near}\""),
            );
        }
        let derived = match (self.of, problem.at.as_slice()) {
            (Of::Rows(row), [PathSegment::Name(name)]) => self
                .declared
                .derived
                .iter()
                .find(|field| field.entity == row && (field.wire == *name || field.name == *name)),
            _ => None,
        };
        if let Some(derived) = derived {
            return error(format!("{subject} is derived, so it never stands in data"))
                .label("computed when it is read")
                .also(derived.span, "declared here")
                .help("take it away");
        }
        let diagnostic = error(format!("{subject} is not declared")).label("unknown");
        match problem.message.rsplit_once("does not exist for") {
            Some((_, case)) => diagnostic.help(format!("it does not exist for{case}")),
            None => diagnostic.help("declare a field for it, or take it away"),
        }
    }

    /// Adds what the decoder or the format has to say.
    fn explain(&self, diagnostic: Diagnostic, problem: &Problem) -> Diagnostic {
        let after = problem.message.rsplit_once("; ").map(|(_, after)| after);
        // What is expected stands in the headline already.
        let reason = after.filter(|reason| !reason.starts_with("expected") && !problem.received.contains(*reason));
        let diagnostic = match reason {
            Some(reason) if reason.starts_with("did you mean") => diagnostic.help(reason),
            Some(reason) => diagnostic.label(reason),
            None if !problem.expected.is_empty() && problem.message.contains("stands twice") => {
                diagnostic.label("a row with this key stands in the table already")
            }
            None => diagnostic,
        };
        if !self.source.is_csv() {
            return diagnostic;
        }
        match problem.received.trim_matches('"') {
            "NULL" => diagnostic.help("if NULL means null, say so: `from \"….csv\"(null: \"NULL\")`"),
            "0" | "1" | "yes" | "no" | "TRUE" | "FALSE" | "True" | "False" if problem.expected == "true or false" => {
                diagnostic.help("a bool is written `true` or `false`")
            }
            number if problem.expected.starts_with("a number") => match with_zero(number) {
                Some(whole) => diagnostic.help(format!("write `{whole}`")),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    /// The field that a path leads to, and where it is declared.
    fn declaration(&self, path: &[PathSegment]) -> Option<(Text, Span)> {
        let model = &self.declared.types.model;
        let types = &self.declared.types;
        let mut at: Schema = match self.of {
            Of::Rows(entity) => Schema::Table { entity, wire: silo_runtime::schema::TableWire::Array },
            Of::Value(schema) => schema.clone(),
        };
        let mut last = None;
        for segment in path {
            at = required(at);
            let (fields, decls): (&[Field], &[FieldDecl]) = match (&at, segment) {
                (Schema::List { item, .. }, PathSegment::Index(_)) => {
                    at = (**item).clone();
                    continue;
                }
                (Schema::Table { .. }, PathSegment::Index(_)) => continue,
                (Schema::Map { value, .. }, PathSegment::Name(_)) => {
                    at = (**value).clone();
                    continue;
                }
                (Schema::Record(id), _) => (&model.record(*id)?.fields, &types.record_decl(*id)?.fields),
                (Schema::Table { entity, .. }, _) => {
                    (&model.entity(*entity)?.fields, &types.entity_decl(*entity)?.fields)
                }
                _ => return last,
            };
            let PathSegment::Name(name) = segment else { return last };
            let Some(index) = fields.iter().position(|field| field.wire == *name) else { return last };
            last = decls.get(index).and_then(|decl| Some((decl.name.clone(), decl.span?)));
            let field = fields.get(index)?;
            at = field.cases.first().map_or_else(|| field.schema.clone(), |(_, schema)| schema.clone());
        }
        last
    }
}

/// `.5` as `0.5`.
fn with_zero(number: &str) -> Option<String> {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let fraction = digits.strip_prefix('.')?;
    let plain = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| format!("{sign}0.{fraction}"))
}

/// The path of the field that an unknown member is nearly called like.
fn meant(problem: &Problem) -> Option<Vec<PathSegment>> {
    let (_, near) = problem.message.rsplit_once("is not known (did you mean `")?;
    let mut path = problem.at.clone();
    path.pop();
    path.push(PathSegment::Name(Text::from(near.strip_suffix("`?)")?)));
    Some(path)
}

fn required(schema: Schema) -> Schema {
    match schema {
        Schema::Optional(inner) => *inner,
        other => other,
    }
}
