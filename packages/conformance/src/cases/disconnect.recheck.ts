import type { CaseContext } from "../harness/context.ts";
import type { Case } from "../harness/defineCase.ts";
import { defineCase } from "../harness/defineCase.ts";
import { accountHold, disconnect, receipts, settled } from "./support/disconnects.ts";
import { isWithheld } from "./support/findings.ts";
import type { Connected } from "./support/journeys.ts";
import {
  connect,
  connectAndSettle,
  connectInput,
  createSession,
  readConnection,
  serviceNow,
} from "./support/journeys.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const PROVIDER = "PROVIDER_B";

interface Waiting {
  readonly disconnected: Connected;
  readonly sibling: Connected;
  /** The revoke had not settled before this moment. */
  readonly before: Date;
  /** It had settled by this one. */
  readonly after: Date;
  providerAnswers(): Promise<void>;
}

/** Two subjects share an account. One disconnects, the revoke settles, and the provider cannot be asked about the other. */
async function waitingForRecheck(t: CaseContext, account: string): Promise<Waiting> {
  const disconnected = await connect(t, { provider: PROVIDER, account });
  const sibling = await connectAndSettle(t, { provider: PROVIDER, account });
  const down = { kind: "status", status: 503 } as const;
  const options = { account, count: 10_000 };
  const faults = [
    await t.provider.fault(PROVIDER, "profile", down, options),
    await t.provider.fault(PROVIDER, "refresh", down, options),
  ];
  const before = await serviceNow(t);
  const { revoke } = await receipts(t, disconnected, await disconnect(t, disconnected));
  t.equal(revoke.status, "SUCCEEDED", "the revoke receipt");
  const after = await serviceNow(t);
  const providerAnswers = async () => {
    for (const undo of faults.splice(0)) await undo();
  };
  return { disconnected, sibling, before, after, providerAnswers };
}

/**
 * Waits for a moment, and for a try that fails there. A clock that was moved in the middle of a try would have the retry wait
 * for as long as it was moved.
 */
async function untilTried(t: CaseContext, account: string, moment: Date): Promise<void> {
  const left = () => t.provider.faultsLeft(PROVIDER, account);
  const before = await left();
  await t.until(moment);
  await t.eventually("a re-check is tried, and fails", left, (count) => count < before);
}

export const SIBLING_RECHECK_CASES: readonly Case[] = [
  defineCase({
    id: "S4.disconnect.recheck-given-up",
    title:
      "A sibling whose re-check cannot be made stays SUSPENDED for 7 days and is then RECONNECT_REQUIRED; until then the subject that disconnected cannot connect there.",
    part: 4,
    lane: "timeline",
    needs: ["provider", "clock"],
    holds: [accountHold(PROVIDER, "private-post")],
    reaches: [
      "rule:disconnect.siblings",
      "rule:disconnect.settling",
      "transition:connection.SUSPENDED.RECONNECT_REQUIRED",
    ],
    run: async (t) => {
      const waiting = await waitingForRecheck(t, "private-post");
      const input = connectInput(t, { scope: waiting.disconnected.scope, provider: PROVIDER });
      try {
        for (const ageMs of [DAY_MS + HOUR_MS, 7 * DAY_MS - MINUTE_MS]) {
          await untilTried(t, "private-post", new Date(waiting.before.getTime() + ageMs));
          isWithheld(t, await readConnection(t, waiting.sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
          await t.refuses("createConnectSession", { input }, "FORBIDDEN");
        }
        await t.until(new Date(waiting.after.getTime() + 7 * DAY_MS + MINUTE_MS));
        isWithheld(t, await settled(t, waiting.sibling), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
        t.value(
          await t.eventually(
            "the subject may connect at the provider again",
            () => t.call("createConnectSession", { input }),
            (outcome) => outcome.ok || outcome.code !== "FORBIDDEN",
          ),
        );
      } finally {
        await waiting.providerAnswers();
      }
    },
  }),
  defineCase({
    id: "S4.disconnect.recheck-after-days",
    title:
      "A sibling that is SUSPENDED because the provider is down is CONNECTED again when the provider answers days later.",
    part: 4,
    lane: "timeline",
    needs: ["provider", "clock"],
    holds: [accountHold(PROVIDER, "unicode")],
    reaches: ["rule:disconnect.siblings", "transition:connection.SUSPENDED.CONNECTED"],
    run: async (t) => {
      const waiting = await waitingForRecheck(t, "unicode");
      try {
        await untilTried(t, "unicode", new Date(waiting.after.getTime() + 3 * DAY_MS));
        t.equal((await readConnection(t, waiting.sibling)).status, "SUSPENDED", "after three days");
        // One more try fails that late. It begins with a refresh, because the access token has ended long ago.
        await t.provider.fault(PROVIDER, "refresh", { kind: "status", status: 503 }, { account: "unicode", count: 1 });
        await waiting.providerAnswers();
        // No retry is more than 15 minutes away.
        await t.until(new Date(waiting.after.getTime() + 3 * DAY_MS + 20 * MINUTE_MS));
        await t.eventually(
          "that try is made",
          () => t.provider.faultsLeft(PROVIDER, "unicode"),
          (count) => count === 0,
        );
        await t.until(new Date(waiting.after.getTime() + 3 * DAY_MS + HOUR_MS));
        t.equal((await settled(t, waiting.sibling)).status, "CONNECTED", "once the provider answers");
        await createSession(t, { scope: waiting.sibling.scope, provider: PROVIDER });
      } finally {
        await waiting.providerAnswers();
      }
    },
  }),
];
