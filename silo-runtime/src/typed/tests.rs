use super::{Changes, Entity, Key, SeedTable, Table, TableMut, compare, touched};
use crate::diff::{ChangeKind, Diff, Order};
use crate::ids::{FieldId, StateId};
use crate::keys::{KeyPart, KeyPattern};
use crate::value::Text;
use crate::value::json::Json;

#[derive(Clone, Debug)]
struct User {
    id: Key<Self>,
    name: String,
}

impl Entity for User {
    const NAME: &'static str = "User";
    const FIELDS: &'static [&'static str] = &["id", "name"];

    fn key(&self) -> &Key<Self> {
        &self.id
    }

    fn set_key(&mut self, key: Key<Self>) {
        self.id = key;
    }

    fn pattern() -> KeyPattern {
        KeyPattern::Text(vec![KeyPart::Literal("USR-".into()), KeyPart::Counter(3)])
    }

    fn to_values(&self) -> Vec<Json> {
        vec![Json::from(&self.id), Json::from(self.name.as_str())]
    }
}

/// A stock of a product in a place: its key is made of the two.
#[derive(Clone, Debug)]
struct Stock {
    id: Key<Self>,
    product: Option<Text>,
}

impl Entity for Stock {
    const NAME: &'static str = "Stock";
    const FIELDS: &'static [&'static str] = &["id", "productId"];

    fn key(&self) -> &Key<Self> {
        &self.id
    }

    fn set_key(&mut self, key: Key<Self>) {
        self.id = key;
    }

    fn pattern() -> KeyPattern {
        KeyPattern::Text(vec![KeyPart::Literal("STK-".into()), KeyPart::Field(FieldId(1))])
    }

    fn key_part(&self, _: FieldId) -> Option<Text> {
        self.product.clone()
    }

    fn to_values(&self) -> Vec<Json> {
        vec![Json::from(&self.id), self.product.clone().map_or(Json::Null, Json::String)]
    }
}

fn user(key: &str, name: &str) -> User {
    User { id: Key::new(key), name: name.to_owned() }
}

fn seed() -> SeedTable<User> {
    SeedTable::new([user("USR-001", "Ilse"), user("USR-002", "Kofi"), user("USR-007", "Renata")]).unwrap()
}

fn keys(table: Table<'_, User>) -> String {
    table.iter().map(|row| row.id.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_typed_table_keeps_order_and_counts_keys() {
    let (seed, mut changes) = (seed(), Changes::default());
    let mut users = TableMut::new(&seed, &mut changes);
    assert_eq!(users.insert(user("", "Ama")).unwrap(), "USR-008");
    users.remove(&Key::new("USR-001")).unwrap();
    users.insert(user("USR-001", "again")).unwrap();
    users.get_mut(&Key::new("USR-002")).unwrap().name = "Kofi A.".to_owned();
    assert_eq!(keys(users.read()), "USR-002 USR-007 USR-008 USR-001");
    assert_eq!(users.read().get(&Key::new("USR-002")).unwrap().name, "Kofi A.");
    // The seed is as it was.
    let untouched = Changes::default();
    assert_eq!(keys(Table::new(&seed, &untouched)), "USR-001 USR-002 USR-007");
    assert_eq!(Table::new(&seed, &untouched).at("USR-002").unwrap().name, "Kofi");
}

#[test]
fn typed_refusals_read_as_dynamic_ones() {
    let (seed, mut changes) = (seed(), Changes::default());
    let mut users = TableMut::new(&seed, &mut changes);
    users.remove(&Key::new("USR-002")).unwrap();
    let stocks = SeedTable::new([]).unwrap();
    let mut stock_changes = Changes::default();
    let mut stocks = TableMut::new(&stocks, &mut stock_changes);
    let stock = |key: &str, product: Option<&str>| Stock { id: Key::new(key), product: product.map(Text::from) };
    assert_eq!(stocks.insert(stock("", Some("P1"))).unwrap(), "STK-P1");
    let refusals = [
        users.insert(user("USR-001", "impostor")).unwrap_err().to_string(),
        users.insert(user("a\nb", "")).unwrap_err().to_string(),
        users.remove(&Key::new("USR-002")).unwrap_err().to_string(),
        users.get_mut(&Key::new("USR-002")).unwrap_err().to_string(),
        users.read().get(&Key::new("USR-002")).unwrap_err().to_string(),
        users.read().at("USR-999").unwrap_err().to_string(),
        stocks.insert(stock("STK-P2", Some("P1"))).unwrap_err().to_string(),
        stocks.insert(stock("", Some("P1"))).unwrap_err().to_string(),
        stocks.insert(stock("", None)).unwrap_err().to_string(),
        SeedTable::new([user("A", ""), user("A", "")]).unwrap_err().to_string(),
    ];
    insta::assert_debug_snapshot!(refusals);
}

#[test]
fn r01_a_copy_of_the_changes_undoes_a_failed_tool() {
    let (seed, mut changes) = (seed(), Changes::default());
    let before = changes.clone();
    TableMut::new(&seed, &mut changes).insert(user("", "lost")).unwrap();
    changes = before;
    assert_eq!(TableMut::new(&seed, &mut changes).insert(user("", "kept")).unwrap(), "USR-008");
}

#[test]
fn r04_typed_diffs_name_fields_and_forget_what_was_put_back() {
    let (seed, before) = (seed(), Changes::default());
    let mut after = before.clone();
    let mut users = TableMut::new(&seed, &mut after);
    users.get_mut(&Key::new("USR-001")).unwrap().name = "x".to_owned();
    users.remove(&Key::new("USR-002")).unwrap();
    users.insert(user("", "new")).unwrap();
    let diff = |after: &Changes<User>, order| {
        let mut diff = Diff::default();
        compare(&mut diff, StateId(0), Table::new(&seed, &before), Table::new(&seed, after), order);
        diff
    };
    let found = diff(&after, Order::Counts);
    let rows = |kind| found.rows(StateId(0), kind).join(" ");
    assert_eq!(rows(ChangeKind::Changed), "USR-001");
    assert_eq!(rows(ChangeKind::Removed), "USR-002");
    assert_eq!(rows(ChangeKind::Added), "USR-008");
    assert_eq!(touched(Table::new(&seed, &before), Table::new(&seed, &after)).join(" "), "USR-001 USR-002 USR-008");

    let mut users = TableMut::new(&seed, &mut after);
    users.get_mut(&Key::new("USR-001")).unwrap().name = "Ilse".to_owned();
    users.insert(user("USR-002", "Kofi")).unwrap();
    users.remove(&Key::new("USR-008")).unwrap();
    assert_eq!(diff(&after, Order::Counts).differences.len(), 2, "USR-002 stands elsewhere");
    assert!(diff(&after, Order::Ignored).is_empty());
}
