//! The parser against a model of its grammar, a list of hard cases, and itself.
#![expect(clippy::format_push_string, clippy::string_slice, reason = "models and reports are written to be read")]

mod torture;

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::value::decimal::Decimal;

fn parse(text: &str) -> Result<Json, JsonError> {
    Json::parse(text, Limits::default())
}

fn read(text: &str) -> Json {
    parse(text).unwrap()
}

/// What is wrong, where, and in which part.
fn fault(text: &str) -> String {
    let error = parse(text).unwrap_err();
    let located = Located::parse(text, Limits::default()).unwrap_err();
    assert_eq!(error, located, "both forms agree");
    let span = error.span();
    assert!(span.start <= span.end && text.is_char_boundary(span.start as usize) && span.end as usize <= text.len());
    let place = error.place(text);
    let path = if error.path().is_empty() { String::new() } else { format!(" in {}", error.path()) };
    let first = error.first().map_or(String::new(), |first| format!(", first at {}", Place::of(text, first.start)));
    format!("{}:{}{path}: {error}{first}", place.line, place.column)
}

#[test]
fn r18_pc02_large_ints_keep_every_digit() {
    for text in ["9007199254740993", "2512292042121000001", "9223372036854775807", "-9223372036854775808"] {
        let json = read(text);
        assert_eq!(json.as_int().map(|int| int.to_string()).as_deref(), Some(text));
        assert_eq!(json.to_string(), text);
    }
    for text in ["9223372036854775808", "12345678901234567890123", "-9223372036854775809"] {
        let json = read(text);
        assert_eq!(json.as_int(), None, "{text}");
        assert_eq!(json.to_string(), text);
    }
    assert_eq!(read("1e3").as_int(), Some(1000));
}

#[test]
fn r20_a_name_given_twice_is_an_error_with_both_places() {
    assert_eq!(fault(r#"{"id":1,"id":2}"#), "1:9: `id` is given twice in one object, first at line 1, column 2");
    assert_eq!(
        fault("[{\"a\": {\"b\": 1,\n \"\\u0062\": 2}}]"),
        "2:2 in [0].a: `b` is given twice in one object, first at line 1, column 9",
        "spelling does not matter"
    );
    let many = (0..100).fold(String::new(), |many, n| many + &format!("\"k{}\":{n},", n % 73));
    assert_eq!(
        fault(&format!("{{{many}\"z\":0}}")),
        format!(
            "1:{}: `k0` is given twice in one object, first at line 1, column 2",
            1 + 1 + (0..73).map(|n| format!("\"k{n}\":{n},").len()).sum::<usize>()
        ),
    );
    assert_eq!(
        fault(r#"[{"a":1},{"a":1,"a":2}]"#),
        "1:17 in [1]: `a` is given twice in one object, first at line 1, column 11"
    );
    assert!(parse("{\"é\":1,\"e\u{301}\":2}").is_ok(), "names are compared as they are spelled");
}

#[test]
fn r21_faults_of_data_files_are_located() {
    let depth = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert_eq!(read("\u{feff}[1]\r\n").to_string(), "[1]");
    assert!(parse(&depth(40)).is_ok());
    assert!(parse(&depth(128)).is_ok());
    let mut report = String::new();
    for text in [
        "\u{feff}\u{feff}1",
        "[1,]",
        "{\"a\":1,}",
        "[NaN]",
        "[1e]",
        "{\"a\": [1, 2",
        "{\"a\": \"abc",
        "[\"\\ud800\"]",
        "\"\\ud83d\\u0041\"",
        "\"\\udc00\\ud800\"",
        "\"\\u12g4\"",
        "\"\\u12",
        "\"\\x41\"",
        "\"a\nb\"",
        "\"\u{1}\"",
        "\"tab\there\"",
        "['a']",
        "{a: 1}",
        "{\"a\" 1}",
        "{\"a\": 1 \"b\": 2}",
        "[1 2]",
        "01",
        "[+1]",
        "[.5]",
        "[1.]",
        "-",
        "0x10",
        "1_000",
        "True",
        "[undefined]",
        "nul",
        "truex",
        "1 2",
        "",
        "  ",
        "// no",
        "{\"rows\": [{\"price\": 1}, {\"price\": 1.}]}",
        "\"\\",
        "[1,,2]",
        "{,}",
        "\u{a0}1",
        "[1}",
        "{\"a\":1]",
    ] {
        report.push_str(&format!("{}\n  {}\n", text.escape_debug(), fault(text)));
    }
    report.push_str(&format!("129 arrays\n  {}\n", fault(&depth(129))));
    insta::assert_snapshot!(report);
}

#[test]
fn r21_depth_and_size_are_bounded() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        assert!(fault(&open.repeat(100_000)).contains("nested more than 128 deep"), "{open}");
    }
    let small = Limits { max_bytes: 4, max_depth: 1 };
    assert!(Json::parse("[12]", small).is_ok());
    let said = [Json::parse("[123]", small), Json::parse("[[]]", small)].map(|result| result.unwrap_err().to_string());
    assert_eq!(said, ["the text has 5 bytes; at most 4 are read", "arrays and objects are nested more than 1 deep"]);
    assert!(Json::parse(&"[".repeat(300), Limits { max_depth: u8::MAX, ..Limits::default() }).is_err());
}

#[test]
fn pc16_half_a_surrogate_pair_is_refused_with_its_path() {
    assert_eq!(
        fault(r#"{"name": "\ud83d"}"#),
        "1:11 in name: `\\ud83d` is one half of a surrogate pair without the other"
    );
    assert_eq!(read(r#""\ud83d\ude00\u0000""#).as_str(), Some("😀\u{0}"));
    assert_eq!(read("\"\u{202e}\"").as_str(), Some("\u{202e}"));
}

#[test]
fn r30_text_of_any_kind_and_length_goes_through() {
    let long = "ä👩\u{200d}👧e\u{301}שלום".repeat(500_000);
    let text = Json::from(long.as_str()).to_string();
    assert!(text.len() > 10_000_000);
    assert_eq!(read(&text).as_str(), Some(&*long));
    let place = Place::of("é\t👩\n  x", 10);
    assert_eq!(place.to_string(), "line 2, column 3");
    assert_eq!(Place::of("a", 99), Place { line: 1, column: 2 });
    assert_eq!(Place::of("\u{feff}ab", 4), Place { line: 1, column: 2 });
}

#[test]
fn pf10_odd_numbers_keep_their_text() {
    let mut report = String::new();
    for text in [
        "0",
        "-1",
        "1.5",
        "0.1",
        "-0",
        "-0.0",
        "5.0",
        "1.50",
        "1e3",
        "1E+2",
        "1e-08",
        "1e400",
        "123456789012345678901234567890",
        "123456789012345678901234567.8",
        "0.1234567890123456789",
        "999999999999999999",
        "9223372036854775808",
        "1e-400",
    ] {
        let json = read(text);
        assert_eq!(json.to_string(), text);
        let number = json.as_number().unwrap();
        let kind = match number {
            Number::Int(_) => "int",
            Number::Decimal(_) => "decimal",
            Number::Lexical(_) => "lexical",
        };
        assert_eq!(Number::parse(text).as_ref(), Some(number));
        report.push_str(&format!(
            "{text:<32} {kind:<8} int {:?}, decimal {:?}, whole {}\n",
            number.as_int(),
            number.as_decimal(),
            number.is_whole()
        ));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn rows_of_one_shape_share_their_names() {
    let rows = read(r#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"name":"c"},{"id":3,"name":"d","more":true}]"#);
    let objects: Vec<&Object> = rows.as_array().unwrap().iter().filter_map(Json::as_object).collect();
    assert!(std::ptr::eq(objects[0].names(), objects[1].names()));
    assert!(Arc::ptr_eq(&objects[0].names()[1], &objects[2].names()[0]));
    assert_eq!(objects[2].names().len(), 1);
    assert_eq!(objects[3].get("more"), Some(&Json::Bool(true)));
}

#[test]
fn a_name_that_needs_escapes_is_never_taken_for_a_known_one() {
    assert_eq!(read(r#"[{"a\"b":1},{"a\"b":2}]"#).to_string(), r#"[{"a\"b":1},{"a\"b":2}]"#);
    assert!(parse(r#"[{"a\"b":1},{"a"b":2}]"#).is_err());
    assert!(parse("[{\"a\\\\\":1},{\"a\\\":2}]").is_err());
}

#[test]
fn members_keep_their_order_and_the_last_of_equal_ones_wins() {
    let object = Json::object([("b", 1), ("a", 2), ("b", 3)]);
    assert_eq!(object.to_string(), r#"{"b":3,"a":2}"#);
    let many: Object = (0..200).map(|n| (Text::from(format!("k{}", n % 50)), Json::from(n))).collect();
    assert_eq!(many.len(), 50);
    assert_eq!(many.iter().next().map(|(name, value)| (&**name, value.as_int())), Some(("k0", Some(150))));
    let mut shared = Object::shared(&Arc::from([Text::from("x")]), vec![Json::from(1), Json::from(2)]);
    assert_eq!(shared.len(), 1);
    assert_eq!(shared.insert("x", Json::Null), Some(Json::from(1)));
    assert_eq!(shared.insert("y", Json::from(true)), None);
    assert_eq!(Json::from(shared).to_string(), r#"{"x":null,"y":true}"#);
}

#[test]
fn spans_cover_values_and_names() {
    let text = " {\"ab\": [1, \"x\"], \"c\": null} ";
    let located = Located::parse(text, Limits::default()).unwrap();
    let cut = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(cut(located.span), text.trim());
    let Node::Object(members) = &located.node else { panic!("an object") };
    assert_eq!((cut(members[0].name_span), cut(members[0].value.span)), ("\"ab\"", "[1, \"x\"]"));
    assert_eq!((cut(members[1].name_span), cut(members[1].value.span)), ("\"c\"", "null"));
    assert_eq!(located.pointer("/ab/1").map(|part| cut(part.span)), Some("\"x\""));
    assert_eq!(located.pointer(""), Some(&located));
    for pointer in ["ab", "/ab/2", "/ab/01", "/ab/+1", "/d", "/c/x"] {
        assert_eq!(located.pointer(pointer), None, "{pointer}");
    }
    let odd = Located::parse(r#"{"a/b": {"~1": 5}}"#, Limits::default()).unwrap();
    assert_eq!(odd.pointer("/a~1b/~01").map(Located::to_json), Some(Json::from(5)));
}

#[test]
fn pretty_text_is_indented_by_two() {
    let json = read(r#"{"a":[],"b":{},"c":[1,{"d":null}],"e":"x"}"#);
    insta::assert_snapshot!(json.to_pretty());
    assert_eq!(read(&json.to_pretty()), json);
}

#[test]
fn a_value_is_three_words() {
    assert_eq!(size_of::<Json>(), 24);
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<i64>(), 0_u32..20)
            .prop_filter_map("28 digits", |(mantissa, scale)| Decimal::new(mantissa.into(), scale))
            .prop_map(Number::from),
        "-?(0|[1-9][0-9]{0,35})(\\.[0-9]{1,35})?([eE][-+]?[0-9]{1,2})?"
            .prop_filter_map("a number", |text| Number::parse(&text)),
    ]
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any_number().prop_map(Json::from),
        "\\PC{0,6}".prop_map(Json::from),
        prop::collection::vec(any::<char>(), 0..4).prop_map(|text| Json::from(text.into_iter().collect::<String>())),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec(("[a-c]{1,2}|\\PC{0,3}", inner), 0..20).prop_map(Json::object),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(json in any_json()) {
        let (compact, pretty) = (json.to_string(), json.to_pretty());
        prop_assert_eq!(&read(&compact), &json);
        prop_assert_eq!(&read(&pretty), &json);
        let located = Located::parse(&pretty, Limits::default()).unwrap();
        prop_assert_eq!(&located.to_json(), &json);
        let rows = Json::array([json.clone(), json.clone(), json]);
        prop_assert_eq!(&read(&rows.to_string()), &rows, "shapes that recur change nothing");
    }

    #[test]
    fn another_parser_reads_the_same(json in any_json()) {
        let text = json.to_string();
        let theirs: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert!(agree(&json, &theirs), "{}", text);
    }

    #[test]
    fn accepting_agrees_with_another_parser(text in "[-\\[\\]{}:,\"\\\\ue0-3.+ a\n]{0,12}") {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match parse(&text) {
            // The other parser keeps binary floating point and refuses what that cannot hold.
            Ok(_) if theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range")) => {}
            Ok(json) => prop_assert!(theirs.is_ok_and(|theirs| agree(&json, &theirs)), "{}", text),
            Err(error) => prop_assert!(theirs.is_err() || error.first().is_some(), "{}: {}", text, error),
        }
    }

    #[test]
    fn a_broken_text_is_a_located_error(json in any_json(), at in 0_usize..400, byte in "\\PC") {
        let mut text = json.to_string();
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.insert_str(at, &byte);
        if parse(&text).is_err() {
            fault(&text);
        }
        text.truncate(at);
        if parse(&text).is_err() {
            fault(&text);
        }
    }
}

/// Numbers are compared as the other parser can: through its own reading of the text.
fn agree(ours: &Json, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Json::Null, serde_json::Value::Null) => true,
        (Json::Bool(a), serde_json::Value::Bool(b)) => a == b,
        (Json::Number(a), serde_json::Value::Number(b)) => match (a.as_int(), b.as_i64()) {
            (Some(a), Some(b)) => a == b,
            _ => {
                a.to_string().parse::<f64>().ok().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= a.abs() * 1e-12)
            }
        },
        (Json::String(a), serde_json::Value::String(b)) => **a == **b,
        (Json::Array(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        (Json::Object(a), serde_json::Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((name, a), (other, b))| **name == **other && agree(a, b))
        }
        _ => false,
    }
}
