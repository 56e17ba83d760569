// Takes the pictures of docs/inspector.md: node test/pictures.mjs
import { join } from "node:path";
import { browse, demo, inspect, root } from "./tools.mjs";

const captures = demo();
const browser = await browse();

/** Opens a capture at a link, does some steps, and takes a picture. */
async function take(name, capture, link, ...steps) {
  const server = await inspect(captures.get(capture) ?? capture);
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
  page.on("pageerror", (error) => console.log(`${name}: ${error.message}`));
  await page.goto(`${server.address}#${link}`);
  await page.waitForSelector(".row.now");
  if (link.includes("pixel")) await page.waitForSelector(".history");
  await page.waitForTimeout(800);
  for (const step of steps) {
    if (typeof step === "string") await page.keyboard.press(step);
    else await step(page);
    await page.waitForTimeout(600);
  }
  await page.screenshot({ path: join(root, "docs/pictures", `${name}.png`) });
  console.log(name);
  await page.close();
  server.stop();
}

const drag = (x, y) => async (page) => {
  const box = await page.locator(".mesh canvas").boundingBox();
  await page.mouse.move(box.x + 150, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 150 + x, box.y + 150 + y, { steps: 6 });
  await page.mouse.up();
};

await take("inspector", "torus", "event=40&pixel=207,97");
await take("inspector-programs", "tex-linear", "event=1&pixel=100,100", "3");
await take("inspector-mesh", "torus", "event=12", "5", drag(90, 40), (page) => page.click('tr[data-vertex="3"]'));
await take("inspector-routing", "torus", "event=0", "6");
await browser.close();
