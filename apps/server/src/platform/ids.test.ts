import { expect, test } from "vitest";
import { newLogEntryId } from "./ids.ts";

test("log ids are UUIDs of version 7 that contain the time and are ordered within a millisecond", () => {
  const at = new Date("2026-06-15T12:00:00.123Z");
  const ids = Array.from({ length: 1_000 }, () => newLogEntryId(at));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(at.getTime());
  }
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const later = newLogEntryId(new Date(at.getTime() + 1));
  expect(later > (ids.at(-1) ?? "")).toBe(true);
});
