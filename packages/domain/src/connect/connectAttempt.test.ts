import {
  CONNECT_RESULT_CODES,
  CONNECT_SESSION_STATUSES,
  type ConnectSessionStatus,
  LIMITS,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { HOUR, MINUTE, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  attemptAsRead,
  attemptDeadlines,
  CONNECT_ATTEMPT_TRANSITIONS,
  type ConnectAttemptEvent,
  changeAttempt,
  checkRecentAttempts,
  checkUnfinishedAttempts,
  checkUnfinishedIdentityAttempts,
  eventInTime,
  isUnfinished,
  MOST_RECENT_ATTEMPTS,
  moveAttempt,
} from "./connectAttempt.ts";

const EVENTS = Object.keys(CONNECT_ATTEMPT_TRANSITIONS) as ConnectAttemptEvent[];

/** Every move there is, written out: event, from, to, resultCode. All others must be refused. */
const MOVES = [
  ["LAUNCH_REDEEMED", "CREATED", "AUTHORIZING", null],
  ["SUPERSEDED", "CREATED", "CANCELED", "SUPERSEDED"],
  ["SUPERSEDED", "AUTHORIZING", "CANCELED", "SUPERSEDED"],
  ["RECONNECT_TARGET_GONE", "CREATED", "CANCELED", "RECONNECT_TARGET_GONE"],
  ["RECONNECT_TARGET_GONE", "AUTHORIZING", "CANCELED", "RECONNECT_TARGET_GONE"],
  ["APPLICATION_DISABLED", "CREATED", "CANCELED", "APPLICATION_DISABLED"],
  ["APPLICATION_DISABLED", "AUTHORIZING", "CANCELED", "APPLICATION_DISABLED"],
  ["TURNED_BACK", "CREATED", "CANCELED", "USER_DENIED"],
  ["TURNED_BACK", "AUTHORIZING", "CANCELED", "USER_DENIED"],
  ["CODE_RECEIVED", "AUTHORIZING", "EXCHANGING", null],
  ["ACCESS_DENIED", "AUTHORIZING", "DENIED", "USER_DENIED"],
  ["CALLBACK_ERROR", "AUTHORIZING", "FAILED", "PROVIDER_ERROR"],
  ["ACCOUNT_CONNECTED", "EXCHANGING", "COMPLETED", null],
  ["NO_CAPABILITY_GRANTED", "EXCHANGING", "DENIED", "NO_CAPABILITY_GRANTED"],
  ["NOT_A_TESTER", "EXCHANGING", "FAILED", "NOT_A_TESTER"],
  ["ACCOUNT_MISMATCH", "EXCHANGING", "FAILED", "ACCOUNT_MISMATCH"],
  ["EXCHANGE_REFUSED", "EXCHANGING", "FAILED", "EXCHANGE_FAILED"],
  ["PROVIDER_UNAVAILABLE", "EXCHANGING", "FAILED", "PROVIDER_UNAVAILABLE"],
  ["POLICY_CHANGED", "CREATED", "FAILED", "POLICY_CHANGED"],
  ["POLICY_CHANGED", "AUTHORIZING", "FAILED", "POLICY_CHANGED"],
  ["POLICY_CHANGED", "EXCHANGING", "FAILED", "POLICY_CHANGED"],
  ["DEADLINE_PASSED", "CREATED", "EXPIRED", "DEADLINE_PASSED"],
  ["DEADLINE_PASSED", "AUTHORIZING", "EXPIRED", "DEADLINE_PASSED"],
  ["DEADLINE_PASSED", "EXCHANGING", "EXPIRED", "DEADLINE_PASSED"],
] as const;

describe("moves of a connect attempt", () => {
  const every = CONNECT_SESSION_STATUSES.flatMap((status) => EVENTS.map((event) => [event, status] as const));

  test.each(every)("%s in %s", (event, status) => {
    const move = MOVES.find(([name, from]) => name === event && from === status);
    expect(moveAttempt(status, event)).toEqual(move === undefined ? null : { status: move[2], resultCode: move[3] });
  });

  test("reach every status and every result code", () => {
    expect(new Set(["CREATED", ...MOVES.map(([, , to]) => to)])).toEqual(new Set(CONNECT_SESSION_STATUSES));
    expect(new Set(MOVES.flatMap(([, , , code]) => code ?? []))).toEqual(new Set(CONNECT_RESULT_CODES));
  });

  test.each(every)("%s in %s writes the state and who must act", (event, status) => {
    for (const provider of SOCIAL_PROVIDERS) {
      const move = moveAttempt(status, event);
      const leavesGrant =
        !PROVIDER_TRAITS[provider].canRevoke && status === "EXCHANGING" && event !== "ACCOUNT_CONNECTED";
      const creatorAction = leavesGrant ? "REMOVE_APP_AT_PROVIDER" : null;
      expect(changeAttempt({ status, provider }, event)).toEqual(move && { ...move, creatorAction });
    }
  });

  test("leave from unfinished statuses only", () => {
    const left = new Set<ConnectSessionStatus>(MOVES.map(([, from]) => from));
    expect(CONNECT_SESSION_STATUSES.filter(isUnfinished)).toEqual(["CREATED", "AUTHORIZING", "EXCHANGING"]);
    expect([...left].every(isUnfinished)).toBe(true);
  });
});

describe("reading an attempt", () => {
  const created = {
    provider: "PROVIDER_A" as SocialProvider,
    status: "AUTHORIZING" as ConnectSessionStatus,
    resultCode: null,
    connectionId: null,
    creatorAction: null,
    ...attemptDeadlines(NOW),
  };
  const readAt = (attempt: typeof created, ms: number) => attemptAsRead(attempt, addMs(NOW, ms));

  test("has its deadlines 10 minutes and 24 hours after creation", () => {
    expect(created.expiresAt).toEqual(new Date("2026-03-01T12:10:00.000Z"));
    expect(created.resultExpiresAt).toEqual(new Date("2026-03-02T12:00:00.000Z"));
  });

  test.each(["CREATED", "AUTHORIZING", "EXCHANGING"] as const)(
    "shows %s until the deadline and EXPIRED from it on",
    (status) => {
      expect(readAt({ ...created, status }, 10 * MINUTE - 1)).toMatchObject({ status, resultCode: null });
      for (const ms of [10 * MINUTE, 10 * MINUTE + 1, 24 * HOUR - 1]) {
        expect(readAt({ ...created, status }, ms)).toMatchObject({ status: "EXPIRED", resultCode: "DEADLINE_PASSED" });
      }
    },
  );

  test.each(["COMPLETED", "DENIED", "FAILED", "CANCELED", "EXPIRED"] as const)(
    "does not change %s after the deadline",
    (status) => {
      expect(readAt({ ...created, status }, 11 * MINUTE)).toMatchObject({ status, resultCode: null });
    },
  );

  test("asks the user to remove the app only when an exchange is overdue at a provider without revocation", () => {
    const told = SOCIAL_PROVIDERS.flatMap((provider) =>
      CONNECT_SESSION_STATUSES.flatMap((status) =>
        [10 * MINUTE - 1, 10 * MINUTE].map((ms) => [
          provider,
          status,
          ms,
          readAt({ ...created, provider, status }, ms),
        ]),
      ),
    ).filter(([, , , read]) => (read as typeof created).creatorAction !== null);
    expect(told).toEqual([
      ["PROVIDER_C", "EXCHANGING", 10 * MINUTE, expect.objectContaining({ creatorAction: "REMOVE_APP_AT_PROVIDER" })],
    ]);
  });

  test.each(CONNECT_SESSION_STATUSES)("finds %s for 24 hours and nothing after", (status) => {
    expect(readAt({ ...created, status }, 24 * HOUR - 1)).not.toBeNull();
    expect(readAt({ ...created, status }, 24 * HOUR)).toBeNull();
    expect(readAt({ ...created, status }, 24 * HOUR + 1)).toBeNull();
  });

  test.each(["SUPERSEDED", "RECONNECT_TARGET_GONE", "APPLICATION_DISABLED", "POLICY_CHANGED"] as const)(
    "shows the same as %s would leave from the deadline on",
    (event) => {
      expect(eventInTime(created, event, addMs(created.expiresAt, -1))).toBe(event);
      expect(eventInTime(created, event, created.expiresAt)).toBe("DEADLINE_PASSED");
    },
  );

  test("shows a connection with COMPLETED only", () => {
    const attempt = { ...created, connectionId: "c-1" } as unknown as typeof created;
    expect(readAt({ ...attempt, status: "COMPLETED" }, 0)).toMatchObject({ connectionId: "c-1" });
    expect(readAt({ ...attempt, status: "FAILED" }, 0)).toMatchObject({ connectionId: null });
  });

  test("does not change its argument", () => {
    const attempt = Object.freeze({ ...created });
    readAt(attempt, 11 * MINUTE);
    expect(attempt.status).toBe("AUTHORIZING");
  });
});

test("attempts of an application that were not completed are bounded; the wait is until the oldest reaches its deadline", () => {
  const oldestDeadline = addMs(NOW, MINUTE);
  expect(checkRecentAttempts({ count: 0, oldestDeadline: null }, NOW)).toBeNull();
  expect(checkRecentAttempts({ count: MOST_RECENT_ATTEMPTS - 1, oldestDeadline }, NOW)).toBeNull();
  const message = expect.stringContaining("The next is possible in a minute.");
  const refusal = { code: "RATE_LIMITED", retryAfterSeconds: 60, message };
  expect(checkRecentAttempts({ count: MOST_RECENT_ATTEMPTS, oldestDeadline }, NOW)).toMatchObject(refusal);
  // Another process's clock may be ahead.
  const late = { count: MOST_RECENT_ATTEMPTS + 9, oldestDeadline: addMs(NOW, 11 * MINUTE) };
  expect(checkRecentAttempts(late, NOW)).toMatchObject({ retryAfterSeconds: 600 });
});

describe("unfinished attempts", () => {
  const deadlines = (count: number) => Array.from({ length: count }, (_, index) => addMs(NOW, (index + 1) * MINUTE));

  test("are at most 5 for a subject and provider; the wait is until the oldest reaches its deadline", () => {
    expect(checkUnfinishedAttempts(deadlines(4), NOW)).toBeNull();
    for (const count of [5, 6]) {
      const expected = { code: "RATE_LIMITED", retryAfterSeconds: 60 };
      expect(checkUnfinishedAttempts(deadlines(count).reverse(), NOW)).toMatchObject(expected);
    }
  });

  test("do not count from their deadline on", () => {
    const most = deadlines(LIMITS.unfinishedConnectAttempts);
    expect(checkUnfinishedAttempts(most, addMs(NOW, MINUTE - 1))).toMatchObject({ retryAfterSeconds: 1 });
    expect(checkUnfinishedAttempts(most, addMs(NOW, MINUTE))).toBeNull();
  });

  test("have a retry time within an attempt's lifetime, also when another process's clock is ahead", () => {
    const ahead = (count: number) => Array.from({ length: count }, () => addMs(NOW, 10 * MINUTE + 3));
    const expected = { retryAfterSeconds: 600 };
    expect(checkUnfinishedAttempts(ahead(LIMITS.unfinishedConnectAttempts), NOW)).toMatchObject(expected);
    expect(checkUnfinishedIdentityAttempts(ahead(LIMITS.unfinishedIdentityAttempts), NOW)).toMatchObject(expected);
  });

  test("are at most 20 for the identity handoff of an application", () => {
    expect(checkUnfinishedIdentityAttempts(deadlines(19), NOW)).toBeNull();
    expect(checkUnfinishedIdentityAttempts(deadlines(20), NOW)).toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: 60,
    });
  });
});
