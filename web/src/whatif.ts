// What the picture would be if something were switched off.

import { type Picture, picture } from "./core";
import { fill, h } from "./dom";
import type { Desk, Tab } from "./tab";

interface Switches {
  switches: { name: string; label: string }[];
  every: boolean;
}

const on = new Set<string>();
let every = false;

export const whatIfTab: Tab = {
  id: "whatif",
  label: "What if",
  async render(body, desk) {
    const { store } = desk;
    const offered = await store.work(() => store.ask<Switches>("switches"));
    if (!offered) return;
    const result = h("div");
    const draw = () => void apply(result, desk);
    const box = (checked: boolean, label: string, change: (checked: boolean) => void) =>
      h("label", {}, h("input", { type: "checkbox", checked, onchange: (event: Event) => { change((event.target as HTMLInputElement).checked); draw(); } }), label);
    fill(
      body,
      h("div", { class: "callout" }, "The capture is drawn again up to this event with these changes. Nothing is kept."),
      h("div", { class: "switches" }, offered.switches.map(({ name, label }) =>
        box(on.has(name), label, (checked) => { if (checked) on.add(name); else on.delete(name); }))),
      offered.every && h("div", { class: "switches" }, box(every, "for every draw up to here, not only this one", (checked) => { every = checked; })),
      result,
    );
    if (on.size > 0) draw();
  },
};

async function apply(result: HTMLElement, desk: Desk): Promise<void> {
  const { store, view } = desk;
  const event = store.event();
  if (!event) return;
  if (on.size === 0) {
    fill(result);
    view.show("", null);
    return;
  }
  const named = store.named();
  const ours = await store.work(() => picture(store.core, `target?event=${event.event}&${named}`));
  const other = await store.work(() => picture(store.core, `whatif?event=${event.event}&${named}&do=${[...on].join(",")}&every=${every ? 1 : 0}`));
  if (event !== store.event()) return;
  view.show("what if", other ?? null);
  if (ours && other) fill(result, differences(ours, other));
}

function differences(a: Picture, b: Picture): HTMLElement {
  let changed = 0;
  for (let i = 0; i < a.words.length; i++) changed += Number(a.words[i] !== b.words[i]);
  return h("div", { class: changed ? "callout bad" : "callout good" },
    changed ? `${changed.toLocaleString("en")} of ${a.words.length.toLocaleString("en")} words would be others.` : "The same picture: this makes no difference here.");
}
