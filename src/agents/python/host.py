"""Hosts one Python agent in this process.

Silo runs it as `python3 -u -c <this text> AGENT_FILE` with descriptor 3 for messages from Silo and 4 for messages to it, one
JSON object a line. Descriptors 1 and 2 are the agent's log, so nothing that the agent, its libraries or its child processes
print can reach the protocol.
"""

import asyncio
import concurrent.futures
import importlib.util
import inspect
import json
import math
import os
import re
import sys
import threading
import time
import traceback
from decimal import Decimal

LINGER_SECONDS = 0.25  # for what an agent still does after its output, before the process goes
EXPECTED = 'a string, or a dict with "output", such as {"output": "…"}'
NOTHING = object()


class Signal:
    """What the agent sees of a limit: `aborted`, and the `reason` once it is."""

    def __init__(self):
        self.reason = None

    @property
    def aborted(self):
        return self.reason is not None


class Host:
    """The protocol's side of the process."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.signal = Signal()
        self.start = concurrent.futures.Future()
        self.lock = threading.Lock()  # guards the fields below and the order of what is written
        self.pending = {}
        self.last_id = 0
        self.over = None  # why no more calls are executed
        self.reported = False  # whether the one output or error has been sent
        self.code = 0  # what the process exits with

    # messages

    def read(self):
        """Receives messages until Silo has gone or has heard enough."""
        with open(3, "rb", closefd=False) as lines:
            for line in lines:
                try:
                    self.receive(json.loads(line, parse_float=exact))
                except BaseException as error:  # a message this host cannot read must not become a silent hang
                    self.fail(f"the host could not read a message: {error}")
        leave(0)

    def receive(self, message):
        if message["type"] == "start":
            self.start.set_result(message)
        elif message["type"] == "result":
            with self.lock:
                waiting = self.pending.pop(message["id"], None)
            if waiting and waiting.set_running_or_notify_cancel():
                waiting.set_result({"output": message["output"], "isError": message["isError"]})
        elif message["type"] == "abort":
            with self.lock:
                self.over = self.over or message["reason"]
                self.signal.reason = message["reason"]

    def write(self, line):
        """Writes a whole line. The caller holds the lock."""
        data = memoryview(line.encode("utf-8") + b"\n")
        try:
            while data:
                data = data[os.write(4, data) :]
        except OSError:
            pass  # nobody listens any more; the end of descriptor 3 says so too

    def call_tool(self, tool, input={}):
        """Calls a tool: awaitable where an event loop runs, plain elsewhere."""
        if not isinstance(tool, str):
            raise TypeError(f"call_tool expects a tool's name, found {kind(tool)}")
        text = encode(input, "input")
        result = concurrent.futures.Future()
        with self.lock:
            if self.over is not None:
                message = f"the run has ended ({self.over}): this call was not executed"
                result.set_result({"output": {"code": "run_ended", "message": message}, "isError": True})
            else:
                self.last_id += 1
                self.pending[self.last_id] = result
                name = encode(tool, "tool")
                self.write(f'{{"type":"call","id":{self.last_id},"tool":{name},"input":{text}}}')
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return result.result()
        return asyncio.wrap_future(result, loop=loop)

    def report(self, line, why, code):
        """Sends the one message that ends the run, and sees to it that the process goes soon."""
        with self.lock:
            if self.reported:
                return
            self.reported = True
            self.code = code
            self.over = self.over or why
            self.write(line)
        threading.Thread(target=self.linger, daemon=True).start()

    def linger(self):
        time.sleep(LINGER_SECONDS)
        leave(self.code)

    def fail(self, message):
        text = json.dumps(message.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False)
        self.report(f'{{"type":"error","message":{text}}}', "the agent has failed", 1)

    def fail_with(self, error):
        """Reports what the agent raised: the traceback to its log, the message and the place to Silo."""
        frames = error.__traceback__
        own = frames
        while own and own.tb_frame.f_code.co_filename != self.path:
            own = own.tb_next
        traceback.print_exception(type(error), error, own)
        lines = [f.lineno for f in traceback.extract_tb(frames) if f.filename == self.path]
        place = f", at {self.name}:{lines[-1]}" if lines else ""
        detail = " ".join(str(error).split())
        if isinstance(error, SyntaxError) and error.filename:
            place = f", at {os.path.basename(error.filename)}:{error.lineno}"
            detail = error.msg
        self.fail(f"{type(error).__name__}: {detail}{place}" if detail else f"{type(error).__name__}{place}")

    # the agent

    def run(self):
        message = self.start.result()
        offered = {
            "task": message["task"],
            "tools": message["tools"],
            "call_tool": self.call_tool,
            "signal": self.signal,
            "policy": message["policy"],
            "answer_schema": message["answerSchema"],
        }
        try:
            agent = getattr(self.load(), "agent", None)
            problem = self.problem_with(agent) or self.problem_with_parameters(agent, offered)
            if problem:
                return self.fail(problem)
            returned = agent(**wanted(agent, offered))
            if inspect.isawaitable(returned):
                asyncio.run(self.conclude_later(returned))
            else:
                self.conclude(returned)
        except SystemExit:
            raise
        except BaseException as error:
            self.fail_with(error)

    async def conclude_later(self, awaitable):
        self.conclude(await awaitable)  # not after the loop has closed: tasks left behind may hold it up

    def conclude(self, returned):
        given = output_of(returned)
        if given is NOTHING:
            return self.fail(f"the agent returned {shown(returned)}; expected {EXPECTED}")
        try:
            text = encode(given, "output")
        except (TypeError, ValueError, RecursionError) as error:
            return self.fail(f"the agent's output is not what JSON can hold: {error}")
        self.report(f'{{"type":"output","output":{text}}}', "the agent has given its output", 0)

    def load(self):
        sys.path[0] = os.path.dirname(self.path)
        sys.argv = [self.path]
        name = os.path.splitext(self.name)[0]
        if name in sys.modules or name in getattr(sys, "stdlib_module_names", ()):
            name = f"silo_agent_{name}"
        spec = importlib.util.spec_from_file_location(name, self.path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        self.module = module
        spec.loader.exec_module(module)
        return module

    def problem_with(self, agent):
        if callable(agent):
            return None
        hint = "write `def agent(task, tools, call_tool):` or `async def agent(…):`"
        if agent is not None:
            return f"`agent` in `{self.name}` is {kind(agent)}, not a function; {hint}"
        own = [
            key
            for key, value in vars(self.module).items()
            if inspect.isfunction(value) and value.__module__ == self.module.__name__
        ]
        has = f"it defines {', '.join(f'`{key}`' for key in own)}" if own else "it defines no function"
        return f"`{self.name}` has no `agent`, {has}; {hint}"

    def problem_with_parameters(self, agent, offered):
        for parameter in inspect.signature(agent).parameters.values():
            if parameter.kind == parameter.POSITIONAL_ONLY:
                return f"`agent` takes `{parameter.name}` by position; its arguments are passed by name, remove the `/`"
            named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            if named and parameter.name not in offered and parameter.default is parameter.empty:
                names = ", ".join(f"`{name}`" for name in offered)
                return f"`agent` asks for `{parameter.name}`, which there is not; it can take {names}"
        return None


def wanted(agent, offered):
    parameters = inspect.signature(agent).parameters
    if any(p.kind == p.VAR_KEYWORD for p in parameters.values()):
        return offered
    return {name: value for name, value in offered.items() if name in parameters}


def output_of(returned):
    """What the agent returned as its output; NOTHING where it is none."""
    if returned is None:
        return ""
    if isinstance(returned, str):
        return returned
    if isinstance(returned, dict) and "output" in returned:
        return returned["output"]
    return NOTHING


# JSON with exact numbers: a float where it is the very number that was written, else a Decimal


def exact(text):
    number = float(text)
    if len(text) <= 16 and "e" not in text and "E" not in text:
        return number  # at most 15 digits: every float gives them back
    precise = Decimal(text)
    return number if math.isfinite(number) and Decimal(repr(number)) == precise else precise


def encode(value, path, within=()):
    """As json.dumps, but what that would change without a word is an error that says where it is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError(f"`{path}` holds half of a surrogate pair") from None
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, (float, Decimal)):
        if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
            raise ValueError(f"`{path}` is {value}, which is not a number in JSON")
        return float.__repr__(value) if isinstance(value, float) else str(value)
    if id(value) in within:
        raise ValueError(f"`{path}` contains itself")
    within = (*within, id(value))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(item, f"{path}[{i}]", within) for i, item in enumerate(value)) + "]"
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"`{path}` has the key {key!r}; JSON's keys are strings")
        members = (f"{encode(key, path)}:{encode(item, f'{path}.{key}', within)}" for key, item in value.items())
        return "{" + ",".join(members) + "}"
    hint = "; send its `.isoformat()`" if hasattr(value, "isoformat") else ""
    raise TypeError(f"`{path}` is {kind(value)}, which JSON cannot hold{hint}")


def kind(value):
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} `{name}`"


def shown(value):
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))  # an address would make every run's message another one
    return f"`{text[:60]}…`, {kind(value)}" if len(text) > 60 else f"`{text}`, {kind(value)}"


def leave(code):
    """Ends the process whatever threads still run, without losing what was printed."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(code)


def main():
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    host = Host(os.path.abspath(sys.argv[1]))
    threading.Thread(target=host.read, daemon=True).start()
    host.run()
    sys.exit(host.code)


main()
