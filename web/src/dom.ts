// Small helpers to build the page with.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with properties, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "class") {
      element.className = String(value);
    } else if (name in element && name !== "list") {
      (element as unknown as Props)[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  put(element, ...children);
  return element;
}

/** Appends children. */
export function put(parent: Node, ...children: (Child | Child[])[]): void {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces everything in an element. */
export function fill(parent: Element, ...children: (Child | Child[])[]): void {
  parent.replaceChildren();
  put(parent, ...children);
}

/** A 32-bit word as the documents write it. */
export function hex(word: number, digits = 8): string {
  return (word >>> 0).toString(16).toUpperCase().padStart(digits, "0");
}

/** A number with few digits; what is no number is said. */
export function num(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "NaN";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? value.toExponential(4) : String(+value.toPrecision(7));
}

const scratch = new DataView(new ArrayBuffer(4));

/** The float that a word's bits mean. */
export function float(bits: number): number {
  scratch.setUint32(0, bits >>> 0);
  return scratch.getFloat32(0);
}

/** A count with its noun. */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/** A group of buttons of which one is pressed. */
export function choice<T extends string>(
  label: string,
  options: readonly (readonly [T, string, string?])[],
  chosen: T,
  pick: (value: T) => void,
): HTMLElement {
  return h(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    options.map(([value, text, title]) =>
      h(
        "button",
        {
          type: "button",
          title,
          "data-value": value,
          "aria-pressed": String(value === chosen),
          onclick: () => pick(value),
        },
        text,
      ),
    ),
  );
}
