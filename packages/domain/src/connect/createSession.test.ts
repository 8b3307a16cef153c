import { LIMITS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { APPLICATION } from "../testing/application.ts";
import { MINUTE, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { MOST_RECENT_ATTEMPTS } from "./connectAttempt.ts";
import { type CreateSessionFacts, decideCreateConnectSession } from "./createSession.ts";

const facts: CreateSessionFacts = {
  application: APPLICATION,
  previewTemplate: null,
  target: null,
  targetStatus: null,
  isRevokeSettling: false,
  registration: { id: "registration-1", capabilities: ["PROFILE"] },
  unfinished: [],
  newest: null,
  recent: { count: 0, oldestDeadline: null },
};
const input = {
  scope: { tenantKey: "tenant", externalSubjectId: "subject" },
  provider: "PROVIDER_A" as const,
  capabilities: ["PROFILE" as const],
  returnUrl: "https://app.example/return",
};
const target = { id: "connection-1", provider: "PROVIDER_A", status: "SUSPENDED" } as const;
const reconnect = { ...input, reconnectConnectionId: "connection-1" };

test("starts an attempt with its deadlines, at the registration that serves the application", () => {
  expect(decideCreateConnectSession(facts, input, NOW)).toEqual({
    patch: {
      applicationId: "application-1",
      tenantKey: "tenant",
      externalSubjectId: "subject",
      provider: "PROVIDER_A",
      registrationId: "registration-1",
      capabilities: ["PROFILE"],
      returnUrl: "https://app.example/return",
      reconnectConnectionId: null,
      status: "CREATED",
      resultCode: null,
      connectionId: null,
      creatorAction: null,
      createdAt: NOW,
      expiresAt: addMs(NOW, 10 * MINUTE),
      resultExpiresAt: addMs(NOW, 24 * 60 * MINUTE),
    },
    followUps: [],
  });
});

test("creates an attempt after the subject's others, also in the same instant", () => {
  const createdAfter = (newest: Date) => decideCreateConnectSession({ ...facts, newest }, input, NOW);
  const expiresAt = addMs(NOW, 10 * MINUTE);
  expect(createdAfter(addMs(NOW, -1))).toMatchObject({ patch: { createdAt: NOW, expiresAt } });
  expect(createdAfter(NOW)).toMatchObject({ patch: { createdAt: addMs(NOW, 1), expiresAt } });
  expect(createdAfter(addMs(NOW, 1))).toMatchObject({ patch: { createdAt: addMs(NOW, 2), expiresAt } });
});

test("stores the connection to reconnect", () => {
  const decision = decideCreateConnectSession({ ...facts, target, targetStatus: "SUSPENDED" }, reconnect, NOW);
  expect(decision).toMatchObject({ patch: { reconnectConnectionId: "connection-1" } });
});

describe("refuses, in this order,", () => {
  const refusals = [
    ["FORBIDDEN", { application: { ...APPLICATION, enabled: false } }, {}],
    ["BAD_USER_INPUT", {}, { returnUrl: "https://app.example/other" }],
    ["NOT_FOUND", { target: { ...target, provider: "PROVIDER_B" } }, { reconnectConnectionId: "connection-1" }],
    ["RECONNECT_REQUIRED", { target, targetStatus: "CONNECTED" }, { reconnectConnectionId: "connection-1" }],
    ["FORBIDDEN", { isRevokeSettling: true }, {}],
    ["FORBIDDEN", { registration: null }, {}],
    [
      "RATE_LIMITED",
      { unfinished: Array.from({ length: LIMITS.unfinishedConnectAttempts }, () => addMs(NOW, MINUTE)) },
      {},
    ],
    ["RATE_LIMITED", { recent: { count: MOST_RECENT_ATTEMPTS, oldestDeadline: addMs(NOW, MINUTE) } }, {}],
  ] as const satisfies readonly [string, Partial<CreateSessionFacts>, Partial<typeof reconnect>][];

  test.each(refusals.map(([code], index) => [code, index] as const))("%s (%i)", (code, index) => {
    const later = refusals.slice(index).reverse();
    const over = Object.assign({}, ...later.map(([, changed]) => changed)) as Partial<CreateSessionFacts>;
    const asked = Object.assign({}, ...later.map(([, , changed]) => changed)) as Partial<typeof reconnect>;
    const decide = (one: Partial<CreateSessionFacts>, with_: Partial<typeof reconnect>) =>
      decideCreateConnectSession({ ...facts, ...one }, { ...input, ...with_ }, NOW);
    expect(decide(over, asked)).toMatchObject({ code });
    expect(decide(refusals[index]?.[1] ?? {}, refusals[index]?.[2] ?? {})).toMatchObject({ code });
  });

  test("DISCONNECT_IN_PROGRESS for a disconnected target", () => {
    const disconnected = { ...target, status: "DISCONNECTED" } as const;
    const decision = decideCreateConnectSession({ ...facts, target: disconnected, targetStatus: null }, reconnect, NOW);
    expect(decision).toMatchObject({ code: "DISCONNECT_IN_PROGRESS" });
  });

  test("FORBIDDEN until a disconnect has settled", () => {
    const decision = decideCreateConnectSession({ ...facts, isRevokeSettling: true }, input, NOW);
    expect(decision).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("still in progress") });
  });

  test("FORBIDDEN for a capability that the registration does not serve", () => {
    const decision = decideCreateConnectSession(facts, { ...input, capabilities: ["CONTENT_LIST"] }, NOW);
    expect(decision).toMatchObject({ code: "FORBIDDEN" });
  });
});
