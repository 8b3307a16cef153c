import { expect, test } from "vitest";
import { type RotatingKey, rotationOf, rotationStep, SILENCE_MS } from "./rotationStep.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString();
const key = (id: string, createdAgoMs: number, usedAgoMs: number | null): RotatingKey => ({
  id,
  createdAt: ago(createdAgoMs),
  lastUsedAt: usedAgoMs === null ? null : ago(usedAgoMs),
});

test.for([
  ["the new key was never used", SILENCE_MS * 9, null, "deploy"],
  ["the old key was used within the hour", SILENCE_MS - 1, 0, "wait"],
  ["the old key was used an hour ago", SILENCE_MS, 0, "revoke"],
  ["the old key was never used", null, 0, "revoke"],
] as const)("%s: %s, %s: %s", ([, oldUse, newUse, step]) => {
  expect(rotationStep(key("old", SILENCE_MS * 10, oldUse), key("new", SILENCE_MS, newUse), NOW)).toBe(step);
});

test("rotates from the oldest to the newest active key, regardless of their order", () => {
  const keys = [key("middle", 2, null), key("newest", 1, null), key("oldest", 3, null)];
  expect(rotationOf(keys)).toMatchObject({ oldKey: { id: "oldest" }, newKey: { id: "newest" } });
  expect(rotationOf(keys.slice(0, 1))).toBeNull();
  expect(rotationOf([])).toBeNull();
});
