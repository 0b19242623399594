//! The parser: one for plain values and for values with places.

mod scan;

use std::sync::Arc;

use super::locate::{Located, Member, Node, Span};
use super::object::{Names, Object};
use super::{Json, JsonError, Number};
use crate::value::text::Text;

type Parsed<T> = Result<T, JsonError>;

/// What a JSON text may be at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the text.
    pub max_bytes: u32,
    /// Arrays and objects inside one another.
    pub max_depth: u8,
}

impl Limits {
    /// The default nesting, which is deep enough for data and shallow enough for any stack.
    pub const DEPTH: u8 = 128;

    /// The default nesting with a limit on the size.
    pub const fn bytes(max_bytes: u32) -> Self {
        Self { max_bytes, max_depth: Self::DEPTH }
    }
}

impl Default for Limits {
    /// 256 MiB, 128 levels.
    fn default() -> Self {
        Self::bytes(256 * 1024 * 1024)
    }
}

pub(super) fn plain(text: &str, limits: Limits) -> Parsed<Json> {
    Parser::<Plain>::new(text, limits).document()
}

pub(super) fn located(text: &str, limits: Limits) -> Parsed<Located> {
    Parser::<WithPlaces>::new(text, limits).document()
}

/// What the parser builds.
trait Tree {
    type Value;

    /// A value without parts.
    fn scalar(value: Json, span: Span) -> Self::Value;
    fn array(elements: Vec<Self::Value>, span: Span) -> Self::Value;
    /// `names` are unique and as many as `places` and `values`.
    fn object(names: Arc<[Text]>, places: &[Span], values: Vec<Self::Value>, span: Span) -> Self::Value;
}

struct Plain;

impl Tree for Plain {
    type Value = Json;

    fn scalar(value: Json, _: Span) -> Json {
        value
    }

    fn array(elements: Vec<Json>, _: Span) -> Json {
        Json::from(elements)
    }

    fn object(names: Arc<[Text]>, _: &[Span], values: Vec<Json>, _: Span) -> Json {
        Json::from(Object::from_parts(Names::Shared(names), values))
    }
}

struct WithPlaces;

impl Tree for WithPlaces {
    type Value = Located;

    fn scalar(value: Json, span: Span) -> Located {
        let node = match value {
            Json::Bool(value) => Node::Bool(value),
            Json::Number(number) => Node::Number(number),
            Json::String(text) => Node::String(text),
            // The parser makes arrays and objects by the functions below.
            Json::Null | Json::Array(_) | Json::Object(_) => Node::Null,
        };
        Located { span, node }
    }

    fn array(elements: Vec<Located>, span: Span) -> Located {
        Located { span, node: Node::Array(elements) }
    }

    fn object(names: Arc<[Text]>, places: &[Span], values: Vec<Located>, span: Span) -> Located {
        let members = names
            .iter()
            .zip(places)
            .zip(values)
            .map(|((name, place), value)| Member { name: Arc::clone(name), name_span: *place, value })
            .collect();
        Located { span, node: Node::Object(members) }
    }
}

struct Parser<'a, T: Tree> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: u8,
    limits: Limits,
    /// The values of all open arrays and objects; each takes its own off the end when it closes.
    values: Vec<T::Value>,
    /// Likewise the names of all open objects, and where they stand.
    names: Vec<Text>,
    places: Vec<Span>,
    /// Per depth the names of the last object that closed there: rows mostly look like the row before.
    shapes: Vec<Option<Arc<[Text]>>>,
}

impl<'a, T: Tree> Parser<'a, T> {
    /// Objects with more members are looked upon as maps, whose names do not recur.
    const SHAPE: usize = 32;

    /// Enough for the input of most calls.
    const ROOM: usize = 16;

    fn new(text: &'a str, limits: Limits) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            depth: 0,
            limits,
            values: Vec::with_capacity(Self::ROOM),
            names: Vec::with_capacity(Self::ROOM),
            places: Vec::with_capacity(Self::ROOM),
            shapes: Vec::new(),
        }
    }

    fn document(mut self) -> Parsed<T::Value> {
        let most = usize::try_from(self.limits.max_bytes).unwrap_or(usize::MAX);
        if self.bytes.len() > most {
            let message = format!("the text has {} bytes; at most {most} are read", self.bytes.len());
            return Err(JsonError::new(Span::new(0, 0), message));
        }
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.blanks();
        let value = self.value()?;
        self.blanks();
        if self.at < self.bytes.len() {
            return Err(self.unexpected("the end of the text"));
        }
        Ok(value)
    }

    fn value(&mut self) -> Parsed<T::Value> {
        let start = self.at;
        let scalar = match self.peek() {
            Some(b'"') => Json::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Json::Number(self.number()?),
            Some(b'{') => return self.nested(Self::object),
            Some(b'[') => return self.nested(Self::array),
            Some(b't') if self.takes("true") => Json::Bool(true),
            Some(b'f') if self.takes("false") => Json::Bool(false),
            Some(b'n') if self.takes("null") => Json::Null,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(T::scalar(scalar, self.span_from(start)))
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Parsed<T::Value>) -> Parsed<T::Value> {
        if self.depth >= self.limits.max_depth {
            let message = format!("arrays and objects are nested more than {} deep", self.limits.max_depth);
            return Err(JsonError::new(self.here(1), message).without_path());
        }
        self.depth += 1;
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Parsed<T::Value> {
        let start = self.at;
        let first = self.values.len();
        self.at += 1;
        self.blanks();
        if !self.take(b']') {
            loop {
                let index = self.values.len() - first;
                let value = self.value().map_err(|error| error.within_element(index))?;
                self.values.push(value);
                self.blanks();
                if self.take(b']') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.unexpected("`,` or `]`"));
                }
                self.blanks();
                if self.peek() == Some(b']') {
                    return Err(self.trailing_comma());
                }
            }
        }
        let elements = self.values.drain(first..).collect();
        Ok(T::array(elements, self.span_from(start)))
    }

    fn object(&mut self) -> Parsed<T::Value> {
        let start = self.at;
        let (first, first_name) = (self.values.len(), self.names.len());
        let first_place = self.places.len();
        let depth = usize::from(self.depth);
        let shape = self.shapes.get_mut(depth).and_then(Option::take);
        let known: &[Text] = shape.as_deref().unwrap_or_default();
        // How many names followed the shape so far; they are pushed only when a name leaves it.
        let mut followed = 0;
        let mut follows = true;
        self.at += 1;
        self.blanks();
        if !self.take(b'}') {
            loop {
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected("a name in double quotes"));
                }
                let name_start = self.at;
                let expected = if follows { known.get(followed) } else { None };
                if expected.is_some_and(|name| self.takes_name(name)) {
                    followed += 1;
                } else {
                    if follows {
                        follows = false;
                        self.names.extend(known.iter().take(followed).cloned());
                    }
                    let name = self.name(known)?;
                    self.names.push(name);
                }
                let named = self.names.len();
                let within = |parser: &Self, error: JsonError| {
                    let name = if follows { known.get(followed - 1) } else { parser.names.get(named - 1) };
                    error.within_member(name.map_or("", |name| name))
                };
                self.places.push(self.span_from(name_start));
                self.blanks();
                if !self.take(b':') {
                    return Err(within(self, self.unexpected("`:`")));
                }
                self.blanks();
                let value = match self.value() {
                    Ok(value) => value,
                    Err(error) => return Err(within(self, error)),
                };
                self.values.push(value);
                self.blanks();
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.unexpected("`,` or `}`"));
                }
                self.blanks();
                if self.peek() == Some(b'}') {
                    return Err(self.trailing_comma());
                }
            }
        }
        let names = match shape {
            Some(shape) if follows && followed == shape.len() => shape,
            _ if follows => known.iter().take(followed).cloned().collect(),
            _ => {
                let (names, places) = (self.names.get(first_name..), self.places.get(first_place..));
                unique(names.unwrap_or_default(), places.unwrap_or_default())?;
                self.names.drain(first_name..).collect()
            }
        };
        self.remember(depth, &names);
        let values = self.values.drain(first..).collect();
        let places = self.places.get(first_place..).unwrap_or_default();
        let object = T::object(names, places, values, self.span_from(start));
        self.places.truncate(first_place);
        Ok(object)
    }

    /// A name, sharing the text of a known one.
    fn name(&mut self, known: &[Text]) -> Parsed<Text> {
        match known.iter().find(|name| self.takes_name(name)) {
            Some(name) => Ok(Arc::clone(name)),
            None => self.string(),
        }
    }

    /// Steps over a name in quotes, if it stands here. Known names need no escapes, so the bytes decide.
    fn takes_name(&mut self, name: &str) -> bool {
        let after = self.at + 1 + name.len();
        let stands =
            self.bytes.get(self.at + 1..after) == Some(name.as_bytes()) && self.bytes.get(after) == Some(&b'"');
        if stands {
            self.at = after + 1;
        }
        stands
    }

    fn remember(&mut self, depth: usize, names: &Arc<[Text]>) {
        let simple = |name: &Text| !name.bytes().any(|byte| scan::ENDS_RUN.get(usize::from(byte)) == Some(&true));
        // The outermost object has no other after it.
        if depth <= 1 || names.len() > Self::SHAPE || !names.iter().all(simple) {
            return;
        }
        if self.shapes.len() <= depth {
            self.shapes.resize(depth + 1, None);
        }
        if let Some(shape) = self.shapes.get_mut(depth) {
            *shape = Some(Arc::clone(names));
        }
    }

    fn number(&mut self) -> Parsed<Number> {
        if let Some((number, length)) = self.bytes.get(self.at..).and_then(scan::short_number) {
            self.at += length;
            return Ok(number);
        }
        let start = self.at;
        let length = self.rest().bytes().take_while(|byte| scan::in_word(*byte)).count();
        self.at += length;
        let word = self.text.get(start..self.at).unwrap_or_default();
        Number::parse(word).ok_or_else(|| {
            let message = format!("`{}` is no number in JSON{}", shorten(word), scan::number_hint(word));
            JsonError::new(self.span_from(start), message)
        })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let stands = self.peek() == Some(byte);
        self.at += usize::from(stands);
        stands
    }

    /// Steps over a word, if it stands here.
    fn takes(&mut self, word: &str) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let stands = rest.starts_with(word.as_bytes()) && !rest.get(word.len()).copied().is_some_and(scan::in_word);
        self.at += if stands { word.len() } else { 0 };
        stands
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(narrow(start), narrow(self.at))
    }

    fn here(&self, length: usize) -> Span {
        Span::new(narrow(self.at), narrow(self.at + length))
    }

    fn trailing_comma(&self) -> JsonError {
        let found = self.rest().chars().next().unwrap_or(' ');
        JsonError::new(self.here(1), format!("JSON has no trailing comma: remove the `,` before this `{found}`"))
    }

    /// What stands here instead of what was expected.
    fn unexpected(&self, expected: &str) -> JsonError {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return JsonError::new(self.here(0), format!("expected {expected}, found the end of the text"));
        };
        let word_length = rest.bytes().take_while(|byte| scan::in_word(*byte)).count();
        let length = word_length.max(first.len_utf8());
        let found = rest.get(..length).unwrap_or_default();
        let hint = scan::hint(found, expected);
        let found = crate::value::text::visible(&shorten(found));
        JsonError::new(self.here(length), format!("expected {expected}, found `{found}`{hint}"))
    }
}

/// Finds a name used twice: the first that repeats an earlier one.
fn unique(names: &[Text], places: &[Span]) -> Parsed<()> {
    /// Up to here comparing all pairs is quicker than sorting.
    const FEW: usize = 16;
    let twice = if names.len() <= FEW {
        names.iter().enumerate().find_map(|(second, name)| {
            let first = names.iter().take(second).position(|earlier| earlier == name)?;
            Some((second, first))
        })
    } else {
        let mut sorted: Vec<(&Text, usize)> = names.iter().zip(0..).collect();
        sorted.sort_unstable();
        let mut repeated = None;
        let mut earlier: Option<(&Text, usize)> = None;
        for (name, at) in sorted {
            match earlier {
                Some((same, first)) if same == name => {
                    repeated = Some((at, first)).min(repeated.or(Some((at, first))));
                }
                _ => earlier = Some((name, at)),
            }
        }
        repeated
    };
    let Some((second, first)) = twice else { return Ok(()) };
    let place = |at: usize| places.get(at).copied().unwrap_or_default();
    let name = names.get(second).map_or("", |name| &**name);
    Err(JsonError::twice(name, place(second), place(first)))
}

/// Texts are shorter than 4 GiB, which is checked at the start.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

fn shorten(found: &str) -> String {
    crate::value::text::shorten(found, 60)
}
