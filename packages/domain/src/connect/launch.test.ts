import { CONNECT_SESSION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { checkLaunch } from "../browser/launch.ts";
import { APPLICATION } from "../testing/application.ts";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { asksForAccountChoice, decideLaunch, decideLeavePane, type LaunchFacts } from "./launch.ts";

const ORIGIN = "https://app.example";

const facts: LaunchFacts = {
  attempt: {
    status: "CREATED",
    provider: "PROVIDER_A",
    returnUrl: `${ORIGIN}/return`,
    reconnectConnectionId: null,
    createdAt: addMs(NOW, -1_000),
    expiresAt: addMs(NOW, 1),
  },
  application: APPLICATION,
  registration: { status: "PUBLISHED" },
  previewTemplate: null,
  wasLaunchedHere: false,
};

describe("posting a launch token", () => {
  const attempt = { resultExpiresAt: addMs(NOW, 1), application: APPLICATION };
  const check = (found: typeof attempt | null, origin: string | null, now = NOW) =>
    checkLaunch(found, { origin, previewTemplate: null }, now);

  test("is allowed from an origin of the application", () => {
    expect(check(attempt, ORIGIN)).toBeNull();
  });

  test.each([
    ["https://other.example", false],
    ["null", true],
    [null, true],
  ])("is refused from the origin %s", (origin, originMissing) => {
    expect(check(attempt, origin)).toEqual({ outcome: "origin-refused", originMissing });
  });

  test("finds no attempt for an unknown token, and none whose result has expired", () => {
    expect(check(null, ORIGIN)).toEqual({ outcome: "token-spent" });
    expect(check(attempt, "https://other.example", attempt.resultExpiresAt)).toEqual({ outcome: "token-spent" });
  });
});

test.each([
  [null, false, false, false],
  [null, true, false, true],
  [null, false, true, true],
  ["connection-1", true, false, false],
  ["connection-1", true, true, false],
] as const)(
  "the choice of an account: reconnecting %s, has a connection %s, pressed the button %s: %s",
  (reconnectConnectionId, hasConnection, isOtherAccount, asks) => {
    expect(asksForAccountChoice({ reconnectConnectionId, hasConnection, isOtherAccount })).toBe(asks);
  },
);

describe("launching an attempt", () => {
  test("moves it to AUTHORIZING", () => {
    const patch = { status: "AUTHORIZING", resultCode: null, creatorAction: null };
    expect(decideLaunch(facts, NOW)).toEqual({ outcome: "redirect", patch, followUps: [] });
  });

  test("of a reconnect cancels the older attempts that have not exchanged a code", () => {
    const attempt = { ...facts.attempt, reconnectConnectionId: "connection-1" };
    expect(decideLaunch({ ...facts, attempt }, NOW).followUps).toEqual([
      {
        type: "CANCEL_RECONNECTS",
        connectionId: "connection-1",
        statuses: ["CREATED", "AUTHORIZING"],
        createdBefore: attempt.createdAt,
        patch: { status: "CANCELED", resultCode: "SUPERSEDED" },
      },
    ]);
  });

  test.each(CONNECT_SESSION_STATUSES.filter((status) => status !== "CREATED"))("does not change %s", (status) => {
    const outcome = status === "EXPIRED" ? "expired" : "token-spent";
    const attempt = { ...facts.attempt, status, expiresAt: NOW };
    expect(decideLaunch({ ...facts, attempt }, NOW)).toEqual({ outcome, patch: null, followUps: [] });
  });

  test("leads the user of its consent pane to the provider again, until the deadline, and changes nothing", () => {
    const again = { ...facts, wasLaunchedHere: true, attempt: { ...facts.attempt, status: "AUTHORIZING" as const } };
    expect(decideLaunch(again, NOW)).toEqual({ outcome: "redirect", patch: null, followUps: [] });
    expect(decideLaunch(again, facts.attempt.expiresAt)).toMatchObject({ outcome: "expired" });
    const ended = { ...again, attempt: { ...facts.attempt, status: "EXCHANGING" as const } };
    expect(decideLaunch(ended, NOW)).toMatchObject({ outcome: "token-spent", patch: null });
  });

  test("whose user turns back at the consent pane is canceled, also after the launch", () => {
    for (const [status, wasLaunchedHere, outcome] of [
      ["CREATED", false, "left"],
      ["AUTHORIZING", true, "left"],
      ["AUTHORIZING", false, "token-spent"],
      ["EXCHANGING", true, "token-spent"],
      ["EXPIRED", true, "expired"],
    ] as const) {
      const decided = decideLeavePane({ attempt: { ...facts.attempt, status }, wasLaunchedHere }, NOW);
      expect([status, decided.outcome]).toEqual([status, outcome]);
    }
  });

  const problems = [
    ["expired", "EXPIRED", "DEADLINE_PASSED", { attempt: { ...facts.attempt, expiresAt: NOW } }],
    ["unavailable", "CANCELED", "APPLICATION_DISABLED", { application: { ...APPLICATION, enabled: false } }],
    ["unavailable", "FAILED", "POLICY_CHANGED", { application: { ...APPLICATION, returnUrls: [] } }],
    ["unavailable", null, null, { registration: { status: "PAUSED" } }],
  ] as const satisfies readonly [string, string | null, string | null, Partial<LaunchFacts>][];

  test.each(problems)("is %s as %s with %s", (outcome, status, resultCode, over) => {
    const patch = status && { status, resultCode, creatorAction: null };
    expect(decideLaunch({ ...facts, ...over }, NOW)).toEqual({ outcome, patch, followUps: [] });
    const laterProblems = problems.slice(problems.findIndex(([, , code]) => code === resultCode));
    const later = Object.assign({}, ...laterProblems.map(([, , , one]) => one), over);
    expect(decideLaunch({ ...facts, ...later }, NOW)).toMatchObject({ outcome, patch });
  });
});
