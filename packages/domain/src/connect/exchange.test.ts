import { CONNECT_SESSION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { connectionCapabilities, decideAbandon, exchangeFailureEvent } from "./exchange.ts";

const attempt = { status: "EXCHANGING", provider: "PROVIDER_A", expiresAt: addMs(NOW, 1) } as const;

test("a connection has what was both requested and granted, in the order of the enumeration", () => {
  const granted = ["CONTENT_METRICS", "CONTENT_LIST", "PROFILE"] as const;
  expect(connectionCapabilities(["CONTENT_LIST", "CONTENT_LOOKUP", "PROFILE"], granted)).toEqual([
    "PROFILE",
    "CONTENT_LIST",
  ]);
  expect(connectionCapabilities(["CONTENT_LOOKUP"], granted)).toEqual([]);
});

test.each([
  ["unavailable", "PROVIDER_UNAVAILABLE", "PROVIDER_UNAVAILABLE"],
  ["rate_limited", "PROVIDER_UNAVAILABLE", "PROVIDER_UNAVAILABLE"],
  ["rejected", "EXCHANGE_REFUSED", "EXCHANGE_REFUSED"],
  ["scope_missing", "EXCHANGE_REFUSED", "EXCHANGE_REFUSED"],
  ["grant_gone", "EXCHANGE_REFUSED", "POLICY_CHANGED"],
  ["access_expired", "EXCHANGE_REFUSED", "POLICY_CHANGED"],
] as const)("a call that failed with %s is %s, and %s after a concurrent revoke", (kind, event, afterRevoke) => {
  expect(exchangeFailureEvent({ kind })).toBe(event);
  expect(exchangeFailureEvent({ kind }, true)).toBe(afterRevoke);
});

describe("an attempt that fails after consent", () => {
  const failed = { status: "FAILED", resultCode: "NOT_A_TESTER" };

  test("ends, and its grant is revoked", () => {
    const grant = { id: "grant-1", isShared: false };
    expect(decideAbandon(attempt, "NOT_A_TESTER", grant, NOW)).toEqual({
      patch: { ...failed, creatorAction: null },
      followUps: [{ type: "REVOKE_GRANT", grant }],
    });
    expect(decideAbandon(attempt, "NOT_A_TESTER", null, NOW).followUps).toEqual([]);
  });

  test("only deletes a grant that a working connection shares", () => {
    const grant = { isShared: true };
    const { followUps } = decideAbandon(attempt, "NOT_A_TESTER", grant, NOW);
    expect(followUps).toEqual([{ type: "DELETE_GRANT", grant }]);
  });

  test("asks the user to remove the app where the provider has no revocation", () => {
    const grant = { isShared: false };
    expect(decideAbandon({ ...attempt, provider: "PROVIDER_C" }, "NOT_A_TESTER", grant, NOW)).toEqual({
      patch: { ...failed, creatorAction: "REMOVE_APP_AT_PROVIDER" },
      followUps: [{ type: "DELETE_GRANT", grant }],
    });
  });

  test("is EXPIRED from its deadline on", () => {
    const { patch } = decideAbandon(attempt, "NOT_A_TESTER", null, attempt.expiresAt);
    expect(patch).toMatchObject({ status: "EXPIRED", resultCode: "DEADLINE_PASSED" });
  });

  test.each(CONNECT_SESSION_STATUSES.filter((status) => status !== "EXCHANGING"))("does not change %s", (status) => {
    const { patch, followUps } = decideAbandon({ ...attempt, status }, "NOT_A_TESTER", { isShared: false }, NOW);
    expect(patch).toBeNull();
    expect(followUps).toMatchObject([{ type: "REVOKE_GRANT" }]);
  });
});
