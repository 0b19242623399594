//! Things that went wrong in environments elsewhere.

use crate::play::play;

/// What a program does, one line a call: the results alone, without warnings.
fn results(source: &str) -> Vec<String> {
    let said = play(source);
    let script = said.lines().skip_while(|line| !line.starts_with("> "));
    assert!(script.clone().next().is_some(), "the program has faults:\n{said}");
    script.filter(|line| !line.starts_with("> ")).map(str::to_owned).collect()
}

/// A program of this state and code, and its script.
fn program(code: &str, script: &[&str]) -> String {
    let script: Vec<String> = script.iter().map(|line| format!("// > {line}")).collect();
    format!("environment case {{ version: \"1\" }}\n{code}\n{}\n", script.join("\n"))
}

const NO_CHANGE: &str = r#"{"scalars":[],"collections":{}}"#;

const ACCOUNTS: &str = r#"
entity Account { id: key "ACC-0", name: string, contacts: table<Contact> = [] }
entity Contact { id: key "CON-0", name: string }
state { accounts: table<Account> = [] }

/// Makes an account.
tool create(
    name: string,     /// Its name.
    amount: decimal?, /// Its amount.
) {
    let account = accounts.insert({ name })
    let contact = account.contacts.insert({ name })
    require amount != null else invalid_input "an amount is needed"
    return { account, contact: contact.id }
}
"#;

#[test]
fn r01_a_rejected_create_leaves_no_rows() {
    let said = results(&program(ACCOUNTS, &[r#"create {"name": "Eve"}"#, "diff"]));
    assert_eq!(said, [r#"error {"code":"invalid_input","message":"an amount is needed"}"#, NO_CHANGE]);
}

#[test]
fn r02_a_rejected_create_uses_up_no_key() {
    let script = [r#"create {"name": "Eve"}"#, r#"create {"name": "Eve", "amount": 1}"#];
    assert_eq!(results(&program(ACCOUNTS, &script))[1], r#"{"account":"ACC-1","contact":"CON-1"}"#);
}

#[test]
fn r04_what_is_changed_back_is_not_changed() {
    let code = r#"
        entity Item { id: key, name: string }
        state { items: table<Item> = [{ id: "a", name: "old" }], count: int = 1 }
        /// Renames.
        tool rename(
            name: string, /// The name.
            n: int,       /// The count.
        ) {
            items["a"].name = name
            count = n
        }
        task "KEEP" {
            instruction: "Change nothing."
            verify {
                check "says so": answer.mentions("ok")
                changes nothing
            }
        }
    "#;
    let there = r#"rename {"name": "new", "n": 2}"#;
    let back = r#"rename {"name": "old", "n": 1}"#;
    let said = results(&program(code, &["start KEEP", there, back, "diff", "answer ok"]));
    assert_eq!(said[3], NO_CHANGE);
    assert_eq!(said[7], "  ✓ changes nothing: nothing changed");
}

#[test]
fn r17_decimal_money_does_not_drift() {
    let code = r"
        state { total: decimal = 140000.00 }
        /// Adds.
        tool add(
            a: decimal, /// One.
            b: decimal, /// The other.
        ) {
            total += a + b
            return { sum: a + b, cents: a.round(2), total }
        }
    ";
    let said = results(&program(code, &[r#"add {"a": 0.1, "b": 0.2}"#, r#"add {"a": 1.005, "b": -1.305}"#]));
    assert_eq!(said, [r#"{"sum":0.3,"cents":0.1,"total":140000.3}"#, r#"{"sum":-0.3,"cents":1.01,"total":140000}"#]);
}

#[test]
fn r28_a_loop_that_removes_its_rows_visits_each_once() {
    let code = r#"
        entity Item { id: key "I-0" }
        state { items: table<Item> = [{ id: "I-1" }, { id: "I-2" }, { id: "I-3" }, { id: "I-4" }] }
        /// Removes all.
        tool clear() {
            var visited = 0
            for item in items {
                visited += 1
                items.remove(item)
            }
            return { visited, left: items.count() }
        }
    "#;
    assert_eq!(results(&program(code, &["clear {}"])), [r#"{"visited":4,"left":0}"#]);
}

#[test]
fn r29_rows_with_equal_keys_stay_in_their_order() {
    let code = r#"
        entity Item { id: key, n: int }
        state { items: table<Item> = [{ id: "d", n: 1 }, { id: "a", n: 1 }, { id: "c", n: 0 }, { id: "b", n: 1 }] }
        /// Sorts.
        tool sort() {
            return [items.sort_by(|i| i.n), items.sort_by(|i| i.n.desc())].map(|xs| xs.map(|i| i.id).join(""))
        }
    "#;
    assert_eq!(results(&program(code, &["sort {}"])), [r#"["cdab","dabc"]"#]);
}

#[test]
fn pb02_what_one_rollout_changes_is_not_seen_by_the_next() {
    let code = r#"
        record Limits { max: int }
        record Config { tags: list<string>, limits: Limits }
        state { config: Config = { tags: ["a"], limits: { max: 3 } } }
        /// Adds.
        tool add(
            t: string,               /// A tag.
            tags: list<string> = [], /// More.
        ) {
            var copy = config
            copy.limits.max = 100
            var all = tags
            all.push(t)
            config.tags.push(t)
            config.limits.max += 1
            return { config, all }
        }
    "#;
    let said = results(&program(code, &[r#"add {"t": "b"}"#, "fresh", r#"add {"t": "c"}"#]));
    assert_eq!(
        said,
        [
            r#"{"config":{"tags":["a","b"],"limits":{"max":4}},"all":["b"]}"#,
            r#"{"config":{"tags":["a","c"],"limits":{"max":4}},"all":["c"]}"#,
        ]
    );
}

#[test]
fn pb04_order_is_that_of_first_appearance_in_every_run() {
    let source = include_str!("order.silo");
    let first = play(source);
    assert!((0..20).all(|_| play(source) == first));
}

#[test]
fn pb05_dates_know_no_time_zone() {
    let code = r#"
        state { now: datetime = @2026-03-31T23:30:00Z }
        /// Dates.
        tool dates() {
            return {
                month: @2026-01-31.add_months(1),
                leap: @2024-02-29.add_months(12),
                today: now.date(),
                weekday: now.date().weekday(),
                text: now.format("YYYY-MM-DD HH:mm"),
                later: now.add_minutes(30).date(),
                year: @2025-12-31.days_until(@2026-01-01),
            }
        }
    "#;
    assert_eq!(
        results(&program(code, &["dates {}"])),
        [
            r#"{"month":"2026-02-28","leap":"2025-02-28","today":"2026-03-31","weekday":2,"text":"2026-03-31 23:30","later":"2026-04-01","year":1}"#
        ]
    );
}

const PAYMENTS: &str = r#"
    entity Card { id: key, kind: string, balance: decimal(min: 0) }
    entity Flight { id: key, seats: int(min: 0) }
    record Pay { card: Card, amount: decimal }
    entity Booking { id: key "B-0", flight: Flight }
    state {
        cards: table<Card> = [{ id: "gift", kind: "gift", balance: 100 }, { id: "cert", kind: "certificate", balance: 50 }],
        flights: table<Flight> = [{ id: "F1", seats: 1 }],
        bookings: table<Booking> = [],
    }
    /// Books.
    tool book(
        payments: list<Pay>,   /// Payments.
        trips: list<Flight>, /// Flights.
    ) {
        for p in payments {
            require p.card.balance >= p.amount else not_allowed "too little"
        }
        for f in trips {
            require f.seats > 0 else not_allowed "full"
        }
        for p in payments {
            p.card.balance -= p.amount
            if p.card.kind == "certificate" {
                cards.remove(p.card)
            }
        }
        for f in trips {
            f.seats -= 1
            bookings.insert({ flight: f })
        }
        return bookings.last()!.id
    }
"#;

#[test]
fn pb08_what_is_used_twice_in_one_call_is_found_and_undone() {
    let said = results(&program(
        PAYMENTS,
        &[
            r#"book {"payments": [{"card": "cert", "amount": 10}, {"card": "cert", "amount": 10}], "trips": []}"#,
            r#"book {"payments": [{"card": "gift", "amount": 60}, {"card": "gift", "amount": 60}], "trips": []}"#,
            r#"book {"payments": [], "trips": ["F1", "F1"]}"#,
            "diff",
            r#"book {"payments": [], "trips": ["F1"]}"#,
        ],
    ));
    assert_eq!(
        said,
        [
            r#"error {"code":"invalid_state","message":"cert was removed"}"#,
            r#"error {"code":"invalid_state","message":"`cards.gift.balance` must be at least 0, but would be -20"}"#,
            r#"error {"code":"invalid_state","message":"`flights.F1.seats` must be at least 0, but would be -1"}"#,
            NO_CHANGE,
            r#""B-1""#,
        ]
    );
}

#[test]
fn pb10_a_tool_that_fails_half_way_changes_nothing() {
    let ways = ["fail", "divide", "overflow", "missing", "limit", "removed", "steps"];
    let source = include_str!("undo.silo");
    let code = source.split("// > ").next().unwrap();
    for way in ways {
        let script = format!(
            "// > break_down {{\"how\": \"{way}\"}}\n// > diff\n// > create {{\"name\": \"n\", \"amount\": 1}}\n"
        );
        let said = results(&format!("{code}\n{script}"));
        assert!(said[0].starts_with("error {\"code\":"), "{way}: {}", said[0]);
        assert_eq!(said[1], NO_CHANGE, "{way}");
        assert_eq!(said[2], r#"{"id":"ACC-002","contact":"CON-001"}"#, "{way}");
    }
}

#[test]
fn pb11_a_calculator_does_no_more_than_arithmetic() {
    let code = r"
        state { n: int = 0 }
        /// Calculates.
        tool calculate(
            text: string, /// What.
        ) {
            return text.calculate()
        }
    ";
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let long = vec!["1"; 500_000].join("+");
    let texts = ["9**9**9", "1/0", &deep, "1e400", "0.1+0.2", "2^3", "1,000*2", "-(-(3))", "", "١+١", &long];
    let script: Vec<String> = texts.iter().map(|text| format!(r#"calculate {{"text": "{text}"}}"#)).collect();
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    let said: Vec<String> =
        results(&program(code, &script)).into_iter().map(|line| line.chars().take(160).collect()).collect();
    insta::assert_debug_snapshot!("pb11", said);
}

#[test]
fn pc02_integers_keep_all_their_digits() {
    let code = r"
        entity Item { id: key int }
        state { items: table<Item> = [{ id: 2512292042121000001 }], last: int = 0 }
        /// Looks up.
        tool get(
            id: int,    /// A number.
            item: Item, /// An item.
        ) {
            last = id
            return { id, item }
        }
    ";
    let get = |id: &str| format!(r#"get {{"id": {id}, "item": 2512292042121000001}}"#);
    let calls = [get("9007199254740993"), get("9223372036854775808"), get("1e3")];
    let script = [&*calls[0], "diff", &*calls[1], &*calls[2]];
    let said = results(&program(code, &script));
    assert_eq!(said[0], r#"{"id":9007199254740993,"item":2512292042121000001}"#);
    assert_eq!(said[1], r#"{"scalars":[{"field":"last","from":0,"to":9007199254740993}],"collections":{}}"#);
    assert!(said[2].contains("64 bits"), "{}", said[2]);
    assert_eq!(said[3], r#"{"id":1000,"item":2512292042121000001}"#);
}

#[test]
fn what_doubles_ends_with_the_step_budget() {
    let code = r#"
        state { n: int = 0 }
        /// Doubles in some way.
        tool double(
            how: string, /// In which way.
        ) {
            var text = "x"
            var list = [1, 2]
            var map: map<int> = { "a": 1 }
            for i in range(0, 100000) {
                match how {
                    "text"   -> { text = "{text}{text}" }
                    "flat"   -> { list = list.flat_map(|x| list) }
                    "concat" -> { list = list.concat(list) }
                    "join"   -> { text = list.map(|x| text).join("") }
                    "split"  -> { list = "{text}{text}".split("").map(|x| 1) }
                    "fold"   -> { map = range(0, 10000).fold(map, |m, x| { ...m, ["{x}"]: x }) }
                    else     -> { text = text.pad_start(1000000000, "x") }
                }
            }
        }
    "#;
    let ways = ["text", "flat", "concat", "join", "fold", "pad"];
    let script: Vec<String> = ways.iter().map(|way| format!(r#"double {{"how": "{way}"}}"#)).collect();
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    for (way, said) in ways.iter().zip(results(&program(code, &script))) {
        assert!(said.starts_with(r#"error {"code":"limit_exceeded""#), "{way}: {said}");
    }
}

#[test]
fn defaults_belong_to_their_case() {
    let code = r#"
        enum Kind { "a", "b" }
        entity Thing {
            id:   key "T-0"
            kind: Kind
            case "a" { x: int = 5 }
            case "b" { y: string? }
        }
        state { things: table<Thing> = [] }
        /// Makes one of each.
        tool make() {
            let first = things.insert({ kind: "a" })
            let second = things.insert({ kind: "b" })
            return { first: { ...first }, second: { ...second } }
        }
    "#;
    let made = results(&program(code, &["make {}"]));
    assert_eq!(made, [r#"{"first":{"id":"T-1","kind":"a","x":5},"second":{"id":"T-2","kind":"b","y":null}}"#]);
}

#[test]
fn a_condition_on_changes_of_a_nested_table_is_on_its_rows() {
    let code = r#"
        entity Order { id: key "O-0", lines: table<Line> }
        entity Line { id: key "{parent}-L0", qty: int }
        state { orders: table<Order> = [{ id: "O-1", lines: [{ id: "O-1-L1", qty: 1 }, { id: "O-1-L2", qty: 2 }] }] }
        /// Sets the quantity of a line.
        tool set(
            line: Line, /// The line.
        ) { line.qty = 5 }
        task "A" {
            instruction: "Set the first."
            verify {
                check "it is five": final.orders["O-1"].lines["O-1-L1"].qty == 5
                changes only orders.lines where |l| l.qty == 1
            }
        }
    "#;
    let right = results(&program(code, &["start A", r#"set {"line": "O-1-L1"}"#, "answer done"]));
    assert!(right.join("\n").contains("passed true"), "{right:?}");
}
