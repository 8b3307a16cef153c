import { CONNECTION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import {
  CONNECTION_TRANSITIONS,
  type ConnectionEvent,
  checkReconnectTarget,
  checkReconnectTargetUnchanged,
  isDisconnected,
  moveConnection,
} from "./connection.ts";

const EVENTS = Object.keys(CONNECTION_TRANSITIONS) as ConnectionEvent[];

/** Every move there is, written out. All others must be refused. */
const MOVES: readonly (readonly [ConnectionEvent, string, string])[] = [
  ["GRANT_LOST", "CONNECTED", "RECONNECT_REQUIRED"],
  ["CALLS_REFUSED", "CONNECTED", "RECONNECT_REQUIRED"],
  ["CALLS_ANSWERED", "RECONNECT_REQUIRED", "CONNECTED"],
  ["SIBLING_REVOKE_STARTED", "CONNECTED", "SUSPENDED"],
  ["RECHECK_PASSED", "SUSPENDED", "CONNECTED"],
  ["RECHECK_FAILED", "SUSPENDED", "RECONNECT_REQUIRED"],
  ["RECONNECTED", "CONNECTED", "CONNECTED"],
  ["RECONNECTED", "SUSPENDED", "CONNECTED"],
  ["RECONNECTED", "RECONNECT_REQUIRED", "CONNECTED"],
  ["DISCONNECT_REQUESTED", "CONNECTED", "DISCONNECTED"],
  ["DISCONNECT_REQUESTED", "SUSPENDED", "DISCONNECTED"],
  ["DISCONNECT_REQUESTED", "RECONNECT_REQUIRED", "DISCONNECTED"],
  ["ERASE_STARTED", "DISCONNECTED", "DELETING"],
];

test.each(CONNECTION_STATUSES.flatMap((status) => EVENTS.map((event) => [event, status] as const)))(
  "%s in %s",
  (event, status) => {
    expect(moveConnection(status, event)).toBe(
      MOVES.find(([name, from]) => name === event && from === status)?.[2] ?? null,
    );
  },
);

test("no event reverts a disconnect", () => {
  const fromDisconnected = MOVES.filter(([, from]) => isDisconnected(from as "DELETING"));
  expect(fromDisconnected).toEqual([["ERASE_STARTED", "DISCONNECTED", "DELETING"]]);
});

describe("the target of a reconnect", () => {
  test.each(CONNECTION_STATUSES)("in status %s", (status) => {
    const code = isDisconnected(status) ? "DISCONNECT_IN_PROGRESS" : undefined;
    expect(checkReconnectTarget({ provider: "PROVIDER_A", status }, "PROVIDER_A")?.code).toBe(code);
  });

  test("is not found if it does not exist or is at another provider", () => {
    expect(checkReconnectTarget(null, "PROVIDER_A")).toMatchObject({ code: "NOT_FOUND" });
    const other = { provider: "PROVIDER_B", status: "DISCONNECTED" } as const;
    expect(checkReconnectTarget(other, "PROVIDER_A")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("must still be in the status that was checked when the attempt is stored", () => {
    expect(checkReconnectTargetUnchanged("CONNECTED", "CONNECTED")).toBeNull();
    expect(checkReconnectTargetUnchanged("CONNECTED", "SUSPENDED")).toMatchObject({ code: "RECONNECT_REQUIRED" });
    expect(checkReconnectTargetUnchanged("CONNECTED", null)).toMatchObject({ code: "RECONNECT_REQUIRED" });
  });
});
