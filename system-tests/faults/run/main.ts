/**
 * The service under load and under faults: two apis, two workers and PostgreSQL are killed, frozen, stopped and started
 * again at random while accounts are connected, read and disconnected; then everything that was acknowledged is checked.
 *
 *     pnpm test:system faults [--rounds N] [--minutes M] [--seed S]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCluster } from "../cluster.ts";
import { openJournal } from "../journal.ts";
import { Known } from "../known.ts";
import { prepareRun } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: randomBytes(4).toString("hex") },
  },
});

const { seed } = values;
const [rounds, minutes] = [Number(values.rounds), Number(values.minutes)];
if (![rounds, minutes].every((value) => Number.isInteger(value) && value >= 1))
  throw new Error("--rounds and --minutes are whole numbers from 1 on.");
const folder = await mkdtemp(join(tmpdir(), "social-connect-faults-"));
const log = join(folder, "faults.ndjson");
const journal = openJournal(log);
console.log(`seed ${seed}: up to ${rounds} rounds, ${minutes} minutes; log: ${log}`);
journal.write("seed", { seed, rounds, minutes });
const known = new Known();
const cluster = await startCluster(folder, known, journal);
try {
  const run = prepareRun({ seed, rounds, minutes, journal, say: console.log }, cluster);
  const done = await run.allRounds();
  const violations = run.violations.length;
  journal.write("end", { rounds: done, violations });
  console.log(`violations: ${violations}, in ${done} rounds; run again with --seed ${seed}`);
  process.exitCode = violations === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}
process.exit();
