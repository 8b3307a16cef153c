import { expect, test } from "vitest";
import type { PaletteItem } from "./items.ts";
import { canBeUserId, findMatches, isId, rotationOf } from "./matching.ts";

const item = (label: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: label,
  group: "Pages",
  label,
  target: { to: "/" },
  ...more,
});

const ITEMS = [
  item("Create a client"),
  item("Clients"),
  item("Use dark colors", { keywords: "theme appearance" }),
  item("deploy script", { id: "0197a5a0-1111-7222-8333-444444444444", detail: "admin@example.test" }),
];
const labels = (text: string) => findMatches(ITEMS, text).map(({ label }) => label);

test("finds items in which every word starts a word, in any order and case", () => {
  expect(labels("CLIENT create")).toEqual(["Create a client"]);
  expect(labels("dark theme")).toEqual(["Use dark colors"]);
  expect(labels("dark client")).toEqual([]);
  expect(labels("lient")).toEqual([]);
});

test("lists labels that start with the text first", () => {
  expect(labels("client")).toEqual(["Clients", "Create a client"]);
});

test("finds an item by its detail and by the start of its id", () => {
  expect(labels("admin@example")).toEqual(["deploy script"]);
  expect(labels("0197a5a0")).toEqual(["deploy script"]);
  expect(labels("script 0197a5a0")).toEqual(["deploy script"]);
  expect(labels("7222")).toEqual([]);
});

test("recognizes complete ids only", () => {
  expect(isId("0197a5a0-1111-7222-8333-444444444444")).toBe(true);
  expect(isId("0197A5A0-1111-7222-8333-44444444444F")).toBe(true);
  expect(isId("0197a5a0")).toBe(false);
  expect(isId("acme")).toBe(false);
});

test("recognizes what can be an id of a user", () => {
  for (const text of ["42", "user-42", "mara@example.test", "0197a5a0-1111-7222-8333-444444444444", "x".repeat(256)])
    expect([text, canBeUserId(text)]).toEqual([text, true]);
  for (const text of ["", "4", "user 42", "x".repeat(257)]) expect([text, canBeUserId(text)]).toEqual([text, false]);
});

test("names the client of a rotation", () => {
  for (const text of ["rotate atelier", "Rotate the key of atelier", "rotate keys for atelier", "ROTATE  the atelier"])
    expect([text, rotationOf(text)]).toEqual([text, "atelier"]);
  for (const text of ["rotate", "atelier", "rotated atelier"]) expect([text, rotationOf(text)]).toEqual([text, null]);
  expect(rotationOf("rotate the office")).toBe("office");
});
