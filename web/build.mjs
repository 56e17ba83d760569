// Bundles the page into dist/, the files that are checked in and that the program carries.
// `--check` builds elsewhere and says whether dist/ is current.
import { build } from "esbuild";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const check = process.argv.includes("--check");
const out = check ? mkdtempSync(join(tmpdir(), "page-")) : "dist";

await build({
  entryPoints: ["src/app.ts", "src/worker.ts", "src/app.css"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: out,
  legalComments: "none",
});
cpSync("src/index.html", join(out, "index.html"));

if (check) {
  const stale = readdirSync(out).filter(
    (name) => readFileSync(join(out, name), "utf8") !== readFileSync(join("dist", name), "utf8"),
  );
  rmSync(out, { recursive: true });
  if (stale.length) {
    console.error(`web/dist is not current: ${stale.join(", ")}; run npm run build in web/`);
    process.exit(1);
  }
  console.log("web/dist is current");
}
