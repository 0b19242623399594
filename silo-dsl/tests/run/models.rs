//! List methods against an independent model: plain vectors.

use crate::play::engine;
use proptest::prelude::*;
use silo_runtime::value::json::{Json, Limits as JsonLimits};
use std::fmt::Write;

const LISTS: &str = r#"
environment lists { version: "1" }
state { runs: int = 0 }

/// Everything at once.
tool all_of_it(
    xs: list<int>, /// Numbers.
    ys: list<int>, /// More numbers.
    n: int,        /// A number.
) {
    return {
        filtered: xs.filter(|x| x > n),
        odd: xs.filter(|x, i| i % 2 == 1),
        mapped: xs.map(|x| x * 2),
        flat: xs.flat_map(|x| [x, x + n]),
        found: xs.find(|x| x > n),
        found_at: xs.find_index(|x| x > n),
        index: xs.index_of(n),
        has: xs.contains(n),
        is_in: n in xs,
        any: xs.any(|x| x > n),
        all: xs.all(|x| x > n),
        count: xs.count(|x| x > n),
        sum: xs.sum(),
        min: xs.min(),
        max: xs.max(),
        min_by: xs.min_by(|x| x % 3),
        max_by: xs.max_by(|x| x % 3),
        sorted: xs.sort(),
        by_rest: xs.sort_by(|x| x % 3),
        by_rest_down: xs.sort_by(|x| (x % 3).desc(), |x| x),
        taken: xs.take(n),
        skipped: xs.skip(n),
        reversed: xs.reverse(),
        distinct: xs.distinct(),
        joined: xs.concat(ys),
        text: xs.join("-"),
        groups: xs.group_by(|x| x % 3).map(|g| g.items),
        folded: xs.fold(1, |acc, x| acc * 2 + x % 2),
        page: xs.map(|x| x + 1).page(n, ys.count()).results,
    }
}
"#;

/// What the tool is to give.
fn expected(xs: &[i64], ys: &[i64], n: i64) -> Json {
    let list = |items: &[i64]| Json::array(items.iter().copied());
    let kept = |test: &dyn Fn(i64) -> bool| xs.iter().copied().filter(|x| test(*x)).collect::<Vec<_>>();
    let rest = |x: &i64| x.rem_euclid(3);
    let size = usize::try_from(n.max(0)).unwrap();
    let sorted_by = |key: &dyn Fn(&i64) -> (i64, i64)| {
        let mut sorted = xs.to_vec();
        sorted.sort_by_key(key);
        sorted
    };
    let mut distinct = Vec::new();
    let mut groups: Vec<(i64, Vec<i64>)> = Vec::new();
    for x in xs {
        if !distinct.contains(x) {
            distinct.push(*x);
        }
        match groups.iter_mut().find(|(key, _)| *key == rest(x)) {
            Some((_, items)) => items.push(*x),
            None => groups.push((rest(x), vec![*x])),
        }
    }
    let mut text = String::new();
    for (i, x) in xs.iter().enumerate() {
        write!(text, "{}{x}", if i > 0 { "-" } else { "" }).unwrap();
    }
    let first_by = |better: &dyn Fn(i64, i64) -> bool| {
        xs.iter().copied().reduce(|best, x| if better(rest(&x), rest(&best)) { x } else { best })
    };
    let position = |found: Option<usize>| Json::from(found.map(|at| i64::try_from(at).unwrap()));
    let odd: Vec<i64> = xs.iter().copied().skip(1).step_by(2).collect();
    let page: Vec<i64> = xs.iter().map(|x| x + 1).skip(ys.len()).take(size).collect();
    Json::object([
        ("filtered", list(&kept(&|x| x > n))),
        ("odd", list(&odd)),
        ("mapped", Json::array(xs.iter().map(|x| x * 2))),
        ("flat", Json::array(xs.iter().flat_map(|x| [*x, x + n]))),
        ("found", kept(&|x| x > n).first().copied().into()),
        ("found_at", position(xs.iter().position(|x| *x > n))),
        ("index", position(xs.iter().position(|x| *x == n))),
        ("has", xs.contains(&n).into()),
        ("is_in", xs.contains(&n).into()),
        ("any", xs.iter().any(|x| *x > n).into()),
        ("all", xs.iter().all(|x| *x > n).into()),
        ("count", kept(&|x| x > n).len().into()),
        ("sum", xs.iter().sum::<i64>().into()),
        ("min", xs.iter().min().copied().into()),
        ("max", xs.iter().max().copied().into()),
        ("min_by", first_by(&|a, b| a < b).into()),
        ("max_by", first_by(&|a, b| a > b).into()),
        ("sorted", list(&sorted_by(&|x| (*x, 0)))),
        ("by_rest", list(&sorted_by(&|x| (rest(x), 0)))),
        ("by_rest_down", list(&sorted_by(&|x| (-rest(x), *x)))),
        ("taken", list(&xs.iter().copied().take(size).collect::<Vec<_>>())),
        ("skipped", list(&xs.iter().copied().skip(size).collect::<Vec<_>>())),
        ("reversed", list(&xs.iter().rev().copied().collect::<Vec<_>>())),
        ("distinct", list(&distinct)),
        ("joined", list(&[xs, ys].concat())),
        ("text", text.into()),
        ("groups", Json::array(groups.iter().map(|(_, items)| list(items)))),
        ("folded", xs.iter().fold(1, |acc, x| acc * 2 + x.rem_euclid(2)).into()),
        ("page", list(&page)),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn list_methods_do_what_vectors_do(
        xs in prop::collection::vec(-9_i64..9, 0..12),
        ys in prop::collection::vec(-9_i64..9, 0..4),
        n in -3_i64..9,
    ) {
        let engine = engine(LISTS);
        let mut session = crate::play::session(&engine, engine.free_play());
        let input = format!(r#"{{"xs":{xs:?},"ys":{ys:?},"n":{n}}}"#);
        let result = session.call("all_of_it", &Json::parse(&input, JsonLimits::default()).unwrap());
        prop_assert_eq!(result.output.to_string(), expected(&xs, &ys, n).to_string());
    }
}
