// The page: opens captures, steps through their events, shows what is known.

import { compareTab } from "./compare";
import { type Core, InPage, Served } from "./core";
import { count, fill, h } from "./dom";
import { EventList, title } from "./events";
import { meshTab } from "./mesh";
import { pixelTab } from "./pixel";
import { programsTab } from "./programs";
import { routingTab } from "./routing";
import { stateTab } from "./state";
import { Store, type Surface } from "./store";
import type { Desk, Tab } from "./tab";
import { texturesTab } from "./textures";
import { PictureView } from "./view";
import { whatIfTab } from "./whatif";

const TABS: Tab[] = [stateTab, pixelTab, programsTab, texturesTab, meshTab, routingTab, whatIfTab, compareTab];

const LOGO = `<svg viewBox="0 0 32 32" fill="none" stroke-width="2.6" stroke-linecap="round"><path d="M3 23c7-13 11 4 17-7s6-9 9-10" stroke="#ff9d45"/><path d="M3 16c6-10 10 1 16-7s6-5 10-6" stroke="#ffb974" opacity=".55"/><path d="M3 29c8-11 12 3 18-6s5-8 8-9" stroke="#e06a4b" opacity=".7"/></svg>`;

function logo(): HTMLElement {
  const box = h("span", { class: "logo" });
  box.innerHTML = LOGO;
  box.append("Isotherm inspector");
  return box;
}

class App {
  private store: Store;
  private view: PictureView;
  private list: EventList;
  private tab: Tab = stateTab;
  private body = h("div", { class: "body", role: "tabpanel", tabIndex: 0 });
  private tabs = h("div", { class: "tabs", role: "tablist" });
  private file = h("input", { type: "file", hidden: true });
  private desk: Desk;
  private turn = 0;
  private link: Link;

  constructor(core: Core) {
    this.store = new Store(core);
    this.view = new PictureView(this.store);
    this.list = new EventList(this.store);
    this.link = readLink();
    this.desk = {
      store: this.store,
      view: this.view,
      again: () => this.render(),
      open: (id) => this.open(TABS.find((tab) => tab.id === id) ?? stateTab),
    };
    this.file.addEventListener("change", () => {
      const chosen = this.file.files?.[0];
      if (chosen) void this.load(chosen);
      this.file.value = "";
    });
    this.build();
    this.listen();
    this.keys();
    this.drops();
  }

  private build(): void {
    const app = document.getElementById("app");
    if (!app) return;
    this.view.element.append(this.timeline());
    app.append(
      this.header(),
      this.list.element,
      this.view.element,
      h("aside", { class: "side" }, this.tabs, this.body),
      this.footer(),
    );
    document.body.append(h("div", { class: "drop" }, "Drop a capture"), this.welcome(), this.file, this.errors());
    this.drawTabs();
  }

  private header(): HTMLElement {
    const name = h("span", { class: "file" });
    const chip = h("span", { class: "badge chip", hidden: true });
    const hash = h("span", { class: "badge", title: "The file's hash" });
    this.store.on(["capture"], () => {
      const { info } = this.store;
      name.textContent = info?.name ?? "";
      chip.hidden = !info;
      chip.textContent = info ? `${info.chip} · ${info.family}` : "";
      hash.textContent = info?.hash ?? "";
      document.title = info ? `${info.name} · Isotherm inspector` : "Isotherm inspector";
    });
    return h("header", {}, logo(), name, chip, hash, h("span", { class: "spring" }),
      h("button", { type: "button", id: "share", onclick: () => void this.share() }, "Copy link"),
      h("button", { type: "button", onclick: () => this.file.click() }, "Open…"),
      h("button", { type: "button", title: "Keys (?)", onclick: () => this.help() }, "?"));
  }

  private timeline(): HTMLElement {
    const slider = h("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Event" });
    const where = h("span", { class: "mono dim" });
    slider.addEventListener("input", () => this.store.go(Number(slider.value)));
    const update = () => {
      slider.max = String(Math.max(0, this.store.events.length - 1));
      slider.value = String(this.store.now);
      where.textContent = this.store.events.length ? `${this.store.now + 1} / ${this.store.events.length}${this.store.listed ? "" : "…"}` : "";
    };
    this.store.on(["capture", "events", "event"], update);
    const button = (text: string, name: string, act: () => void) => h("button", { type: "button", title: name, "aria-label": name, onclick: act }, text);
    return h("div", { class: "time" },
      button("|◀", "First event (Home)", () => this.store.go(0)),
      button("◀", "Event before (←)", () => this.list.step(-1)),
      button("▶", "Next event (→)", () => this.list.step(1)),
      button("▶|", "Last event (End)", () => this.store.go(this.store.events.length - 1)),
      slider, where);
  }

  private footer(): HTMLElement {
    const busy = h("span", { class: "busy" });
    const what = h("span");
    const took = h("span");
    let since = 0;
    this.store.on(["busy"], () => {
      busy.classList.toggle("on", this.store.busy > 0);
      if (this.store.busy === 1) since ||= performance.now();
      if (this.store.busy === 0 && since) {
        took.textContent = `${Math.round(performance.now() - since)} ms`;
        since = 0;
      }
    });
    this.store.on(["events", "event", "capture"], () => {
      const event = this.store.event();
      fill(what, event ? [h("b", {}, `Event ${event.event}: ${title(event)}`), event.kind === "draw" ? ` draw ${event.draw}` : "",
        event.pixels === null || event.kind !== "draw" ? "" : `, ${count(event.pixels, "pixel")}`] : "");
    });
    return h("footer", {}, busy, what, h("span", { class: "spring" }), took, h("span", {}, this.store.core.where), h("span", {}, "nothing leaves this machine"));
  }

  private welcome(): HTMLElement {
    const card = h("div", { class: "card" });
    card.innerHTML = LOGO;
    card.append(
      h("h1", {}, "Drop a capture here"),
      h("p", { class: "dim" }, "Celsius, Kelvin (Xbox), Rankine, Curie (PS3) or Mali-400; plain or zstd. It is opened in this page and goes nowhere else."),
      h("button", { type: "button", onclick: () => this.file.click() }, "Choose a file…"),
    );
    const welcome = h("div", { class: "welcome" }, card);
    this.store.on(["capture"], () => { welcome.hidden = this.store.info !== null; welcome.style.display = this.store.info ? "none" : ""; });
    return welcome;
  }

  private errors(): HTMLElement {
    const text = h("span");
    const box = h("div", { class: "error", role: "alert", hidden: true, style: "display:none" }, text,
      h("button", { type: "button", onclick: () => hide() }, "Close"));
    const hide = () => { box.hidden = true; box.style.display = "none"; this.store.error = null; };
    this.store.on(["error"], () => {
      text.textContent = this.store.error ?? "";
      box.hidden = false;
      box.style.display = "";
    });
    this.store.on(["capture"], hide);
    return box;
  }

  private listen(): void {
    const { store } = this;
    let first = true;
    store.on(["capture"], () => { first = true; this.render(); });
    store.on(["events"], () => {
      // As soon as there is something to see, it is shown: the event of the link, or the first draw.
      if (!first || store.events.length === 0) return;
      const named = this.link.draw ? store.events.findIndex((event) => event.kind === "draw" && event.draw === this.link.draw) : -1;
      if (this.link.draw && named < 0 && !store.listed) return;
      const wanted = named >= 0 ? named : this.link.event;
      if (wanted !== undefined && wanted >= store.events.length && !store.listed) return;
      first = false;
      const draw = store.events.findIndex((event) => event.kind === "draw");
      store.now = Math.min(store.events.length - 1, wanted ?? Math.max(0, draw));
      if (this.link.surface) store.surface = this.link.surface;
      if (this.link.pixel) store.pixel = { x: this.link.pixel[0], y: this.link.pixel[1] };
      if (this.link.hash && this.link.hash !== store.info?.hash) store.fail("the link was made for another file than this one");
      this.link = {};
      store.tell("event");
      if (store.pixel) this.open(pixelTab);
    });
    store.on(["event", "surface"], () => { this.render(); this.writeLink(); });
    store.on(["pixel"], () => {
      this.writeLink();
      if (this.tab !== pixelTab && this.tab !== programsTab) this.open(pixelTab);
      else this.render();
    });
  }

  private open(tab: Tab): void {
    if (this.tab !== tab) this.view.show("", null);
    this.tab = tab;
    this.drawTabs();
    this.body.scrollTop = 0;
    this.render();
  }

  private drawTabs(): void {
    fill(this.tabs, TABS.map((tab, index) =>
      h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, title: `(${index + 1})`, "aria-selected": String(tab === this.tab), onclick: () => this.open(tab) }, tab.label)));
  }

  /** Draws the open tab. What an earlier one still waits for is seen by nobody. */
  private render(): void {
    const turn = ++this.turn;
    if (!this.store.info || !this.store.event()) {
      fill(this.body);
      return;
    }
    const box = h("div");
    // The old content stays until there is something new.
    const shown = new MutationObserver(() => {
      if (turn === this.turn && box.parentNode !== this.body) this.body.replaceChildren(box);
      shown.disconnect();
    });
    shown.observe(box, { childList: true });
    void this.tab.render(box, this.desk);
  }

  /** Opens a file. */
  async load(file: File): Promise<void> {
    this.store.leave();
    await this.store.work(async () => {
      await this.store.core.open(file.name, await file.arrayBuffer());
      await this.store.opened();
    });
  }

  /** Opens the file that the link names, if it names one. */
  async follow(): Promise<void> {
    const { capture } = this.link;
    if (!capture) return;
    await this.store.work(async () => {
      const reply = await fetch(capture);
      if (!reply.ok) throw new Error(`${capture}: ${reply.status} ${reply.statusText}`);
      await this.store.core.open(capture.split("/").pop() ?? capture, await reply.arrayBuffer());
      await this.store.opened();
    });
  }

  /** The program has one open already. */
  async begin(): Promise<void> {
    await this.store.work(() => this.store.opened());
  }

  private writeLink(): void {
    const { info, now, pixel, surface } = this.store;
    if (!info) return;
    const parts = [`event=${now}`, pixel ? `pixel=${pixel.x},${pixel.y}` : "", `surface=${surface}`, `hash=${info.hash}`];
    history.replaceState(null, "", `#${parts.filter(Boolean).join("&")}`);
  }

  private async share(): Promise<void> {
    this.writeLink();
    const button = document.getElementById("share");
    try {
      await navigator.clipboard.writeText(location.href);
      if (button) button.textContent = "Copied";
    } catch {
      if (button) button.textContent = "It is in the address bar";
    }
    setTimeout(() => { if (button) button.textContent = "Copy link"; }, 1500);
  }

  private drops(): void {
    let depth = 0;
    const over = (by: number) => {
      depth = Math.max(0, depth + by);
      document.body.classList.toggle("over", depth > 0);
    };
    window.addEventListener("dragenter", (event) => { event.preventDefault(); over(1); });
    window.addEventListener("dragleave", () => over(-1));
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      over(-depth);
      const file = event.dataTransfer?.files[0];
      if (file) void this.load(file);
    });
  }

  private keys(): void {
    window.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      const typing = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
      if (typing) {
        if (event.key === "Escape" || event.key === "Enter") target.blur();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.key(event)) event.preventDefault();
    });
  }

  private key(event: KeyboardEvent): boolean {
    const { store, view, list } = this;
    const surface = (to: Surface) => { store.surface = to; store.tell("surface"); };
    const moves: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (move && event.shiftKey) { view.nudge(...move); return true; }
    const acts: Record<string, () => void> = {
      ArrowLeft: () => list.step(-1), ArrowRight: () => list.step(1), ArrowUp: () => list.step(-1), ArrowDown: () => list.step(1),
      PageUp: () => list.step(-10), PageDown: () => list.step(10), Home: () => store.go(0), End: () => store.go(store.events.length - 1),
      "/": () => list.focusSearch(), "?": () => this.help(), f: () => view.setZoom(0), "0": () => view.setZoom(1),
      "+": () => view.setZoom(view.scale() * 2), "=": () => view.setZoom(view.scale() * 2), "-": () => view.setZoom(view.scale() / 2),
      c: () => surface("color"), z: () => surface("zeta"), s: () => surface("stencil"), p: () => surface("frame"),
      b: () => { store.before = !store.before; store.tell("surface"); }, Escape: () => view.choose(null),
    };
    const tab = TABS[Number(event.key) - 1];
    if (tab) { this.open(tab); return true; }
    acts[event.key]?.();
    return event.key in acts;
  }

  private help(): void {
    const keys: [string, string][] = [
      ["← →", "event before, next event"], ["PgUp PgDn", "ten events"], ["Home End", "first, last event"], ["/", "search events"],
      ["c z s p", "colour, depth, stencil, the capture's picture"], ["b", "before or after the event"], ["f 0 + -", "fit, 1:1, larger, smaller"],
      ["Shift ← → ↑ ↓", "move the chosen pixel"], ["Esc", "no pixel"], ["1 … 8", "tabs"], ["?", "this"],
    ];
    const dialog = h("dialog", {}, h("h3", {}, "Keys"), h("table", {}, keys.map(([key, what]) => h("tr", {}, h("td", {}, key.split(" ").flatMap((k) => [h("kbd", {}, k), " "])), h("td", {}, what)))),
      h("p", { class: "dim" }, "Wheel zooms, dragging moves, a click chooses a pixel."));
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** What a link can name. */
interface Link {
  event?: number;
  draw?: number;
  pixel?: [number, number];
  hash?: string;
  surface?: Surface;
  /** A file beside the page, where that is served without the program. */
  capture?: string;
}

/** What the address says behind `#`. */
function readLink(): Link {
  const parts = new URLSearchParams(location.hash.slice(1));
  const event = parts.get("event");
  const draw = parts.get("draw");
  const pixel = parts.get("pixel")?.split(",").map(Number);
  return {
    event: event === null ? undefined : Math.max(0, Number(event) || 0),
    pixel: pixel?.length === 2 && pixel.every(Number.isInteger) ? [pixel[0], pixel[1]] : undefined,
    draw: draw === null ? undefined : Number(draw) || undefined,
    hash: parts.get("hash") ?? undefined,
    capture: parts.get("capture") ?? undefined,
    surface: (parts.get("surface") as Surface | null) ?? undefined,
  };
}

const served = await Served.here();
const bare = !served && (await isProgram());
const app = new App(served || bare ? new Served() : new InPage());
if (served) void app.begin();
else void app.follow();

/** Is it the program, without a capture? Then captures are opened there. */
async function isProgram(): Promise<boolean> {
  try {
    return (await (await fetch("api/info")).text()) === "no capture is open";
  } catch {
    return false;
  }
}
