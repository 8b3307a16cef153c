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

const DEFAULT_ROUNDS = 50;
const DEFAULT_MINUTES = 60;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
      minutes: { type: "string", default: String(DEFAULT_MINUTES) },
      seed: { type: "string", default: randomBytes(4).toString("hex") },
      folder: { type: "string" },
    },
  });
  const rounds = wholeNumber("--rounds", values.rounds, 10_000);
  const minutes = wholeNumber("--minutes", values.minutes, 24 * 60);
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "social-connect-faults-")));
  await mkdir(folder, { recursive: true });
  const journal = new Journal(folder);
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(new Error(signal)));
  console.log(`seed ${values.seed}: up to ${rounds} rounds, ${minutes} minutes`);
  journal.write("seed", { seed: values.seed, rounds, minutes });
  try {
    const { signal } = controller;
    const result = await runFaults({ seed: values.seed, rounds, minutes, folder, journal, signal, say: console.log });
    const found = result.violations.length;
    journal.write("end", { rounds: result.rounds, violations: found });
    console.log(
      found === 0
        ? `no violation in ${result.rounds} rounds`
        : `${found} violations in ${result.rounds} rounds; run again with --seed ${values.seed}`,
    );
    return found === 0 ? 0 : 1;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    console.log("interrupted");
    return 130;
  } finally {
    await journal.close();
    console.log(`log: ${journal.path}`);
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`${name} must be a whole number between 1 and ${most}.`);
  }
  return value;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
