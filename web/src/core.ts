// The core that answers questions: behind HTTP on loopback, or in a worker.

/** An event of the list. */
export interface EventInfo {
  event: number;
  kind: "draw" | "clear" | "blit" | "frame" | "job";
  name: string;
  draw: number | null;
  frame: number | null;
  vertices: number;
  pixels: number | null;
  traps: number;
  uploaded: number;
  changes: number;
  target: number | null;
  size: [number, number];
  digest: string | null;
  thumbnail: boolean;
}

/** What is known of an open capture. */
export interface Info {
  name: string;
  hash: string;
  chip: string;
  family: string;
}

/** Words with what they are. */
export interface Picture {
  width: number;
  height: number;
  words: Uint32Array;
  format?: string;
  address?: number;
  pitch?: number;
  swizzled?: boolean;
  samples?: [number, number];
  channels?: [number, number, number, number];
  depth?: number;
}

/** Somebody who answers. */
export interface Core {
  readonly where: string;
  open(name: string, bytes: ArrayBuffer): Promise<void>;
  ask(question: string): Promise<ArrayBuffer>;
  close(): void;
}

/** JSON that was asked for. */
export async function json<T>(core: Core, question: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await core.ask(question))) as T;
}

/** A picture that was asked for; null if there is none. */
export async function picture(core: Core, question: string): Promise<Picture | null> {
  const bytes = await core.ask(question);
  if (bytes.byteLength < 8) return null;
  const length = new DataView(bytes).getUint32(0, true);
  const head = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  return { ...JSON.parse(head), words: new Uint32Array(bytes, 4 + length) };
}

/** The program on loopback: it has a capture open already. */
export class Served implements Core {
  readonly where = "native core";

  /** Is this page served by the program? */
  static async here(): Promise<boolean> {
    try {
      const reply = await fetch("api/info");
      return reply.ok && (reply.headers.get("content-type") ?? "").includes("json");
    } catch {
      return false;
    }
  }

  async open(name: string, bytes: ArrayBuffer): Promise<void> {
    await this.reply(fetch(`open?name=${encodeURIComponent(name)}`, { method: "POST", body: bytes }));
  }

  async ask(question: string): Promise<ArrayBuffer> {
    return this.reply(fetch(`api/${question}`));
  }

  private async reply(asked: Promise<Response>): Promise<ArrayBuffer> {
    let reply: Response;
    try {
      reply = await asked;
    } catch {
      throw new Error("the program no longer answers; is `isotherm inspect` still running?");
    }
    if (!reply.ok) throw new Error(await reply.text());
    return reply.arrayBuffer();
  }

  close(): void {}
}

interface Waiting {
  done: (bytes: ArrayBuffer) => void;
  failed: (error: Error) => void;
}

/** WebAssembly in a worker: nothing leaves the page. */
export class InPage implements Core {
  readonly where = "WebAssembly core";
  private worker?: Worker;
  private waiting = new Map<number, Waiting>();
  private next = 1;

  private start(): Worker {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error !== undefined) waiting?.failed(new Error(data.error));
      else waiting?.done(data.bytes);
      // A core that fell over cannot be asked again.
      if (data.dead) this.close();
    };
    worker.onerror = (event) => {
      for (const waiting of this.waiting.values()) waiting.failed(new Error(event.message || "the worker failed"));
      this.waiting.clear();
    };
    this.worker = worker;
    return worker;
  }

  private send(message: object, transfer: Transferable[] = []): Promise<ArrayBuffer> {
    const worker = this.worker;
    if (!worker) return Promise.reject(new Error("no capture is open"));
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      worker.postMessage({ id, ...message }, transfer);
    });
  }

  async open(name: string, bytes: ArrayBuffer): Promise<void> {
    this.close();
    this.start();
    // What a replay may cost is said in the page's address: ?budget=4, ?budget=none.
    const budget = new URLSearchParams(location.search).get("budget");
    await this.send({ name, budget, open: bytes }, [bytes]);
  }

  ask(question: string): Promise<ArrayBuffer> {
    return this.send({ question });
  }

  close(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const waiting of this.waiting.values()) waiting.failed(new Error("the capture was closed"));
    this.waiting.clear();
  }
}
