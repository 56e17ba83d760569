// Sections of the reference pages, which the core has with it, in a dialog.

import { h } from "./dom";
import type { Desk } from "./tab";

interface Section {
  page: string;
  title: string;
  text: string;
}

/** A button that shows the section that a link such as `bundles.md#raster` names. */
export function referenceLink(link: string, desk: Desk): HTMLElement {
  return h("button", { type: "button", class: "reference", onclick: () => void open(link, desk) }, link);
}

async function open(link: string, desk: Desk): Promise<void> {
  const [page, at] = link.split("#");
  const section = await desk.store.work(() => desk.store.ask<Section>(`reference?page=${page}&at=${at ?? ""}`));
  if (!section) return;
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { class: "page" }, blocks(section.text), h("p", { class: "dim" }, `docs/reference/${link} `), close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** As much Markdown as the pages have: headings, tables, paragraphs. */
function blocks(text: string): HTMLElement[] {
  return text.split(/\n{2,}|\n(?=#)/).map((block) => block.trim()).filter(Boolean).map((block) => {
    if (block.startsWith("#")) return h("h3", {}, block.replace(/^#+\s*/, ""));
    return block.startsWith("|") ? table(block) : h("p", {}, inline(block));
  });
}

function table(block: string): HTMLElement {
  const rows = block.split("\n").map((line) => line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
  const [head, , ...rest] = rows;
  return h("table", {},
    h("tr", {}, head.map((cell) => h("th", {}, cell))),
    rest.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))));
}

/** `code` and **weight**. */
function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    return part.startsWith("**") ? h("b", {}, part.slice(2, -2)) : part;
  });
}
