import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Load } from "../load/load.ts";
import { median } from "../results/report.ts";
import type { FloodResult } from "./flood.ts";

const PROGRAM = fileURLToPath(new URL("./flood.ts", import.meta.url));

/** Sends floods from another process. */
export class Floods {
  readonly #program = fork(PROGRAM, { execArgv: process.execArgv });
  readonly #rounds: number;

  constructor(rounds: number) {
    this.#rounds = rounds;
    const { pid } = this.#program;
    // Elsewhere callers run on other machines: this one must not take the processor from the server that it floods.
    if (pid !== undefined) setPriority(pid, getPriority() + 5);
  }

  /** What another caller's calls take, by their median. Idle and flooded turns alternate, because machines differ and change. */
  async compare(load: Load, call: () => Promise<readonly number[]>) {
    const [idle, during]: [number[], number[]] = [[], []];
    const results: FloodResult[] = [];
    for (let round = 0; round < this.#rounds; round += 1) {
      idle.push(...(await call()));
      const flooded = once(this.#program, "message");
      this.#program.send(load);
      during.push(...(await call()));
      const [result] = (await flooded) as [FloodResult];
      results.push(result);
    }
    return { idle: median(idle), during: median(during), results };
  }

  [Symbol.dispose](): void {
    this.#program.kill();
  }
}
