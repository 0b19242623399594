//! A small world of every kind of table and field, for the tests of stores and diffs.

use crate::ids::{EntityId, EnumId, FieldId, RecordId, StateId};
use crate::keys::{KeyPart, KeyPattern};
use crate::methods::pattern::Pattern;
use crate::model::{EntityShape, EnumShape, Field, Model, RecordShape, StateField};
use crate::schema::{MapKey, Schema, TableWire};
use crate::store::{Seed, SeedBuilder, Store, TablePlace};
use crate::value::dynamic::{Record, RowRef, Value, ValueMap, WorldName};
use crate::value::{Decimal, Text};
use crate::world::World;
use std::fmt::Write;
use std::sync::Arc;

pub(crate) const USER: EntityId = EntityId(0);
pub(crate) const ORDER: EntityId = EntityId(1);
pub(crate) const LINE: EntityId = EntityId(2);
pub(crate) const NOTE: EntityId = EntityId(3);
pub(crate) const CARD: EntityId = EntityId(4);
pub(crate) const STOCK: EntityId = EntityId(5);
pub(crate) const TICKET: EntityId = EntityId(6);

pub(crate) const NOW: StateId = StateId(0);
pub(crate) const CONFIG: StateId = StateId(1);
pub(crate) const USERS: StateId = StateId(2);
pub(crate) const ORDERS: StateId = StateId(3);
pub(crate) const CARDS: StateId = StateId(4);
pub(crate) const STOCKS: StateId = StateId(5);
pub(crate) const TICKETS: StateId = StateId(6);
pub(crate) const OLD_USERS: StateId = StateId(7);

/// The field of every entity's key.
pub(crate) const FIRST: FieldId = FieldId(0);

/// Fields of a user.
pub(crate) const NAME: FieldId = FieldId(1);
pub(crate) const MANAGER: FieldId = FieldId(2);
pub(crate) const TAGS: FieldId = FieldId(3);
pub(crate) const LIMITS: FieldId = FieldId(4);
pub(crate) const PHONE: FieldId = FieldId(5);

/// Fields of an order.
pub(crate) const CUSTOMER: FieldId = FieldId(1);
pub(crate) const LINES: FieldId = FieldId(2);
pub(crate) const NOTES: FieldId = FieldId(3);

/// The field of a line, a note, a card, a ticket after the key.
pub(crate) const SECOND: FieldId = FieldId(1);
/// The fields of a card.
pub(crate) const KIND: FieldId = FieldId(2);
pub(crate) const EXPIRES: FieldId = FieldId(3);

/// Members of the configuration.
pub(crate) const CONFIG_TAGS: FieldId = FieldId(0);
pub(crate) const CONFIG_MAX: FieldId = FieldId(1);
pub(crate) const CONFIG_RATES: FieldId = FieldId(2);

fn field(name: &str, schema: Schema) -> Field {
    Field {
        name: name.into(),
        wire: name.into(),
        schema,
        default: None,
        docs: Text::default(),
        cases: Vec::new(),
        omit_null: false,
    }
}

/// Folders in folders: tables that nest in themselves.
pub(crate) fn folders() -> Arc<Model> {
    let fields = vec![field("id", Schema::TEXT), field("folders", table(EntityId(0)))];
    let folder = entity(EntityId(0), "Folder", KeyPattern::Given, fields);
    let state = StateField {
        name: "folders".into(),
        wire: "folders".into(),
        schema: table(EntityId(0)),
        docs: Text::default(),
    };
    Arc::new(Model { entities: vec![Arc::new(folder)], state: vec![state], ..Model::default() })
}

fn entity(id: EntityId, name: &str, pattern: KeyPattern, fields: Vec<Field>) -> EntityShape {
    EntityShape {
        id,
        name: name.into(),
        fields,
        tag: None,
        key: FieldId(0),
        pattern,
        local: false,
        label: None,
        parent: None,
        docs: Text::default(),
    }
}

fn counter(before: &str, zeros: u8) -> KeyPattern {
    KeyPattern::Text(vec![KeyPart::Literal(before.into()), KeyPart::Counter(zeros)])
}

fn table(entity: EntityId) -> Schema {
    Schema::Table { entity, wire: TableWire::Array }
}

fn strings(max_items: Option<u32>, unique: bool) -> Schema {
    Schema::List { item: Box::new(Schema::TEXT), min_items: None, max_items, unique }
}

pub(crate) fn model() -> Arc<Model> {
    let card_kind = EnumId(0);
    let expires = Field { cases: vec![(1, Schema::INT)], ..field("expires", Schema::INT.optional()) };
    let balance = Schema::Decimal { min: Some(Decimal::ZERO), max: None };
    let rates = Schema::Map { key: MapKey::String, value: Box::new(Schema::INT) };
    let phone = Schema::String {
        min_length: None,
        max_length: None,
        pattern: Some(Arc::new(Pattern::new("[0-9 ]+").unwrap())),
    };
    let name = Schema::String { min_length: Some(1), max_length: Some(20), pattern: None };
    let entities = vec![
        entity(
            USER,
            "User",
            counter("USR-", 3),
            vec![
                field("id", Schema::TEXT),
                field("name", name),
                Field { wire: "managerId".into(), ..field("manager", Schema::Entity(USER).optional()) },
                field("tags", strings(Some(3), true)),
                field("limits", rates.clone()),
                field("phone", phone.optional()),
            ],
        ),
        entity(
            ORDER,
            "Order",
            counter("SO-", 3),
            vec![
                field("id", Schema::TEXT),
                field("customer", Schema::Entity(USER).optional()),
                field("lines", table(LINE)),
                field("notes", table(NOTE)),
            ],
        ),
        EntityShape {
            parent: Some(ORDER),
            ..entity(
                LINE,
                "Line",
                KeyPattern::Text(vec![KeyPart::Parent, KeyPart::Literal("-L".into()), KeyPart::Counter(1)]),
                vec![field("id", Schema::TEXT), field("qty", Schema::Int { min: Some(1), max: Some(99) })],
            )
        },
        EntityShape {
            parent: Some(ORDER),
            local: true,
            ..entity(NOTE, "Note", counter("N", 1), vec![field("id", Schema::TEXT), field("text", Schema::TEXT)])
        },
        EntityShape {
            tag: Some(KIND),
            ..entity(
                CARD,
                "Card",
                KeyPattern::Given,
                vec![
                    field("number", Schema::TEXT),
                    field("balance", balance),
                    field("kind", Schema::Enum(card_kind)),
                    expires,
                ],
            )
        },
        entity(
            STOCK,
            "Stock",
            KeyPattern::Text(vec![
                KeyPart::Literal("STK-".into()),
                KeyPart::Field(FieldId(1)),
                KeyPart::Literal("-".into()),
                KeyPart::Field(FieldId(2)),
            ]),
            vec![field("id", Schema::TEXT), field("product", Schema::TEXT), field("place", Schema::TEXT.optional())],
        ),
        entity(
            TICKET,
            "Ticket",
            KeyPattern::Integer,
            vec![field("number", Schema::INT), field("title", Schema::TEXT.optional())],
        ),
    ];
    let config = RecordShape::new(
        Some("Config".into()),
        vec![field("tags", strings(None, false)), field("max", Schema::INT.optional()), field("rates", rates)],
        None,
        Text::default(),
    );
    let state = |name: &str, schema| StateField { name: name.into(), wire: name.into(), schema, docs: Text::default() };
    Arc::new(Model {
        enums: vec![Arc::new(EnumShape {
            name: "CardKind".into(),
            members: vec!["gift".into(), "certificate".into()],
            docs: Text::default(),
        })],
        records: vec![Arc::new(config)],
        entities: entities.into_iter().map(Arc::new).collect(),
        state: vec![
            state("now", Schema::INT),
            state("config", Schema::Record(RecordId(0)).optional()),
            state("users", table(USER)),
            state("orders", table(ORDER)),
            state("cards", table(CARD)),
            state("stocks", table(STOCK)),
            state("tickets", table(TICKET)),
            state("oldUsers", table(USER)),
        ],
    })
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.into())
}

pub(crate) fn texts(items: &[&str]) -> Value {
    Value::List(Arc::new(items.iter().map(|item| text(item)).collect()))
}

pub(crate) fn map(entries: &[(&str, i64)]) -> Value {
    Value::Map(Arc::new(
        entries.iter().map(|(key, value)| (Text::from(*key), Value::Int(*value))).collect::<ValueMap>(),
    ))
}

pub(crate) fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

pub(crate) fn string(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        _ => "no text",
    }
}

pub(crate) fn decimal(number: &str) -> Value {
    Value::Decimal(number.parse().unwrap())
}

pub(crate) fn reference(entity: EntityId, key: &str) -> Value {
    Value::Row(RowRef { world: WorldName::default(), entity, key: key.into() })
}

pub(crate) fn config(tags: &[&str], max: Option<i64>, rates: &[(&str, i64)]) -> Value {
    let shape = model().records[0].clone();
    let max = max.map_or(Value::Null, Value::Int);
    Value::Record(Arc::new(Record { shape, values: vec![texts(tags), max, map(rates)] }))
}

/// A user; an empty key is left to the pattern.
pub(crate) fn user(key: &str, name: &str) -> Vec<Value> {
    vec![key_or_null(key), text(name), Value::Null, texts(&[]), map(&[]), Value::Null]
}

pub(crate) fn order(key: &str, lines: &[(&str, i64)]) -> Vec<Value> {
    let shape = Arc::new(RecordShape::new(None, Vec::new(), None, Text::default()));
    let lines = lines.iter().map(|(key, qty)| {
        Value::Record(Arc::new(Record { shape: shape.clone(), values: vec![key_or_null(key), Value::Int(*qty)] }))
    });
    vec![key_or_null(key), Value::Null, Value::List(Arc::new(lines.collect())), Value::Null]
}

pub(crate) fn gift_card(number: &str, balance: &str) -> Vec<Value> {
    vec![text(number), decimal(balance), Value::Enum(EnumId(0), 0), Value::Null]
}

fn key_or_null(key: &str) -> Value {
    if key.is_empty() { Value::Null } else { text(key) }
}

pub(crate) fn lines_of(order: &str) -> TablePlace {
    TablePlace::Nested { entity: ORDER, key: order.into(), field: LINES }
}

pub(crate) fn notes_of(order: &str) -> TablePlace {
    TablePlace::Nested { entity: ORDER, key: order.into(), field: NOTES }
}

/// Three users, two orders of two lines and one, two gift cards, a stock, a ticket.
pub(crate) fn seed() -> Arc<Seed> {
    let mut builder = SeedBuilder::new(model());
    builder.scalar(NOW, Value::Int(100)).unwrap();
    builder.scalar(CONFIG, config(&["a"], Some(3), &[("x", 1), ("y", 2)])).unwrap();
    for (key, name) in [("USR-001", "Ilse"), ("USR-002", "Kofi"), ("USR-003", "Renata")] {
        builder.row(USERS, user(key, name)).unwrap();
    }
    builder.row(ORDERS, order("SO-001", &[("SO-001-L1", 5), ("SO-001-L2", 6)])).unwrap();
    builder.row(ORDERS, order("SO-002", &[("SO-002-L1", 7)])).unwrap();
    builder.row(CARDS, gift_card("GC-1", "100")).unwrap();
    builder.row(CARDS, gift_card("GC-2", "50")).unwrap();
    builder.row(STOCKS, vec![Value::Null, text("P1"), text("W1")]).unwrap();
    builder.row(TICKETS, vec![Value::Int(7), Value::Null]).unwrap();
    Arc::new(builder.finish())
}

pub(crate) fn store() -> Store {
    Store::new(seed())
}

pub(crate) fn world() -> World {
    World::new(store())
}

pub(crate) fn change(world: &mut World) -> &mut Store {
    world.state_mut().unwrap()
}

pub(crate) fn read(world: &World) -> &Store {
    world.state().unwrap()
}

pub(crate) fn keys(store: &Store, state: StateId) -> Vec<Text> {
    store.table(state).iter().map(|row| row.key.clone()).collect()
}

/// Everything that a world holds, as one text: equal texts are equal worlds.
pub(crate) fn dump(store: &Store) -> String {
    let model = store.model();
    let mut out = String::new();
    for (index, field) in model.state.iter().enumerate() {
        let state = StateId::from(index);
        writeln!(out, "{}: {}", field.name, crate::wire::to_json(store.scalar(state), model)).unwrap();
        for row in store.table(state) {
            writeln!(out, "  {}", crate::wire::row_to_json(row, model)).unwrap();
        }
    }
    out
}
