import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { decideApiKeyUse, decideMintApiKey, decideRevokeApiKey, type MintFacts } from "./apiKeys.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const active = { revokedAt: null, expiresAt: addMs(NOW, 1) };
const facts: MintFacts = { admin: { id: "a1", email: "ada@shop.example" }, keys: [], mode: "sandbox" };
const input = { label: "CI", scope: "WRITE", lifetimeDays: 30 } as const;

function outcome(changed: Partial<MintFacts>, other: Partial<typeof input> | { label: string; lifetimeDays: number }) {
  const decision = decideMintApiKey({ ...facts, ...changed }, { ...input, ...other }, "k1", NOW);
  return "code" in decision ? (decision.reason ?? decision.field ?? decision.code) : "minted";
}

describe("minting an admin API key", () => {
  test("patches every column but the secret's, with its audit entry", () => {
    expect(decideMintApiKey(facts, input, "k1", NOW)).toEqual({
      patch: {
        id: "k1",
        memberId: "a1",
        createdBy: "ada@shop.example",
        label: "CI",
        scope: "WRITE",
        createdAt: NOW,
        expiresAt: new Date("2026-04-09T12:00:00.000Z"),
      },
      followUps: [],
      audit: {
        action: "API key minted",
        summary: 'Minted the read-and-write key "CI" for 30 days.',
        target: { type: "API_KEY", id: "k1" },
        changes: [
          { field: "createdBy", before: null, after: "ada@shop.example" },
          { field: "label", before: null, after: "CI" },
          { field: "scope", before: null, after: "WRITE" },
          { field: "expiresAt", before: null, after: "2026-04-09T12:00:00.000Z" },
          { field: "secret", before: null, after: "set" },
        ],
      },
    });
  });

  test("refuses an admin's sixth active key; expired and revoked keys do not count", () => {
    const inactive = [
      { revokedAt: NOW, expiresAt: active.expiresAt },
      { revokedAt: null, expiresAt: NOW },
    ];
    expect(outcome({ keys: [active, active, active, active, ...inactive] }, {})).toBe("minted");
    expect(outcome({ keys: [active, active, active, active, active, ...inactive] }, {})).toBe("KEY_LIMIT");
  });

  test.each([
    [1, "live", "minted"],
    [30, "live", "minted"],
    [31, "live", "lifetimeDays"],
    [90, "sandbox", "minted"],
    [91, "sandbox", "lifetimeDays"],
    [0, "sandbox", "lifetimeDays"],
    [-1, "sandbox", "lifetimeDays"],
    [1.5, "sandbox", "lifetimeDays"],
    [Number.NaN, "sandbox", "lifetimeDays"],
  ] as const)("for %s days in %s mode: %s", (lifetimeDays, mode, expected) => {
    expect(outcome({ mode }, { label: "CI", lifetimeDays })).toBe(expected);
  });

  test("reports the lifetime, a removed admin and the limit, in this order", () => {
    const limited = { keys: [active, active, active, active, active] };
    expect(outcome({ admin: null }, { label: "CI", lifetimeDays: 0 })).toBe("lifetimeDays");
    expect(outcome({ admin: null, ...limited }, {})).toBe("NOT_FOUND");
    expect(outcome(limited, {})).toBe("KEY_LIMIT");
  });
});

describe("revoking an admin API key", () => {
  const key = { id: "k1", scope: "READ", label: "CI", createdBy: "ada@shop.example", revokedAt: null } as const;

  test("ends an active key, keeps a revoked one and refuses an unknown one", () => {
    expect(decideRevokeApiKey(key, NOW)).toMatchObject({
      patch: { revokedAt: NOW },
      audit: { summary: 'Revoked the read-only key "CI" of ada@shop.example.' },
    });
    expect(decideRevokeApiKey({ ...key, revokedAt: addMs(NOW, -1) }, NOW)).toBeNull();
    expect(decideRevokeApiKey(null, NOW)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("using an admin API key", () => {
  const key = { id: "k1", scope: "READ", label: "CI", firstUsedAt: null, lastUsedAt: null } as const;

  test("audits the first use", () => {
    expect(decideApiKeyUse(key, NOW)).toMatchObject({
      patch: { firstUsedAt: NOW, lastUsedAt: NOW },
      audit: { action: "API key first used", summary: 'The read-only key "CI" was used for the first time.' },
    });
  });

  test.each([
    [60_000, null],
    [60_001, { patch: { lastUsedAt: NOW }, audit: null }],
  ])("a use %i ms after the last one records %j", (ageMs, expected) => {
    const used = { ...key, firstUsedAt: NOW, lastUsedAt: addMs(NOW, -ageMs) };
    const use = decideApiKeyUse(used, NOW);
    if (expected === null) expect(use).toBeNull();
    else expect(use).toMatchObject(expected);
  });
});
