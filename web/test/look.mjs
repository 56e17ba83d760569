// Takes a screenshot of a page: node test/look.mjs URL OUT [js]
import { chromium } from "playwright-core";
const [url, out, width = "1440", ...steps] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: Number(width), height: 900 } });
page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
page.on("pageerror", (e) => console.log("pageerror:", e.message));
await page.goto(url);
await page.waitForTimeout(1200);
for (const step of steps) {
  if (step.startsWith("key:")) await page.keyboard.press(step.slice(4));
  else if (step.startsWith("click:")) await page.click(step.slice(6));
  else if (step.startsWith("at:")) { const [x, y] = step.slice(3).split(",").map(Number); await page.mouse.click(x, y); }
  else if (step.startsWith("js:")) console.log(await page.evaluate(step.slice(3)));
  await page.waitForTimeout(500);
}
await page.screenshot({ path: out });
await browser.close();
