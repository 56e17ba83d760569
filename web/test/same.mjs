// The same answers from WebAssembly and from the native core, byte for byte: over all of the
// project's scenes, and over up to COUNT (200) captures of the shared data.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { check, demo, dist, root, shared } from "./tools.mjs";

const COUNT = Number(process.env.COUNT ?? 200);
const native = process.env.ANSWERS ?? join(root, "target/release/examples/answers");
const module = await WebAssembly.compile(readFileSync(join(dist, "isotherm.wasm")));

/** The core as WebAssembly, with one capture. */
async function inWasm(path) {
  let text = "";
  let exports;
  const panic = (at, bytes) => { text = Buffer.from(exports.memory.buffer, at >>> 0, bytes).toString(); };
  ({ exports } = await WebAssembly.instantiate(module, { page: { panic } }));
  const give = (bytes) => {
    const at = exports.room(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  };
  const guard = (call) => {
    try {
      return call();
    } catch (error) {
      throw new Error(`${path}: ${text || error.message}`);
    }
  };
  const answer = (good) => [good, Buffer.from(exports.memory.buffer, exports.answer() >>> 0, exports.answer_bytes() >>> 0)];
  const name = Buffer.from(path.split("/").pop());
  const file = readFileSync(path);
  const at = give(name);
  const [opened, said] = answer(guard(() => exports.open(at, name.length, give(file), file.length)));
  check(opened, `${path}: ${said}`);
  return (question) => {
    const bytes = Buffer.from(question);
    return answer(guard(() => exports.ask(give(bytes), bytes.length))).map((part) => (Buffer.isBuffer(part) ? Buffer.from(part) : part));
  };
}

/** The native core, with one capture. */
function inProgram(path) {
  const child = spawn(native, [path], { stdio: ["pipe", "pipe", "inherit"] });
  let kept = Buffer.alloc(0);
  let wake = () => {};
  child.stdout.on("data", (bytes) => { kept = Buffer.concat([kept, bytes]); wake(); });
  child.on("exit", () => wake());
  const ask = async (question) => {
    child.stdin.write(`${question}\n`);
    for (;;) {
      if (kept.length >= 5 && kept.length >= 5 + kept.readUInt32LE(1)) break;
      check(child.exitCode === null, `${path}: the native core ended`);
      await new Promise((done) => { wake = done; });
    }
    const end = 5 + kept.readUInt32LE(1);
    const reply = [kept[0], kept.subarray(5, end)];
    kept = kept.subarray(end);
    return reply;
  };
  return { ask, stop: () => child.stdin.end() };
}

async function compare(path) {
  const wasm = await inWasm(path);
  const { ask, stop } = inProgram(path);
  let pixels = 0;
  const both = async (question) => {
    const [a, b] = [wasm(question), await ask(question)];
    check(a[0] === b[0] && a[1].equals(b[1]), `${path}: ${question}: ${a[1].subarray(0, 200)} and ${b[1].subarray(0, 200)}`);
    return b[1];
  };
  const events = [];
  for (;;) {
    const more = JSON.parse(await both(`events?from=${events.length}`));
    events.push(...more.events);
    if (more.done) break;
  }
  const last = events.length - 1;
  const wanted = [...new Set([0, last >> 1, last])].filter((event) => event >= 0);
  for (const event of wanted) {
    for (const what of ["color", "zeta", "frame"]) pixels += (await both(`target?event=${event}&what=${what}`)).length / 4;
    for (const what of ["state", "programs", "textures", "mesh"]) await both(`${what}?event=${event}`);
  }
  stop();
  return pixels;
}

function* found(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* found(path);
    else if (/\.cap(\.zst)?$/.test(name)) yield path;
  }
}

const all = [...demo().values()];
if (existsSync(shared)) {
  const folders = ["streams", "nv2a/captures", "rsx/captures"].map((name) => join(shared, name)).filter(existsSync);
  // As many of each folder, from all over it.
  for (const folder of folders) {
    const list = [...found(folder)].filter((path) => statSync(path).size < 2 << 20);
    const share = Math.ceil(COUNT / folders.length);
    const step = Math.max(1, list.length / share);
    for (let i = 0; i < list.length; i += step) all.push(list[Math.floor(i)]);
  }
} else {
  console.log(`skipped: no shared data at ${shared}`);
}

let [done, failed, words] = [0, 0, 0];
for (const path of all) {
  try {
    words += await compare(path);
    done++;
  } catch (error) {
    failed++;
    console.log(`FAIL  ${error.message}`);
  }
}
console.log(`${done} captures give the same answers, ${failed} do not; ${Math.round(words)} words of pictures`);
process.exitCode = failed ? 1 : 0;
