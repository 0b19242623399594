//! Python modules.

use crate::fake::{Written, has, module, play};
use silo::agents::Ending;

#[test]
fn a_module_gets_everything_and_its_output_is_taken() {
    if !has("python3") {
        return;
    }
    let played = play(module("everything.py"));
    assert_eq!(played.output(), r#"{"seen":true}"#);
    assert_eq!(played.calls, [r#"echo {"a":1}"#, "refuse {}", "echo null"]);
    insta::assert_snapshot!(played.log);
}

#[test]
fn an_async_module_awaits_its_calls() {
    if !has("python3") {
        return;
    }
    let played = play(module("together.py"));
    assert_eq!(played.output(), "[0,1,2]");
    assert_eq!(played.calls, [r#"echo {"n":0}"#, r#"echo {"n":1}"#, r#"echo {"n":2}"#, "unawaited {}", "thread {}"]);
}

#[test]
fn tasks_and_threads_left_behind_hold_nobody_up() {
    if !has("python3") {
        return;
    }
    let agent = "import asyncio, time
async def stubborn():
  while True:
    try: await asyncio.sleep(60)
    except asyncio.CancelledError: pass
async def agent():
  asyncio.create_task(stubborn())
  asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)
  await asyncio.sleep(0)
  return 'done'";
    let played = Written::new("agent.py", agent).play();
    assert_eq!(played.output(), "done");
    played.assert_not_waited_for();
}

#[test]
fn a_module_gets_only_what_it_asks_for() {
    if !has("python3") {
        return;
    }
    let output = |text: &str| Written::new("agent.py", text).play().output().to_owned();
    assert_eq!(output("def agent(task): return task[:5]"), "Größe");
    assert_eq!(output("def agent(): pass"), "");
    assert_eq!(output("def agent(*, policy, other=1): return policy"), "Be kind.");
    assert_eq!(
        output("async def agent(**everything): return ' '.join(sorted(everything))"),
        "answer_schema call_tool policy signal task tools"
    );
    assert_eq!(output("class Agent:\n  async def __call__(self, task): return 'called'\nagent = Agent()"), "called");
}

#[test]
fn r07_calls_begun_before_the_output_count_and_later_ones_are_told_that_the_run_has_ended() {
    if !has("python3") {
        return;
    }
    let played = play(module("late.py"));
    assert_eq!(played.output(), "returned");
    assert_eq!(played.calls, ["begun {}"]);
    assert_eq!(played.log, "late run_ended True\n");
}

#[test]
fn r08_a_module_that_sleeps_spins_or_never_settles_ends_at_the_limit() {
    if !has("python3") {
        return;
    }
    for agent in [
        "def agent(call_tool):\n  call_tool('expire')\n  time.sleep(30)",
        "def agent(call_tool):\n  call_tool('expire')\n  while True: pass",
        "async def agent(call_tool):\n  call_tool('expire')\n  await asyncio.get_running_loop().create_future()",
    ] {
        let agent = Written::new("hang.py", &format!("import asyncio, os, time\nprint('pid', os.getpid())\n{agent}"));
        let played = agent.play();
        assert_eq!(played.ending, Ending::Timeout);
        played.assert_not_waited_for();
        played.assert_gone();
    }
}

#[test]
fn r08_the_signal_tells_a_module_between_its_calls() {
    if !has("python3") {
        return;
    }
    let agent = Written::new(
        "obedient.py",
        "import time\ndef agent(call_tool, signal):\n  call_tool('expire')\n  while not signal.aborted: time.sleep(0.01)\n  print(signal.reason, call_tool('echo')['output']['code'])\n  return 'late'",
    );
    let played = agent.play();
    assert_eq!((played.ending, &*played.log), (Ending::Timeout, "timeout run_ended\n"));
}

#[test]
fn r18_numbers_are_exact_in_a_module() {
    if !has("python3") {
        return;
    }
    let played = play(module("numbers.py"));
    assert_eq!(
        played.calls,
        [
            "exact {}",
            r#"echo {"id":9007199254740993,"least":-9223372036854775808,"price":19.99,"text":"9007199254740993"}"#,
            "precise {}",
            r#"echo {"share":0.1234567890123456789012345678}"#,
        ]
    );
    assert_eq!(played.output(), "[9007199254740994,0.1234567890123456789012345678]");
    assert_eq!(played.log, "int int float Decimal\n");
}

#[test]
fn r24_whatever_a_module_prints_lands_in_its_log() {
    if !has("python3") {
        return;
    }
    let played = play(module("prints.py"));
    assert_eq!((played.output(), played.calls.len()), ("done", 2));
    insta::assert_snapshot!(played.log);
}

#[test]
fn every_failure_of_a_module_has_its_own_message() {
    if !has("python3") {
        return;
    }
    let modules = [
        ("no_agent.py", "def agnt(): pass\nx = 1"),
        ("nothing.py", ""),
        ("number.py", "agent = 5"),
        ("syntax.py", "def agent():\n  x = = 1\n"),
        ("imports.py", "\nimport no_such_package\n"),
        ("load.py", "\nraise RuntimeError('no model')"),
        ("raises.py", "def half(n):\n  return 1 / n\ndef agent(call_tool):\n  call_tool('echo')\n  half(0)\n"),
        ("raises_async.py", "async def agent(call_tool):\n  await call_tool('echo')\n  raise ValueError\n"),
        ("exits.py", "import sys\ndef agent(): sys.exit(3)"),
        ("exits_async.py", "import sys\nasync def agent(): sys.exit(4)"),
        ("aborts.py", "import os\ndef agent(): os.abort()"),
        ("list.py", "def agent(): return [1, 2]"),
        ("dict.py", "def agent(): return {'answer': 1}"),
        ("generator.py", "def agent(): yield 1"),
        ("cycle.py", "def agent():\n  a = []\n  a.append(a)\n  return {'output': a}"),
        ("object.py", "def agent(): return {'output': {'at': object()}}"),
        ("keys.py", "def agent(): return {'output': {1: 'one'}}"),
        ("nan.py", "def agent(call_tool):\n  call_tool('echo', {'n': float('nan')})"),
        ("date.py", "import datetime\ndef agent(call_tool):\n  call_tool('echo', {'on': datetime.date(2026, 3, 31)})"),
        ("bad_tool.py", "def agent(call_tool):\n  call_tool({'tool': 'echo'})"),
        ("unknown.py", "def agent(task, toolz): pass"),
        ("position.py", "def agent(task, /): pass"),
    ];
    let told = modules.map(|(name, text)| format!("{name}\n  {}", Written::new(name, text).play().error()));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_traceback_of_a_module_is_in_its_log_without_the_host() {
    if !has("python3") {
        return;
    }
    let played = Written::new("deep.py", "def inner():\n  raise KeyError('deep')\ndef agent():\n  inner()\n").play();
    assert_eq!(played.error(), "KeyError: 'deep', at deep.py:2");
    assert!(played.log.contains("line 4, in agent") && !played.log.contains("<string>"), "{}", played.log);
}

#[test]
fn a_module_may_be_named_like_one_of_pythons_own_and_imports_what_lies_beside_it() {
    if !has("python3") {
        return;
    }
    assert_eq!(
        Written::new("json.py", "import os, sys\ndef agent(): return str(sys.path[0] == os.path.dirname(__file__))")
            .play()
            .output(),
        "True"
    );
}
