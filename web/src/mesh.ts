// The vertices of a draw, before the vertex engine and behind it, and one of them step by step.

import { choice, count, fill, float, h, num } from "./dom";
import type { Desk, Tab } from "./tab";

interface Mesh {
  primitive: string;
  count: number;
  cut: boolean;
  numbers: (number | null)[] | null;
  attributes: { attribute: number; values: (number | null)[] }[];
  window: (number | null)[];
  colors: number[];
  sets: { set: number; values: (number | null)[] }[];
  shapes: number[][];
}
interface Way {
  inputs: number[][];
  steps: { slot?: number; text: string; writes?: Record<string, number[]> }[];
  seen: { what: string; index: number | null; values: number[] }[];
  outputs: Record<string, number[]>;
}
type Stage = "in" | "out";

let stage: Stage = "out";
let solid = true;
let turn = { x: 0, y: 0 };
let vertex: number | null = null;
let shownEvent = -1;

export const meshTab: Tab = {
  id: "mesh",
  label: "Mesh",
  async render(body, desk) {
    const { store } = desk;
    const event = store.event();
    if (!event) return;
    const mesh = await store.work(() => store.ask<Mesh | null>(`mesh?event=${event.event}`));
    if (event !== store.event()) return;
    if (!mesh || mesh.count === 0) {
      fill(body, h("div", { class: "callout" }, mesh ? "This draw has no vertices." : "Only draws have vertices."));
      return;
    }
    if (shownEvent !== event.event) vertex = null;
    shownEvent = event.event;
    if (mesh.attributes.length === 0) stage = "out";
    const canvas = h("canvas", { tabIndex: 0, "aria-label": "Mesh: drag to turn, click a vertex" });
    const way = h("div");
    const view = new Wire(canvas, mesh, (picked) => {
      vertex = picked;
      void steps(way, desk);
      view.draw();
      mark(table);
    });
    const table = list(mesh, (picked) => {
      vertex = picked;
      void steps(way, desk);
      view.draw();
      mark(table);
    });
    const stages: [Stage, string][] = mesh.attributes.length ? [["in", "Before XF"], ["out", "Behind XF"]] : [["out", "Behind the program"]];
    fill(
      body,
      h("div", { class: "tools" },
        choice("Stage", stages, stage, (to) => { stage = to; turn = { x: 0, y: 0 }; desk.again(); }),
        h("button", { type: "button", "aria-pressed": String(solid), onclick: () => { solid = !solid; desk.again(); } }, "Solid"),
        h("button", { type: "button", onclick: () => { turn = { x: 0, y: 0 }; view.draw(); } }, "Front"),
        h("span", { class: "dim" }, `${mesh.primitive.replaceAll("_", " ")}, ${count(mesh.count, "vertex").replace("vertexs", "vertices")}, ${count(mesh.shapes.length, "shape")}${mesh.cut ? ", cut" : ""}`)),
      h("div", { class: "mesh" }, canvas),
      way,
      table,
    );
    view.draw();
    if (vertex !== null) void steps(way, desk);
  },
};

/** The positions that are shown. */
function positions(mesh: Mesh): (number | null)[] {
  return stage === "in" ? (mesh.attributes[0]?.values ?? []) : mesh.window;
}

class Wire {
  private points: [number, number, number][] = [];
  private center: [number, number, number] = [0, 0, 0];
  private size = 1;

  constructor(private canvas: HTMLCanvasElement, private mesh: Mesh, private pick: (vertex: number) => void) {
    const values = positions(mesh);
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < mesh.count; i++) {
      const point = [0, 1, 2].map((c) => values[4 * i + c] ?? Number.NaN) as [number, number, number];
      this.points.push(point);
      for (let c = 0; c < 3; c++) {
        if (!Number.isFinite(point[c])) continue;
        low[c] = Math.min(low[c], point[c]);
        high[c] = Math.max(high[c], point[c]);
      }
    }
    // Behind XF depth has another unit than the window: it is shown as deep as the mesh is wide.
    const flat = stage === "out";
    const wide = Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
    const deep = Math.max(high[2] - low[2], 1e-9);
    if (flat) for (const point of this.points) point[2] = ((point[2] - low[2]) / deep) * wide * 0.6;
    if (flat) [low[2], high[2]] = [0, wide * 0.6];
    this.center = [0, 1, 2].map((c) => (low[c] + high[c]) / 2) as [number, number, number];
    this.size = Math.max(...[0, 1, 2].map((c) => high[c] - low[c]), 1e-9);
    this.mouse();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  private project(index: number): [number, number, number] {
    const [x, y, z] = this.points[index].map((value, c) => value - this.center[c]);
    const [sx, cx, sy, cy] = [Math.sin(turn.x), Math.cos(turn.x), Math.sin(turn.y), Math.cos(turn.y)];
    const [x1, z1] = [x * cy + z * sy, z * cy - x * sy];
    const [y1, z2] = [y * cx - z1 * sx, z1 * cx + y * sx];
    const { clientWidth, clientHeight } = this.canvas;
    const scale = (Math.min(clientWidth, clientHeight) * 0.86) / this.size;
    // Window coordinates grow downwards, object coordinates upwards.
    const up = stage === "out" ? 1 : -1;
    return [clientWidth / 2 + x1 * scale, clientHeight / 2 + up * y1 * scale, z2];
  }

  draw(): void {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    const at = this.points.map((_, index) => this.project(index));
    const shapes = this.mesh.shapes.filter((shape) => shape.every((v) => Number.isFinite(at[v]?.[0])));
    const depth = (shape: number[]) => shape.reduce((sum, v) => sum + at[v][2], 0) / shape.length;
    if (solid && shapes.length < 20000) shapes.sort((a, b) => depth(b) - depth(a));
    context.lineWidth = 1;
    for (const shape of shapes) {
      context.beginPath();
      shape.forEach((v, i) => (i ? context.lineTo(at[v][0], at[v][1]) : context.moveTo(at[v][0], at[v][1])));
      if (shape.length === 3) {
        context.closePath();
        if (solid) {
          context.fillStyle = this.color(shape);
          context.fill();
        }
      }
      context.strokeStyle = solid ? "#0b0d1088" : "#6cb2ff99";
      if (shape.length === 2) context.strokeStyle = "#6cb2ff";
      if (shape.length > 1) context.stroke();
    }
    if (this.mesh.count <= 400 || this.mesh.shapes.some((shape) => shape.length === 1)) {
      context.fillStyle = "#d7dce4";
      for (const [x, y] of at) context.fillRect(x - 1.5, y - 1.5, 3, 3);
    }
    if (vertex !== null && at[vertex]) {
      context.strokeStyle = "#ff9d45";
      context.lineWidth = 2;
      context.beginPath();
      context.arc(at[vertex][0], at[vertex][1], 6, 0, 7);
      context.stroke();
    }
  }

  private color(shape: number[]): string {
    const { colors } = this.mesh;
    if (colors.length === 0) return "#35506e";
    const part = (c: number) => Math.round(shape.reduce((sum, v) => sum + (colors[4 * v + c] ?? 0), 0) / shape.length);
    const rgb = [part(0), part(1), part(2)];
    // A mesh whose colours come from textures is black here.
    return Math.max(...rgb) < 24 ? "#35506e" : `rgb(${rgb.join(" ")})`;
  }

  private mouse(): void {
    let drag: { x: number; y: number; moved: boolean } | null = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      turn = { x: turn.x + dy / 120, y: turn.y + dx / 120 };
      drag = { x: event.clientX, y: event.clientY, moved: true };
      this.draw();
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) this.nearest(event);
      drag = null;
    });
  }

  private nearest(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    let [best, distance] = [-1, 900];
    this.points.forEach((_, index) => {
      const [x, y] = this.project(index);
      const far = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
      if (far < distance) [best, distance] = [index, far];
    });
    if (best >= 0) this.pick(best);
  }
}

const ROWS = 300;

function list(mesh: Mesh, pick: (vertex: number) => void): HTMLElement {
  const values = positions(mesh);
  const rows = Array.from({ length: Math.min(mesh.count, ROWS) }, (_, i) =>
    h("tr", { class: "click", "data-vertex": i, tabIndex: 0, onclick: () => pick(i), onkeydown: (key: KeyboardEvent) => key.key === "Enter" && pick(i) },
      h("td", { class: "n" }, i), h("td", { class: "n dim" }, mesh.numbers?.[i] ?? ""),
      [0, 1, 2, 3].map((c) => h("td", { class: "n" }, num(values[4 * i + c])))));
  return h("div", {}, h("h3", {}, stage === "in" ? "attribute 0" : "window position"),
    h("table", {}, h("tr", {}, ["vertex", "number", "x", "y", "z", "w"].map((name) => h("th", {}, name))), rows),
    mesh.count > ROWS && h("div", { class: "dim" }, `and ${mesh.count - ROWS} more`));
}

function mark(table: HTMLElement): void {
  for (const row of table.querySelectorAll<HTMLElement>("tr[data-vertex]")) {
    row.classList.toggle("now", Number(row.dataset.vertex) === vertex);
  }
}

/** The run of the chosen vertex. */
async function steps(box: HTMLElement, desk: Desk): Promise<void> {
  const { store } = desk;
  const event = store.event();
  if (!event || vertex === null) return;
  const chosen = vertex;
  const way = await store.work(() => store.ask<Way>(`vertex?event=${event.event}&vertex=${chosen}`));
  if (!way || chosen !== vertex || event !== store.event()) return;
  const row = (bits: number[]) => bits.map((word) => num(float(word))).join("   ");
  const inputs = way.inputs.map((bits, i) => [`v[${i}]`, bits] as const).filter(([, bits], i) => i === 0 || bits.some((b, c) => b !== (c === 3 ? 0x3f800000 : 0)));
  fill(
    box,
    h("h3", {}, `vertex ${chosen}`),
    inputs.length > 0 && h("details", {}, h("summary", {}, "attributes"), h("div", { class: "in" }, h("table", {}, inputs.map(([name, bits]) => h("tr", {}, h("td", { class: "n" }, name), h("td", { class: "n" }, row(bits))))))),
    h("div", { class: "steps" },
      way.steps.map((step, index) => h("div", { class: "step" }, h("span", { class: "at" }, step.slot ?? index), h("span", { style: "white-space:pre-wrap" }, step.text),
        Object.entries(step.writes ?? {}).map(([name, bits]) => h("span", { class: "res" }, `${name} = ${row(bits)}`)))),
      way.seen.map((seen) => h("div", { class: "step" }, h("span", { class: "at" }, seen.index ?? ""), h("span", {}, seen.what), h("span", { class: "res" }, row(seen.values))))),
    h("table", {}, Object.entries(way.outputs).map(([name, bits]) =>
      h("tr", {}, h("td", {}, name), h("td", { class: "n" }, /diffuse|specular/.test(name) ? bits.join("   ") : row(bits))))),
  );
}
