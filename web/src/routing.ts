// The bundles of an event on the block diagram: who took them, who passed them on.

import { count, fill, h, hex } from "./dom";
import type { Tab } from "./tab";

interface Routing {
  sent: number;
  units: { unit: string; took: number }[];
  bundles: { name: string; bundle: string; index: number; word: number; takers: string[]; fields: string }[];
}

let only: string | null = null;

export const routingTab: Tab = {
  id: "routing",
  label: "Routing",
  async render(body, desk) {
    const { store } = desk;
    const event = store.event();
    if (!event) return;
    const routing = await store.work(() => store.ask<Routing | null>(`routing?event=${event.event}`));
    if (event !== store.event()) return;
    if (!routing) {
      fill(body, h("div", { class: "callout" }, "A Mali has no bundles: its jobs point to words in memory, which the State tab shows."));
      return;
    }
    const shown = routing.bundles.filter((bundle) => !only || bundle.takers.includes(only));
    const pick = (unit: string) => {
      only = only === unit ? null : unit;
      desk.again();
    };
    fill(
      body,
      diagram(routing, pick),
      h("div", { class: "tools" }, h("b", {}, count(routing.sent, "bundle")), h("span", { class: "dim" }, only ? `taken by ${only}` : "sent since the event before; click a unit to see what it took"),
        only && h("button", { type: "button", onclick: () => pick(only as string) }, "All")),
      h("table", {}, shown.map((bundle) =>
        h("tr", {}, h("td", { class: "n" }, bundle.name), h("td", { class: "n" }, hex(bundle.word)),
          h("td", { class: "w" }, bundle.takers.length ? bundle.takers.map((unit) => h("span", { class: "badge" }, unit)) : h("span", { class: "dim" }, "nobody"),
            bundle.fields && h("div", { class: "dim" }, bundle.fields))))),
    );
  },
};

const SVG = "http://www.w3.org/2000/svg";

function svg(tag: string, props: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

function diagram(routing: Routing, pick: (unit: string) => void): SVGElement {
  const [width, height, gap, across] = [84, 40, 14, 5];
  const all = [{ unit: "fe", took: routing.sent }, ...routing.units];
  const place = (index: number) => {
    const line = Math.floor(index / across);
    // The second line runs back below the first.
    const column = line % 2 ? across - 1 - (index % across) : index % across;
    return { x: 2 + column * (width + gap), y: 2 + line * (height + 26) };
  };
  const parts: SVGElement[] = [];
  all.forEach(({ unit, took }, index) => {
    const { x, y } = place(index);
    if (index > 0) {
      const from = place(index - 1);
      const turn = from.y !== y;
      const path = turn
        ? `M${from.x + width / 2} ${from.y + height} L${x + width / 2} ${y}`
        : from.x < x
          ? `M${from.x + width} ${y + height / 2} L${x} ${y + height / 2}`
          : `M${from.x} ${y + height / 2} L${x + width} ${y + height / 2}`;
      parts.push(svg("path", { d: path }));
    }
    const group = svg(
      "g",
      { class: `unit${took && index ? " took" : ""}`, tabindex: 0, "data-unit": unit },
      svg("rect", { x, y, width, height, rx: 6, "stroke-width": only === unit ? 3 : 1.5 }),
      svg("text", { x: x + width / 2, y: y + 18 }, unit.toUpperCase()),
      svg("text", { x: x + width / 2, y: y + 32, class: "sub" }, index ? (took ? `took ${took}` : "passed on") : `sent ${took}`),
    );
    if (index) group.addEventListener("click", () => pick(unit));
    parts.push(group);
  });
  const lines = Math.ceil(all.length / across);
  return svg("svg", { class: "pipe", viewBox: `0 0 ${across * (width + gap)} ${lines * (height + 26)}`, role: "img", "aria-label": "Block diagram" }, ...parts);
}
