import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { openMockSide } from "./mockSide.ts";
import { differenceText } from "./report.ts";
import { type Pair, runSequence, StepError } from "./runSequence.ts";
import { openServerSide } from "./serverSide.ts";

const USAGE = `pnpm test:system differential [--seed S[,S…]] [--sequences N] [--steps N] [--minutes M] [--no-shrink] [--keep-going]

  --seed       the seeds to run, separated by commas; random ones by default
  --sequences  sequences per seed (default 5)
  --steps      steps per sequence (default 60)
  --minutes    start no sequence after this time
  --no-shrink  print the original sequence of a difference
  --keep-going continue after a difference

Exit code: 0 no difference, 1 a difference, 2 a step failed.`;

/** Where both sides put what they spread over time. */
const JITTER = 0.5;
const SHRINK_MS = 180_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    sequences: { type: "string", default: "5" },
    steps: { type: "string", default: "60" },
    minutes: { type: "string", default: "60" },
    "no-shrink": { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
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
  let [made, ran, different] = [0, 0, 0];
  for (const name of names) {
    if (performance.now() > endMs || (different > 0 && !values["keep-going"])) break;
    const beganMs = performance.now();
    const outcome = await runSequence(pair, name, steps, values["no-shrink"] ? 0 : SHRINK_MS);
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
    const found = outcome.difference === null ? "" : ", DIFFERENT";
    console.error(`${name}: ${outcome.steps.length} steps (${outcome.skipped} empty) in ${seconds} s${found}`);
    made += outcome.steps.length;
    ran += 1;
    if (outcome.difference === null) continue;
    console.log(differenceText(name, steps, outcome.difference));
    different += 1;
  }
  if (different > 0) return 1;
  console.log(`No difference in ${made} steps of ${ran} sequences. Seeds: ${seeds.join(", ")}`);
  return 0;
}

// The write below fails if the reader has ended, as `head` does; its callback still runs.
process.stdout.on("error", () => undefined);

if (values.help) console.log(USAGE);
else
  main().then(
    (code) => process.stdout.write("", () => process.exit(code)),
    (error: unknown) => {
      console.error(error instanceof StepError ? `A step failed: ${error.message}` : error);
      if (error instanceof StepError) console.error(error.cause);
      process.exit(2);
    },
  );
