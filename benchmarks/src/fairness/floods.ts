import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Load } from "../load/load.ts";
import { type Check, median } from "../results/report.ts";
import type { FloodResult } from "./flood.ts";

const MOST_SLOWDOWN = 3;
const PROGRAM = fileURLToPath(new URL("./flood.ts", import.meta.url));

export type Floods = ReturnType<typeof startFloods>;

/** Sends floods from another process. */
export function startFloods(rounds: number) {
  const program = fork(PROGRAM, { execArgv: process.execArgv });
  // Elsewhere callers run on other machines: this one must not take the processor from the server that it floods.
  if (program.pid !== undefined) setPriority(program.pid, getPriority() + 5);

  /**
   * What another caller's calls take, by their median: at most three times the idle one. Idle and flooded turns alternate, because
   * machines differ and change.
   */
  const compare = async (name: string, load: Load, call: () => Promise<readonly number[]>) => {
    const times = { idle: [] as number[], during: [] as number[] };
    const results: FloodResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.idle.push(...(await call()));
      const flooded = once(program, "message");
      program.send(load);
      times.during.push(...(await call()));
      const [result] = (await flooded) as [FloodResult];
      results.push(result);
    }
    const [idle, during] = [median(times.idle), median(times.during)];
    const check: Check = { name, isMet: during <= MOST_SLOWDOWN * idle };
    const shown = [`${idle.toFixed(1)} ms`, `${during.toFixed(1)} ms`, (during / idle).toFixed(2)];
    return { check, shown, results };
  };

  return { compare, [Symbol.dispose]: () => void program.kill() };
}
