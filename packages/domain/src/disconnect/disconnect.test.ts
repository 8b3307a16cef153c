import { CONNECTION_STATUSES, type ConnectionStatus } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { isDisconnected } from "../connections/connection.ts";
import { canceledJob } from "../jobs/outcome.ts";
import { NOW } from "../testing/time.ts";
import { decideDisconnect, disconnectResult } from "./disconnect.ts";
import { connectionRevocationKeys } from "./revocationKeys.ts";
import { type ConnectionFacts, siblingsOf } from "./siblings.ts";
import { CONNECTION } from "./testing/connection.ts";

const IDS = { revoke: "revoke-1", erase: "erase-1" };
const disconnect = (over: Partial<ConnectionFacts> = {}) => {
  const change = decideDisconnect({ ...CONNECTION, ...over }, IDS, NOW);
  if (change === null) throw new Error("The connection is disconnected already.");
  const of = (type: string) => change.followUps.filter((one) => one.type === type);
  return { ...change, of };
};
const ENDED = { nextRetryAt: null, waitReason: null, startedAt: NOW, finishedAt: NOW };

test.each(CONNECTION_STATUSES)(
  "a connection in %s is disconnected unless it is already",
  (status: ConnectionStatus) => {
    expect(decideDisconnect({ ...CONNECTION, status }, IDS, NOW) === null).toBe(isDisconnected(status));
  },
);

test("stops access, and names the receipts", () => {
  expect(disconnect().patch).toEqual({
    status: "DISCONNECTED",
    nextRetryAt: null,
    nextScanAt: null,
    nextProfileAt: null,
    suspendedByJobId: null,
    revokeJobId: "revoke-1",
    eraseJobId: "erase-1",
    updatedAt: NOW,
  });
});

test("cancels the connection's jobs and the attempts to reconnect it", () => {
  expect(disconnect().of("CANCEL_JOBS")).toEqual([
    {
      type: "CANCEL_JOBS",
      connectionId: "c-1",
      patch: canceledJob(NOW),
    },
  ]);
  expect(disconnect().of("CANCEL_RECONNECTS")).toEqual([
    {
      type: "CANCEL_RECONNECTS",
      connectionId: "c-1",
      statuses: ["CREATED", "AUTHORIZING"],
      createdBefore: null,
      patch: { status: "CANCELED", resultCode: "RECONNECT_TARGET_GONE" },
    },
  ]);
});

describe("the revoke", () => {
  const keys = connectionRevocationKeys(CONNECTION, { revokeAffectsSiblings: true });

  test("runs as a job, and suspends the siblings until it has settled", () => {
    const { of } = disconnect();
    expect(of("CREATE_RECEIPT")).toMatchObject([
      { id: "revoke-1", kind: "REVOKE", ended: null },
      { id: "erase-1", kind: "ERASE", ended: null },
    ]);
    expect(of("BEGIN_REVOCATION")).toMatchObject([{ revocation: { id: "revoke-1", keys, endedAt: null } }]);
    const { applicationId, provider, tenantKey, externalSubjectId } = CONNECTION;
    expect(of("SUSPEND")).toEqual([
      {
        type: "SUSPEND",
        settlement: { revokeJobId: "revoke-1", applicationId, provider, tenantKey, externalSubjectId, createdAt: NOW },
        connections: { ...siblingsOf(CONNECTION), status: "CONNECTED" },
        patch: { status: "SUSPENDED", suspendedByJobId: "revoke-1", updatedAt: NOW },
      },
    ]);
  });

  test.each([
    ["succeeds if the person removed the app", { appRemovedAt: NOW }, "SUCCEEDED", null],
    ["succeeds then also without a revoke endpoint", { provider: "PROVIDER_C", appRemovedAt: NOW }, "SUCCEEDED", null],
    ["fails without a revoke endpoint", { provider: "PROVIDER_C" }, "FAILED", "REMOVE_APP_AT_PROVIDER"],
  ] as const)("%s, and suspends no connection", (_, over, status, creatorAction) => {
    const { of } = disconnect(over);
    expect(of("CREATE_RECEIPT")[0]).toMatchObject({ ended: { ...ENDED, status, creatorAction } });
    expect(of("BEGIN_REVOCATION")).toMatchObject([{ revocation: { endedAt: NOW } }]);
    expect(of("SUSPEND")).toEqual([]);
  });

  test("that suspends the connection has one suspended connection less", () => {
    expect(disconnect({ status: "SUSPENDED", suspendedByJobId: "revoke-0" }).of("DELETE_SETTLEMENT")).toEqual([
      { type: "DELETE_SETTLEMENT", revokeJobId: "revoke-0" },
    ]);
    expect(disconnect().of("DELETE_SETTLEMENT")).toEqual([]);
  });
});

test("the response has the state of the revoke receipt", () => {
  const connection = { id: "c-1", eraseJobId: "erase-1" };
  const failed = { id: "revoke-1", status: "FAILED", creatorAction: "REMOVE_APP_AT_PROVIDER" } as const;
  expect(disconnectResult(connection, failed)).toEqual({
    accepted: true,
    connectionId: "c-1",
    upstreamRevocationPending: true,
    revokeJobId: "revoke-1",
    eraseJobId: "erase-1",
    creatorAction: "REMOVE_APP_AT_PROVIDER",
  });
});
