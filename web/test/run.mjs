// The page in a real browser: over the program's native core, and over WebAssembly.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, check, demo, dist, files, inspect, isotherm, run, shared, test } from "./tools.mjs";

const captures = demo();
const scratch = mkdtempSync(join(tmpdir(), "isotherm-page-"));
const browser = await browse();
const slow = Number(process.env.SLOW ?? 3);

/** A scene of each family, and the chip that the page has to name. */
const FAMILIES = [
  ["celsius-wheel", "nv10"],
  ["torus", "nv2a"],
  ["rankine-wheel", "nv34"],
  ["curie-wheel", "nv40"],
  ["mali-wheel", "mali400"],
];

/** The scene that the first picture is timed with: the benchmarks', where they are. */
const lit = join(shared, "bench/captures/nv20/lit_640x480.cap.zst");
const LIT = existsSync(lit) ? lit : captures.get("torus");

function scene(name) {
  check(captures.has(name), `the demo has no scene ${name}`);
  return captures.get(name);
}

/** A page that complains when anything on it does. */
async function open(address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.hostname !== "127.0.0.1" && !["data:", "blob:"].includes(url.protocol)) errors.push(`left the machine: ${url}`);
  });
  await page.goto(address);
  return { page, errors };
}

/** Drops a file onto the page, as a hand would. */
async function drop(page, path, name = path.split("/").pop()) {
  const bytes = readFileSync(path).toString("base64");
  const data = await page.evaluateHandle(([text, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    return data;
  }, [bytes, name]);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

const shown = (page, event) => page.waitForSelector(`.stage[data-event="${event}"]`, { timeout: 20000 * slow });
const link = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const now = async (page) => Number((await link(page)).event);
const said = (page) => page.locator(".body").innerText();
const pictureHash = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".view canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7);
  });

/** Waits until the page shows an event; gives it. */
async function ready(page) {
  await page.waitForSelector(".row.now", { timeout: 20000 * slow });
  const event = await now(page);
  await shown(page, event);
  return event;
}

/** Goes to the last event. */
async function toLast(page) {
  await page.waitForFunction(() => !document.querySelector(".time").innerText.includes("…"));
  await page.keyboard.press("End");
  const last = await page.evaluate(() => Number(document.querySelector(".time input").max));
  await shown(page, last);
  return last;
}

/** A click into the middle of the picture. */
async function clickMiddle(page) {
  const box = await page.locator(".view").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector(".history tr.click", { timeout: 20000 * slow });
}

async function fine(page, errors) {
  check(errors.length === 0, errors.join("; "));
  check(await page.locator(".error").isHidden(), await page.locator(".error").innerText());
}

/** Steps, clicks a pixel, and opens every tab. */
async function walk(page, errors) {
  const first = await ready(page);
  const before = await pictureHash(page);
  await page.keyboard.press("Home");
  await shown(page, 0);
  await toLast(page);
  await page.keyboard.press("Home");
  for (let i = 0; i < Math.min(first, 40); i++) await page.keyboard.press("ArrowRight");
  await shown(page, Math.min(first, 40));
  if (first <= 40) check((await pictureHash(page)) === before, "another picture after going there and back");
  await clickMiddle(page);
  for (const tab of ["state", "programs", "textures", "mesh", "routing", "whatif", "compare", "pixel"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForFunction(() => document.querySelector(".body > div")?.childElementCount > 0, null, { timeout: 20000 * slow });
  }
  await fine(page, errors);
}

/** The two ways to run the page: how a capture is opened, and how long the first picture may take. */
const cores = [
  {
    name: "served",
    limit: 1000,
    async start(capture, hash = "") {
      const server = await inspect(capture);
      const opened = await open(server.address + hash);
      // Since the browser began to load the page.
      const took = () => opened.page.evaluate(() => performance.now());
      return { ...opened, took, address: server.address, stop: server.stop };
    },
  },
];
if (existsSync(join(dist, "isotherm.wasm"))) {
  cores.push({
    name: "WebAssembly",
    limit: 3000,
    async start(capture, hash = "") {
      const server = await files();
      const opened = await open(server.address + hash);
      // The page asks for a program first; what is dropped before it knows is lost.
      await opened.page.waitForSelector(".welcome", { state: "attached", timeout: 20000 * slow });
      // Since the file was dropped.
      const began = performance.now();
      await drop(opened.page, capture);
      const took = async () => performance.now() - began;
      return { ...opened, took, address: server.address, stop: server.stop };
    },
  });
} else {
  console.log("skipped: the page over WebAssembly: no web/dist/isotherm.wasm (web/wasm.sh builds it)");
}

for (const { name, limit, start } of cores) {
  /** A test with one open capture. */
  const opened = (what, capture, body, hash) =>
    test(`${name}: ${what}`, async () => {
      const { page, errors, address, stop } = await start(capture(), hash);
      try {
        await body(page, errors, address);
        await page.close();
      } finally {
        stop();
      }
    });

  test(`${name}: there is a first picture`, async () => {
    const { page, errors, took, stop } = await start(LIT);
    try {
      await ready(page);
      const time = await took();
      // Told, not tested: a cold or busy machine is slower.
      console.log(`      first picture after ${Math.round(time)} ms, wanted below ${limit}`);
      await fine(page, errors);
      await page.close();
    } finally {
      stop();
    }
  });

  for (const [family, chip] of FAMILIES) {
    opened(`${family}: steps, pixels, tabs`, () => scene(family), async (page, errors) => {
      await walk(page, errors);
      const badge = await page.locator(".badge.chip").innerText();
      check(badge.startsWith(`${chip} `), `the page says ${badge}`);
    });
  }

  opened("switches draw the picture again, and nothing is kept", () => scene("torus"), async (page, errors) => {
    await ready(page);
    const before = await pictureHash(page);
    await page.click("#tab-whatif");
    const box = page.getByLabel("not drawn at all");
    await box.check();
    await page.waitForSelector(".body .callout.bad", { timeout: 20000 * slow });
    check((await pictureHash(page)) !== before, "the same picture without the draw");
    await box.uncheck();
    await page.waitForSelector(".body .callout.bad", { state: "detached" });
    await page.click("#tab-state");
    await page.waitForFunction((hash) => {
      const canvas = document.querySelector(".view canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7) === hash;
    }, before);
    await fine(page, errors);
  });

  opened("combiners have the pixel's values beside each line", () => scene("combine-two"), async (page, errors) => {
    await ready(page);
    await clickMiddle(page);
    await page.click("#tab-programs");
    await page.waitForSelector(".combiners .res", { timeout: 20000 * slow });
    const lines = await page.locator(".combiners .step").allInnerTexts();
    const first = lines.find((line) => line.includes("SPARE0 = TEXTURE0 * PRIMARY_COLOR"));
    check(/TEXTURE0 \d+ \d+ \d+, PRIMARY_COLOR \d+ \d+ \d+ → \d+ \d+ \d+/.test(first ?? ""), lines.join(" | "));
    const end = await page.locator(".combiners .res").allInnerTexts();
    check(end.filter((text) => /^→ \d+ \d+ \d+$/.test(text)).length === 1, end.join(" | "));
    await fine(page, errors);
  });

  opened("a Mali has switches, too", () => scene("mali-wheel"), async (page, errors) => {
    await ready(page);
    await page.click("#tab-whatif");
    await page.getByLabel("single precision in fragment programs").check();
    await page.waitForSelector(".body .callout.good, .body .callout.bad", { timeout: 20000 * slow });
    await fine(page, errors);
  });

  opened("a PNG is compared", () => scene("torus"), async (page, errors) => {
    const png = join(scratch, `${name}.png`);
    isotherm("replay", scene("torus"), "-o", png);
    await ready(page);
    await toLast(page);
    await page.click("#tab-compare");
    await page.setInputFiles(".body input[type=file]", png);
    await page.waitForSelector(".body .callout.good", { timeout: 20000 * slow });
    check((await said(page)).includes("Equal to"), await said(page));
    // The first event's picture is another one, and the worst pixel has a history.
    await page.keyboard.press("Home");
    await shown(page, 0);
    await page.click("#tab-compare");
    await page.waitForSelector(".body .callout.bad", { timeout: 20000 * slow });
    await page.getByRole("button", { name: "Its history" }).click();
    await page.waitForSelector(".history", { timeout: 20000 * slow });
    await fine(page, errors);
  });

  opened("a second capture is compared", () => scene("torus"), async (page, errors) => {
    await ready(page);
    await page.click("#tab-compare");
    await page.setInputFiles(".body input[type=file]", scene("cull"));
    await page.waitForFunction(() => /commands part|surface differs/.test(document.querySelector(".body").innerText), null, { timeout: 20000 * slow });
    await page.getByRole("button", { name: "Stop comparing" }).click();
    await page.waitForFunction(() => !/commands part|surface differs|Stop comparing/.test(document.querySelector(".body").innerText), null, { timeout: 20000 * slow });
    // One that is chosen while another is on its way takes its place.
    await page.setInputFiles(".body input[type=file]", scene("cull"));
    await page.setInputFiles(".body input[type=file]", scene("torus"));
    await page.waitForFunction(() => document.querySelector(".body").innerText.includes("Every surface is the same"), null, { timeout: 20000 * slow });
    await fine(page, errors);
  });

  test(`${name}: a link leads to its event, pixel and file`, async () => {
    const first = await start(scene("torus"));
    let hash;
    try {
      await ready(first.page);
      await first.page.keyboard.press("ArrowRight");
      await clickMiddle(first.page);
      await first.page.click("#share");
      const parts = await link(first.page);
      check(parts.event && /^\d+,\d+$/.test(parts.pixel) && /^[0-9a-f]{16}$/.test(parts.hash), JSON.stringify(parts));
      hash = `#${new URL(first.page.url()).hash.slice(1)}`;
      await first.page.close();
    } finally {
      first.stop();
    }
    const wanted = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    const again = await start(scene("torus"), hash);
    try {
      await shown(again.page, wanted.event);
      await again.page.waitForSelector(".history");
      const title = await again.page.locator(".body b").first().innerText();
      check(title === `Pixel ${wanted.pixel.replace(",", ", ")}`, title);
      await fine(again.page, again.errors);
      await again.page.close();
    } finally {
      again.stop();
    }
    const other = await start(scene("cull"), hash);
    try {
      await other.page.waitForSelector(".error:not([hidden])", { timeout: 20000 * slow });
      check((await other.page.locator(".error").innerText()).includes("another file"), "no word of the other file");
      await other.page.close();
    } finally {
      other.stop();
    }
  });

  for (const [family, word] of [["torus", "CULL_FACE"], ["mali-wheel", "RSW"]]) {
    opened(`${family}: a word leads to its reference page`, () => scene(family), async (page, errors) => {
      await ready(page);
      await page.click("#tab-state");
      await page.getByRole("button", { name: "all", exact: true }).click();
      await page.fill("input[aria-label='Search state']", word);
      await page.locator(".body tr.click").first().click();
      await page.locator("button.reference").first().click();
      await page.waitForSelector("dialog.page table tr td");
      check((await page.locator("dialog.page h3").count()) > 0, "no heading");
      await page.getByRole("button", { name: "Close" }).last().click();
      await fine(page, errors);
    });
  }

  opened("broken files are errors, and the next good one opens", () => scene("torus"), async (page, errors) => {
    await ready(page);
    const good = readFileSync(scene("torus"));
    const bad = [Buffer.from("nonsense"), good.subarray(0, good.length >> 1), Buffer.alloc(0), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 9])];
    for (const [index, bytes] of bad.entries()) {
      const path = join(scratch, `broken-${index}.cap`);
      writeFileSync(path, bytes);
      await drop(page, path);
      await page.waitForSelector(".error:not([hidden])", { timeout: 20000 * slow });
      const text = await page.locator(".error").innerText();
      check(text.includes(`broken-${index}.cap`) && !text.includes("panic"), text);
      await page.click(".error button");
    }
    await drop(page, scene("cull"));
    await page.waitForFunction(() => document.querySelector(".file").textContent === "cull.cap.zst", null, { timeout: 20000 * slow });
    await ready(page);
    await fine(page, errors);
  });

  const hostile = join(shared, "hostile");
  if (existsSync(hostile)) {
    opened("hostile files end in a list or an error", () => scene("torus"), async (page, errors) => {
      await ready(page);
      for (const file of readdirSync(hostile).filter((file) => /^(lima_bomb|mem_12x|surf_8192|mali_low|mali_copy|nv40_128m)/.test(file))) {
        await drop(page, join(hostile, file));
        // Something is told: what is wrong, or the file's name above its events.
        await page.waitForFunction((file) => !document.querySelector(".error").hidden || document.querySelector(".file").textContent === file, file, { timeout: 120000 * slow });
        const error = page.locator(".error");
        if (await error.isVisible()) {
          const text = await error.textContent();
          check(!/core failed/.test(text), `${file}: ${text}`);
          // A file that opens meanwhile closes the message by itself.
          await page.evaluate(() => document.querySelector(".error button").click());
        }
      }
      check(errors.length === 0, errors.join("; "));
    });
  } else {
    console.log(`skipped: no hostile files at ${hostile}`);
  }
}

test("served: only with the token, only for this host, no other file", async () => {
  const server = await inspect(scene("torus"));
  try {
    const url = new URL(server.address);
    for (const path of ["/", "/api/info", `${url.pathname.slice(0, -2)}/`, `${url.pathname}../Cargo.toml`, `${url.pathname}%2e%2e/x`]) {
      const reply = await fetch(`${url.origin}${path}`);
      check(reply.status === 404, `${path}: ${reply.status}`);
    }
    const status = await new Promise((done) =>
      request({ host: "127.0.0.1", port: url.port, path: `${url.pathname}api/info`, headers: { host: "evil.example" } }, (r) => done(r.statusCode)).end());
    check(status === 403, `another host: ${status}`);
  } finally {
    server.stop();
  }
});

test("served: a second capture of the command line is compared", async () => {
  const server = await inspect(scene("torus"), "--with", scene("cull"));
  try {
    const { page } = await open(server.address);
    await ready(page);
    await page.click("#tab-compare");
    await page.waitForSelector(".body .callout.bad, .body .callout.good", { timeout: 20000 * slow });
    await page.close();
  } finally {
    server.stop();
  }
});

await run();
await browser.close();
