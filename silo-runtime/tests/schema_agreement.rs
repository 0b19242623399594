//! What is enforced is what is published. Over random schemas and random inputs near them: every input that the decoder
//! accepts validates against the published JSON Schema (nulls of members that may be left out dropped first), and every input
//! that validates is accepted, or refused for a reason on a closed list.

use proptest::prelude::*;
use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use silo_runtime::input::{Decoder, Keys, Problem};
use silo_runtime::keys::KeyPattern;
use silo_runtime::methods::pattern::Pattern;
use silo_runtime::model::{EntityShape, EnumShape, Field, Model, RecordShape};
use silo_runtime::schema::{Direction, MapKey, Schema, json_schema};
use silo_runtime::value::Decimal;
use silo_runtime::value::dynamic::{Value, WorldName};
use silo_runtime::value::json::{Json, Limits, Number, Object};
use std::sync::Arc;

/// Random choices from one seed, so that a failing case is one number.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn maybe(&mut self, one_in: u64) -> bool {
        self.roll(one_in) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[usize::try_from(self.roll(items.len() as u64)).unwrap()]
    }
}

const USER: EntityId = EntityId(0);
const TICKET: EntityId = EntityId(1);
const STATUS: EnumId = EnumId(0);

struct Rows;

impl Keys for Rows {
    fn find(&self, entity: EntityId, key: &str) -> Option<WorldName> {
        let known: &[&str] = if entity == USER { &["USR-001", "USR-002"] } else { &["1", "2"] };
        known.contains(&key).then_some(WorldName::Initial)
    }
}

fn entity(id: EntityId, name: &str, pattern: KeyPattern) -> Arc<EntityShape> {
    Arc::new(EntityShape {
        id,
        name: name.into(),
        fields: vec![field("id", Schema::TEXT, None)],
        tag: None,
        key: FieldId(0),
        pattern,
        local: false,
        label: None,
        parent: None,
        docs: "".into(),
    })
}

fn field(name: &str, schema: Schema, default: Option<Value>) -> Field {
    Field {
        name: name.into(),
        wire: name.into(),
        schema,
        default,
        docs: "".into(),
        cases: Vec::new(),
        omit_null: false,
    }
}

/// A random schema; records that it needs are added to the model.
fn schema(dice: &mut Dice, model: &mut Model, depth: u32) -> Schema {
    let kinds = if depth == 0 { 9 } else { 13 };
    match dice.roll(kinds) {
        0 => Schema::Bool,
        1 => {
            let min = dice.maybe(2).then(|| u32::try_from(dice.roll(4)).unwrap());
            let max = dice.maybe(2).then(|| 3 + u32::try_from(dice.roll(4)).unwrap());
            Schema::String { min_length: min, max_length: max, pattern: None }
        }
        2 => {
            let pattern = Pattern::new(dice.pick::<&str>(&["[a-z]+", "USR-\\d{3}", "a|bc", ".", "\\w*é?"])).unwrap();
            Schema::String { min_length: None, max_length: None, pattern: Some(Arc::new(pattern)) }
        }
        3 => {
            let min = dice.maybe(2).then(|| i64::try_from(dice.roll(10)).unwrap() - 5);
            let max = dice.maybe(2).then(|| i64::try_from(dice.roll(10)).unwrap());
            Schema::Int { min, max }
        }
        4 => {
            let min = dice.maybe(2).then(|| "-0.5".parse::<Decimal>().unwrap());
            let max = dice.maybe(2).then(|| "9.75".parse::<Decimal>().unwrap());
            Schema::Decimal { min, max }
        }
        5 => Schema::Date,
        6 => Schema::DateTime,
        7 => Schema::Enum(STATUS),
        8 => Schema::Entity(*dice.pick(&[USER, TICKET])),
        9 => Schema::List {
            item: Box::new(schema(dice, model, depth - 1)),
            min_items: dice.maybe(3).then_some(1),
            max_items: dice.maybe(3).then_some(3),
            unique: dice.maybe(3),
        },
        10 => Schema::Map {
            key: if dice.maybe(2) { MapKey::String } else { MapKey::Enum(STATUS) },
            value: Box::new(schema(dice, model, depth - 1)),
        },
        11 => schema(dice, model, depth - 1).optional(),
        _ => Schema::Record(record(dice, model, depth - 1)),
    }
}

fn record(dice: &mut Dice, model: &mut Model, depth: u32) -> RecordId {
    let with_cases = dice.maybe(4);
    let mut fields = Vec::new();
    if with_cases {
        let default = dice.maybe(2).then_some(Value::Enum(STATUS, 0));
        fields.push(field("kind", Schema::Enum(STATUS), default));
    }
    for name in ["alpha", "beta", "gamma"].into_iter().take(usize::try_from(1 + dice.roll(3)).unwrap()) {
        let schema = schema(dice, model, depth);
        let default = match schema {
            Schema::Bool if dice.maybe(2) => Some(Value::Bool(false)),
            Schema::Int { min: None, max: None } if dice.maybe(2) => Some(Value::Int(7)),
            _ => None,
        };
        let mut field = field(name, schema.clone(), default);
        if with_cases && dice.maybe(2) {
            field.cases = vec![(u16::try_from(dice.roll(3)).unwrap(), schema)];
        }
        fields.push(field);
    }
    let tag = with_cases.then_some(FieldId(0));
    model.records.push(Arc::new(RecordShape::new(None, fields, tag, "".into())));
    RecordId::from(model.records.len() - 1)
}

fn lexical(text: &str) -> Json {
    Json::parse(text, Limits::bytes(1_000)).unwrap()
}

/// A value that a schema is likely, but not sure, to take.
fn value(dice: &mut Dice, model: &Model, schema: &Schema) -> Json {
    if dice.maybe(12) {
        return anything(dice);
    }
    match schema {
        Schema::Bool | Schema::True => Json::from(dice.maybe(2)),
        Schema::String { pattern: Some(_), .. } => {
            Json::from(*dice.pick(&["abc", "USR-123", "a", "bc", "é", "", "é1", "x\n"]))
        }
        Schema::String { .. } => Json::from(*dice.pick(&["", "a", "ab", "grüße", "🦀🦀🦀", "longer than that"])),
        Schema::Int { .. } => lexical(dice.pick::<&str>(&[
            "0",
            "1",
            "-3",
            "5.0",
            "1e1",
            "1.5",
            "9223372036854775808",
            "-5",
            "9",
            "1e400",
            "7.0e0",
        ])),
        Schema::Decimal { .. } => lexical(dice.pick::<&str>(&[
            "0",
            "1.25",
            "-0.5",
            "9.75",
            "9.750",
            "1e1",
            "1E-8",
            "-0",
            "1234567890123456789012345678901",
            "0.1",
            "1e400",
        ])),
        Schema::Date => {
            Json::from(*dice.pick(&["2026-03-31", "2026-02-30", "2024-02-29", "20260331", "2026-3-1", "0000-01-01"]))
        }
        Schema::DateTime => Json::from(*dice.pick(&[
            "2026-03-31T09:00:00Z",
            "2026-03-31T09:00:00+02:00",
            "2026-03-31T09:00:00",
            "2026-03-31 09:00:00Z",
            "2026-03-31T23:59:60Z",
            "2026-03-31T09:00:00.123Z",
        ])),
        Schema::Enum(_) => Json::from(*dice.pick(&["open", "won", "lost", "Open", ""])),
        Schema::Entity(entity) if *entity == TICKET => lexical(dice.pick::<&str>(&["1", "2", "3", "1.0"])),
        Schema::Entity(_) | Schema::AnyEntity(_) => {
            Json::from(*dice.pick(&["USR-001", "USR-002", "USR-999", "__proto__"]))
        }
        Schema::List { item, .. } => {
            let count = dice.roll(5);
            (0..count).map(|_| value(dice, model, item)).collect()
        }
        Schema::Map { key, value: inner, .. } => {
            let mut object = Object::new();
            let names: &[&str] = match key {
                MapKey::String => &["a", "b.c", "__proto__"],
                _ => &["open", "won", "other"],
            };
            for name in names {
                if dice.maybe(2) {
                    object.insert(*name, value(dice, model, inner));
                }
            }
            object.into()
        }
        Schema::Optional(inner) => {
            if dice.maybe(3) {
                Json::Null
            } else {
                value(dice, model, inner)
            }
        }
        Schema::Record(record) => {
            let shape = model.record(*record).unwrap();
            let mut object = Object::new();
            for field in &shape.fields {
                let optional = matches!(field.schema, Schema::Optional(_)) || field.default.is_some();
                if dice.maybe(if optional || !field.cases.is_empty() { 2 } else { 10 }) {
                    continue;
                }
                let json = if optional && dice.maybe(4) { Json::Null } else { value(dice, model, &field.schema) };
                object.insert(field.wire.clone(), json);
            }
            if dice.maybe(10) {
                object.insert(*dice.pick(&["alpah", "constructor", "$ref"]), Json::from(1));
            }
            object.into()
        }
        Schema::Table { .. } | Schema::AnyOf(_) => Json::Null,
    }
}

fn anything(dice: &mut Dice) -> Json {
    match dice.roll(7) {
        0 => Json::Null,
        1 => Json::from(true),
        2 => Json::from("text"),
        3 => Json::from(12),
        4 => lexical("0.5"),
        5 => Json::array(Vec::<Json>::new()),
        _ => Json::Object(Arc::new(Object::new())),
    }
}

/// The input without the nulls of members that may be left out, which is the form the schema describes.
fn without_nulls(schema: &Schema, json: &Json, model: &Model) -> Json {
    match (schema, json) {
        (Schema::Optional(inner), json) if !json.is_null() => without_nulls(inner, json, model),
        (Schema::List { item, .. }, Json::Array(items)) => {
            items.iter().map(|json| without_nulls(item, json, model)).collect()
        }
        (Schema::Map { value, .. }, Json::Object(entries)) => {
            let entries = entries.iter().map(|(name, json)| (name.clone(), without_nulls(value, json, model)));
            entries.collect::<Object>().into()
        }
        (Schema::Record(record), Json::Object(members)) => {
            let shape = model.record(*record).unwrap();
            let mut object = Object::new();
            for (name, json) in members.iter() {
                match shape.fields.iter().find(|field| field.wire == *name) {
                    Some(field)
                        if json.is_null()
                            && (field.default.is_some() || matches!(field.schema, Schema::Optional(_))) => {}
                    Some(field) => _ = object.insert(name.clone(), without_nulls(&field.schema, json, model)),
                    None => _ = object.insert(name.clone(), json.clone()),
                }
            }
            object.into()
        }
        _ => json.clone(),
    }
}

/// The closed list of reasons for which an input that validates may be refused.
fn may_be_refused(problem: &Problem, received: &Json) -> bool {
    let number_does_not_fit = || match received {
        Json::Number(number) => number.as_int().is_none() || number.as_decimal().is_none(),
        _ => false,
    };
    // No row has the key.
    problem.unknown_key.is_some()
        // An integer beyond 64 bits, a number of more than 28 digits.
        || number_does_not_fit()
        // A date or time in a form of RFC 3339 that is not taken: a leap second, a blank for `T`, lower case.
        || problem.expected.starts_with("a date")
        // Equal once decoded: `5` and `5.0`, `{}` and a record of its defaults.
        || problem.expected.contains("no two equal")
}

fn at<'a>(json: &'a Json, problem: &Problem) -> &'a Json {
    use silo_runtime::input::PathSegment;
    problem.at.iter().fold(json, |json, segment| match (segment, json) {
        (PathSegment::Name(name), Json::Object(members)) => members.get(name).unwrap_or(&Json::Null),
        (PathSegment::Index(index), Json::Array(items)) => items.get(*index).unwrap_or(&Json::Null),
        _ => &Json::Null,
    })
}

/// The numbers of JSON as the other crate reads them: exact where they fit its types. Others are left out of the comparison.
fn has_huge_number(json: &Json) -> bool {
    match json {
        Json::Number(Number::Lexical(text)) => text.len() > 17 || text.contains("400"),
        Json::Number(_) => json.to_string().len() > 17,
        Json::Array(items) => items.iter().any(has_huge_number),
        Json::Object(members) => members.iter().any(|(_, value)| has_huge_number(value)),
        _ => false,
    }
}

fn model() -> Model {
    let members = ["open", "won", "lost"].map(Into::into).to_vec();
    Model {
        enums: vec![Arc::new(EnumShape { name: "Status".into(), members, docs: "".into() })],
        records: Vec::new(),
        entities: vec![entity(USER, "User", KeyPattern::Given), entity(TICKET, "Ticket", KeyPattern::Integer)],
        state: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn enforcement_agrees_with_the_published_schema(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut model = model();
        let root = record(&mut dice, &mut model, 2);
        let schema = Schema::Record(root);
        let published = json_schema(&schema, Direction::Input, &model).to_string();
        let published: serde_json::Value = serde_json::from_str(&published).unwrap();
        let validator = jsonschema::options().should_validate_formats(true).build(&published).unwrap();
        for _ in 0..8 {
            let input = value(&mut dice, &model, &schema);
            if has_huge_number(&input) {
                continue;
            }
            let plain = without_nulls(&schema, &input, &model);
            let instance: serde_json::Value = serde_json::from_str(&plain.to_string()).unwrap();
            let valid = validator.is_valid(&instance);
            match Decoder::new(&model, &Rows).record(root, &input) {
                Ok(_) => prop_assert!(valid, "accepted, but does not validate:\n{plain}\n{published}"),
                Err(fault) => {
                    let excused = fault.problems.iter().any(|problem| may_be_refused(problem, at(&input, problem)));
                    prop_assert!(!valid || excused, "validates, but is refused: {fault:?}\n{plain}\n{published}");
                }
            }
        }
    }

    #[test]
    fn any_json_at_all_is_decoded_or_refused(seed in any::<u64>(), text in "\\PC{0,40}") {
        let mut dice = Dice(seed);
        let mut model = model();
        let root = record(&mut dice, &mut model, 3);
        let schema = Schema::Record(root);
        for _ in 0..8 {
            let input = value(&mut dice, &model, &schema);
            if let Err(fault) = Decoder::new(&model, &Rows).record(root, &input) {
                prop_assert!(!fault.problems.is_empty());
            }
        }
        let hostile = Json::object([(text.as_str(), Json::from(text.as_str()))]);
        let refused = Decoder::new(&model, &Rows).record(root, &hostile);
        prop_assert!(refused.is_err() || ["alpha", "beta", "gamma", "kind"].contains(&text.as_str()));
    }
}
