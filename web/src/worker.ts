// The core as WebAssembly. One capture per worker: memory goes when the worker does.

interface Exports {
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  budget(text: number, bytes: number): number;
  open(name: number, nameBytes: number, file: number, fileBytes: number): number;
  ask(question: number, bytes: number): number;
  answer(): number;
  answer_bytes(): number;
}

interface Message {
  id: number;
  name?: string;
  budget?: string | null;
  open?: ArrayBuffer;
  question?: string;
}

let core: Promise<Exports> | undefined;
let panicked = "";

async function load(): Promise<Exports> {
  let memory: WebAssembly.Memory | undefined;
  const panic = (at: number, bytes: number) => {
    if (memory) panicked = new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, bytes).slice());
  };
  const file = await fetch("isotherm.wasm");
  if (!file.ok) throw new Error("isotherm.wasm is missing beside the page");
  const { instance } = await WebAssembly.instantiate(await file.arrayBuffer(), { page: { panic } });
  const exports = instance.exports as unknown as Exports;
  memory = exports.memory;
  return exports;
}

// Addresses come signed; memory has more than two gigabytes of them.
function give(wasm: Exports, bytes: Uint8Array): number {
  const at = wasm.room(bytes.length) >>> 0;
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

function answer(wasm: Exports, ok: number): ArrayBuffer {
  const bytes = new Uint8Array(wasm.memory.buffer, wasm.answer() >>> 0, wasm.answer_bytes() >>> 0).slice();
  if (!ok) throw new Error(new TextDecoder().decode(bytes));
  return bytes.buffer;
}

async function handle(message: Message): Promise<ArrayBuffer> {
  core ??= load();
  const wasm = await core;
  const text = new TextEncoder();
  if (message.open) {
    if (message.budget) {
      const limits = text.encode(message.budget);
      answer(wasm, wasm.budget(give(wasm, limits), limits.length));
    }
    const name = text.encode(message.name ?? "");
    const file = new Uint8Array(message.open);
    const at = give(wasm, name);
    const ok = wasm.open(at, name.length, give(wasm, file), file.length);
    return answer(wasm, ok);
  }
  const question = text.encode(message.question ?? "");
  return answer(wasm, wasm.ask(give(wasm, question), question.length));
}

// Questions are answered one after the other: the core is one chip.
let last: Promise<unknown> = Promise.resolve();
onmessage = ({ data }: MessageEvent<Message>) => {
  last = last.then(async () => {
    try {
      const bytes = await handle(data);
      postMessage({ id: data.id, bytes }, { transfer: [bytes] });
    } catch (error) {
      const dead = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      const text = dead ? `the core failed: ${panicked || (error as Error).message}` : (error as Error).message;
      postMessage({ id: data.id, error: text, dead });
    }
  });
};
