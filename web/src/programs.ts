// Vertex and fragment programs and register combiners, with the chosen pixel's values.

import { fill, h, num } from "./dom";
import { type Fragment, fragments, type History, question, tree } from "./pixel";
import type { Desk, Tab } from "./tab";

interface Programs {
  vertex: string | null;
  fragment: string | null;
  combiners: string | null;
}
interface Step {
  text: string;
  word?: number;
  ran?: boolean;
  killed?: boolean;
  result?: (number | null)[];
  results?: [string, number][];
  lookup?: unknown;
}

export const programsTab: Tab = {
  id: "programs",
  label: "Programs",
  async render(body, desk) {
    const { store } = desk;
    const event = store.event();
    if (!event) return;
    const programs = await store.work(() => store.ask<Programs | null>(`programs?event=${event.event}`));
    if (event !== store.event()) return;
    if (!programs) {
      fill(body, h("div", { class: "callout" }, "Only draws run programs."));
      return;
    }
    const values = h("div");
    fill(
      body,
      values,
      programs.combiners && [h("h3", {}, "Register combiners"), listing(programs.combiners)],
      programs.fragment && [h("h3", {}, "Fragment program"), listing(programs.fragment)],
      h("h3", {}, "Vertex program"),
      programs.vertex ? listing(programs.vertex) : h("div", { class: "dim" }, store.info?.family === "Utgard" ? "The geometry job names no vertex program for these positions." : "Fixed function: no program. The Mesh tab shows a vertex step by step."),
    );
    void run(values, desk);
  },
};

function listing(text: string): HTMLElement {
  const lines = text.replace(/\n$/, "").split("\n");
  return h("div", { class: "steps" }, lines.map((line, index) =>
    h("div", { class: "step" }, h("span", { class: "at" }, index + 1), h("span", { style: "white-space:pre-wrap" }, line))));
}

/** What the units computed for the chosen pixel. */
async function run(box: HTMLElement, desk: Desk): Promise<void> {
  const { store } = desk;
  const asked = question(desk);
  const event = store.event();
  if (!asked || !event) {
    fill(box, h("div", { class: "callout" }, "Choose a pixel in the picture, and its values stand beside each line."));
    return;
  }
  const history = await store.work(() => store.ask<History>(asked));
  if (!history || asked !== question(desk)) return;
  const found = fragments(history, event.event);
  if (found.length === 0) {
    fill(box, h("div", { class: "callout" }, `This event has no fragment at ${store.pixel?.x}, ${store.pixel?.y}.`));
    return;
  }
  fill(box, found.map((fragment) => values(fragment, `${store.pixel?.x}, ${store.pixel?.y}`)));
}

function values(fragment: Fragment, where: string): HTMLElement {
  const program = fragment.program as { steps: Step[]; inputs: unknown; color: number[] } | null | undefined;
  const steps = program?.steps ?? (fragment.steps as Step[] | undefined) ?? [];
  const parts: [string, unknown][] = [
    ["inputs", program?.inputs ?? fragment.inputs ?? fragment.varyings],
    ["texture stages", fragment.stages],
    ["combiners", fragment.combiners],
    ["final combiner", fragment.final_combiner],
    ["colour", fragment.color],
  ];
  const some = (value: unknown) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return h(
    "div",
    {},
    h("h3", {}, `Values at ${where}, primitive ${fragment.primitive}`),
    steps.length > 0 && h("div", { class: "steps" }, steps.map(step)),
    parts.filter(([, value]) => some(value)).map(([name, value]) =>
      h("details", { open: name !== "inputs" }, h("summary", {}, name), h("div", { class: "in" }, tree(value)))),
  );
}

function step(step: Step, index: number): HTMLElement {
  const names = ["x", "y", "z", "w"];
  const written = step.results
    ? step.results.map(([name, value]) => `${name} = ${num(value)}`)
    : (step.result ?? []).map((value, i) => (value === null ? "" : `${names[i]} = ${num(value)}`)).filter(Boolean);
  const state = step.ran === false ? " off" : step.killed ? " kill" : "";
  return h(
    "div",
    { class: `step${state}` },
    h("span", { class: "at" }, step.word ?? index),
    h("span", { style: "white-space:pre-wrap" }, step.text),
    written.length > 0 && h("span", { class: "res" }, written.join("   ")),
    step.lookup ? h("span", { class: "res" }, tree(step.lookup)) : null,
  );
}
