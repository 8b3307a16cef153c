import { ClockLine } from "../context/clockLine.ts";
import { Mismatch, messageOf } from "../context/expectation.ts";
import { Recorder } from "../context/recorder.ts";
import { Steps } from "../context/steps.ts";
import { type Application, missingNeeds, type Need, type Target } from "../target/target.ts";
import type { Case, Lane } from "./defineCase.ts";

/**
 * Runs so many cases concurrently, and never two with the same lock. A case acquires all its locks together, so there
 * is no deadlock.
 */
async function runWithHolds(
  cases: readonly Case[],
  parallel: number,
  run: (one: Case) => Promise<void>,
): Promise<void> {
  const waiting = [...cases];
  const held = new Set<string>();
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    const startMore = () => {
      while (running < parallel) {
        const at = waiting.findIndex((one) => one.holds.every((name) => !held.has(name)));
        const [one] = at < 0 ? [] : waiting.splice(at, 1);
        if (one === undefined) break;
        running += 1;
        for (const name of one.holds) held.add(name);
        run(one).then(() => {
          running -= 1;
          for (const name of one.holds) held.delete(name);
          startMore();
        }, reject);
      }
      if (running === 0 && waiting.length === 0) resolve();
    };
    startMore();
  });
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly part: number;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  readonly failure?: Failure;
  readonly missing?: readonly Need[];
}

interface Failure {
  readonly what: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

interface RunOptions {
  readonly parallel: number;
  /** Gets what the cases that passed saw on the wire. */
  readonly seen?: Set<string>;
  readonly onResult?: (result: CaseResult) => void;
}

interface Made {
  readonly applications: Application[];
  readonly clientIds: string[];
}

/** Timeout of one case, without the time it waits for the clock. */
const CASE_TIMEOUT_MS = 120_000;
const TIMELINE_TIMEOUT_MS = 900_000;

/** First all concurrent cases, then the exclusive ones one by one, then the cases that wait for the clock. */
export async function runCases(target: Target, cases: readonly Case[], options: RunOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const note = (result: CaseResult) => {
    results.push(result);
    options.onResult?.(result);
  };
  const runnable: Case[] = [];
  for (const one of cases) {
    const missing = missingNeeds(target, one.needs);
    if (missing.length === 0) runnable.push(one);
    else note({ ...headOf(one), outcome: "skipped", milliseconds: 0, missing });
  }
  const inLane = (lane: Lane) => runnable.filter((one) => one.lane === lane);
  const made: Made = { applications: [], clientIds: [] };
  const run = async (one: Case, clockLine: ClockLine | null) =>
    note(await runCase(target, one, options.seen, clockLine, made));
  const removeMade = async () => {
    for (const application of made.applications.splice(0)) await target.operator?.removeApplication(application);
    for (const clientId of made.clientIds.splice(0)) await target.storage?.forgetClient(clientId);
  };
  try {
    await runWithHolds(inLane("alongside"), options.parallel, (one) => run(one, null));
    await removeMade();
    for (const one of inLane("alone")) await run(one, null);
    await removeMade();
    await runTimeline(target, inLane("timeline"), run);
  } finally {
    await removeMade();
  }
  return results;
}

async function runTimeline(
  target: Target,
  cases: readonly Case[],
  run: (one: Case, clockLine: ClockLine) => Promise<void>,
): Promise<void> {
  if (cases.length === 0 || target.clock === undefined) return;
  const clockLine = new ClockLine(target.clock);
  // All start in the same turn, so that none waits for the clock before all others have joined.
  await runWithHolds(cases, Number.POSITIVE_INFINITY, async (one) => {
    clockLine.join();
    try {
      await run(one, clockLine);
    } finally {
      clockLine.leave();
    }
  });
}

async function runCase(
  target: Target,
  one: Case,
  seen: Set<string> | undefined,
  clockLine: ClockLine | null,
  made: Made,
): Promise<CaseResult> {
  const recorder = new Recorder();
  const startedMs = performance.now();
  const end = (failure?: Failure): CaseResult => ({
    ...headOf(one),
    outcome: failure === undefined ? "passed" : "failed",
    milliseconds: Math.round(performance.now() - startedMs),
    ...(failure !== undefined && { failure }),
  });
  try {
    const own = one.application === "own" ? await target.operator?.createApplication() : undefined;
    const application = own ?? target.application;
    if (own !== undefined) made.applications.push(own);
    const t = new Steps(target, application, recorder, clockLine);
    try {
      await withinTime(one.run(t), clockLine === null ? CASE_TIMEOUT_MS : TIMELINE_TIMEOUT_MS);
    } finally {
      made.applications.push(...t.made);
      made.clientIds.push(...t.madeClients);
    }
    if (t.count === 0) return end({ what: "The case compared nothing.", expected: "a comparison", actual: "none" });
    for (const observation of recorder.seen) seen?.add(observation);
    return end();
  } catch (error) {
    return end(describe(error, (text) => recorder.redact(text)));
  }
}

function headOf({ id, title, part }: Case) {
  return { id, title, part };
}

function describe(error: unknown, redact: (text: string) => string): Failure {
  if (error instanceof Mismatch) {
    return { what: redact(error.message), expected: redact(error.expected), actual: redact(error.actual) };
  }
  const { name, stack, cause }: Partial<Error> = Object(error);
  const because = cause === undefined ? "" : ` (${messageOf(cause)})`;
  const text = name === undefined ? String(error) : `${name}: ${messageOf(error)}${because}`;
  const where = /\/cases\/[^)\n]+/.exec(stack ?? "")?.[0];
  return { what: redact(where === undefined ? text : `${text} at ${where}`), expected: null, actual: null };
}

async function withinTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished within ${timeoutMs / 1000} seconds`)), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
