//! Seed data: each case is a folder with an environment and its data, beside the snapshot of what the compiler says of it.

mod common;

use common::{beside, front};
use silo_dsl::compile::compile;
use silo_dsl::diagnostics::render;
use silo_dsl::project::Project;
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::store::{Store, TablePlace};
use silo_runtime::value::dynamic::Value;
use std::path::Path;
use std::sync::Arc;

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seed").join(name);
    let project = Project::load(&folder).expect("the environment is there");
    let (diagnostics, keys) = front(&project, |declared, data| {
        let mut lines = vec![format!("{} rows in the tables; keys:", data.rows())];
        for entity in (0..declared.types.model.entities.len()).map(EntityId::from) {
            let keys: Vec<&str> = declared.seed.keys(entity).take(8).map(|key| &**key).collect();
            let name = declared.types.entity_decl(entity).map_or("", |decl| &decl.name);
            lines.push(format!("{name}: {}", keys.join(" ")).trim_end().to_owned());
        }
        lines.join("\n")
    });
    let shown = format!("{}---- {keys}", render::plain(project.sources(), &diagnostics));
    beside(folder).bind(|| insta::assert_snapshot!("diagnostics", shown));
}

macro_rules! cases {
    ($($name:ident)*) => { $(#[test] fn $name() { check(stringify!($name)); })* };
}

cases! {
    csv_cells
    csv_columns
    csv_empty
    csv_near_names
    csv_open_quote
    csv_quote_to_the_end
    csv_separator
    near_names
    nested_faults
    nested_tables
    nested_twice
    pe05_marks_in_csv
    pe13_lines
    pe13_wrong_values
    pf01_unquoted_commas
    pf02_null_option
    pf02_null_texts
    pf04_flat_order_lines
    pf07_absent_and_null
    pf13_other_date_forms
    pointers
    r18_large_integers
    r19_pc11_impossible_dates
    r20_duplicate_names
    r21_comma
    r21_cut
    r21_deep
    r21_empty
    r21_huge
    r21_mark_and_crlf
    r21_nan
    r21_object
    r21_scalar
    r21_single
    r21_surrogate
    r21_trailing
    r22_pb07_duplicate_keys
    r23_dangling_reference
    r30_wide_text
}

#[test]
fn every_case_is_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seed");
    let cases = folder.read_dir().expect("the folder is there").filter_map(Result::ok);
    assert_eq!(cases.filter(|entry| entry.path().is_dir()).count(), 39, "name the new case above");
}

/// A project without code, from its types and data.
fn project(source: &str, name: &str, data: String) -> Project {
    Project::from_sources([("world.silo", source.to_owned()), (name, data)])
}

#[test]
fn pb07_counters_begin_after_the_highest_key() {
    let rows: Vec<String> = (1..=16).map(|n| format!(r#"{{"id": "OPP-{n:03}"}}"#)).collect();
    let source =
        "environment crm { }\nentity Deal { id: key \"OPP-000\" }\nstate { deals: table<Deal> from \"deals.json\" }\n";
    let project = project(source, "deals.json", format!("[{}]", rows.join(",")));
    let (compiled, diagnostics) = compile(&project);
    assert_eq!(render::plain(project.sources(), &diagnostics), "");
    let mut store = Store::new(compiled.expect("it compiles").seed);
    let row = store.insert(&TablePlace::State(StateId(0)), vec![Value::Null]).expect("a row");
    assert_eq!(&*row.key, "OPP-017");
}

#[test]
fn pf05_sums_of_money_are_exact() {
    // 45.9 + 545.68 is 591.5799999999999 in binary floating point.
    let source = "environment shop { }\n\
        record Item { price: decimal }\n\
        entity Order { id: key int, items: list<Item>, paid: decimal }\n\
        state { orders: table<Order> from \"orders.json\" }\n\
        invariant \"paid is what the items cost\" { orders.all(|o| o.items.sum(|i| i.price) == o.paid) }\n";
    let order = |n: u32| {
        let (a, b) = (n * 37 % 100_000, n * 7_919 % 100_000);
        let cents = |cents: u32| format!("{}.{:02}", cents / 100, cents % 100);
        format!(
            r#"{{"id": {n}, "items": [{{"price": {}}}, {{"price": {}}}], "paid": {}}}"#,
            cents(a),
            cents(b),
            cents(a + b)
        )
    };
    let orders: Vec<String> = (1..=1000).map(order).collect();
    let project = project(source, "orders.json", format!("[{}]", orders.join(",\n")));
    let (compiled, diagnostics) = compile(&project);
    assert_eq!(render::plain(project.sources(), &diagnostics), "");
    let seed = compiled.expect("it compiles").seed;
    let table = seed.table(StateId(0));
    assert_eq!(table.len(), 1000);
    for row in table {
        let [_, Value::List(items), Value::Decimal(paid)] = row.values.as_slice() else { panic!("{row:?}") };
        let mut sum = silo_runtime::value::Decimal::ZERO;
        for item in items.iter() {
            let Value::Record(item) = item else { panic!("{item:?}") };
            let [Value::Decimal(price)] = item.values.as_slice() else { panic!("{item:?}") };
            sum = silo_runtime::value::Checked::plus(sum, *price).expect("it fits");
        }
        assert_eq!(sum, *paid);
    }
}

#[test]
fn pe05_a_mark_before_the_policy_is_no_part_of_it() {
    let source = "environment w { policy: \"policy.md\" }\n\
        entity User { id: key \"U-0\" }\n\
        /// Nobody is to be closed twice.\nrule once on close(user) { require user.id != \"\" else \"no\" }\n\
        tool close(user: User) { return user }\n";
    let policy = "\u{feff}# Rules\n\n{rules}\n".to_owned();
    let project = project(source, "policy.md", policy);
    let (compiled, diagnostics) = compile(&project);
    assert_eq!(render::plain(project.sources(), &diagnostics), "");
    let policy = compiled.expect("it compiles").program.environment.policy;
    assert_eq!(policy.as_deref(), Some("# Rules\n\n- Nobody is to be closed twice.\n"));
}

#[test]
fn r30_a_text_of_ten_megabytes_is_read() {
    let source =
        "environment w { }\nentity Note { id: key, text: string }\nstate { notes: table<Note> from \"n.json\" }\n";
    let project = project(source, "n.json", format!(r#"[{{"id": "N", "text": "{}"}}]"#, "é".repeat(5_000_000)));
    let (diagnostics, rows) = front(&project, |_, data| data.rows());
    assert_eq!((diagnostics.len(), rows), (0, 1));
}

#[test]
fn the_seed_is_shared() {
    let source = "environment w { }\nstate { count: int = 2 * 21 }\n";
    let (compiled, _) = compile(&Project::from_sources([("w.silo", source)]));
    let compiled = compiled.expect("it compiles");
    let store = Store::new(Arc::clone(&compiled.seed));
    assert!(matches!(store.scalar(StateId(0)), Value::Int(42)));
}
