import { expect, test } from "vitest";
import { DocumentCache } from "./documentCache.ts";

const LIMITS = { ownerBytes: 100_000, ownerEntries: 10, totalBytes: 400_000 };
const fill = (cache: DocumentCache<string>, owner: string, count: number, bytes: number) => {
  for (let index = 0; index < count; index += 1) cache.set(owner, `${owner}-${index}`, `${owner}-${index}`, bytes);
};
const countOf = (cache: DocumentCache<string>, owner: string, count: number) =>
  Array.from({ length: count }, (_, index) => cache.get(owner, `${owner}-${index}`)).filter(
    (value) => value !== undefined,
  ).length;

test("a share is bounded by entries and bytes and evicts the least recently used entry", () => {
  const cache = new DocumentCache<string>(LIMITS);
  fill(cache, "small", 11, 10);
  expect([cache.get("small", "small-0"), cache.get("small", "small-1")]).toEqual([undefined, "small-1"]);
  cache.set("small", "new", "new", 10);
  expect([cache.get("small", "small-1"), cache.get("small", "small-2")]).toEqual(["small-1", undefined]);
  fill(cache, "large", 5, 30_000);
  expect(countOf(cache, "large", 5)).toBe(3);
});

test("a value larger than a share is not cached and evicts nothing", () => {
  const cache = new DocumentCache<string>(LIMITS);
  fill(cache, "a", 3, 30_000);
  expect(cache.set("a", "huge", "huge", 100_001)).toBe("huge");
  expect([cache.get("a", "huge"), countOf(cache, "a", 3)]).toEqual([undefined, 3]);
});

test("over the total limit, the largest share is shrunk, not the least recently used one", () => {
  const cache = new DocumentCache<string>(LIMITS);
  fill(cache, "modest", 2, 10_000);
  for (let index = 0; index < 10; index += 1) {
    fill(cache, `large${index}`, 10, 9_000);
    expect(cache.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
  }
  expect(countOf(cache, "modest", 2)).toBe(2);
  expect(countOf(cache, "large9", 10)).toBeGreaterThan(0);
});

test("any number of owners stays within the total limit", () => {
  const cache = new DocumentCache<string>(LIMITS);
  for (let index = 0; index < 500; index += 1) fill(cache, `owner${index}`, 1, 1_000);
  expect(cache.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
  expect([countOf(cache, "owner499", 1), countOf(cache, "owner0", 1)]).toEqual([1, 0]);
});

test("a source of several owners is stored once, as long as one of them has it", () => {
  const cache = new DocumentCache<string>(LIMITS);
  const first = cache.set("a", "shared", "first", 1_000);
  const before = cache.bytes;
  cache.set("b", "other", "other", 1_000);
  const withOther = cache.bytes - before;
  expect(cache.set("b", "shared", "second", 1_000)).toBe(first);
  expect(cache.bytes).toBe(before + withOther);
  fill(cache, "a", 10, 10);
  expect([cache.get("a", "shared"), cache.get("b", "shared")]).toEqual([undefined, "first"]);
  fill(cache, "b", 10, 10);
  expect(cache.set("c", "shared", "third", 1_000)).toBe("third");
});
