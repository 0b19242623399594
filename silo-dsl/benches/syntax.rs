//! How fast source becomes a tree: a generated file of about 5,000 lines, whole and with one broken item.

use std::fmt::Write as _;

use divan::counter::BytesCount;
use silo_dsl::diagnostics::FileId;
use silo_dsl::syntax::parse;

fn main() {
    divan::main();
}

/// Entities, tools and tasks as an author would write them.
fn source(lines: usize) -> String {
    let mut text = String::new();
    for number in 0..lines / 30 {
        let _ = write!(
            text,
            r#"
/// Things of kind {number}.
entity Thing{number} {{
    id:     key "T{number}-000"
    name:   string(min_length: 1, max_length: 200)
    label name
    owner:  User?
    amount: decimal(min: 0) = 0.0     /// What it is worth.
    derived stale: bool = status == "open" and since.days_until(now) > 30
}}

/// List things of kind {number}, optionally those of one owner.
tool list_things_{number}(
    owner: User?,                 /// Only those of this owner.
    stale_only: bool = false,     /// Only those that have not moved for a month.
    ...Paging,
) {{
    return things_{number}
        .where({{ owner }})
        .filter(|t| not stale_only or t.stale)
        .map(|t| {{ ...t.pick(id, name, amount), total: (t.amount * 100 / 7).round(2) }})
        .page(limit, offset)
}}

task "TASK-{number}" {{
    instruction: """
        Move every thing of {{owner}} that is worth more than {number} to someone else.
        """
    verify {{ check "all moved": final.things_{number}.all(|t| t.owner != "USR-001" or t.amount <= {number}) }}
}}
"#
        );
    }
    text
}

#[divan::bench]
fn whole_file(bencher: divan::Bencher) {
    let text = source(5_000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(FileId(0), &text));
}

#[divan::bench]
fn one_broken_item(bencher: divan::Bencher) {
    let text = source(5_000).replacen("owner: User?,  ", "owner  User?,  ", 1);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(FileId(0), &text));
}
