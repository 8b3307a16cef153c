/**
 * The service under load and under faults: two apis, two workers and PostgreSQL are killed, frozen, stopped and started
 * again at random while accounts are connected, read and disconnected; then everything that was acknowledged is checked.
 *
 *     pnpm test:system faults [--rounds N] [--minutes M] [--seed S] [--folder DIR]
 */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Journal } from "../journal.ts";
import { runFaults } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: randomBytes(4).toString("hex") },
    folder: { type: "string" },
  },
});

async function main(): Promise<number> {
  const { seed } = values;
  const [rounds, minutes] = [wholeNumber("--rounds", values.rounds), wholeNumber("--minutes", values.minutes)];
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "social-connect-faults-")));
  await mkdir(folder, { recursive: true });
  const journal = new Journal(folder);
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(new Error(signal)));
  console.log(`seed ${seed}: up to ${rounds} rounds, ${minutes} minutes`);
  journal.write("seed", { seed, rounds, minutes });
  try {
    const options = { seed, rounds, minutes, folder, journal, signal: controller.signal, say: console.log };
    const result = await runFaults(options);
    journal.write("end", { ...result });
    const found = result.violations === 0 ? "no violation" : `${result.violations} violations`;
    console.log(`${found} in ${result.rounds} rounds; run again with --seed ${seed}`);
    return result.violations === 0 ? 0 : 1;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    console.log("interrupted");
    return 130;
  } finally {
    await journal.close();
    console.log(`log: ${journal.path}`);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1 on.`);
  return value;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
