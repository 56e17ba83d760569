// What the tests share: the program, the browser, a server for the page's files.
import { spawn, spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.ISOTHERM ?? join(root, "target/release/isotherm");
export const dist = join(root, "web/dist");
export const shared = process.env.ISOTHERM_SHARED ?? join(root, "../shared");

/** Runs the program to its end. */
export function isotherm(...args) {
  const ran = spawnSync(program, ["--quiet", ...args], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`isotherm ${args[0]}: ${ran.stderr ?? ran.error}`);
}

/** Captures of all scenes, of every family, made by the program itself. */
export function demo() {
  const folder = mkdtempSync(join(tmpdir(), "isotherm-"));
  isotherm("demo", "--captures", "-o", folder);
  const names = readdirSync(folder).filter((name) => name.endsWith(".cap.zst"));
  return new Map(names.map((name) => [name.replace(".cap.zst", ""), join(folder, name)]));
}

/** The browser. */
export async function browse() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** Serves a capture with the program; gives the address and how to stop. */
export function inspect(...args) {
  const child = spawn(program, ["inspect", "--page", dist, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((done, failed) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      if (text.includes("\n")) done({ address: text.trim(), stop: () => child.kill() });
    });
    child.on("exit", (code) => failed(new Error(`isotherm inspect ended in ${code}`)));
  });
}

/** Serves the page's files alone, as any web server would. */
export function files() {
  const kinds = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm" };
  const server = createServer((request, reply) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1).split("?")[0];
    const path = join(dist, name);
    if (!/^[\w.-]+$/.test(name) || !existsSync(path)) {
      reply.writeHead(404).end("no such file");
      return;
    }
    reply.writeHead(200, { "content-type": kinds[name.split(".").pop()] });
    createReadStream(path).pipe(reply);
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () =>
      done({ address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() }),
    ),
  );
}

/** Fails with a message. */
export function check(good, message) {
  if (!good) throw new Error(message);
}

const tests = [];

/** Declares a test. */
export function test(name, body) {
  tests.push([name, body]);
}

/** Runs all tests, or those that ONLY names; the process ends in 1 if one fails. */
export async function run() {
  let failed = 0;
  const wanted = tests.filter(([name]) => new RegExp(process.env.ONLY ?? "").test(name));
  for (const [name, body] of wanted) {
    const start = performance.now();
    try {
      await body();
      console.log(`ok    ${name} (${Math.round(performance.now() - start)} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n      ${error.stack ?? error}`);
    }
  }
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
