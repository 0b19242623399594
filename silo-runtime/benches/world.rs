//! The engine's most frequent operations at three sizes of seed: what they cost must not grow with it.
//!
//! `cargo bench -p silo-runtime --bench world`. Before the timings it prints what 100,000 live worlds with five changes each
//! take: the time to make them, and the growth of the process's resident memory as the system reports it (Linux only; a
//! counting allocator would need `unsafe`).
#![forbid(unsafe_code)]

use divan::{Bencher, black_box};
use silo_runtime::diff::Order;
use silo_runtime::ids::{EntityId, FieldId, StateId};
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::model::{EntityShape, Field, Model, StateField};
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::store::{Seed, SeedBuilder, Store, TablePlace};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{RowRef, Value, WorldName};
use silo_runtime::world::World;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// Rows of the largest table: as the CRM has, ten and a hundred times that.
const SIZES: [usize; 3] = [100, 1_000, 10_000];
/// State fields: a deal table, an audit log and others that stay as they are.
const TABLES: usize = 26;

const LIVE_WORLDS: &str = "--live-worlds";

const DEAL: EntityId = EntityId(0);
const DEALS: StateId = StateId(0);
const AUDIT: StateId = StateId(1);
const OWNER: FieldId = FieldId(2);
const AMOUNT: FieldId = FieldId(3);

fn main() {
    // Memory that was given back is used again, so that each size is measured in a process of its own.
    let rows = std::env::args().skip_while(|arg| arg != LIVE_WORLDS).nth(1);
    if let Some(rows) = rows.and_then(|rows| rows.parse().ok()) {
        return live_worlds(rows);
    }
    let bench = std::env::current_exe().unwrap();
    for rows in SIZES {
        let run = Command::new(&bench).args([LIVE_WORLDS, &rows.to_string()]).status();
        assert!(run.is_ok_and(|status| status.success()));
    }
    divan::main();
}

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

fn model() -> Arc<Model> {
    let entities = (0..TABLES).map(|index| {
        let id = EntityId::from(index);
        let audit = vec![
            field("id", Schema::TEXT),
            field("at", Schema::INT),
            field("actor", Schema::Entity(DEAL)),
            field("action", Schema::TEXT),
            field("entity", Schema::TEXT),
            field("detail", Schema::TEXT),
        ];
        let fields = vec![
            field("id", Schema::TEXT),
            field("name", Schema::TEXT),
            field("owner", Schema::Entity(id).optional()),
            field("amount", Schema::Int { min: Some(0), max: None }),
            field("stage", Schema::TEXT),
            field("status", Schema::TEXT),
            field("source", Schema::TEXT.optional()),
            field("opened", Schema::INT),
            field("closed", Schema::INT.optional()),
            field("note", Schema::TEXT.optional()),
        ];
        let pattern = KeyPattern::Text(vec![KeyPart::Literal(format!("E{index}-").into()), KeyPart::Counter(3)]);
        Arc::new(EntityShape {
            id,
            name: format!("Entity{index}").into(),
            fields: if StateId::from(index) == AUDIT { audit } else { fields },
            tag: None,
            key: FieldId(0),
            pattern,
            local: false,
            label: None,
            parent: None,
            docs: Text::default(),
        })
    });
    let state = (0..TABLES).map(|index| StateField {
        name: format!("table{index}").into(),
        wire: format!("table{index}").into(),
        schema: Schema::Table { entity: EntityId::from(index), wire: TableWire::Array },
        docs: Text::default(),
    });
    Arc::new(Model { entities: entities.collect(), state: state.collect(), ..Model::default() })
}

fn values(owner: Option<usize>, amount: i64) -> Vec<Value> {
    let text = |text: &str| Value::Text(text.into());
    let owner = owner.map_or(Value::Null, |row| Value::Row(reference(row)));
    vec![
        Value::Null,
        text("Northwind renewal"),
        owner,
        Value::Int(amount),
        text("negotiation"),
        text("open"),
        Value::Null,
        Value::Int(1),
        Value::Null,
        text("call back on Monday"),
    ]
}

/// An event of the audit log: the words of the code are shared, the detail is its own.
fn event(action: &Text, at: usize) -> Vec<Value> {
    vec![
        Value::Null,
        Value::Int(1),
        Value::Row(reference(0)),
        Value::Text(action.clone()),
        Value::Text(key(at)),
        Value::Text(format!("From USR-{at:03} to USR-003.").into()),
    ]
}

fn key(row: usize) -> Text {
    format!("E0-{:03}", row + 1).into()
}

fn reference(row: usize) -> RowRef {
    RowRef { world: WorldName::default(), entity: DEAL, key: key(row) }
}

fn seed(rows: usize) -> Arc<Seed> {
    let mut builder = SeedBuilder::new(model());
    for row in 0..rows {
        builder.row(DEALS, values(None, i64::try_from(row).unwrap())).unwrap();
    }
    for table in 2..TABLES {
        for _ in 0..10 {
            builder.row(StateId::from(table), values(None, 1)).unwrap();
        }
    }
    Arc::new(builder.finish())
}

fn store(world: &mut World) -> &mut Store {
    world.state_mut().unwrap()
}

/// A world with so many rows of the largest table changed.
fn changed(seed: &Arc<Seed>, rows: usize) -> World {
    let mut world = World::new(Store::new(seed.clone()));
    for row in 0..rows {
        store(&mut world).set(DEAL, &key(row), AMOUNT, Value::Int(-1 + 1_000_000)).unwrap();
    }
    world
}

/// What a short rollout writes: three deals handed over, two audit rows.
fn five_changes(world: &mut World, keys: &[Text], action: &Text, at: usize) {
    let store = store(world);
    for row in 0..3 {
        let key = &keys[(at * 7 + row) % keys.len()];
        store.set(DEAL, key, OWNER, Value::Row(reference(1))).unwrap();
    }
    for _ in 0..2 {
        store.insert(&TablePlace::State(AUDIT), event(action, at % 1000)).unwrap();
    }
}

fn live_worlds(rows: usize) {
    const WORLDS: usize = 100_000;
    let seed = seed(rows);
    let keys: Vec<Text> = (0..rows).map(key).collect();
    let action = Text::from("reassign_opportunity");
    let memory = resident();
    #[expect(clippy::disallowed_methods, reason = "a bench measures time")]
    let start = Instant::now();
    let worlds: Vec<World> = (0..WORLDS)
        .map(|at| {
            let mut world = World::new(Store::new(seed.clone()));
            five_changes(&mut world, &keys, &action, at);
            world
        })
        .collect();
    let time = start.elapsed();
    let grown = resident().zip(memory).map(|(now, before)| now.saturating_sub(before));
    let size = grown.map_or_else(
        || "memory unknown".to_owned(),
        |bytes| format!("{} MB, {} bytes a world", bytes / 1_000_000, bytes / worlds.len()),
    );
    println!("{WORLDS} live worlds over {rows} rows, five changes each: {time:.2?}, {size}");
}

/// The resident memory of this process in bytes, where the system says so.
fn resident() -> Option<usize> {
    #[expect(clippy::disallowed_methods, reason = "a bench measures memory")]
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<usize>().ok().map(|kilobytes| kilobytes * 1024)
}

#[divan::bench(args = SIZES)]
fn fresh_world(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    bencher.bench_local(|| World::new(Store::new(black_box(seed.clone()))));
}

#[divan::bench(args = SIZES)]
fn snapshot_and_first_write_at_100_changes(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let world = changed(&seed, 100);
    let first = key(0);
    bencher.with_inputs(|| world.clone()).bench_local_refs(|world| {
        let snapshot = world.clone();
        store(world).set(DEAL, &first, AMOUNT, Value::Int(7)).unwrap();
        snapshot
    });
}

#[divan::bench(args = SIZES)]
fn diff_at_100_changes(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let (before, after) = (changed(&seed, 0), changed(&seed, 100));
    bencher.bench_local(|| black_box(&after).compare(black_box(&before), Order::Counts));
}

#[divan::bench(args = SIZES)]
fn touched_by_one_write_at_100_changes(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let before = changed(&seed, 100);
    let mut after = before.clone();
    store(&mut after).set(DEAL, &key(0), AMOUNT, Value::Int(7)).unwrap();
    bencher.bench_local(|| black_box(&after).touched(black_box(&before)));
}

#[divan::bench(args = SIZES)]
fn keyed_read(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let mut world = changed(&seed, 10);
    let store: &Store = store(&mut world);
    let key = key(rows / 2);
    bencher.bench_local(|| store.row(DEAL, black_box(&key)).is_some());
}

#[divan::bench(args = SIZES)]
fn keyed_write(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let mut world = changed(&seed, 10);
    let key = key(rows / 2);
    bencher.bench_local(|| store(&mut world).set(DEAL, black_box(&key), AMOUNT, Value::Int(7)));
}

#[divan::bench(args = SIZES)]
fn insert_into_a_fresh_world(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    bencher.with_inputs(|| (World::new(Store::new(seed.clone())), values(None, 1))).bench_local_values(
        |(mut world, values)| {
            store(&mut world).insert(&TablePlace::State(DEALS), values).unwrap();
            world
        },
    );
}

#[divan::bench(args = SIZES)]
fn scan_per_table(bencher: Bencher<'_, '_>, rows: usize) {
    let seed = seed(rows);
    let mut world = changed(&seed, 10);
    let store: &Store = store(&mut world);
    bencher.counter(divan::counter::ItemsCount::new(rows)).bench_local(|| {
        store.table(DEALS).iter().filter(|row| matches!(row.values.get(AMOUNT.index()), Some(Value::Int(7)))).count()
    });
}
