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
    const combiners = h("div", { class: "combiners" }, programs.combiners && listing(programs.combiners));
    fill(
      body,
      values,
      programs.combiners && [h("h3", {}, "Register combiners"), combiners],
      programs.fragment && [h("h3", {}, "Fragment program"), listing(programs.fragment)],
      h("h3", {}, "Vertex program"),
      programs.vertex ? listing(programs.vertex) : h("div", { class: "dim" }, store.info?.family === "Utgard" ? "The geometry job names no vertex program for these positions." : "Fixed function: no program. The Mesh tab shows a vertex step by step."),
    );
    const last = await run(values, desk);
    if (last && programs.combiners) fill(combiners, listing(programs.combiners, besides(programs.combiners, last)));
  },
};

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");

/** A program's lines, with what is known of each. */
function listing(text: string, known: (string | undefined)[] = []): HTMLElement {
  return h("div", { class: "steps" }, linesOf(text).map((line, index) =>
    h("div", { class: "step" }, h("span", { class: "at" }, index + 1), h("span", { style: "white-space:pre-wrap" }, line),
      known[index] && h("span", { class: "res" }, known[index]))));
}

interface Operand {
  register: string;
  value: number[];
}

interface Half {
  inputs: Operand[];
  outputs: { register: string; out: number[] }[];
}

interface Stage {
  stage: number;
  rgb: Half;
  alpha: Half;
}

interface Final {
  inputs: Operand[];
  color: number[];
  e_times_f: number[] | null;
}

/** What each line of the combiners read and wrote for a fragment. */
function besides(text: string, fragment: Fragment): (string | undefined)[] {
  const stages = (fragment.combiners ?? []) as Stage[];
  const final = fragment.final_combiner as Final | null | undefined;
  const read = (inputs: Operand[]) =>
    inputs.filter((input) => input.register !== "ZERO").map((input) => `${input.register} ${input.value.join(" ")}`).join(", ");
  let stage: Stage | undefined;
  let last = false;
  return linesOf(text).map((line) => {
    const begins = /^stage (\d+)/.exec(line);
    if (begins) stage = stages.find((found) => found.stage === Number(begins[1]));
    last ||= line === "final";
    const writes = /^ {2}(rgb|alpha|E \* F) +(?:(\w+) = )?/.exec(line);
    if (!writes) return undefined;
    const [, part, register] = writes;
    if (last) {
      const results: Record<string, number[] | null | undefined> = { rgb: final?.color.slice(0, 3), alpha: final?.color.slice(3), "E * F": final?.e_times_f };
      const result = results[part];
      return result ? `→ ${result.join(" ")}` : undefined;
    }
    const half = part === "rgb" ? stage?.rgb : stage?.alpha;
    const wrote = half?.outputs.find((output) => output.register === register);
    return half && wrote && `${read(half.inputs)} → ${wrote.out.join(" ")}`;
  });
}

/** What the units computed for the chosen pixel; gives the last fragment there. */
async function run(box: HTMLElement, desk: Desk): Promise<Fragment | undefined> {
  const { store } = desk;
  const asked = question(desk);
  const event = store.event();
  if (!asked || !event) {
    fill(box, h("div", { class: "callout" }, "Choose a pixel in the picture, and its values stand beside each line."));
    return undefined;
  }
  const history = await store.work(() => store.ask<History>(asked));
  if (!history || asked !== question(desk)) return undefined;
  const found = fragments(history, event.event);
  if (found.length === 0) {
    fill(box, h("div", { class: "callout" }, `This event has no fragment at ${store.pixel?.x}, ${store.pixel?.y}.`));
    return undefined;
  }
  fill(box, found.map((fragment) => values(fragment, `${store.pixel?.x}, ${store.pixel?.y}`)));
  return found[found.length - 1];
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
