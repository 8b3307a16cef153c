import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Load } from "../load/load.ts";
import { type Check, median } from "../results/report.ts";
import type { FloodResult } from "./flood.ts";

const MOST_SLOWDOWN = 3;
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

  /**
   * What another caller's calls take, by their median: at most three times the idle one. Idle and flooded turns alternate, because
   * machines differ and change.
   */
  async compare(name: string, load: Load, call: () => Promise<readonly number[]>) {
    const times = { idle: [] as number[], during: [] as number[] };
    const results: FloodResult[] = [];
    for (let round = 0; round < this.#rounds; round += 1) {
      times.idle.push(...(await call()));
      const flooded = once(this.#program, "message");
      this.#program.send(load);
      times.during.push(...(await call()));
      const [result] = (await flooded) as [FloodResult];
      results.push(result);
    }
    const [idle, during] = [median(times.idle), median(times.during)];
    const check: Check = { name, isMet: during <= MOST_SLOWDOWN * idle };
    const shown = [`${idle.toFixed(1)} ms`, `${during.toFixed(1)} ms`, (during / idle).toFixed(2)];
    return { check, shown, results };
  }

  [Symbol.dispose](): void {
    this.#program.kill();
  }
}
