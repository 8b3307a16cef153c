import { expect, test } from "vitest";
import type { PaletteItem } from "./items.ts";
import { canBeId, canBeUserId, findMatches, groupsOf, isNamed, rotationOf } from "./matching.ts";

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

test("lists labels that have the words before other matches", () => {
  expect(labels("dark")).toEqual(["Use dark colors"]);
  const [named, worded] = [item("Give new colors"), item("Themes", { keywords: "colors" })];
  expect(findMatches([worded, named], "colors")).toEqual([named, worded]);
  expect([isNamed(named, " COLORS new"), isNamed(worded, "colors")]).toEqual([true, false]);
});

test("finds an item by its detail and by a part of its id", () => {
  expect(labels("admin@example")).toEqual(["deploy script"]);
  expect(labels("0197a5a0")).toEqual(["deploy script"]);
  expect(labels("script 0197a5a0")).toEqual(["deploy script"]);
  expect(labels("7222")).toEqual(["deploy script"]);
  expect(labels("722")).toEqual([]);
  // The id of a page is no record's.
  expect(findMatches([item("Overview", { id: "/overview" })], "/over")).toEqual([]);
});

test("recognizes complete ids and their start", () => {
  for (const text of ["0197a5a0-1111-7222-8333-444444444444", "0197A5A0-1111", "0197a5a0"])
    expect([text, canBeId(text)]).toEqual([text, true]);
  for (const text of ["0197a5a", "acme", "user-0197a5a0"]) expect([text, canBeId(text)]).toEqual([text, false]);
});

test("groups items at the place of the first of each group", () => {
  const [first, client, last] = [item("First"), item("Client", { group: "Clients" }), item("Last")];
  expect(groupsOf([first, client, last])).toEqual([
    ["Pages", [first, last]],
    ["Clients", [client]],
  ]);
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
