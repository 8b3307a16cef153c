import { expect, test } from "vitest";
import { NO_READS } from "../connections/connection.ts";
import { NOW } from "../testing/time.ts";
import { decideGrantRevoked } from "./grantRevoked.ts";

const REVOKED = { type: "UPDATE_GRANT", connectionId: "c-1", patch: { status: "GONE", updatedAt: NOW } };

test.each(["CONNECTED", "SUSPENDED"] as const)("a %s connection requires a reconnect and is not read", (status) => {
  expect(decideGrantRevoked({ id: "c-1", status }, false, NOW)).toEqual({
    patch: { status: "RECONNECT_REQUIRED", suspendedByJobId: null, ...NO_READS, updatedAt: NOW },
    followUps: [REVOKED],
  });
});

test.each(["RECONNECT_REQUIRED", "DISCONNECTED"] as const)("a %s connection keeps its status", (status) => {
  expect(decideGrantRevoked({ id: "c-1", status }, true, NOW)).toEqual({
    patch: { appRemovedAt: NOW, ...NO_READS, updatedAt: NOW },
    followUps: [REVOKED],
  });
});
