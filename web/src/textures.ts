// The textures of a draw: every level, face and slice.

import { picture } from "./core";
import { choice, fill, h, hex } from "./dom";
import { describe, paint } from "./paint";
import type { Desk, Tab } from "./tab";

interface Texture {
  unit: number;
  address: number;
  format: string;
  size: [number, number, number];
  cube: boolean;
  border: boolean;
  levels: [number, number, number][];
  error?: string;
}

let unit = 0;
let level = 0;
let layer = 0;

export const texturesTab: Tab = {
  id: "textures",
  label: "Textures",
  async render(body, desk) {
    const { store } = desk;
    const event = store.event();
    if (!event) return;
    const textures = await store.work(() => store.ask<Texture[]>(`textures?event=${event.event}`));
    if (!textures || event !== store.event()) return;
    const good = textures.filter((texture) => !texture.error);
    const broken = textures.filter((texture) => texture.error).map((texture) => h("div", { class: "callout bad" }, texture.error));
    if (good.length === 0) {
      fill(body, broken, h("div", { class: "callout" }, "No texture unit is on."));
      return;
    }
    const chosen = good.find((texture) => texture.unit === unit) ?? good[0];
    const big = h("div", { class: "texture" });
    fill(body, broken, h("div", { class: "thumbs" }, good.map((texture) => thumb(texture, chosen, desk))), big);
    void large(big, chosen, desk);
  },
};

async function canvasOf(desk: Desk, texture: Texture, at: { level: number; layer: number }) {
  const event = desk.store.event()?.event ?? 0;
  const part = texture.cube ? `face=${at.layer}` : `slice=${at.layer}`;
  const image = await desk.store.work(() => picture(desk.store.core, `texture?event=${event}&unit=${texture.unit}&level=${at.level}&${part}`));
  if (!image) return null;
  const canvas = h("canvas", { class: "check", width: image.width, height: image.height });
  canvas.getContext("2d")?.putImageData(paint(image, { channels: [true, true, true, true] }), 0, 0);
  return { canvas, image };
}

function thumb(texture: Texture, chosen: Texture, desk: Desk): HTMLElement {
  const pick = () => {
    unit = texture.unit;
    level = layer = 0;
    desk.again();
  };
  const figure = h(
    "figure",
    { class: texture === chosen ? "now" : "", tabIndex: 0, onclick: pick, onkeydown: (key: KeyboardEvent) => key.key === "Enter" && pick() },
    h("figcaption", {}, h("b", {}, `Unit ${texture.unit}`), ` ${texture.size.filter((n, i) => i < 2 || n > 1).join("x")} ${texture.format}`),
  );
  void canvasOf(desk, texture, { level: 0, layer: 0 }).then((made) => made && figure.prepend(made.canvas));
  return figure;
}

async function large(box: HTMLElement, texture: Texture, desk: Desk): Promise<void> {
  level = Math.min(level, texture.levels.length - 1);
  const size = texture.levels[level];
  const layers = texture.cube ? 6 : Math.max(1, size[2]);
  layer = Math.min(layer, layers - 1);
  const made = await canvasOf(desk, texture, { level, layer });
  if (!made) return;
  const value = h("div", { class: "mono dim" }, "Move over the texture for its texels.");
  const { canvas, image } = made;
  if (image.width < 256) canvas.style.width = `${image.width * Math.max(1, Math.floor(300 / image.width))}px`;
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * image.width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * image.height);
    value.textContent = `${x}, ${y}   ${describe(image, x, y)}`;
  });
  const faces = ["+X", "-X", "+Y", "-Y", "+Z", "-Z"];
  fill(
    box,
    h("div", { class: "tools" },
      h("b", {}, `${size[0]}x${size[1]}`), h("span", { class: "dim mono" }, `${texture.format} at ${hex(texture.address)}h`),
      texture.levels.length > 1 && choice("Level", texture.levels.map((_, i) => [String(i), `L${i}`] as const), String(level), (to) => {
        level = Number(to);
        void large(box, texture, desk);
      }),
      layers > 1 && layers <= 16 && choice(texture.cube ? "Face" : "Slice", Array.from({ length: layers }, (_, i) => [String(i), texture.cube ? faces[i] : String(i)] as const), String(layer), (to) => {
        layer = Number(to);
        void large(box, texture, desk);
      })),
    canvas,
    value,
  );
}
