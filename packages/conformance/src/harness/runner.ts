import { setTimeout as delay } from "node:timers/promises";
import { ClockLine } from "../context/clockLine.ts";
import type { Made } from "../context/context.ts";
import { Mismatch, messageOf } from "../context/expectation.ts";
import { Steps } from "../context/steps.ts";
import { missingNeeds, type Need, type Target } from "../target/target.ts";
import { Recorder } from "../wire/recorder.ts";
import type { Case, Lane } from "./defineCase.ts";

/**
 * Runs so many cases concurrently, and never two with the same lock. A case acquires all its locks together, so there
 * is no deadlock.
 */
async function runWithHolds(cases: readonly Case[], parallel: number, run: (one: Case) => Promise<void>) {
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

export interface CaseResult extends Pick<Case, "id" | "title" | "part"> {
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

export interface RunOptions {
  readonly parallel: number;
  /** Gets what the cases that passed saw on the wire. */
  readonly seen?: Set<string>;
  readonly onResult?: (result: CaseResult) => void;
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
    const { id, title, part } = one;
    const missing = missingNeeds(target, one.needs);
    if (missing.length === 0) runnable.push(one);
    else note({ id, title, part, outcome: "skipped", milliseconds: 0, missing });
  }
  const inLane = (lane: Lane) => runnable.filter((one) => one.lane === lane);
  const made: Made = { applications: [], clientIds: [] };
  const run = async (one: Case, clockLine: ClockLine | null = null) =>
    note(await runCase(target, one, made, clockLine, options.seen));
  const removeMade = async () => {
    for (const application of made.applications.splice(0)) await target.operator?.removeApplication(application);
    for (const clientId of made.clientIds.splice(0)) await target.storage?.forgetClient(clientId);
  };
  try {
    await runWithHolds(inLane("alongside"), options.parallel, run);
    await removeMade();
    for (const one of inLane("alone")) await run(one);
    await removeMade();
    if (target.clock === undefined) return results;
    const clockLine = new ClockLine(target.clock);
    // All start in the same turn, so that none waits for the clock before all others have joined.
    await runWithHolds(inLane("timeline"), Number.POSITIVE_INFINITY, async (one) => {
      clockLine.join();
      await run(one, clockLine);
      clockLine.leave();
    });
  } finally {
    await removeMade();
  }
  return results;
}

async function runCase(target: Target, one: Case, made: Made, clockLine: ClockLine | null, seen?: Set<string>) {
  const { id, title, part } = one;
  const recorder = new Recorder();
  const startedMs = performance.now();
  const end = (failure?: Failure): CaseResult => ({
    ...{ id, title, part },
    outcome: failure === undefined ? "passed" : "failed",
    milliseconds: Math.round(performance.now() - startedMs),
    ...(failure !== undefined && { failure }),
  });
  try {
    const own = one.application === "own" ? await target.operator?.createApplication() : undefined;
    const application = own ?? target.application;
    if (own !== undefined) made.applications.push(own);
    const t = new Steps(target, application, made, recorder, clockLine);
    await Promise.race([one.run(t), timeout(clockLine === null ? CASE_TIMEOUT_MS : TIMELINE_TIMEOUT_MS)]);
    if (t.count === 0) return end({ what: "The case compared nothing.", expected: "a comparison", actual: "none" });
    for (const observation of recorder.seen) seen?.add(observation);
    return end();
  } catch (error) {
    return end(describe(error, (text) => recorder.redact(text)));
  }
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

async function timeout(timeoutMs: number): Promise<never> {
  await delay(timeoutMs, undefined, { ref: false });
  throw new Error(`not finished within ${timeoutMs / 1000} seconds`);
}
