import { CONNECT_SESSION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { type CallbackFacts, decideCallback } from "./callback.ts";

const attempt = {
  status: "AUTHORIZING",
  provider: "PROVIDER_A",
  resultCode: null,
  exchangeGeneration: null,
  expiresAt: addMs(NOW, 1),
  resultExpiresAt: addMs(NOW, 1_000),
} as const;
const facts: CallbackFacts = {
  attempt,
  provider: "PROVIDER_A",
  isBoundBrowser: true,
  event: "CODE_RECEIVED",
  applicationEnabled: true,
};
const PROVIDER_WITHOUT_REVOCATION = {
  attempt: { ...attempt, provider: "PROVIDER_C" },
  provider: "PROVIDER_C",
} as const;
const REMOVE_APP = { creatorAction: "REMOVE_APP_AT_PROVIDER" };
const decide = (over: Partial<CallbackFacts>, now = NOW) => decideCallback({ ...facts, ...over }, now);
const moved = (status: string, resultCode: string | null) => ({ status, resultCode, creatorAction: null });

test.each([
  ["code", "CODE_RECEIVED", moved("EXCHANGING", null)],
  ["ended", "ACCESS_DENIED", moved("DENIED", "USER_DENIED")],
  ["ended", "CALLBACK_ERROR", moved("FAILED", "PROVIDER_ERROR")],
  ["malformed", "malformed", moved("FAILED", "PROVIDER_ERROR")],
] as const)("is received as %s with %s", (received, event, patch) => {
  expect(decide({ event })).toEqual({ received, patch });
});

test("of a disabled application ends the attempt without an exchange", () => {
  const patch = moved("CANCELED", "APPLICATION_DISABLED");
  expect(decide({ applicationEnabled: false })).toEqual({ received: "ended", patch });
});

test.each([
  ["unknown-state", { attempt: null, isBoundBrowser: false }, NOW],
  ["unknown-state", { provider: "PROVIDER_B", isBoundBrowser: false } as const, NOW],
  ["unknown-state", { isBoundBrowser: false }, attempt.resultExpiresAt],
  ["foreign-browser", { isBoundBrowser: false }, attempt.expiresAt],
])("is %s before every other reason, and changes nothing", (received, over, now) => {
  expect(decide(over, now)).toEqual({ received, patch: null });
});

describe("with a code for an attempt that has ended", () => {
  test("expires an overdue attempt, and says who can withdraw the consent", () => {
    const expired = moved("EXPIRED", "DEADLINE_PASSED");
    expect(decide({}, attempt.expiresAt)).toEqual({ received: "expired", patch: expired });
    const patch = { ...expired, ...REMOVE_APP };
    expect(decide(PROVIDER_WITHOUT_REVOCATION, attempt.expiresAt)).toEqual({ received: "expired", patch });
    const denied = { ...PROVIDER_WITHOUT_REVOCATION, event: "ACCESS_DENIED" } as const;
    expect(decide(denied, attempt.expiresAt)).toEqual({ received: "expired", patch: expired });
  });

  test.each([
    ["expired", { status: "EXPIRED", resultCode: "DEADLINE_PASSED" }, true],
    ["ended", { status: "FAILED", resultCode: "POLICY_CHANGED" }, true],
    ["ended", { status: "CANCELED", resultCode: "SUPERSEDED" }, false],
    ["state-used", { status: "FAILED", resultCode: "POLICY_CHANGED", exchangeGeneration: 7n }, false],
  ] as const)("is %s for %o", (received, state, isLateConsent) => {
    expect(decide({ attempt: { ...attempt, ...state } })).toEqual({ received, patch: null });
    const ended = { ...PROVIDER_WITHOUT_REVOCATION.attempt, ...state };
    const patch = isLateConsent ? REMOVE_APP : null;
    expect(decide({ ...PROVIDER_WITHOUT_REVOCATION, attempt: ended })).toEqual({ received, patch });
  });

  const others = CONNECT_SESSION_STATUSES.filter((one) => !["AUTHORIZING", "CANCELED", "EXPIRED"].includes(one));
  test.each(others)("has used the state of %s", (status) => {
    expect(decide({ attempt: { ...attempt, status } }, attempt.expiresAt)).toEqual({
      received: "state-used",
      patch: null,
    });
  });
});
