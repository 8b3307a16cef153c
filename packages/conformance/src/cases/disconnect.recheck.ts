import type { Connection } from "../_generated/consumerWire.ts";
import { accountHolds, DOWN } from "../context/accounts.ts";
import type { Connected } from "../context/connections.ts";
import { Mismatch } from "../context/expectation.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../context/jobs.ts";
import type { Steps } from "../context/steps.ts";
import { defineCasesWith } from "../harness/defineCase.ts";

const PROVIDER = "PROVIDER_B";

interface Waiting {
  readonly disconnected: Connected;
  readonly sibling: Connected;
  /** The revoke had not settled before this time. */
  readonly before: Date;
  /** It had settled by this time. */
  readonly after: Date;
  providerAnswers(): Promise<void>;
}

/**
 * Two subjects share an account. One disconnects, the revoke settles, and the provider is unreachable for the other.
 */
async function waitingForRecheck(t: Steps, account: string): Promise<Waiting> {
  const disconnected = await t.connect({ provider: PROVIDER, account });
  const sibling = await t.connectAndSettle({ provider: PROVIDER, account });
  const options = { account, count: 10_000 };
  const faults = [
    await t.provider.fault(PROVIDER, "profile", DOWN, options),
    await t.provider.fault(PROVIDER, "refresh", DOWN, options),
  ];
  const before = await t.now();
  const { revoke } = await t.receipts(disconnected, await t.disconnect(disconnected));
  t.equal(revoke.status, "SUCCEEDED", "the revoke receipt");
  const after = await t.now();
  const providerAnswers = async () => {
    for (const undo of faults.splice(0)) await undo();
  };
  return { disconnected, sibling, before, after, providerAnswers };
}

/** Longer than the longest wait of a retry, 15 minutes. */
const MOVE_MS = 20 * MINUTE_MS;
const MOVES = 9;
const PATIENCE_MS = 5_000;

/**
 * Moves the clock to a time and polls. A service in the middle of an attempt may find the retry due only later, so the
 * clock moves on until the condition is true.
 */
async function pollFrom<Value>(
  t: Steps,
  moment: Date,
  what: string,
  look: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  for (let move = 0; ; move += 1) {
    await t.until(moment, move * MOVE_MS);
    try {
      return await t.eventually(what, look, isThere, PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof Mismatch) || move === MOVES) throw error;
    }
  }
}

/** A re-check is attempted after this time and fails. */
async function untilAttempted(t: Steps, account: string, moment: Date): Promise<void> {
  const left = () => t.provider.faultsLeft(PROVIDER, account);
  const before = await left();
  await pollFrom(t, moment, "a re-check is attempted and fails", left, (count) => count < before);
}

async function settledFrom(t: Steps, connected: Connected, moment: Date): Promise<Connection> {
  const read = () => t.readConnection(connected);
  return pollFrom(t, moment, "the re-check ends", read, ({ status }) => status !== "SUSPENDED");
}

export const SIBLING_RECHECK_CASES = defineCasesWith({ lane: "timeline", needs: ["provider", "clock"] })({
  "S4.disconnect.recheck-given-up": {
    title:
      "A sibling that cannot be re-checked stays SUSPENDED for 7 days and is then RECONNECT_REQUIRED; until then the disconnected subject cannot connect there.",
    holds: accountHolds(PROVIDER, "private-post"),
    run: async (t) => {
      const waiting = await waitingForRecheck(t, "private-post");
      const wanted = { scope: waiting.disconnected.scope, provider: PROVIDER } as const;
      try {
        const isSuspended = async () => {
          t.isWithheld(await t.readConnection(waiting.sibling), "SUSPENDED", "AUTHORIZATION_SUSPENDED");
          await t.refusesSession(wanted, "FORBIDDEN");
        };
        for (const ageMs of [DAY_MS + HOUR_MS, 6 * DAY_MS]) {
          await untilAttempted(t, "private-post", new Date(waiting.before.getTime() + ageMs));
          await isSuspended();
        }
        await t.until(waiting.before, 7 * DAY_MS - MINUTE_MS);
        await isSuspended();
        const end = new Date(waiting.after.getTime() + 7 * DAY_MS + MINUTE_MS);
        const given = await settledFrom(t, waiting.sibling, end);
        t.isWithheld(given, "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
        await t.mayConnectAgain(wanted);
      } finally {
        await waiting.providerAnswers();
      }
    },
  },
  "S4.disconnect.recheck-after-days": {
    title:
      "A sibling that is SUSPENDED because the provider is down is CONNECTED again when the provider responds days later.",
    holds: accountHolds(PROVIDER, "unicode"),
    run: async (t) => {
      const waiting = await waitingForRecheck(t, "unicode");
      try {
        await untilAttempted(t, "unicode", new Date(waiting.after.getTime() + 3 * DAY_MS));
        t.equal((await t.readConnection(waiting.sibling)).status, "SUSPENDED", "after three days");
        // One more attempt fails that late. It starts with a refresh, because the access token has expired long before.
        await t.provider.fault(PROVIDER, "refresh", DOWN, { account: "unicode", count: 1 });
        await waiting.providerAnswers();
        const later = new Date(waiting.after.getTime() + 3 * DAY_MS + 4 * HOUR_MS);
        const left = () => t.provider.faultsLeft(PROVIDER, "unicode");
        await pollFrom(t, later, "that attempt is made", left, (count) => count === 0);
        const settledRow = await settledFrom(t, waiting.sibling, new Date(later.getTime() + 4 * HOUR_MS));
        t.equal(settledRow.status, "CONNECTED", "once the provider responds");
        await t.createSession({ scope: waiting.sibling.scope, provider: PROVIDER });
      } finally {
        await waiting.providerAnswers();
      }
    },
  },
});
