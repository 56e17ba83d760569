// What the page knows, and who wants to hear of it.

import { type Core, type EventInfo, type Info, json } from "./core";

/** A pixel of the surface that is shown. */
export interface Pixel {
  x: number;
  y: number;
}

/** The surface that is shown. */
export type Surface = "color" | "zeta" | "stencil" | "frame";

type Topic = "capture" | "events" | "event" | "pixel" | "surface" | "busy" | "error" | "compare";

/** The page's state. Whoever changes it tells the topic. */
export class Store {
  core: Core;
  info: Info | null = null;
  events: EventInfo[] = [];
  frames: { width: number; height: number; format: string; frame: number | null }[] = [];
  listed = false;
  now = 0;
  pixel: Pixel | null = null;
  surface: Surface = "color";
  /** The picture of the capture that is meant by `frame`. */
  frame = 0;
  before = false;
  busy = 0;
  error: string | null = null;
  private listeners = new Map<Topic, (() => void)[]>();
  /** Answers that may be used again, until another capture is opened. */
  private kept = new Map<string, Promise<unknown>>();
  private generation = 0;
  /** Captures that somebody began to open. */
  private begun = 0;

  constructor(core: Core) {
    this.core = core;
  }

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) {
      this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
    }
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  event(): EventInfo | undefined {
    return this.events[this.now];
  }

  /** Another capture is about to be opened: what is still asked of this one is nobody's concern. */
  leave(): void {
    this.begun++;
  }

  /** Runs something that may take a while and may fail. */
  async work<T>(task: () => Promise<T>): Promise<T | undefined> {
    const { begun } = this;
    this.busy++;
    this.tell("busy");
    try {
      return await task();
    } catch (error) {
      if (begun === this.begun) this.fail(error);
      return undefined;
    } finally {
      this.busy--;
      this.tell("busy");
    }
  }

  fail(error: unknown): void {
    this.error = error instanceof Error ? error.message : String(error);
    this.tell("error");
  }

  /** JSON that does not change while a capture is open. */
  ask<T>(question: string): Promise<T> {
    const kept = this.kept.get(question) as Promise<T> | undefined;
    if (kept) return kept;
    const asked = json<T>(this.core, question);
    this.kept.set(question, asked);
    asked.catch(() => this.kept.delete(question));
    if (this.kept.size > 400) this.kept.delete(this.kept.keys().next().value as string);
    return asked;
  }

  /** A capture was opened: forget the old one and list the events of the new one. */
  async opened(): Promise<void> {
    const generation = ++this.generation;
    this.kept.clear();
    this.info = await json<Info>(this.core, "info");
    this.events = [];
    this.frames = [];
    this.listed = false;
    this.now = 0;
    this.pixel = null;
    this.tell("capture");
    while (!this.listed && generation === this.generation) {
      const more = await json<{
        events: EventInfo[];
        done: boolean;
        error: string | null;
        frames: Store["frames"];
      }>(this.core, `events?from=${this.events.length}`);
      if (generation !== this.generation) return;
      this.events.push(...more.events);
      this.frames = more.frames;
      this.listed = more.done;
      if (more.error) this.fail(`the list ends here: ${more.error}`);
      this.tell("events");
    }
  }

  /** Goes to an event. */
  go(event: number): void {
    const last = this.events.length - 1;
    const to = Math.max(0, Math.min(last, event));
    if (to === this.now || last < 0) return;
    this.now = to;
    this.tell("event");
  }

  /** The surface that is best to look at for an event. */
  natural(): Surface {
    const event = this.event();
    if (!event) return "color";
    if (event.kind === "frame" || (event.kind === "blit" && this.frames.length > 0)) return "frame";
    if (this.surface === "frame") return event.target === null && this.frames.length ? "frame" : "color";
    return this.surface;
  }

  /** The part of a question that names the surface. */
  named(): string {
    const surface = this.natural();
    const frame = this.event()?.frame ?? Math.min(this.frame, Math.max(0, this.frames.length - 1));
    if (surface === "frame") return `what=frame&frame=${frame}`;
    return `what=${surface === "stencil" ? "zeta" : surface}`;
  }
}
