import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Comparison } from "./compare.ts";
import type { Observation } from "./perform/calls.ts";
import type { Leader } from "./perform/side.ts";
import type { Pair } from "./runSequence.ts";

/** What the server showed at each step of a sequence, as a file. */
interface RecordedSequence {
  readonly beganAt: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly observations: Observation[];
}

/** Records the server's answers, or compares them with recorded ones. */
export interface Recording {
  watch(sequence: string): Required<Pick<Pair, "watch">>;
  save(sequence: string): Promise<void>;
}

const HOUR_OF_BEGIN = 12;
const DAY_MS = 86_400_000;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Windows are whole minutes, so the seconds of the beginning can move them by one. */
const WINDOW_MS = 60_000;

/** Moves the clock to noon: quotas and daily work depend on the time of day, so each recording begins at the same. */
export async function advanceToNoon(leader: Leader): Promise<void> {
  const now = await leader.now();
  const noon = new Date(now);
  noon.setUTCHours(HOUR_OF_BEGIN, 0, 0, 0);
  const ms = noon.getTime() - now.getTime();
  await leader.advance(ms > 0 ? ms : ms + DAY_MS);
}

export function recordAnswers(folder: string, addresses: RecordedSequence["addresses"]): Recording {
  const sequences = new Map<string, RecordedSequence>();
  return {
    watch: (sequence) => ({
      watch: async (beganAt) => {
        const observations: Observation[] = [];
        sequences.set(sequence, { beganAt: beganAt.toISOString(), addresses, observations });
        return (_, observation) => {
          observations.push(observation);
          return [];
        };
      },
    }),
    save: async (sequence) => {
      await mkdir(folder, { recursive: true });
      await writeFile(fileOf(folder, sequence), JSON.stringify(sequences.get(sequence)));
    },
  };
}

export function compareAnswers(folder: string, addresses: RecordedSequence["addresses"]): Recording {
  return {
    watch: (sequence) => ({
      watch: async (beganAt) => {
        const recorded = JSON.parse(await readFile(fileOf(folder, sequence), "utf8")) as RecordedSequence;
        const shiftMs = beganAt.getTime() - Date.parse(recorded.beganAt);
        const comparison = new Comparison({ beganAt, addresses: [addresses, recorded.addresses] });
        return (index, observation, toleranceMs) =>
          comparison.compare(
            JSON.parse(JSON.stringify(observation)),
            JSON.parse(shifted(JSON.stringify(recorded.observations[index] ?? null), shiftMs)),
            toleranceMs + WINDOW_MS,
          );
      },
    }),
    save: async () => undefined,
  };
}

function shifted(json: string, ms: number): string {
  return json.replaceAll(TIME, (time) => new Date(Date.parse(time) + ms).toISOString());
}

function fileOf(folder: string, sequence: string): string {
  return join(folder, `${sequence.replaceAll("/", "-")}.json`);
}
