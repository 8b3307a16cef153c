import { describe, expect, test } from "vitest";
import { decideDeauthorization } from "./deauthorization.ts";
import type { GrantOfMessage } from "./providerMessages.ts";
import { accountRevocationKeys } from "./revocationKeys.ts";
import { CONNECTION } from "./testing/connection.ts";

const NOW = new Date("2026-03-01T09:00:00Z");
const REMOVED_AT = new Date("2026-03-01T08:00:00Z");
const connection = { ...CONNECTION, provider: "PROVIDER_C" } as const;
const decideFor = (grant: GrantOfMessage | null, appRemovedAt: Date | null = null, removedAt: Date = REMOVED_AT) =>
  decideDeauthorization({ connection: { ...connection, appRemovedAt }, grant }, removedAt, "revocation-1", NOW);
const decide = (updatedAt: Date, removedAt: Date) => decideFor({ status: "ACTIVE", updatedAt }, null, removedAt);
const CHANGE = expect.objectContaining({ patch: expect.anything() });

describe("a message that the person removed the app", () => {
  test("ends the grant, so that a later disconnect has nothing to revoke", () => {
    const keys = accountRevocationKeys(connection);
    expect(decide(REMOVED_AT, REMOVED_AT)).toEqual({
      patch: {
        status: "RECONNECT_REQUIRED",
        suspendedByJobId: null,
        appRemovedAt: NOW,
        nextRetryAt: null,
        nextScanAt: null,
        nextProfileAt: null,
        updatedAt: NOW,
      },
      followUps: [
        {
          type: "BEGIN_REVOCATION",
          revocation: { id: "revocation-1", applicationId: "app-1", provider: "PROVIDER_C", keys, endedAt: NOW },
        },
        { type: "UPDATE_GRANT", connectionId: "c-1", patch: { status: "GONE", updatedAt: NOW } },
      ],
    });
  });

  test("ends grants until the removal, with a tolerance for whole seconds and the provider's clock", () => {
    expect(decide(new Date("2026-03-01T08:00:05.000Z"), REMOVED_AT)).toEqual(CHANGE);
    expect(decide(new Date("2026-03-01T08:00:05.001Z"), REMOVED_AT)).toBe("CONSENTED_SINCE");
  });

  test("changes nothing if the grant was erased", () => {
    expect(decideFor(null)).toBe("ENDED");
  });

  test("changes nothing at a repetition, but records the removal of a grant that a read found ended", () => {
    const gone = { status: "GONE", updatedAt: NOW } as const;
    expect(decideFor(gone, REMOVED_AT)).toBe("ENDED");
    expect(decideFor(gone, null)).toEqual(CHANGE);
    expect(decideFor({ status: "ACTIVE", updatedAt: REMOVED_AT }, REMOVED_AT)).toEqual(CHANGE);
  });
});
