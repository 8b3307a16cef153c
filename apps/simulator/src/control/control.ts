import type { Lie } from "../identity/lies.ts";

/** What the control address needs beside the world. */
export interface Control {
  lies(): readonly Lie[];
  setLies(lies: readonly Lie[]): void;
}
