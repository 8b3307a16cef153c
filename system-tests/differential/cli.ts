/**
 *     pnpm test:system differential [--seed S[,S…]] [--sequences N] [--steps N] [--minutes M]
 *
 * Runs sequences of each seed, until one shows a difference; starts none after the minutes. Exit code: 0 no difference, 1 a difference,
 * 2 a step failed.
 */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { openMockSide } from "./mockSide.ts";
import { differenceText, type Pair, runSequence } from "./runSequence.ts";
import { openServerSide } from "./serverSide.ts";

/** Where both sides put what they spread over time. */
const JITTER = 0.5;
const SHRINK_MS = 180_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    sequences: { type: "string", default: "5" },
    steps: { type: "string", default: "60" },
    minutes: { type: "string", default: "60" },
  },
});

async function main(): Promise<number> {
  const seeds = values.seed?.split(",") ?? [randomBytes(4).toString("hex")];
  const [sequences, steps] = [Number(values.sequences), Number(values.steps)];
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  await using server = await openServerSide(JITTER);
  const pair: Pair = {
    leader: server,
    openFollower: (now) =>
      openMockSide({ seed: "differential", now, jitter: JITTER, previewTemplate: server.previewTemplate }),
  };
  const names = seeds.flatMap((seed) =>
    /\/\d+$/.test(seed) ? [seed] : Array.from({ length: sequences }, (_, index) => `${seed}/${index + 1}`),
  );
  let [made, ran] = [0, 0];
  for (const name of names) {
    if (performance.now() > endMs) break;
    const beganMs = performance.now();
    const outcome = await runSequence(pair, name, steps, SHRINK_MS);
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
    console.error(`${name}: ${outcome.steps.length} steps (${outcome.skipped} empty) in ${seconds} s`);
    made += outcome.steps.length;
    ran += 1;
    if (outcome.difference === null) continue;
    console.log(differenceText(name, steps, outcome.difference));
    return 1;
  }
  console.log(`No difference in ${made} steps of ${ran} sequences. Seeds: ${seeds.join(", ")}`);
  return 0;
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error);
    return 2;
  }),
);
