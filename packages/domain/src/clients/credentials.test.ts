import { expect, test } from "vitest";
import { changesOf } from "../audit/changes.ts";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { decideIssueCredential, decideRevokeCredential } from "./credentials.ts";

const client = { id: "c1", slug: "shop" };
const unlimited = { revokedAt: null, expiresAt: null };
const revoked = { ...unlimited, revokedAt: NOW };
const expired = { ...unlimited, expiresAt: NOW };
const expiring = { ...unlimited, expiresAt: addMs(NOW, 1) };

function issue(keys: (typeof unlimited | typeof revoked | typeof expired)[], expiresInDays: number | null = null) {
  return decideIssueCredential({ client, keys }, { id: "k1", expiresInDays }, NOW);
}

test.each([
  ["no key", [], "issued"],
  ["one active key", [unlimited], "issued"],
  ["two active keys", [unlimited, expiring], "KEY_LIMIT"],
  ["one active key beside revoked and expired ones", [unlimited, revoked, expired, revoked], "issued"],
  ["two active keys beside a revoked one", [unlimited, revoked, expiring], "KEY_LIMIT"],
])("with %s, a new application key is %s", (_, keys, expected) => {
  const decision = issue(keys);
  expect("code" in decision ? decision.reason : "issued").toBe(expected);
});

test.each([
  [null, null, "Issued the application key k1."],
  [1, new Date("2026-03-02T12:00:00.000Z"), "Issued the application key k1 for 1 days."],
  [3_650, addMs(NOW, 3_650 * 86_400_000), "Issued the application key k1 for 3650 days."],
])("an application key may be valid for %s days", (days, expiresAt, summary) => {
  const changes = changesOf(null, { key: "k1", expiresAt, secret: "set" });
  expect(issue([], days)).toEqual({
    patch: { id: "k1", applicationId: "c1", createdAt: NOW, expiresAt },
    followUps: [],
    audit: {
      action: "Application key issued",
      summary,
      target: { type: "CLIENT", id: "c1" },
      clientSlug: "shop",
      changes,
    },
  });
});

test("an unknown client is reported before the limit", () => {
  const unknown = { client: null, keys: [unlimited, unlimited] };
  expect(decideIssueCredential(unknown, { id: "k1", expiresInDays: 1 }, NOW)).toMatchObject({ code: "NOT_FOUND" });
});

test("revoking an application key", () => {
  expect(decideRevokeCredential(null, null, NOW)).toMatchObject({ message: "The client does not exist." });
  expect(decideRevokeCredential(client, null, NOW)).toMatchObject({ message: "The application key does not exist." });
  expect(decideRevokeCredential(client, { id: "k1", revokedAt: addMs(NOW, -1) }, NOW)).toBeNull();
  expect(decideRevokeCredential(client, { id: "k1", revokedAt: null }, NOW)).toMatchObject({
    patch: { revokedAt: NOW },
    audit: { action: "Application key revoked", summary: "Revoked the application key k1." },
  });
});
