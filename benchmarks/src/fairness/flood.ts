/**
 * A separate process that sends many calls at the same time: for each message with its load it returns the results of
 * the calls.
 */
import { setTimeout } from "node:timers/promises";
import { type Call, Caller } from "./caller.ts";

export interface Flood {
  readonly calls: readonly Call[];
  /** Parallel callers of each call. */
  readonly parallel: number;
  readonly seconds: number;
  /** Whether a refused caller waits for retryAfterSeconds before it calls again. */
  readonly isPatient: boolean;
}

export interface FloodResult {
  readonly sent: number;
  /** By the code of the first error; "done" without errors, "unanswered" without a response. */
  readonly answers: Readonly<Record<string, number>>;
  readonly refusedWithoutSeconds: number;
}

async function run({ calls, parallel, seconds, isPatient }: Flood): Promise<FloodResult> {
  const caller = new Caller();
  const answers: Record<string, number> = {};
  let sent = 0;
  let refusedWithoutSeconds = 0;
  const end = performance.now() + seconds * 1_000;
  const repeat = async (call: Call) => {
    while (performance.now() < end) {
      sent += 1;
      const answer = await caller.call(call).catch(() => null);
      const name = answer === null ? "unanswered" : (answer.code ?? "done");
      answers[name] = (answers[name] ?? 0) + 1;
      if (answer?.code !== "RATE_LIMITED") continue;
      const { retryAfterSeconds } = answer;
      if (retryAfterSeconds === null || !Number.isInteger(retryAfterSeconds) || retryAfterSeconds < 1)
        refusedWithoutSeconds += 1;
      if (isPatient) await setTimeout(Math.max(0, Math.min((retryAfterSeconds ?? 0) * 1_000, end - performance.now())));
    }
  };
  await Promise.all(calls.flatMap((call) => Array.from({ length: parallel }, () => repeat(call))));
  caller.close();
  return { sent, answers, refusedWithoutSeconds };
}

process.on("message", async (flood: Flood) => process.send?.(await run(flood)));
