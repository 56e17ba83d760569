// Words as pixels.

import type { Picture } from "./core";

/** How words are shown. */
export interface Look {
  /** R, G, B, A: which are shown. */
  channels?: [boolean, boolean, boolean, boolean];
  /** The part of the range that is spread over black to white. */
  range?: [number, number];
  /** The low byte of a zeta word, not its depth. */
  stencil?: boolean;
  /** Alpha is not shown. */
  opaque?: boolean;
}

/** A channel of a word, 0 to 1. */
function part(word: number, mask: number): number {
  if (!mask) return 0;
  const shift = Math.clz32(mask & -mask) ^ 31;
  return ((word & mask) >>> shift) / (mask >>> shift);
}

const BYTES: [number, number, number, number] = [0xff, 0xff00, 0xff0000, 0xff000000];

/** Depth (0 to 1) or stencil (0 to 255) of a word. */
export function zeta(picture: Picture, word: number): { depth: number; stencil: number | null; raw: number } {
  if (picture.depth === 24) {
    return { depth: (word >>> 8) / 0xffffff, stencil: word & 0xff, raw: word >>> 8 };
  }
  return { depth: (word & 0xffff) / 0xffff, stencil: null, raw: word & 0xffff };
}

/** R, G, B, A from 0 to 1; alpha is null where the format has none. */
export function rgba(picture: Picture, word: number): [number, number, number, number | null] {
  const [r, g, b, a] = picture.channels ?? BYTES;
  return [part(word, r), part(word, g), part(word, b), a ? part(word, a) : null];
}

/** A picture to be put on a canvas. */
export function paint(picture: Picture, look: Look = {}): ImageData {
  const { width, height, words } = picture;
  const image = new ImageData(Math.max(1, width), Math.max(1, height));
  const out = image.data;
  const [low, high] = look.range ?? [0, 1];
  const scale = 255 / (high - low || 1e-9);
  const stretch = (value: number) => (value - low) * scale;
  if (picture.depth) {
    for (let i = 0; i < words.length; i++) {
      const { depth, stencil } = zeta(picture, words[i]);
      const grey = stretch(look.stencil ? (stencil ?? 0) / 255 : depth);
      out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = grey;
      out[4 * i + 3] = 255;
    }
    return image;
  }
  const shown = look.channels ?? [true, true, true, false];
  const only = shown.filter(Boolean).length === 1 ? shown.indexOf(true) : -1;
  for (let i = 0; i < words.length; i++) {
    const color = rgba(picture, words[i]);
    if (only >= 0) {
      const grey = stretch(color[only] ?? 1);
      out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = grey;
      out[4 * i + 3] = 255;
      continue;
    }
    for (let c = 0; c < 3; c++) out[4 * i + c] = shown[c] ? stretch(color[c] as number) : 0;
    out[4 * i + 3] = shown[3] && !look.opaque ? Math.round((color[3] ?? 1) * 255) : 255;
  }
  return image;
}

/** A pixel's value in words. */
export function describe(picture: Picture, x: number, y: number): string {
  const word = picture.words[y * picture.width + x];
  if (word === undefined) return "";
  if (picture.depth) {
    const { depth, stencil, raw } = zeta(picture, word);
    const digits = picture.depth === 24 ? 6 : 4;
    const text = `depth ${raw.toString(16).toUpperCase().padStart(digits, "0")}h  ${depth.toFixed(6)}`;
    return stencil === null ? text : `${text}  stencil ${stencil.toString(16).toUpperCase().padStart(2, "0")}h`;
  }
  const channels = rgba(picture, word).map((value) => (value === null ? "–" : String(Math.round(value * 255)).padStart(3)));
  const text = `R ${channels[0]}  G ${channels[1]}  B ${channels[2]}  A ${channels[3]}`;
  // Only surfaces come as the words that memory holds.
  return picture.pitch === undefined ? text : `${text}   ${(word >>> 0).toString(16).toUpperCase().padStart(8, "0")}h`;
}
