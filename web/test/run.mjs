// The page in a real browser: over the program's native core, and over WebAssembly.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, check, demo, dist, files, inspect, run, test } from "./tools.mjs";

const captures = demo();
const browser = await browse();
const FAMILIES = ["celsius", "crowd", "rankine", "curie", "mali"];
const some = (name) => [...captures].find(([key]) => key === name || key.startsWith(name))?.[1];
const one = (chip) => [...captures].find(([key]) => key.includes(chip))?.[1];

/** A page that complains when anything on it does. */
async function open(address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["127.0.0.1"].includes(url.hostname) && !["data:", "blob:"].includes(url.protocol)) errors.push(`left the machine: ${url}`);
  });
  await page.goto(address);
  return { page, errors };
}

const shown = (page, event) => page.waitForSelector(`.stage[data-event="${event}"]`, { timeout: 20000 });
const now = (page) => page.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get("event")));
const pictureHash = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".view canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7);
  });

/** Everything a user does with one capture. */
async function walk(page, errors) {
  await page.waitForSelector(".row.now");
  const first = await now(page);
  await shown(page, first);
  const before = await pictureHash(page);
  await page.keyboard.press("Home");
  await shown(page, 0);
  await page.keyboard.press("End");
  const last = (await page.evaluate(() => Number(document.querySelector(".time input").max)));
  await shown(page, last);
  await page.keyboard.press("Home");
  for (let i = 0; i < Math.min(first, 40); i++) await page.keyboard.press("ArrowRight");
  await shown(page, Math.min(first, 40));
  if (first <= 40) check((await pictureHash(page)) === before, "another picture after going there and back");
  // The middle of the picture, by a click.
  const box = await page.locator(".view").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector(".history tr.click", { timeout: 20000 });
  const rows = await page.locator(".history tr.click").count();
  check(rows > 0, "no history");
  for (const tab of ["state", "programs", "textures", "mesh", "routing", "whatif", "compare", "pixel"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForFunction(() => document.querySelector(".body > div")?.childElementCount > 0, null, { timeout: 20000 });
  }
  check(errors.length === 0, errors.join("; "));
  check(await page.locator(".error").isHidden(), await page.locator(".error").innerText());
}

test("served: a torus opens, steps, and a click shows a pixel's history", async () => {
  const server = await inspect(some("torus"));
  try {
    const start = performance.now();
    const { page, errors } = await open(server.address);
    await page.waitForSelector(".row.now");
    await shown(page, await now(page));
    const took = performance.now() - start;
    console.log(`      first picture after ${Math.round(took)} ms`);
    await walk(page, errors);
    await page.close();
  } finally {
    server.stop();
  }
});

test("served: every family", async () => {
  for (const chip of FAMILIES) {
    check(one(chip), `no demo capture of ${chip}`);
    const server = await inspect(one(chip));
    try {
      const { page, errors } = await open(server.address);
      await walk(page, errors).catch((error) => { throw new Error(`${chip}: ${error.message}`); });
      await page.close();
    } finally {
      server.stop();
    }
  }
});

test("served: a link goes to its event and pixel", async () => {
  const server = await inspect(some("torus"));
  try {
    const { page } = await open(`${server.address}#event=1&pixel=100,100&surface=color`);
    await shown(page, 1);
    await page.waitForSelector(".history");
    check((await page.locator(".body b").first().innerText()) === "Pixel 100, 100", "another pixel");
    await page.close();
  } finally {
    server.stop();
  }
});

test("served: only with the token, only for this host, no other file", async () => {
  const server = await inspect(some("torus"));
  try {
    const url = new URL(server.address);
    for (const path of ["/", "/api/info", `${url.pathname.slice(0, -2)}/`, `${url.pathname}../Cargo.toml`, `${url.pathname}%2e%2e/x`]) {
      const reply = await fetch(`${url.origin}${path}`);
      check(reply.status === 404, `${path}: ${reply.status}`);
    }
    const { request } = await import("node:http");
    const status = await new Promise((done) =>
      request({ host: "127.0.0.1", port: url.port, path: `${url.pathname}api/info`, headers: { host: "evil.example" } }, (r) => done(r.statusCode)).end());
    check(status === 403, `another host: ${status}`);
  } finally {
    server.stop();
  }
});

test("served: two captures are compared", async () => {
  const server = await inspect(some("torus"), "--with", one("crowd"));
  try {
    const { page } = await open(server.address);
    await page.waitForSelector(".row.now");
    await page.click("#tab-compare");
    await page.waitForSelector(".body .callout.bad, .body .callout.good", { timeout: 20000 });
    await page.close();
  } finally {
    server.stop();
  }
});

const wasm = existsSync(join(dist, "isotherm.wasm"));

async function drop(page, path) {
  await page.setInputFiles("input[type=file]", path);
}

if (wasm) {
  test("WebAssembly: a torus is shown", async () => {
    const server = await files();
    try {
      const { page, errors } = await open(server.address);
      const start = performance.now();
      await drop(page, some("torus"));
      await page.waitForSelector(".row.now");
      await shown(page, await now(page));
      const took = performance.now() - start;
      console.log(`      first picture after ${Math.round(took)} ms`);
      await walk(page, errors);
      await page.close();
    } finally {
      server.stop();
    }
  });

  test("WebAssembly: every family", async () => {
    const server = await files();
    try {
      for (const chip of FAMILIES) {
        const { page, errors } = await open(server.address);
        await drop(page, one(chip));
        await walk(page, errors).catch((error) => { throw new Error(`${chip}: ${error.message}`); });
        await page.close();
      }
    } finally {
      server.stop();
    }
  });

  test("WebAssembly: broken files are errors, and the next one opens", async () => {
    const server = await files();
    try {
      const { page, errors } = await open(server.address);
      const good = readFileSync(some("torus"));
      const bad = [Buffer.from("nonsense"), good.subarray(0, good.length >> 1), Buffer.alloc(0)];
      for (const [index, bytes] of bad.entries()) {
        const path = join(tmpdir(), `broken-${index}.cap`);
        writeFileSync(path, bytes);
        await drop(page, path);
        await page.waitForSelector(".error:not([hidden])", { timeout: 20000 });
        check((await page.locator(".error").innerText()).length > 10, "no words");
        await page.click(".error button");
      }
      await drop(page, some("torus"));
      await page.waitForSelector(".row.now");
      check(errors.length === 0, errors.join("; "));
      await page.close();
    } finally {
      server.stop();
    }
  });
} else {
  console.log("skipped: no web/dist/isotherm.wasm (web/wasm.sh builds it)");
}

await run();
await browser.close();
