import { expect, test } from "vitest";
import { countItems, takeItems } from "./scanItems.ts";

const AT = new Date("2026-03-01T00:00:00.000Z");
const post = (providerContentId: string) => ({ providerContentId, publishedAt: AT, reason: null });
const deleted = (providerContentId: string, publishedAt: Date | null = null) => ({
  providerContentId,
  publishedAt,
  reason: "DELETED_AT_PROVIDER",
});
const undated = (providerContentId: string) => ({ providerContentId, publishedAt: null, reason: null });
const idsOf = (entries: readonly { providerContentId: string }[]) => entries.map((entry) => entry.providerContentId);

test("takes the requested number of posts and skips deleted and undated entries between them", () => {
  const entries = [deleted("d1"), post("1"), undated("u1"), deleted("d2", AT), post("2"), undated("u2"), post("3")];
  expect(idsOf(takeItems(entries, 2))).toEqual(["d1", "1", "u1", "d2", "2", "u2"]);
  expect(idsOf(takeItems(entries, 1))).toEqual(["d1", "1", "u1", "d2"]);
  expect(takeItems(entries, 3)).toEqual(entries);
  expect(takeItems(entries, 100)).toEqual(entries);
});

test("a private post counts, because it is listed", () => {
  const hidden = { ...post("p"), reason: "PRIVATE_AT_PROVIDER" };
  expect(takeItems([hidden, post("1")], 1)).toEqual([hidden]);
});

test("counts listed posts, each once", () => {
  const observed = [post("1"), deleted("d"), post("2"), undated("u"), post("1")].map((item) => ({ item }));
  expect(countItems(observed)).toBe(2);
  expect(countItems([])).toBe(0);
});
