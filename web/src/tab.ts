// What the tabs at the side have in common.

import type { Store } from "./store";
import type { PictureView } from "./view";

/** What a tab reaches. */
export interface Desk {
  store: Store;
  view: PictureView;
  /** Draws the open tab again. */
  again(): void;
  /** Opens a tab. */
  open(tab: string): void;
}

/** A tab. */
export interface Tab {
  id: string;
  label: string;
  /** Fills the body; may be called again before it is done. */
  render(body: HTMLElement, desk: Desk): Promise<void> | void;
}
