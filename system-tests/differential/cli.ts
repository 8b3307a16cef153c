import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { generateSequence } from "./generate/sequence.ts";
import { openMockSide } from "./mockSide.ts";
import { advanceToNoon, compareAnswers, recordAnswers } from "./recording.ts";
import { differenceText } from "./report.ts";
import { type Pair, runSequence, StepError } from "./runSequence.ts";
import { openServerSide } from "./serverSide.ts";
import { shrink } from "./shrink.ts";

const USAGE = `pnpm test:system differential [--seed S[,S…]] [--sequences N] [--steps N] [--minutes M] [--no-shrink]
                               [--keep-going] [--record FOLDER | --recorded FOLDER]

  --seed       the seeds to run, separated by commas; random ones by default
  --sequences  sequences per seed (default 5)
  --steps      steps per sequence (default 60)
  --minutes    start no sequence after this time
  --no-shrink  print the original sequence of a difference
  --keep-going continue after a difference
  --record     write the server's answers into this folder
  --recorded   compare the server's answers with those of this folder too

Exit code: 0 no difference, 1 a difference, 2 a step failed.`;

const OPTIONS = {
  seed: { type: "string" },
  sequences: { type: "string", default: "5" },
  steps: { type: "string", default: "60" },
  minutes: { type: "string", default: "60" },
  "no-shrink": { type: "boolean", default: false },
  "keep-going": { type: "boolean", default: false },
  record: { type: "string" },
  recorded: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** Where both sides put what they spread over time. */
const JITTER = 0.5;
const SHRINK_MS = 180_000;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const seeds = values.seed?.split(",") ?? [randomBytes(4).toString("hex")];
  const [sequences, steps, minutes] = [values.sequences, values.steps, values.minutes].map(Number) as [
    number,
    number,
    number,
  ];
  const server = await openServerSide(JITTER);
  const recording =
    values.record !== undefined
      ? recordAnswers(values.record, server.addresses)
      : values.recorded !== undefined
        ? compareAnswers(values.recorded, server.addresses)
        : null;
  const pair: Pair = {
    leader: server,
    openFollower: (now) =>
      openMockSide({ seed: "differential", now, jitter: JITTER, previewTemplate: server.previewTemplate }),
  };
  try {
    const endMs = performance.now() + minutes * 60_000;
    let made = 0;
    let different = 0;
    for (const seed of seeds) {
      for (let index = 1; index <= sequences && performance.now() < endMs; index += 1) {
        const name = /\/\d+$/.test(seed) ? seed : `${seed}/${index}`;
        const sequence = generateSequence(name, steps);
        const beganMs = performance.now();
        if (recording !== null) await advanceToNoon(server);
        const outcome = await runSequence({ ...pair, ...recording?.watch(name) }, sequence);
        await recording?.save(name);
        made += outcome.made;
        const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
        console.error(
          `${name}: ${outcome.made} steps (${outcome.skipped} empty) in ${seconds} s${outcome.difference ? ", DIFFERENT" : ""}`,
        );
        if (outcome.difference !== null) {
          const prefix = sequence.slice(0, outcome.made);
          const smallest = values["no-shrink"]
            ? { steps: prefix, difference: outcome.difference }
            : await shrink(pair, prefix, outcome.difference, SHRINK_MS);
          console.log(differenceText(name, steps, smallest));
          different += 1;
          if (!values["keep-going"]) return 1;
        }
        if (name === seed) break;
      }
    }
    if (different > 0) return 1;
    console.log(
      `No difference in ${made} steps. Seeds: ${seeds.join(", ")}; ${sequences} sequences of ${steps} steps each.`,
    );
    return 0;
  } finally {
    await server.close();
  }
}

// The write below fails if the reader has ended, as `head` does; its callback still runs.
process.stdout.on("error", () => undefined);

main().then(
  (code) => {
    process.stdout.write("", () => process.exit(code));
  },
  (error: unknown) => {
    console.error(error instanceof StepError ? `A step failed: ${error.message}` : error);
    if (error instanceof StepError) console.error(error.cause);
    process.exit(2);
  },
);
