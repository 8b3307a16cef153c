import { expect, test } from "vitest";
import { EMPTY_CONTENT, storableContent } from "./contentFields.ts";
import { DELETED_CONTENT } from "./contentItem.ts";

test("a post without content has null in every field", () => {
  expect(new Set(Object.values(EMPTY_CONTENT))).toEqual(new Set([null]));
});

test("storable content has no NUL and no unpaired surrogate, and keeps times", () => {
  const publishedAt = new Date("2026-03-01T12:00:00.000Z");
  const observed = { ...EMPTY_CONTENT, title: "a\ud83c", description: "b\0", publishedAt };
  const { title, description, ...rest } = storableContent(observed);
  expect(rest).toMatchObject({ canonicalUrl: null, publishedAt });
  expect(`${title}${description}`).not.toMatch(/[\0\p{Surrogate}]/u);
  expect(`${title}${description}`).toMatch(/^a.*b/);
});

test("strings of a list are cleaned, and those without a character are omitted", () => {
  const observed = { ...EMPTY_CONTENT, title: ["a\0", "\0", "b"] as unknown as string };
  expect(storableContent(observed).title).toEqual(["a", "b"]);
});

test("a deleted post keeps its publication time", () => {
  expect(DELETED_CONTENT).not.toHaveProperty("publishedAt");
});
