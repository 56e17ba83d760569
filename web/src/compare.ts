// Comparison with a PNG, such as an emulator's screenshot, and with a second capture.

import { type Core, type EventInfo, InPage, json, picture, Served } from "./core";
import { count, fill, h } from "./dom";
import { title } from "./events";
import { paint } from "./paint";
import type { Desk, Tab } from "./tab";

/** The second capture. */
interface Second {
  name: string;
  core: Core;
  events: EventInfo[];
}

let second: Second | null = null;

/** Second captures that were asked for so far: an older one's answers come too late. */
let turn = 0;

/** Whether `--with` has opened one is asked once: after that it is the page that chooses. */
let looked: Promise<void> | undefined;

/** The second capture that is on its way. */
let uploading: Promise<void> = Promise.resolve();

/** The program's second capture. */
class ServedOther extends Served {
  override async open(name: string, bytes: ArrayBuffer): Promise<void> {
    const reply = await fetch(`open-other?name=${encodeURIComponent(name)}`, { method: "POST", body: bytes });
    if (!reply.ok) throw new Error(await reply.text());
  }

  override async ask(question: string): Promise<ArrayBuffer> {
    const reply = await fetch(`other/${question}`);
    if (!reply.ok) throw new Error(await reply.text());
    return reply.arrayBuffer();
  }
}

export const compareTab: Tab = {
  id: "compare",
  label: "Compare",
  async render(body, desk) {
    const file = h("input", { type: "file", hidden: true });
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen) void desk.store.work(() => choose(chosen, desk));
    });
    if (desk.store.core instanceof Served) await (looked ??= served(desk));
    const result = h("div");
    fill(
      body,
      h("div", { class: "callout" }, "A PNG of the same size (an emulator's screenshot), or a second capture, against this one."),
      h("div", { class: "tools" },
        h("button", { type: "button", onclick: () => file.click() }, "Choose a PNG or capture…"), file,
        (desk.view.other || second) && h("button", { type: "button", onclick: () => { clear(desk); } }, "Stop comparing")),
      result,
    );
    if (second) await captures(result, desk);
    else if (desk.view.other) pictures(result, desk);
  },
};

/** There is no second capture any more. Gives the turn of the one that comes. */
function leave(): number {
  second?.core.close();
  second = null;
  return ++turn;
}

function clear(desk: Desk): void {
  leave();
  desk.view.other = null;
  desk.view.mix = "ours";
  desk.store.tell("compare");
  desk.again();
}

/** `--with` has opened one already. */
async function served(desk: Desk): Promise<void> {
  const core = new ServedOther();
  try {
    await open(core, desk, turn);
  } catch {
    // There is none.
  }
}

async function open(core: Core, desk: Desk, mine: number): Promise<void> {
  const info = await json<{ name: string }>(core, "info");
  const events: EventInfo[] = [];
  for (;;) {
    const more = await json<{ events: EventInfo[]; done: boolean }>(core, `events?from=${events.length}`);
    events.push(...more.events);
    if (more.done) break;
  }
  if (mine !== turn) {
    core.close();
    return;
  }
  second = { name: info.name, core, events };
  desk.view.mix = "difference";
}

async function choose(file: File, desk: Desk): Promise<void> {
  // The program has room for one: what is still asked of the old one may reach the new one.
  const mine = leave();
  if (file.name.toLowerCase().endsWith(".png") || file.type === "image/png") {
    const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    if (!context) return;
    context.drawImage(bitmap, 0, 0);
    desk.view.other = { name: file.name, image: context.getImageData(0, 0, bitmap.width, bitmap.height) };
    desk.view.mix = "difference";
  } else {
    await upload(file, desk, mine);
  }
  if (mine !== turn) return;
  desk.store.tell("compare");
  desk.again();
}

/** Opens a second capture when the one before is through, unless a later one was chosen. */
async function upload(file: File, desk: Desk, mine: number): Promise<void> {
  const before = uploading;
  uploading = (async () => {
    await before.catch(() => {});
    if (mine !== turn) return;
    const core = desk.store.core instanceof Served ? new ServedOther() : new InPage();
    await core.open(file.name, await file.arrayBuffer());
    await open(core, desk, mine);
  })();
  await uploading;
}

/** How far our picture is from theirs, and the pixel that is worst. */
function pictures(box: HTMLElement, desk: Desk): void {
  const { view } = desk;
  const ours = view.current();
  const theirs = view.other?.image;
  if (!ours || !theirs) return;
  if (ours.width !== theirs.width || ours.height !== theirs.height) {
    fill(box, h("div", { class: "callout bad" }, `${view.other?.name} is ${theirs.width}x${theirs.height}, the surface ${ours.width}x${ours.height}: only what is inside both is compared.`));
  }
  const data = paint(ours, { opaque: true }).data;
  let [different, largest, at] = [0, 0, -1];
  for (let y = 0; y < Math.min(ours.height, theirs.height); y++) {
    for (let x = 0; x < Math.min(ours.width, theirs.width); x++) {
      const [a, b] = [4 * (y * ours.width + x), 4 * (y * theirs.width + x)];
      const most = Math.max(...[0, 1, 2].map((c) => Math.abs(data[a + c] - theirs.data[b + c])));
      if (!most) continue;
      different++;
      if (most > largest) [largest, at] = [most, y * ours.width + x];
    }
  }
  const worst = { x: at % ours.width, y: Math.floor(at / ours.width) };
  const show = () => {
    view.choose(worst);
    desk.open("pixel");
  };
  box.append(
    at < 0
      ? h("div", { class: "callout good" }, `Equal to ${view.other?.name}.`)
      : h("div", { class: "callout bad" }, h("b", {}, `${count(different, "pixel")} different`), ` from ${view.other?.name}, by up to ${largest} of 255. The worst is ${worst.x}, ${worst.y}. `,
          h("button", { type: "button", onclick: show }, "Its history")),
  );
}

/** The first events that differ, and this one side by side. */
async function captures(box: HTMLElement, desk: Desk): Promise<void> {
  if (!second) return;
  const { store, view } = desk;
  const { events, core, name } = second;
  const same = (a: EventInfo, b: EventInfo) => a.kind === b.kind && a.name === b.name && a.vertices === b.vertices;
  const common = Math.min(events.length, store.events.length);
  const parted = Array.from({ length: common }, (_, i) => i).find((i) => !same(store.events[i], events[i])) ?? common;
  const drawn = Array.from({ length: parted }, (_, i) => i).find((i) => store.events[i].digest !== events[i].digest);
  const go = (event: number) => h("button", { type: "button", onclick: () => store.go(event) }, `Event ${event}`);
  fill(
    box,
    h("div", { class: "callout" }, h("b", {}, name), `: ${count(events.length, "event")}, here ${count(store.events.length, "event")}.`),
    drawn === undefined
      ? h("div", { class: "callout good" }, `Every surface is the same up to event ${parted}.`)
      : h("div", { class: "callout bad" }, "The first event after which the surface differs: ", go(drawn), ` ${title(store.events[drawn])}`),
    parted < Math.max(events.length, store.events.length) && h("div", { class: "callout bad" }, "The commands part at ", go(parted)),
  );
  const event = store.event();
  if (!event || !events[event.event]) return;
  const mine = turn;
  const asked = picture(core, `target?event=${event.event}&${store.named()}`);
  const theirs = await store.work(() => asked.catch((error) => {
    if (mine === turn) throw error;
    return null;
  }));
  if (!theirs || mine !== turn || event !== store.event()) return;
  view.other = { name, image: paint(theirs, { opaque: true }) };
  store.tell("compare");
  pictures(box, desk);
}
