//! JavaScript and TypeScript modules.

use crate::fake::{Game, Written, has, module, play};
use silo::agents::{Ending, TerminationReason};

#[test]
fn a_module_gets_everything_and_its_output_is_taken() {
    if !has("node") {
        return;
    }
    let played = play(module("everything.mjs"));
    assert_eq!(played.output(), r#"{"seen":true}"#);
    assert_eq!(played.calls, [r#"echo {"a":1}"#, "refuse {}", "echo null"]);
    insta::assert_snapshot!(played.log);
}

#[test]
fn r07_calls_begun_before_the_output_count_and_later_ones_are_told_that_the_run_has_ended() {
    if !has("node") {
        return;
    }
    let played = play(module("late.mjs"));
    assert_eq!(played.output(), "returned");
    assert_eq!(played.calls, ["begun {}", "begun too {}"]);
    assert_eq!(played.log, "late run_ended true\n");
}

#[test]
fn r08_a_module_that_sleeps_spins_or_never_settles_ends_at_the_limit() {
    if !has("node") {
        return;
    }
    for body in [
        "await new Promise((resolve) => setTimeout(resolve, 30_000)); return 'late'",
        "while (true);",
        "await new Promise(() => {})",
    ] {
        let agent = Written::new(
            "hang.mjs",
            &format!(
                "console.log('pid', process.pid); export default async ({{ callTool }}) => {{ callTool('expire'); {body} }};"
            ),
        );
        let played = agent.play();
        assert_eq!(played.ending, Ending::Timeout);
        played.assert_not_waited_for();
        played.assert_gone();
    }
}

#[test]
fn r08_the_signal_tells_a_module_and_its_late_output_is_ignored() {
    if !has("node") {
        return;
    }
    let agent = Written::new(
        "obedient.mjs",
        "export default async ({ callTool, signal }) => {
            callTool('expire');
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            console.log(signal.reason.message, (await callTool('echo')).output.code);
            return 'late';
        };",
    );
    let played = agent.play();
    assert_eq!((played.ending, &*played.log), (Ending::Timeout, "the run has ended: timeout run_ended\n"));
}

#[test]
fn r09_what_a_module_does_to_its_tools_has_no_effect() {
    if !has("node") {
        return;
    }
    let agent = Written::new(
        "mutate.mjs",
        "export default async ({ tools, callTool }) => {
            tools[0].inputSchema.additionalProperties = true; delete tools[0].inputSchema.type; tools.length = 0;
            return (await callTool('refuse', { any: 1 })).output.code;
        };",
    );
    assert_eq!(agent.play().output(), "not_found");
}

#[test]
fn r18_numbers_are_exact_in_a_module_or_refused() {
    if !has("node") {
        return;
    }
    let played = play(module("numbers.mjs"));
    assert_eq!(played.output(), r#"{"safe":9007199254740991,"price":19.99}"#);
    assert_eq!(
        played.calls,
        [
            "exact {}",
            r#"echo {"id":9007199254740993,"least":-9223372036854775808,"price":19.99,"text":"9007199254740993"}"#,
            "precise {}"
        ]
    );
    insta::assert_snapshot!(played.log);
}

#[test]
fn r24_whatever_a_module_prints_lands_in_its_log() {
    if !has("node") {
        return;
    }
    let played = play(module("prints.mjs"));
    assert_eq!((played.output(), played.calls.len()), ("done", 2));
    insta::assert_snapshot!(played.log);
}

#[test]
fn pd02_an_input_of_fifty_megabytes_is_refused() {
    if !has("node") {
        return;
    }
    let agent = Written::new(
        "huge.mjs",
        "export default ({ callTool }) => callTool('echo', { text: 'x'.repeat(50_000_000) });",
    );
    assert!(agent.play().error().starts_with("line 1 of the agent's output is longer than 8 MiB"));
}

#[test]
fn a_hundred_large_results_at_once_reach_a_module() {
    if !has("node") {
        return;
    }
    let agent = Written::new(
        "many.mjs",
        "export default async ({ callTool }) => {
            const results = await Promise.all(Array.from({ length: 100 }, () => callTool('large')));
            return String(results.reduce((sum, { output }) => sum + output.length, 0));
        };",
    );
    assert_eq!(agent.play().output(), (100 << 20).to_string());
}

#[test]
fn a_module_that_makes_too_many_calls_is_told() {
    if !has("node") {
        return;
    }
    let agent = Written::new(
        "greedy.mjs",
        "export default async ({ callTool, signal }) => {
            while (!(await callTool('echo')).isError);
            console.log((await callTool('echo')).output.message, signal.aborted);
        };",
    );
    let played = Game::max_calls(5).play(agent.agent());
    assert_eq!((played.ended, played.calls.len()), (Some(TerminationReason::MaxToolCalls), 5));
    assert_eq!(played.log, "the run has ended (max_tool_calls): this call was not executed true\n");
}

#[test]
fn every_failure_of_a_module_has_its_own_message() {
    if !has("node") {
        return;
    }
    let modules = [
        ("no_default.mjs", "export const answer = 1;\nexport function run() {}"),
        ("nothing.mjs", ""),
        ("number.mjs", "export default 5;"),
        ("syntax.mjs", "export default async () => {\n  const x = ;\n};"),
        ("import.mjs", "import './no-such-file.mjs';\nexport default () => {};"),
        ("load.mjs", "\nthrow new RangeError('no model');"),
        ("throws.mjs", "export default async ({ callTool }) => {\n  await callTool('echo');\n  null.name;\n};"),
        ("throws_text.mjs", "export default () => { throw 'boom'; };"),
        (
            "rejects.mjs",
            "export default () => {\n  Promise.reject(new Error('forgotten'));\n  return new Promise(() => {});\n};",
        ),
        ("exits.mjs", "export default () => process.exit(3);"),
        ("exits_well.mjs", "export default () => process.exit();"),
        ("killed.mjs", "export default () => process.kill(process.pid, 'SIGKILL');"),
        ("list.mjs", "export default () => [1, 2];"),
        ("object.mjs", "export default () => ({ answer: 1 });"),
        ("number_output.mjs", "export default () => 5;"),
        ("cycle.mjs", "export default () => { const a = {}; a.a = a; return { output: a }; };"),
        ("bigint.mjs", "export default () => ({ output: { id: 5n } });"),
        ("bad_input.mjs", "export default async ({ callTool }) => {\n  await callTool('echo', { n: NaN });\n};"),
        ("bad_tool.mjs", "export default async ({ callTool }) => {\n  await callTool({ tool: 'echo' });\n};"),
    ];
    let told = modules.map(|(name, text)| format!("{name}\n  {}", Written::new(name, text).play().error()));
    insta::assert_snapshot!(told.join("\n").lines().map(without_folders).collect::<Vec<_>>().join("\n"));
}

/// A message with the folders of the temporary modules left out.
fn without_folders(line: &str) -> String {
    let temporary = std::env::temp_dir().canonicalize().unwrap();
    let mut pieces = line.split(temporary.to_str().unwrap());
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + "…/" + piece.split_once('/').map_or(piece, |_| piece.rsplit_once('/').unwrap_or_default().1)
    })
}

#[test]
fn the_stack_of_a_module_is_in_its_log() {
    if !has("node") {
        return;
    }
    let played =
        Written::new("deep.mjs", "function inner() {\n  throw new Error('deep');\n}\nexport default () => inner();")
            .play();
    assert_eq!(played.error(), "Error: deep, at deep.mjs:2");
    assert!(played.log.contains("at inner (file://"), "{}", played.log);
}

#[test]
fn nothing_returned_is_an_empty_output() {
    if !has("node") {
        return;
    }
    for body in ["", "return null;", "return { output: undefined };", "return '';"] {
        assert_eq!(Written::new("quiet.mjs", &format!("export default () => {{ {body} }};")).play().output(), "");
    }
    assert_eq!(Written::new("null.mjs", "export default () => ({ output: null });").play().output(), "null");
}

#[test]
fn what_a_module_leaves_open_holds_nobody_up() {
    if !has("node") {
        return;
    }
    let agent = "import { createServer } from 'node:net';
        export default () => { createServer().listen(0); setInterval(() => {}, 1000); return 'done'; };";
    let played = Written::new("open.mjs", agent).play();
    assert_eq!(played.output(), "done");
    played.assert_not_waited_for();
}

#[test]
fn a_commonjs_module_is_taken_too() {
    if !has("node") {
        return;
    }
    assert_eq!(
        Written::new("common.js", "module.exports = async ({ task }) => task.slice(0, 5);").play().output(),
        "Größe"
    );
}

#[test]
fn a_typescript_module_runs_or_says_what_to_install() {
    if !has("node") {
        return;
    }
    let played = Written::new(
        "typed.ts",
        "type Call = (tool: string, input?: object) => Promise<{ output: unknown }>;
         export default async function agent({ callTool }: { callTool: Call }): Promise<string> {
            await callTool('echo', { a: 1 });
            return 'typed' as string;
         }",
    )
    .play();
    match &played.ending {
        Ending::Output(text) => assert_eq!((&**text, played.calls), ("typed", vec![r#"echo {"a":1}"#.to_owned()])),
        _ => assert!(played.error().contains("install Node 22.6 or newer, or `tsx` beside the agent"), "{played:?}"),
    }
}
