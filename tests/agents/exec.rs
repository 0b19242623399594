//! Programs that speak the protocol themselves, well or badly.

use crate::fake::{Game, Played, play, sh};
use silo::agents::{Ending, Interrupt, Patience, ProcessAgent, TerminationReason};
use std::thread;
use std::time::Duration;

const EXPIRE: &str = r#"echo '{"type":"call","id":0,"tool":"expire","input":{}}'"#;
const OUTPUT: &str = r#"echo '{"type":"output","output":"done"}'"#;

#[track_caller]
fn error_of(script: &str) -> String {
    play(sh(script)).error().to_owned()
}

#[test]
fn a_program_hears_the_start_calls_and_gives_an_output() {
    let played = play(sh(r#"
        say() { printf '%s\n' "$1"; }
        read -r start; say "$start" >&2
        say '{"type":"call","id":7,"tool":"echo","input":{"a":1.50}}'; read -r result; say "$result" >&2
        say '{"type":"call","id":8,"tool":"refuse","input":null}'; read -r result; say "$result" >&2
        say '{"type":"log","message":"two lines\nof its own"}'
        say '{"type":"output","output":{"n":1.50}}'
    "#));
    assert_eq!(played.output(), r#"{"n":1.50}"#);
    assert_eq!(played.calls, [r#"echo {"a":1.50}"#, "refuse null"]);
    insta::assert_snapshot!(played.log);
}

#[test]
fn several_calls_may_be_under_way() {
    let call = |id: u32| format!(r#"echo '{{"type":"call","id":{id},"tool":"echo","input":{{}}}}'"#);
    let played =
        play(sh(&format!("{}; {}; read -r s; read -r a; read -r b; echo \"$a $b\" >&2; {OUTPUT}", call(2), call(1))));
    assert_eq!((played.output(), played.calls.len()), ("done", 2));
    assert!(played.log.find(r#""id":2"#) < played.log.find(r#""id":1"#), "{}", played.log);
}

#[test]
fn outputs_are_texts_or_json_and_may_lack_their_line_end() {
    for (message, output) in [
        (r#"{"type":"output"}"#, ""),
        (r#"{"type":"output","output":""}"#, ""),
        (r#"{"type":"output","output":null}"#, "null"),
        (r#"{"output":[1,"a"],"type":"output"}"#, r#"[1,"a"]"#),
        (r#"{"type":"output","output":"a\nb"}"#, "a\nb"),
    ] {
        assert_eq!(play(sh(&format!("printf '%s' '{message}'"))).output(), output.to_owned());
    }
}

#[test]
fn pd01_a_foreign_line_on_standard_output_ends_the_run_and_is_shown() {
    insta::assert_snapshot!(error_of(
        r#"echo '{"type":"log","message":"hello"}'; echo 'Loading model v1.2 …'; sleep 5"#
    ));
}

#[test]
fn lines_that_are_no_message_are_refused_one_by_one() {
    let lines = [
        "",
        "[1]",
        r#"{"type":"call","id":1,"tool":"echo","input":{}"#,
        r#"{"id":1}"#,
        r#"{"type":5}"#,
        r#"{"type":"cal","id":1}"#,
        r#"{"type":"call","tool":"echo","input":{}}"#,
        r#"{"type":"call","id":"1","tool":"echo","input":{}}"#,
        r#"{"type":"call","id":1.5,"tool":"echo","input":{}}"#,
        r#"{"type":"call","id":1,"input":{}}"#,
        r#"{"type":"call","id":1,"tool":"echo"}"#,
        r#"{"type":"call","id":1,"tool":"echo","input":{},"inputs":{}}"#,
        r#"{"type":"call","id":1,"tool":"echo","input":{"a":1,"a":2}}"#,
        r#"{"type":"log"}"#,
        r#"{"type":"output","output":"x","answer":1}"#,
    ];
    let told: Vec<_> = lines.iter().map(|line| format!("{line}\n  {}", error_of(&format!("echo '{line}'")))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn an_id_used_twice_is_refused() {
    let call = r#"echo '{"type":"call","id":3,"tool":"echo","input":{}}'"#;
    let played = play(sh(&format!("{call}; {call}; {OUTPUT}")));
    assert_eq!(played.error(), "line 2 of the agent's output uses the id 3 again; every call needs an id of its own");
    assert_eq!(played.calls.len(), 1);
}

#[test]
fn pd08_bytes_that_are_not_utf8_are_refused_with_their_offset() {
    assert_eq!(
        error_of(r"printf 'ab\360\050\214\050\n'"),
        "line 1 of the agent's output is not UTF-8: byte 0xF0 at offset 2 of the line, `ab\u{fffd}(\u{fffd}(`"
    );
    assert_eq!(
        error_of(r"printf '\377\376{\000}\000\n\000'"),
        "line 1 of the agent's output is not UTF-8: byte 0xFF at offset 0 of the line, `\u{fffd}\u{fffd}{\\u{0}}\\u{0}`; it looks like UTF-16, write UTF-8"
    );
    assert!(error_of(r"printf '\000\n'").starts_with("line 1 of the agent's output is not JSON, `\\u{0}`"));
    let played = play(sh(r#"printf '\360\050\n' >&2; printf '{"type":"output","output":"CRLF"}\r\n'"#));
    assert_eq!(
        (played.output(), &*played.log),
        ("CRLF", "\u{fffd}(\n[silo: 1 byte that is not UTF-8, shown as \u{fffd}]\n")
    );
}

#[test]
fn an_exit_before_the_output_is_told_with_its_code_or_signal() {
    assert_eq!(error_of("exit 0"), "the agent exited with code 0 before it gave an output");
    assert_eq!(
        error_of("echo 'fatal: no key' >&2; exit 3"),
        "the agent exited with code 3 before it gave an output; its log ends with `fatal: no key`"
    );
    assert_eq!(error_of("kill -9 $$"), "the agent was ended by signal 9 (SIGKILL) before it gave an output");
}

#[test]
fn a_program_that_cannot_be_started_says_why() {
    let error = |program: &str| play(ProcessAgent::exec(vec![program.to_owned()])).error().to_owned();
    assert_eq!(
        error("silo-no-such-program"),
        "the agent cannot be started: `silo-no-such-program`: there is no such program on PATH"
    );
    assert_eq!(
        error("./no/such"),
        "the agent cannot be started: `./no/such`: there is no such file (or what its `#!` line names)"
    );
    assert_eq!(
        error("./Cargo.toml"),
        "the agent cannot be started: `./Cargo.toml`: it is not executable; `chmod +x ./Cargo.toml` makes it so"
    );
}

#[test]
fn calls_after_the_output_are_not_executed_and_are_told_so() {
    let played = play(sh(&format!(
        "read -r s; {OUTPUT}; echo '{{\"type\":\"call\",\"id\":1,\"tool\":\"echo\",\"input\":{{}}}}'; read -r r; echo \"$r\" >&2; {OUTPUT}"
    )));
    assert_eq!((played.output(), played.calls.len()), ("done", 0));
    assert_eq!(
        played.logged(r#"{"type":"result","id":1,"output":"#),
        r#"{"code":"run_ended","message":"the run has ended (the agent has given its output): this call was not executed"},"isError":true}"#
    );
}

#[test]
fn a_program_that_waits_for_more_after_its_output_is_let_go() {
    let played = play(sh(&format!("{OUTPUT}; while read -r line; do :; done; echo gone >&2")));
    assert_eq!((played.output(), &*played.log), ("done", "gone\n"));
}

#[test]
fn r08_an_agent_that_ignores_the_abort_is_killed_with_its_group_and_its_late_output_is_ignored() {
    let played = play(sh(&format!(
        "trap '' TERM INT HUP; sleep 30 & echo \"pid $!\" >&2; read -r s; {EXPIRE}; read -r r; read -r abort; echo \"$abort\" >&2; {OUTPUT}; sleep 30"
    )));
    assert_eq!(played.ending, Ending::Timeout);
    assert_eq!(played.logged(r#"{"type":"abort","#), r#""reason":"timeout"}"#);
    played.assert_not_waited_for();
    played.assert_gone();
}

#[test]
fn an_agent_that_obeys_the_abort_is_not_waited_for() {
    let patience = Patience { grace: Duration::from_secs(30), linger: Duration::from_secs(30) };
    let played =
        Game { patience, ..Game::default() }.play(sh(&format!("read -r s; {EXPIRE}; read -r r; read -r abort")));
    assert_eq!(played.ending, Ending::Timeout);
    played.assert_not_waited_for();
}

#[test]
fn an_interrupt_ends_the_agent_and_a_second_one_its_grace() {
    for presses in [1, 2] {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        let user = thread::Builder::new().spawn(move || {
            thread::sleep(Duration::from_millis(200));
            (0..presses).for_each(|_| handler.raise());
        });
        let grace = if presses == 1 { Duration::from_millis(400) } else { Duration::from_secs(30) };
        let patience = Patience { grace, linger: grace };
        let played = Game { interrupt, patience, ..Game::default() }
            .play(sh("read -r s; read -r abort; echo \"$abort\" >&2; sleep 60"));
        user.unwrap().join().unwrap();
        assert_eq!(played.ending, Ending::Interrupted);
        played.assert_not_waited_for();
    }
}

#[test]
fn r25_a_million_calls_end_at_the_limit() {
    let played = Game::max_calls(50).play(sh(
        r#"i=0; while :; do i=$((i+1)); echo "{\"type\":\"call\",\"id\":$i,\"tool\":\"note\",\"input\":{}}"; done"#,
    ));
    assert_eq!((played.ended, played.calls.len()), (Some(TerminationReason::MaxToolCalls), 50));
}

#[test]
fn r25_an_endless_line_is_refused_at_the_limit() {
    assert_eq!(
        error_of("yes | tr -d '\\n'"),
        "line 1 of the agent's output is longer than 8 MiB, `yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…`"
    );
    let error = error_of(
        r#"printf '{"type":"call","id":1,"tool":"echo","input":{"a":"'; head -c 200000000 /dev/zero | tr '\0' x; echo '"}}'"#,
    );
    assert_eq!(
        error,
        r#"line 1 of the agent's output is longer than 8 MiB, `{"type":"call","id":1,"tool":"echo","input":{"a":"xxxxxxxxxx…`"#
    );
}

#[test]
fn r25_an_endless_log_is_cut() {
    let played = play(sh(&format!("yes | head -c 3000000 >&2; {EXPIRE}; yes >&2")));
    assert_eq!(played.ending, Ending::Timeout);
    assert!(played.log.contains("[silo: the log was cut here, "), "{}", played.log.len());
    assert!(played.log.len() < (1 << 20) + 100);
}

#[test]
fn pd02_ten_megabytes_of_log_before_the_first_call_block_nobody() {
    let played = play(sh(&format!("head -c 10000000 /dev/zero | tr '\\0' x >&2; echo end >&2; {OUTPUT}")));
    assert_eq!(played.output(), "done");
    assert!(played.log.ends_with("xend\n"));
}

#[test]
fn pd02_an_agent_that_closes_its_output_but_runs_on_has_failed() {
    let played = play(sh("echo \"pid $$\" >&2; exec >&-; sleep 30"));
    assert!(played.error().starts_with("the agent closed its output before it gave an output"), "{played:?}");
    played.assert_not_waited_for();
    played.assert_gone();
}

#[test]
fn pd02_an_agent_that_never_reads_blocks_nobody() {
    let calls = r#"for i in 1 2 3 4 5; do echo "{\"type\":\"call\",\"id\":$i,\"tool\":\"large\",\"input\":{}}"; done"#;
    let played = play(sh(&format!("{calls}; {OUTPUT}")));
    assert_eq!((played.output(), played.calls.len()), ("done", 5));
    let closed = play(sh(&format!("exec <&-; {calls}; {OUTPUT}")));
    assert_eq!((closed.output(), closed.calls.len()), ("done", 5));
}

#[test]
fn pd02_an_agent_that_calls_without_reading_takes_bounded_memory_and_ends_at_the_limit() {
    let played = Game { max_calls: 100_000, ..Game::limit(700) }.play(sh(
        r#"i=0; while :; do i=$((i+1)); echo "{\"type\":\"call\",\"id\":$i,\"tool\":\"large\",\"input\":{}}"; done"#,
    ));
    assert_eq!(played.ending, Ending::Timeout);
    assert!(played.calls.len() < 30, "16 MiB of results wait at most: {}", played.calls.len());
}

#[test]
fn a_process_that_left_the_group_and_holds_the_pipes_hangs_nobody() {
    let holder = "setsid sleep 30 &";
    let played = play(sh(&format!("{holder} {OUTPUT}")));
    assert_eq!(played.output(), "done");
    played.assert_not_waited_for();
    let failed = play(sh(&format!("{holder} exit 4")));
    assert_eq!(failed.error(), "the agent exited with code 4 before it gave an output");
    failed.assert_not_waited_for();
}

#[test]
fn an_agent_fails_in_its_own_words() {
    let played = play(sh(r#"echo '{"type":"error","message":"no key for the model"}'; exit 1"#));
    assert_eq!(played.error(), "no key for the model");
}

#[test]
fn pd04_an_output_in_the_instant_of_the_limit_gives_one_ending() {
    let mut seen = [0, 0];
    for _ in 0..25 {
        let Played { ending, .. } = Game::limit(60).play(sh(&format!("sleep 0.056; {OUTPUT}")));
        match ending {
            Ending::Output(text) => seen[usize::from(&*text != "done")] += 1,
            Ending::Timeout => seen[1] += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen.iter().sum::<i32>(), 25);
}
