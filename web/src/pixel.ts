// The history of the chosen pixel, and what each unit did to one of its fragments.

import { count, fill, h, hex, num } from "./dom";
import { title } from "./events";
import { describe } from "./paint";
import type { Desk, Tab } from "./tab";

type Words = { color: number | null; zeta: number | null };
export interface Fragment {
  primitive: number;
  kind?: string;
  mode?: string;
  outcome: string;
  before: Words;
  after: Words;
  [name: string]: unknown;
}
interface Touch {
  event: number | null;
  touch?: { clear?: { before: Words; after: Words }; fragment?: Fragment; mali?: Fragment };
  change?: { what: string; before: number; after: number };
}
export interface History {
  address: number;
  start: number;
  end: number;
  touches: Touch[];
}

const OUTCOMES: Record<string, string> = {
  outside_depth_range: "outside the depth range",
  stencil_failed: "stencil test failed",
  depth_failed: "depth test failed",
  killed: "killed by a texture or program",
  alpha_failed: "alpha test failed",
  not_sampled: "not sampled",
  written: "written",
};

/** The question for the history of the chosen pixel. */
export function question(desk: Desk): string | null {
  const { store } = desk;
  const event = store.event();
  if (!event || !store.pixel) return null;
  return `history?event=${event.event}&${store.named()}&x=${store.pixel.x}&y=${store.pixel.y}`;
}

/** The fragments of an event in a history. */
export function fragments(history: History, event: number): Fragment[] {
  const found = history.touches.filter((touch) => touch.event === event);
  return found.map((touch) => touch.touch?.fragment ?? touch.touch?.mali).filter((f) => f !== undefined);
}

function words(touch: Touch): [Words, Words] {
  const inner = touch.touch?.clear ?? touch.touch?.fragment ?? touch.touch?.mali;
  if (inner) return [inner.before, inner.after];
  const { before, after } = touch.change ?? { before: 0, after: 0 };
  return [{ color: before, zeta: null }, { color: after, zeta: null }];
}

export const pixelTab: Tab = {
  id: "pixel",
  label: "Pixel",
  async render(body, desk) {
    const { store } = desk;
    const asked = question(desk);
    if (!asked || !store.pixel) {
      fill(body, h("div", { class: "callout" }, "Click a pixel of the picture to see everything that ever happened to it: clears, draws that wrote it, and draws that failed a test there."));
      return;
    }
    const { x, y } = store.pixel;
    const history = await store.work(() => store.ask<History>(asked));
    if (!history || asked !== question(desk)) return;
    const shown = desk.view.current();
    fill(
      body,
      h("div", { class: "tools" }, h("b", {}, `Pixel ${x}, ${y}`), h("span", { class: "dim mono" }, `at ${hex(history.address)}h`),
        h("span", { class: "dim" }, count(history.touches.length, "touch").replace("touchs", "touches"))),
      shown && h("div", { class: "mono", style: "margin-bottom:8px" }, describe(shown, x, y)),
      h("table", { class: "history" },
        h("tr", {}, ["Event", "What", "Result", "Word"].map((name) => h("th", {}, name))),
        history.touches.map((touch) => line(touch, desk))),
    );
    const here = store.event()?.event ?? -1;
    for (const fragment of fragments(history, here)) body.append(detail(fragment));
  },
};

function line(touch: Touch, desk: Desk): HTMLElement {
  const { store } = desk;
  const event = touch.event === null ? undefined : store.events[touch.event];
  const fragment = touch.touch?.fragment ?? touch.touch?.mali;
  const [before, after] = words(touch);
  const zeta = store.natural() === "zeta" || store.natural() === "stencil";
  const pick = (w: Words) => (zeta ? w.zeta : w.color) ?? w.color ?? w.zeta;
  const [a, b] = [pick(before), pick(after)];
  const result = fragment ? (OUTCOMES[fragment.outcome] ?? fragment.outcome) : touch.change ? "changed" : "cleared";
  return h(
    "tr",
    {
      class: `click${touch.event === store.now ? " now" : ""}`,
      tabIndex: 0,
      onclick: () => touch.event !== null && store.go(touch.event),
      onkeydown: (key: KeyboardEvent) => key.key === "Enter" && touch.event !== null && store.go(touch.event),
    },
    h("td", { class: "n" }, touch.event ?? "–"),
    h("td", {}, event ? `${title(event)}${event.kind === "draw" ? ` #${event.draw}` : ""}` : (touch.change?.what ?? "")),
    h("td", { class: fragment && fragment.outcome !== "written" ? "bad" : "good" }, result),
    h("td", { class: "n" }, b === null ? "" : a === b ? [swatch(b, zeta), hex(b)] : [swatch(a ?? 0, zeta), "→ ", swatch(b, zeta), hex(b)]),
  );
}

function swatch(word: number, zeta: boolean): HTMLElement {
  const color = zeta
    ? `rgb(${word >>> 24} ${word >>> 24} ${word >>> 24})`
    : `rgb(${(word >> 16) & 255} ${(word >> 8) & 255} ${word & 255})`;
  return h("i", { class: "swatch", style: `--c:${color}` });
}

/** Everything a fragment's record says, unit by unit. */
function detail(fragment: Fragment): HTMLElement {
  const kind = fragment.kind ?? fragment.mode ?? "primitive";
  const skip = new Set(["primitive", "kind", "mode", "outcome", "before", "after", "program", "steps", "state"]);
  const rows = Object.entries(fragment).filter(([name, value]) => {
    if (skip.has(name) || value === null) return false;
    return !(Array.isArray(value) && value.length === 0);
  });
  return h(
    "div",
    {},
    h("h3", {}, `${kind} ${fragment.primitive}: ${OUTCOMES[fragment.outcome] ?? fragment.outcome}`),
    rows.map(([name, value]) =>
      typeof value === "object"
        ? h("details", { open: ["depth_test", "stencil_test", "alpha_test", "write", "blend"].includes(name) },
            h("summary", {}, name.replaceAll("_", " ")), h("div", { class: "in" }, tree(value)))
        : h("div", { class: "flow" }, h("span", { class: "dim" }, name.replaceAll("_", " ")), h("span", { class: "mono" }, plain(value)))),
  );
}

function plain(value: unknown): string {
  // What is larger than any count or coordinate is a word or an address.
  if (typeof value === "number" && Number.isInteger(value) && value > 0xffff) return `${hex(value)}h`;
  if (typeof value === "number") return num(value);
  return String(value);
}

/** Plain data as a table. */
export function tree(value: unknown): HTMLElement {
  if (Array.isArray(value)) {
    if (value.every((part) => typeof part !== "object" || part === null)) {
      return h("span", { class: "mono" }, value.map(plain).join("   "));
    }
    if (value.every((part) => Array.isArray(part) && part.length === 2 && typeof part[0] === "string")) {
      return tree(Object.fromEntries(value as [string, unknown][]));
    }
    return h("div", {}, value.map((part, index) => h("div", { class: "flow", style: "align-items:start" }, h("span", { class: "dim mono" }, index), tree(part))));
  }
  if (typeof value === "object" && value !== null) {
    const rows = Object.entries(value).filter(([, part]) => part !== null && !(Array.isArray(part) && part.length === 0));
    return h("table", {}, rows.map(([name, part]) =>
      h("tr", {}, h("td", { class: "dim" }, name.replaceAll("_", " ")), h("td", { class: "w" }, typeof part === "object" ? tree(part) : h("span", { class: "mono" }, plain(part))))));
  }
  return h("span", { class: "mono" }, plain(value));
}
