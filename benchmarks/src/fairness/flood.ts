/** A separate process that sends many requests at the same time: for each message with a load it returns what was answered. */
import { type Load, run } from "../load/load.ts";

export interface FloodResult {
  /** By the code of the first error; "done" without errors, "unanswered" without a response, else by the status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly refusedWithoutSeconds: number;
}

interface Refusal {
  readonly errors: readonly { readonly extensions: { readonly code: string; readonly retryAfterSeconds?: number } }[];
}

async function flood(load: Load): Promise<FloodResult> {
  const answers: Record<string, number> = {};
  let refusedWithoutSeconds = 0;
  const count = (name: string, times = 1) => {
    answers[name] = (answers[name] ?? 0) + times;
  };
  const { unanswered } = await run(load, (status, body) => {
    if (!body.startsWith("{")) return count(`status ${status}`);
    const [error] = body.includes('"errors"') ? (JSON.parse(body) as Refusal).errors : [];
    count(error?.extensions.code ?? "done");
    if (error?.extensions.code !== "RATE_LIMITED") return;
    if (!((error.extensions.retryAfterSeconds ?? 0) >= 1)) refusedWithoutSeconds += 1;
  });
  if (unanswered > 0) count("unanswered", unanswered);
  return { answers, refusedWithoutSeconds };
}

process.on("message", async (load: Load) => process.send?.(await flood(load)));
