// Hosts one JavaScript or TypeScript agent in this process. Silo runs it as
//
//     node --input-type=module -e <this text> -- AGENT_FILE
//
// with descriptor 3 for messages from Silo and 4 for messages to it, one JSON object a line. Descriptors 1 and 2 are the
// agent's log, so nothing that the agent, its libraries or its child processes print can reach the protocol.

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { basename } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const LINGER_MS = 250; // for what an agent still does after its output, before the process goes
const EXPECTED = 'a string, or an object with `output`, such as { output: "…" }';

const file = process.argv[1];
const name = basename(file);
const url = pathToFileURL(file).href;

const input = new Socket({ fd: 3, readable: true, writable: false });
const output = new Socket({ fd: 4, readable: false, writable: true });
const abort = new AbortController();
const pending = new Map(); // call id → { tool, resolve, reject }
let lastId = 0;
let over = null; // why no more calls are executed
let reported = false; // whether the one output or error has been sent

// ── messages ────────────────────────────────────────────────────────────────────────────────────────────────────────────

let unfinished = []; // pieces of a line whose end has not come yet
input.on("data", (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    const line = Buffer.concat([...unfinished, chunk.subarray(from, end)]).toString("utf8");
    unfinished = [];
    from = end + 1;
    receive(line);
  }
  if (from < chunk.length) unfinished.push(chunk.subarray(from));
});
input.on("end", () => process.exit(0)); // Silo has gone, or has heard enough
input.on("error", () => process.exit(0));
output.on("error", () => {}); // nobody listens any more; the end of `input` says so too

function receive(line) {
  const { message, inexact } = decode(line);
  switch (message.type) {
    case "start":
      if (inexact) fail(`the task or a schema holds ${inexact}, which a JavaScript number cannot hold exactly`);
      else void run(message);
      break;
    case "result": {
      const call = pending.get(message.id);
      pending.delete(message.id);
      if (inexact) {
        call?.reject(
          new RangeError(
            `the result of \`${call.tool}\` holds ${inexact}, which a JavaScript number cannot hold exactly; ` +
              "a Python or `exec:` agent can read it",
          ),
        );
      } else call?.resolve({ output: message.output, isError: message.isError });
      break;
    }
    case "abort":
      over ??= message.reason;
      abort.abort(new DOMException(`the run has ended: ${message.reason}`, "AbortError"));
      break;
  }
}

function callTool(tool, toolInput = {}) {
  if (over !== null) return Promise.resolve(runEnded());
  return new Promise((resolve, reject) => {
    if (typeof tool !== "string") throw new TypeError(`callTool expects a tool's name, found ${kind(tool)}`);
    const text = encode(toolInput, "input", true);
    const id = ++lastId;
    pending.set(id, { tool, resolve, reject });
    output.write(`{"type":"call","id":${id},"tool":${encode(tool, "tool")},"input":${text}}\n`);
  });
}

function runEnded() {
  const message = `the run has ended (${over}): this call was not executed`;
  return { output: { code: "run_ended", message }, isError: true };
}

/** Sends the one message that ends the run, and lets the process go once it is on its way. */
function report(line, exitCode) {
  if (reported) return;
  reported = true;
  over ??= exitCode === 0 ? "the agent has given its output" : "the agent has failed";
  process.exitCode = exitCode;
  output.write(`${line}\n`, () => {
    input.unref();
    output.unref();
    setTimeout(() => process.exit(), exitCode === 0 ? LINGER_MS : 0).unref();
  });
}

function fail(message) {
  report(`{"type":"error","message":${JSON.stringify(message.toWellFormed?.() ?? message)}}`, 1);
}

/** Reports what the agent threw: the whole stack to its log, the message and the place to Silo. */
function failWith(thrown) {
  process.stderr.write(`${inspect(thrown)}\n`);
  if (!(thrown instanceof Error)) return fail(`the agent threw ${shown(thrown)} instead of an Error`);
  const place = placeOf(String(thrown.stack)) ?? (thrown instanceof SyntaxError ? placeOfSyntaxError() : undefined);
  fail(`${thrown.name}: ${oneLine(thrown.message)}${place ? `, at ${place}` : ""}${hintFor(thrown)}`);
}

function oneLine(text) {
  return text.trim().replace(/\s*\n\s*/g, " ");
}

/** The line of the agent's own file, or else of the innermost file, that a stack names. */
function placeOf(text) {
  const frames = text.matchAll(/(file:\/\/\S+?|(?<=^|[\s(])\/[^\n()]+?):(\d+)(?::\d+)?(?=[)\s]|$)/g);
  const places = [...frames].filter(([, at]) => !at.includes("/node_modules/") && !at.endsWith("/[eval1]"));
  const [, at, line] = places.find(([, frame]) => frame === url || frame === file) ?? places[0] ?? [];
  return at && `${at === url ? name : basename(at.startsWith("file:") ? decodeURI(at) : at)}:${line}`;
}

/** An error of the parser does not carry its place where `import()` throws it; only `node --check` prints it. */
function placeOfSyntaxError() {
  const { stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  process.stderr.write(stderr ?? "");
  return placeOf(stderr ?? "");
}

function hintFor(error) {
  const module = error instanceof SyntaxError && /\b(export|import)\b/.test(error.message) && name.endsWith(".js");
  return module ? '; name the file `.mjs`, or put `"type": "module"` into its package.json' : "";
}

// ── the agent ───────────────────────────────────────────────────────────────────────────────────────────────────────────

process.on("uncaughtException", (thrown) => failWith(thrown)); // unhandled rejections come here too

async function run({ task, tools, policy, answerSchema }) {
  let returned;
  try {
    const module = await import(url);
    const agent = defaultExport(module);
    if (typeof agent !== "function") return fail(describeExports(module, agent));
    returned = await agent({ task, tools, callTool, signal: abort.signal, policy, answerSchema });
  } catch (thrown) {
    return failWith(thrown);
  }
  const given = outputOf(returned);
  if (given === undefined) return fail(`the agent returned ${shown(returned)}; expected ${EXPECTED}`);
  try {
    report(`{"type":"output","output":${encode(given, "output")}}`, 0);
  } catch (error) {
    fail(`the agent's output is not what JSON can hold: ${error.message}`);
  }
}

/** The default export, also of a module that was compiled to CommonJS. */
function defaultExport(module) {
  return module.default?.__esModule ? module.default.default : module.default;
}

function describeExports(module, agent) {
  const wanted = "write `export default async function agent({ task, callTool }) { … }`";
  const plain = module.default?.__esModule ? module.default : module;
  const emptyCommonJs = typeof agent === "object" && agent !== null && Object.keys(agent).length === 0;
  if ("default" in plain && !emptyCommonJs) {
    return `the default export of \`${name}\` is ${kind(agent)}, not a function; ${wanted}`;
  }
  const others = Object.keys(plain).filter((key) => !["default", "module.exports", "__esModule"].includes(key));
  const has = others.length ? `it exports only ${others.map((key) => `\`${key}\``).join(", ")}` : "it exports nothing";
  return `\`${name}\` has no default export, ${has}; ${wanted}`;
}

/** What the agent returned as its output; undefined where it is none. */
function outputOf(returned) {
  if (returned === undefined || returned === null) return "";
  if (typeof returned === "string") return returned;
  if (typeof returned !== "object" || Array.isArray(returned) || !("output" in returned)) return undefined;
  return returned.output === undefined ? "" : returned.output;
}

// ── JSON with exact numbers ─────────────────────────────────────────────────────────────────────────────────────────────
// A number that a JavaScript number cannot hold is never rounded: an integer arrives as a BigInt, anything else is refused.

const MARK = `${randomUUID()}:`; // before the digits of an integer on its way through JSON.parse
const MAYBE_INEXACT = /[\d.]{16}|\d[eE]/;
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

function decode(line) {
  if (!MAYBE_INEXACT.test(line)) return { message: JSON.parse(line) };
  let inexact;
  const marked = line.replace(STRING_OR_NUMBER, (token) => {
    if (token[0] === '"' || same(token, String(Number(token)))) return token;
    if (/^-?\d+$/.test(token)) return `"${MARK}${token}"`;
    inexact ??= token;
    return token;
  });
  const big = (_, value) => (typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value);
  return { message: JSON.parse(marked, big), inexact };
}

/** Whether two spellings mean the same number. */
function same(a, b) {
  return normal(a) === normal(b);
}

function normal(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text; // Infinity
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** As JSON.stringify, but what that would drop or change without a word is an error that says where it is. */
function encode(value, path, bigInts = false, within = new Set()) {
  if (typeof value?.toJSON === "function") value = value.toJSON();
  switch (typeof value) {
    case "string":
      if (value.isWellFormed?.() === false) throw new TypeError(`\`${path}\` holds half of a surrogate pair`);
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    case "bigint":
      if (bigInts) return String(value);
      throw new TypeError(`\`${path}\` is a BigInt; write the JSON yourself and return it as a string`);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`\`${path}\` is ${value}, which is not a number in JSON`);
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        throw new RangeError(`\`${path}\` is ${value}: integers above 2^53 lose digits, use a BigInt`);
      }
      return String(value);
    case "object":
      break;
    default:
      throw new TypeError(`\`${path}\` is ${kind(value)}, which JSON cannot hold`);
  }
  if (value === null) return "null";
  if (within.has(value)) throw new TypeError(`\`${path}\` contains itself`);
  if (value instanceof Map || value instanceof Set) throw new TypeError(`\`${path}\` is ${kind(value)}, which JSON cannot hold`);
  within.add(value);
  const text = Array.isArray(value)
    ? `[${value.map((item, i) => encode(item, `${path}[${i}]`, bigInts, within)).join(",")}]`
    : `{${Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${encode(key, path)}:${encode(member, `${path}.${key}`, bigInts, within)}`)
        .join(",")}}`;
  within.delete(value);
  return text;
}

function kind(value) {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") {
    const type = value.constructor?.name;
    return type && type !== "Object" ? `a ${type}` : "an object";
  }
  return `a ${typeof value}`;
}

function shown(value) {
  const text = inspect(value, { depth: 1, breakLength: Infinity });
  return `${kind(value)} \`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}
