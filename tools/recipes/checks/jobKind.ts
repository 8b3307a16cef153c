/** Runs in a scratch copy after the recipe of a job kind: a day after a scan, the worker and the mocks run a RECOUNT. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { linkAndRead } from "../../linkAccount.ts";
import type { Target } from "./targets.ts";

const DAY_MS = 24 * 3_600_000;
const POLL_MS = 100;
const MOST_POLLS = 600;

export default async function check(target: Target): Promise<void> {
  const { connectionId } = await linkAndRead(target, { externalSubjectId: "job-kind" });
  await target.advance(DAY_MS);
  for (let polls = 0; ; polls += 1) {
    const recounts = (await target.jobs(connectionId)).filter(({ kind }) => kind === "RECOUNT");
    if (recounts.some(({ status }) => status === "SUCCEEDED")) return;
    assert(polls < MOST_POLLS, `no RECOUNT succeeded: ${JSON.stringify(recounts)}`);
    await setTimeout(POLL_MS);
  }
}
