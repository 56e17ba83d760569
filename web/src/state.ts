// State words by unit: names, fields, what changed, what a word means.

import { fill, h, hex } from "./dom";
import { referenceLink } from "./reference";
import type { Desk, Tab } from "./tab";

interface Word {
  name: string;
  bundle: string;
  index: number;
  word: number;
  was: number | null;
  fields: string;
}
interface State {
  units: Record<string, Word[]>;
  surfaces: Record<string, unknown> | null;
}
interface Explained {
  name: string;
  names: string[];
  id: number | null;
  doc: string;
  undeclared: number;
  reference: string;
  fields: { name: string; bits: [number, number]; text: string; meaning: string; doc: string; remarks: string[] }[];
}
interface Why {
  reports: { vertices: number | null; pixels: number; reason: string | null; word: { name: string; bundle: string; word: number; fields: string } | null }[];
  traps: { class: number; method: number; data: number; reason: string }[];
}

let only: "changes" | "set" | "all" = "changes";
let search = "";

export const stateTab: Tab = {
  id: "state",
  label: "State",
  async render(body, desk) {
    const { store } = desk;
    const event = store.event();
    if (!event) return;
    const state = await store.work(() => store.ask<State | null>(`state?event=${event.event}`));
    if (event !== store.event()) return;
    if (!state) {
      fill(body, h("div", { class: "callout" }, "This event has no state of its own."));
      return;
    }
    const find = h("input", { type: "search", placeholder: "Register or field", value: search, "aria-label": "Search state" });
    const list = h("div");
    const show = () => fill(list, Object.entries(state.units).map(([unit, words]) => unitOf(unit, words, desk)));
    find.addEventListener("input", () => {
      search = find.value;
      show();
    });
    const why = h("div");
    fill(
      body,
      why,
      h("div", { class: "tools" }, find,
        h("span", { class: "choice", role: "group", "aria-label": "Which words" },
          (["changes", "set", "all"] as const).map((which) =>
            h("button", { type: "button", "aria-pressed": String(which === only), onclick: () => { only = which; desk.again(); } }, which === "set" ? "not zero" : which)))),
      list,
      state.surfaces && surfaces(state.surfaces),
    );
    show();
    if (event.kind === "draw") void reasons(why, desk);
  },
};

/** Why the draw shows nothing, and which methods were refused. */
async function reasons(box: HTMLElement, desk: Desk): Promise<void> {
  const { store } = desk;
  const event = store.event();
  if (!event || (event.pixels !== 0 && !event.traps)) return;
  const why = await store.work(() => store.ask<Why>(`why?event=${event.event}`));
  if (!why || event !== store.event()) return;
  const nothing = why.reports.filter((report) => report.reason);
  fill(
    box,
    nothing.map((report) =>
      h("div", { class: "callout bad" }, h("b", {}, "This draw shows nothing: "), report.reason,
        report.word && h("div", { class: "mono" }, `${report.word.name} = ${hex(report.word.word)}h  ${report.word.fields}`))),
    why.traps.length > 0 &&
      h("div", { class: "callout bad" }, h("b", {}, "Refused methods"), h("table", {}, why.traps.map((trap) =>
        h("tr", {}, h("td", { class: "n" }, `${hex(trap.class, 4)}:${hex(trap.method, 4)}`), h("td", { class: "n" }, hex(trap.data)), h("td", {}, trap.reason))))),
  );
}

function fits(word: Word): boolean {
  const text = `${word.name} ${word.fields}`.toLowerCase();
  if (search && !search.toLowerCase().split(/\s+/).every((part) => text.includes(part))) return false;
  if (search && only === "changes") return true;
  return only === "all" || (only === "set" ? word.word !== 0 : word.was !== null);
}

function unitOf(unit: string, words: Word[], desk: Desk): HTMLElement | null {
  const shown = words.filter(fits);
  if (shown.length === 0) return null;
  return h("div", {}, h("h3", {}, unit), h("table", {}, shown.flatMap((word) => row(word, desk))));
}

function row(word: Word, desk: Desk): HTMLElement[] {
  const detail = h("tr", { hidden: true }, h("td", { colSpan: 3 }));
  const toggle = async () => {
    detail.hidden = !detail.hidden;
    if (!detail.hidden) fill(detail.firstElementChild as HTMLElement, await explained(word, desk));
  };
  const main = h(
    "tr",
    {
      class: `click${word.was === null ? "" : " changed"}`,
      tabIndex: 0,
      onclick: toggle,
      onkeydown: (key: KeyboardEvent) => key.key === "Enter" && toggle(),
    },
    h("td", { class: "n" }, word.name),
    h("td", { class: "n" }, hex(word.word), word.was === null ? null : h("div", { class: "dim" }, `was ${hex(word.was)}`)),
    h("td", { class: "w dim" }, word.fields),
  );
  return [main, detail];
}

async function explained(word: Word, desk: Desk): Promise<HTMLElement> {
  const { store } = desk;
  const about = await store.work(() => store.ask<Explained>(`explain?bundle=${word.bundle}&index=${word.index}&word=${word.word}`));
  if (!about) return h("div");
  return h(
    "div",
    { class: "callout" },
    h("div", {}, about.doc || "No description."),
    about.names.length > 0 && h("div", { class: "dim" }, "also called ", h("span", { class: "mono" }, about.names.join(", "))),
    h("table", {}, about.fields.map((field) =>
      h("tr", {},
        h("td", { class: "n dim" }, field.bits[0] === field.bits[1] ? field.bits[0] : `${field.bits[1]}:${field.bits[0]}`),
        h("td", { class: "n" }, field.name),
        h("td", { class: "n" }, field.text),
        h("td", { class: "dim" }, [field.meaning, field.doc].filter(Boolean).join("; "), field.remarks.map((remark) => h("div", { class: "bad" }, remark)))))),
    about.undeclared ? h("div", { class: "bad" }, `bits ${hex(about.undeclared)}h are set and this chip does not have them`) : null,
    h("div", { class: "dim" }, "reference: ", referenceLink(about.reference, desk)),
  );
}

function surfaces(all: Record<string, unknown>): HTMLElement {
  const plane = (name: string) => {
    const found = all[name] as { address: number; pitch: number; format: string; swizzled: boolean } | null;
    return h("tr", {}, h("td", {}, name === "color" ? "colour" : name),
      h("td", { class: "n" }, found ? `${found.format} at ${hex(found.address)}h, ${found.swizzled ? "swizzled" : `${found.pitch} bytes per row`}` : "not bound"));
  };
  const samples = all.samples as [number, number];
  return h("div", {}, h("h3", {}, "surfaces"), h("table", {}, plane("color"), plane("zeta"),
    h("tr", {}, h("td", {}, "size"), h("td", { class: "n" }, `${all.width} x ${all.height}${samples[0] * samples[1] > 1 ? `, ${samples[0]}x${samples[1]} samples` : ""}`))));
}
