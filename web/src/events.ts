// The list of events: only the rows that are seen are there.

import { type EventInfo, picture } from "./core";
import { count, fill, h } from "./dom";
import { paint } from "./paint";
import type { Store } from "./store";

const ROW = 46;
const KINDS = ["draw", "clear", "blit", "frame", "job"] as const;

/** The second line of a row. */
function about(event: EventInfo): string {
  const parts: string[] = [];
  if (event.kind === "draw") {
    parts.push(count(event.vertices, "vertex").replace("vertexs", "vertices"));
    if (event.pixels !== null) parts.push(event.pixels ? count(event.pixels, "pixel") : "no pixels");
  }
  if (event.changes) parts.push(count(event.changes, "word"));
  if (event.uploaded) parts.push(`${(event.uploaded / 1024).toFixed(0)} KiB up`);
  if (event.traps) parts.push(count(event.traps, "trap"));
  return parts.join(" · ");
}

/** What a row is called. */
export function title(event: EventInfo): string {
  const names = { draw: "", clear: "Clear ", blit: "2D ", frame: "Picture ", job: "Job " };
  return `${names[event.kind]}${event.name.replaceAll("_", " ")}`;
}

export class EventList {
  readonly element: HTMLElement;
  private scroll = h("div", { class: "scroll", tabIndex: 0, role: "listbox", "aria-label": "Events" });
  private inner = h("div");
  private search = h("input", { type: "search", placeholder: "Search events  ( / )", "aria-label": "Search events" });
  private kinds = h("div", { class: "kinds" });
  private hidden = new Set<string>();
  private shown: number[] = [];
  private thumbs = new Map<number, ImageData | null>();
  private rows = new Map<number, HTMLElement>();

  constructor(private store: Store) {
    this.scroll.append(this.inner);
    this.element = h("nav", { class: "events" }, h("div", { class: "find" }, this.search), this.kinds, this.scroll);
    this.search.addEventListener("input", () => this.filter());
    this.scroll.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroll);
    store.on(["capture"], () => {
      this.thumbs.clear();
      this.scroll.scrollTop = 0;
      this.filter();
    });
    store.on(["events"], () => this.filter());
    store.on(["event"], () => {
      this.reveal();
      this.draw();
    });
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  /** The next event that the filter shows. */
  step(by: number): void {
    const { now } = this.store;
    const at = this.shown.findIndex((event) => event >= now);
    const here = at < 0 ? this.shown.length : at;
    const exact = this.shown[here] === now;
    const to = by > 0 && !exact ? here + by - 1 : here + by;
    const event = this.shown[Math.max(0, Math.min(this.shown.length - 1, to))];
    if (event !== undefined) this.store.go(event);
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (event: EventInfo) => {
      if (this.hidden.has(event.kind)) return false;
      const text = `${event.kind} ${event.event} #${event.draw ?? ""} ${title(event)} ${about(event)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    this.shown = this.store.events.filter(fits).map((event) => event.event);
    const there = KINDS.filter((kind) => this.store.events.some((event) => event.kind === kind));
    fill(
      this.kinds,
      there.map((kind) => {
        const press = () => {
          if (!this.hidden.delete(kind)) this.hidden.add(kind);
          this.filter();
        };
        return h("button", { type: "button", "aria-pressed": String(!this.hidden.has(kind)), onclick: press }, kind);
      }),
    );
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.inner.style.height = `${this.shown.length * ROW}px`;
    this.draw();
  }

  private reveal(): void {
    const at = this.shown.indexOf(this.store.now);
    if (at < 0) return;
    const top = at * ROW;
    const { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop) this.scroll.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.scroll.scrollTop = top + ROW - clientHeight;
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - 3);
    const last = Math.min(this.shown.length, first + Math.ceil(this.scroll.clientHeight / ROW) + 7);
    const wanted = new Set(this.shown.slice(first, last));
    for (const [event, row] of this.rows) {
      if (!wanted.has(event)) {
        row.remove();
        this.rows.delete(event);
      }
    }
    for (let i = first; i < last; i++) {
      const event = this.store.events[this.shown[i]];
      const row = this.rows.get(event.event) ?? this.row(event);
      row.style.top = `${i * ROW}px`;
      row.classList.toggle("now", event.event === this.store.now);
      row.setAttribute("aria-selected", String(event.event === this.store.now));
    }
  }

  private row(event: EventInfo): HTMLElement {
    const canvas = h("canvas", { width: 1, height: 1 });
    const row = h(
      "div",
      { class: "row", role: "option", "data-event": event.event, onclick: () => this.store.go(event.event) },
      canvas,
      h("div", { class: "what" }, h("b", {}, title(event)), h("span", { class: event.traps ? "bad" : "" }, about(event))),
      h("span", { class: "no" }, event.kind === "draw" ? `#${event.draw}` : ""),
      h("i", { class: `dot ${event.kind}`, title: event.kind }),
    );
    this.rows.set(event.event, row);
    this.inner.append(row);
    if (event.thumbnail) void this.thumbnail(event.event, canvas);
    return row;
  }

  private async thumbnail(event: number, canvas: HTMLCanvasElement): Promise<void> {
    if (!this.thumbs.has(event)) {
      const hash = this.store.info?.hash;
      try {
        // The large picture is asked for first.
        await new Promise((next) => setTimeout(next));
        const small = await picture(this.store.core, `thumbnail?event=${event}`);
        if (hash !== this.store.info?.hash) return;
        this.thumbs.set(event, small && paint(small, { opaque: true }));
      } catch {
        // A row without a picture is no reason to complain.
        return;
      }
    }
    const data = this.thumbs.get(event);
    if (!data || !data.width || !data.height) return;
    canvas.width = data.width;
    canvas.height = data.height;
    canvas.getContext("2d")?.putImageData(data, 0, 0);
  }
}
