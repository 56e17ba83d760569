// The picture: zoom, channels, range, values, the chosen pixel.

import { type Picture, picture } from "./core";
import { choice, fill, h } from "./dom";
import { describe, type Look, paint } from "./paint";
import type { Pixel, Store, Surface } from "./store";

type Mix = "ours" | "theirs" | "difference";

/** A picture to compare with. */
export interface Other {
  name: string;
  image: ImageData;
}

export class PictureView {
  readonly element: HTMLElement;
  private bar = h("div", { class: "bar" });
  private canvas = h("canvas");
  private note = h("div", { class: "note" });
  private tip = h("div", { class: "tip", hidden: true });
  private view = h("div", { class: "view", tabIndex: 0, "aria-label": "Picture" }, this.canvas, this.note, this.tip);
  private off = document.createElement("canvas");
  private shown: Picture | null = null;
  private channels: [boolean, boolean, boolean, boolean] = [true, true, true, false];
  private range: [number, number] = [0, 1];
  private zoom = 0;
  private origin = { x: 0, y: 0 };
  private asked = 0;
  private override: Picture | null = null;
  private overrideName = "";
  other: Other | null = null;
  mix: Mix = "ours";

  constructor(private store: Store) {
    this.element = h("section", { class: "stage" }, this.bar, this.view);
    store.on(["capture"], () => {
      this.shown = null;
      this.zoom = 0;
      this.tools();
      this.draw();
    });
    store.on(["event", "surface"], () => {
      this.override = null;
      this.tools();
      void this.load();
    });
    store.on(["pixel"], () => this.draw());
    store.on(["compare"], () => {
      this.tools();
      this.repaint();
    });
    new ResizeObserver(() => this.draw()).observe(this.view);
    this.mouse();
    this.tools();
  }

  /** The picture that is shown. */
  current(): Picture | null {
    return this.shown;
  }

  /** Shows something else than the capture's own picture, until another event is chosen. */
  show(name: string, other: Picture | null): void {
    this.override = other;
    this.overrideName = name;
    if (other) {
      this.shown = other;
      this.repaint();
    } else {
      void this.load();
    }
    this.tools();
  }

  /** Asks for the picture of the event. */
  async load(): Promise<void> {
    const { store } = this;
    const event = store.event();
    const asked = ++this.asked;
    if (!event) return;
    const question = `target?event=${event.event}&${store.named()}&before=${store.before ? 1 : 0}`;
    const found = await store.work(() => picture(store.core, question));
    if (asked !== this.asked) return;
    this.shown = found && found.width && found.height ? found : null;
    fill(this.note, this.shown ? "" : "No such surface is bound at this event.");
    this.repaint();
    this.element.dataset.event = String(event.event);
  }

  private look(): Look {
    const stencil = this.store.natural() === "stencil";
    return { channels: this.channels, range: this.range, stencil };
  }

  private repaint(): void {
    if (this.shown) {
      let data = paint(this.shown, this.look());
      if (this.other && this.mix !== "ours") data = this.mixed(data, this.other.image);
      this.off.width = data.width;
      this.off.height = data.height;
      this.off.getContext("2d")?.putImageData(data, 0, 0);
    }
    this.draw();
  }

  private mixed(ours: ImageData, theirs: ImageData): ImageData {
    if (this.mix === "theirs") return theirs;
    const out = new ImageData(ours.width, ours.height);
    for (let y = 0; y < ours.height; y++) {
      for (let x = 0; x < ours.width; x++) {
        const at = 4 * (y * ours.width + x);
        const there = x < theirs.width && y < theirs.height ? 4 * (y * theirs.width + x) : -1;
        let most = there < 0 ? 255 : 0;
        for (let c = 0; c < 3 && there >= 0; c++) {
          most = Math.max(most, Math.abs(ours.data[at + c] - theirs.data[there + c]));
        }
        const grey = (ours.data[at] + ours.data[at + 1] + ours.data[at + 2]) / 12;
        out.data.set(most ? [128 + most / 2, grey / 2, grey / 2, 255] : [grey, grey, grey, 255], at);
      }
    }
    return out;
  }

  private fit(): number {
    if (!this.shown) return 1;
    const { clientWidth, clientHeight } = this.view;
    const scale = Math.min((clientWidth - 24) / this.shown.width, (clientHeight - 24) / this.shown.height);
    return scale >= 1 ? Math.max(1, Math.floor(scale * 2) / 2) : scale;
  }

  /** Zooms around a point; 0 fits the window. */
  setZoom(zoom: number, at?: Pixel): void {
    const old = this.scale();
    const { clientWidth, clientHeight } = this.view;
    const point = at ?? { x: clientWidth / 2, y: clientHeight / 2 };
    if (zoom === 0) {
      this.zoom = 0;
    } else {
      const [left, top] = this.corner();
      this.zoom = Math.max(0.05, Math.min(64, zoom));
      this.origin = {
        x: point.x - ((point.x - left) / old) * this.zoom,
        y: point.y - ((point.y - top) / old) * this.zoom,
      };
    }
    this.tools();
    this.draw();
  }

  scale(): number {
    return this.zoom || this.fit();
  }

  private corner(): [number, number] {
    if (!this.shown) return [0, 0];
    if (this.zoom) return [this.origin.x, this.origin.y];
    const scale = this.fit();
    const { clientWidth, clientHeight } = this.view;
    return [
      Math.round((clientWidth - this.shown.width * scale) / 2),
      Math.round((clientHeight - this.shown.height * scale) / 2),
    ];
  }

  private draw(): void {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.view;
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    const context = this.canvas.getContext("2d");
    if (!context || !this.shown) return;
    context.scale(ratio, ratio);
    const scale = this.scale();
    const [left, top] = this.corner();
    const [width, height] = [this.shown.width * scale, this.shown.height * scale];
    context.fillStyle = "#000";
    context.fillRect(left - 1, top - 1, width + 2, height + 2);
    if (this.channels[3]) checker(context, left, top, width, height);
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(this.off, left, top, width, height);
    context.strokeStyle = "#3a414d";
    context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
    const { pixel } = this.store;
    if (pixel) mark(context, left + pixel.x * scale, top + pixel.y * scale, Math.max(scale, 3));
  }

  private mouse(): void {
    const at = (event: MouseEvent): Pixel => {
      const box = this.view.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const pixelAt = (event: MouseEvent): Pixel | null => {
      const point = at(event);
      const [left, top] = this.corner();
      const x = Math.floor((point.x - left) / this.scale());
      const y = Math.floor((point.y - top) / this.scale());
      const inside = this.shown && x >= 0 && y >= 0 && x < this.shown.width && y < this.shown.height;
      return inside ? { x, y } : null;
    };
    let drag: (Pixel & { moved: boolean }) | null = null;
    this.view.addEventListener("pointerdown", (event) => {
      drag = { ...at(event), moved: false };
      this.view.setPointerCapture(event.pointerId);
    });
    this.view.addEventListener("pointermove", (event) => {
      const point = at(event);
      if (drag && (drag.moved || Math.hypot(point.x - drag.x, point.y - drag.y) > 4)) {
        if (!this.zoom) {
          const [x, y] = this.corner();
          this.zoom = this.fit();
          this.origin = { x, y };
        }
        this.origin.x += point.x - drag.x;
        this.origin.y += point.y - drag.y;
        drag = { ...point, moved: true };
        this.draw();
      }
      this.hover(pixelAt(event));
    });
    this.view.addEventListener("pointerup", (event) => {
      const pixel = pixelAt(event);
      if (drag && !drag.moved && pixel) this.choose(pixel);
      drag = null;
    });
    this.view.addEventListener("pointerleave", () => this.hover(null));
    this.view.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.setZoom(this.scale() * 2 ** (-event.deltaY / 240), at(event));
      },
      { passive: false },
    );
  }

  /** Chooses a pixel. */
  choose(pixel: Pixel | null): void {
    this.store.pixel = pixel;
    this.store.tell("pixel");
  }

  /** Moves the chosen pixel. */
  nudge(x: number, y: number): void {
    const { shown } = this;
    if (!shown) return;
    const from = this.store.pixel ?? { x: shown.width >> 1, y: shown.height >> 1 };
    const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));
    this.choose({ x: clamp(from.x + x, shown.width), y: clamp(from.y + y, shown.height) });
  }

  private hover(pixel: Pixel | null): void {
    this.tip.hidden = !pixel || !this.shown;
    if (pixel && this.shown) this.tip.textContent = `${pixel.x}, ${pixel.y}   ${describe(this.shown, pixel.x, pixel.y)}`;
  }

  /** Switches one channel, or shows the usual ones. */
  private channel(index: number): void {
    this.channels[index] = !this.channels[index];
    if (!this.channels.some(Boolean)) this.channels = [true, true, true, false];
    this.tools();
    this.repaint();
  }

  private setRange(index: number, value: number): void {
    this.range[index] = value;
    if (this.range[0] >= this.range[1]) this.range[index] = index ? this.range[0] + 0.001 : this.range[1] - 0.001;
    this.repaint();
  }

  /** Spreads the values that there are over the whole range. */
  private auto(): void {
    if (!this.shown) return;
    const plain = paint(this.shown, { ...this.look(), range: [0, 1] });
    let [low, high] = [255, 0];
    for (let i = 0; i < plain.data.length; i++) {
      if (i % 4 === 3) continue;
      low = Math.min(low, plain.data[i]);
      high = Math.max(high, plain.data[i]);
    }
    this.range = high > low ? [low / 255, high / 255] : [0, 1];
    this.tools();
    this.repaint();
  }

  private tools(): void {
    const { store } = this;
    const natural = store.natural();
    const surfaces: [Surface, string, string][] = [
      ["color", "Colour", "Colour target (c)"],
      ["zeta", "Depth", "Depth (z)"],
      ["stencil", "Stencil", "Stencil (s)"],
      ["frame", "Picture", "The capture's picture (p)"],
    ];
    const pickSurface = (surface: Surface) => {
      store.surface = surface;
      this.range = [0, 1];
      store.tell("surface");
    };
    const slider = (index: number, label: string) =>
      h("input", {
        type: "range", min: "0", max: "1", step: "0.004", value: String(this.range[index]), "aria-label": label,
        oninput: (event: Event) => this.setRange(index, Number((event.target as HTMLInputElement).value)),
      });
    fill(
      this.bar,
      choice("Surface", surfaces, natural, pickSurface),
      choice("Time", [["after", "After", "After the event (b)"], ["before", "Before", "Before the event (b)"]], store.before ? "before" : "after", (when) => {
        store.before = when === "before";
        store.tell("surface");
      }),
      natural === "zeta" || natural === "stencil"
        ? null
        : h("div", { class: "choice", role: "group", "aria-label": "Channels" }, ["R", "G", "B", "A"].map((name, index) =>
            h("button", { type: "button", "aria-pressed": String(this.channels[index]), onclick: () => this.channel(index) }, name))),
      h("span", { class: "range" }, slider(0, "Black point"), slider(1, "White point"),
        h("button", { type: "button", title: "Spread the values over the range", onclick: () => this.auto() }, "Auto")),
      h("span", { class: "spring" }),
      this.other &&
        choice("Compare", [["ours", "Ours"], ["theirs", "Theirs"], ["difference", "Difference"]] as const, this.mix, (mix) => {
          this.mix = mix;
          store.tell("compare");
        }),
      this.override && h("span", { class: "badge chip" }, this.overrideName),
      this.override && h("button", { type: "button", onclick: () => this.show("", null) }, "Back"),
      h("span", { class: "choice" },
        h("button", { type: "button", title: "Smaller (-)", onclick: () => this.setZoom(this.scale() / 2) }, "−"),
        h("button", { type: "button", title: "Fit (f)", onclick: () => this.setZoom(0) }, this.zoom ? `${Math.round(this.zoom * 100)} %` : "Fit"),
        h("button", { type: "button", title: "Larger (+)", onclick: () => this.setZoom(this.scale() * 2) }, "+")),
    );
  }
}

function checker(context: CanvasRenderingContext2D, left: number, top: number, width: number, height: number): void {
  context.fillStyle = "#2b2f36";
  context.fillRect(left, top, width, height);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.fillStyle = "#202329";
  for (let y = 0; y * 8 < Math.min(height, 4096); y++) {
    for (let x = y % 2; x * 8 < Math.min(width, 4096); x += 2) context.fillRect(left + x * 8, top + y * 8, 8, 8);
  }
  context.restore();
}

function mark(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  for (const [color, grow] of [["#000", 1.5], ["#ff9d45", 0.5]] as const) {
    context.strokeStyle = color;
    context.lineWidth = grow === 0.5 ? 1.5 : 3.5;
    context.strokeRect(x - grow, y - grow, size + 2 * grow, size + 2 * grow);
  }
  context.lineWidth = 1;
}
