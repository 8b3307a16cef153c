import { describe, expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  decideOrphanEnd,
  decideOrphanRevoke,
  isConnectSince,
  isOrphanedGrant,
  type OrphanAttempt,
} from "./orphanedGrant.ts";
import { accountRevocationKeys } from "./revocationKeys.ts";

const ATTEMPT: OrphanAttempt = {
  applicationId: "app-1",
  tenantKey: "t-1",
  externalSubjectId: "s-1",
  provider: "PROVIDER_A",
  status: "FAILED",
  expiresAt: NOW,
};
const GRANT = { id: "g-1", createdAt: NOW, attempt: ATTEMPT };
const OWNER = { providerAccountId: "account-1", providerUserKey: null };
const ENDED = { type: "END_REVOCATION", id: "g-1" };

describe("a grant is orphaned", () => {
  const pending = { status: "PENDING", connectionId: null };
  test.each([
    ["if its attempt has ended", pending, ATTEMPT, true],
    ["if its attempt was deleted", pending, null, true],
    ["after the deadline of its attempt", pending, { status: "EXCHANGING", expiresAt: NOW }, true],
    ["not before that", pending, { status: "EXCHANGING", expiresAt: addMs(NOW, 1) }, false],
    ["not if it has a connection", { status: "PENDING", connectionId: "c-1" }, ATTEMPT, false],
    ["not if it is active", { status: "ACTIVE", connectionId: null }, ATTEMPT, false],
  ] as const)("%s", (_, grant, attempt, expected) => {
    expect(isOrphanedGrant(grant, attempt, NOW)).toBe(expected);
  });
});

test("a later attempt that completed for the same subject and registration is a connect since", () => {
  const attempt = { ...ATTEMPT, registrationId: "r-1", createdAt: NOW };
  const later = { ...attempt, status: "COMPLETED", createdAt: addMs(NOW, 1) } as const;
  expect(isConnectSince(later, attempt)).toBe(true);
  for (const other of [
    { status: "FAILED" },
    { createdAt: NOW },
    { applicationId: "app-2" },
    { tenantKey: "t-2" },
    { externalSubjectId: "s-2" },
    { registrationId: "r-2" },
  ] as const) {
    expect(isConnectSince({ ...later, ...other }, attempt), JSON.stringify(other)).toBe(false);
  }
});

describe("the revoke begins", () => {
  test("with the keys of the account", () => {
    const keys = accountRevocationKeys({ ...ATTEMPT, ...OWNER });
    const revocation = { id: "g-1", applicationId: "app-1", provider: "PROVIDER_A", keys, endedAt: null };
    expect(decideOrphanRevoke(GRANT, { owner: OWNER, isShared: false })).toEqual([
      { type: "BEGIN_REVOCATION", revocation },
    ]);
  });

  test("without a record if the account or the application is unknown", () => {
    expect(decideOrphanRevoke(GRANT, { owner: null, isShared: false })).toEqual([]);
    expect(decideOrphanRevoke({ ...GRANT, attempt: null }, { owner: OWNER, isShared: false })).toEqual([]);
  });

  test("not if it could end the grant of a connection", () => {
    expect(decideOrphanRevoke(GRANT, { owner: OWNER, isShared: true })).toBeNull();
  });
});

describe("the revoke ends", () => {
  const failure = { retryAfterSeconds: null, random: 0 };
  const left = { creatorAction: "REMOVE_APP_AT_PROVIDER" };

  test("with re-checks of the subject's connections if a revoke can end their grants", () => {
    const { applicationId, tenantKey, externalSubjectId, provider } = ATTEMPT;
    const connections = { applicationId, tenantKey, externalSubjectId, provider, status: "CONNECTED" };
    expect(decideOrphanEnd(GRANT, "revoked", NOW)).toEqual({
      type: "DELETE",
      attempt: null,
      followUps: [ENDED, { type: "RECHECK", connections }],
    });
    const ofC = { ...GRANT, attempt: { ...ATTEMPT, provider: "PROVIDER_C" as const } };
    expect(decideOrphanEnd(ofC, "revoked", NOW).followUps).toEqual([ENDED]);
  });

  test.each(["rejected", "unsupported"] as const)("and asks the person to remove the app: %s", (result) => {
    expect(decideOrphanEnd(GRANT, result, NOW)).toEqual({ type: "DELETE", attempt: left, followUps: [ENDED] });
  });

  test("and expires an interrupted attempt", () => {
    const interrupted = { ...GRANT, attempt: { ...ATTEMPT, status: "EXCHANGING" as const } };
    expect(decideOrphanEnd(interrupted, "rejected", NOW)).toMatchObject({
      attempt: { ...left, status: "EXPIRED", resultCode: "DEADLINE_PASSED" },
    });
  });

  test.each(["shared", "revoked"] as const)("without a change of the attempt: %s", (result) => {
    expect(decideOrphanEnd(GRANT, result, NOW)).toMatchObject({ type: "DELETE", attempt: null });
    expect(decideOrphanEnd({ ...GRANT, attempt: null }, "rejected", NOW)).toMatchObject({ attempt: null });
  });

  test("for now with a transient failure, until 24 hours after the consent", () => {
    expect(decideOrphanEnd(GRANT, failure, NOW)).toEqual({
      type: "RETRY",
      at: addMs(NOW, 1_000),
      followUps: [ENDED],
    });
    const later = { ...failure, retryAfterSeconds: 60 };
    expect(decideOrphanEnd(GRANT, later, NOW)).toMatchObject({ type: "RETRY", at: addMs(NOW, 61_000) });
    const old = { ...GRANT, createdAt: addMs(NOW, 1_000 - DAY) };
    expect(decideOrphanEnd(old, failure, NOW)).toEqual({ type: "DELETE", attempt: left, followUps: [ENDED] });
  });
});
