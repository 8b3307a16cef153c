import { expect, test } from "vitest";
import { changesOf } from "./changes.ts";

test("has the fields that differ; of something new only after, of something removed only before", () => {
  const stored = { id: "1", name: "Shop", enabled: true, urls: ["a", "b"], color: null, updatedAt: new Date(0) };
  expect(changesOf(stored, { name: "Shop", enabled: false, color: "#0a5c36", urls: ["b", "a"] })).toEqual([
    { field: "enabled", before: true, after: false },
    { field: "color", before: null, after: "#0a5c36" },
  ]);
  expect(changesOf(null, stored)).toEqual([
    { field: "name", before: null, after: "Shop" },
    { field: "enabled", before: null, after: true },
    { field: "urls", before: null, after: ["a", "b"] },
  ]);
  expect(changesOf({ name: "Shop", urls: [] }, null)).toEqual([{ field: "name", before: "Shop", after: null }]);
});

test("names the fields of a part, also one that goes", () => {
  const before = { addresses: { token: "t", revocation: "r" }, scopes: { PROFILE: ["a"] }, until: new Date(0) };
  const after = { addresses: { token: "t" }, scopes: { PROFILE: ["a", "b"] }, until: new Date(1) };
  expect(changesOf(before, after)).toEqual([
    { field: "addresses.revocation", before: "r", after: null },
    { field: "scopes.PROFILE", before: ["a"], after: ["a", "b"] },
    { field: "until", before: "1970-01-01T00:00:00.000Z", after: "1970-01-01T00:00:00.001Z" },
  ]);
});

test("of a long list has what was added and removed, and of an image its type and size", () => {
  const tenants = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);
  expect(changesOf({ tenants }, { tenants: [...tenants.slice(1), "new"] })).toEqual([
    { field: "tenants", before: ["tenant-0"], after: ["new"], unchanged: 11 },
  ]);
  expect(changesOf({ tenants }, { tenants: tenants.slice(0, 3) })).toMatchObject([{ after: null, unchanged: 3 }]);
  expect(changesOf({ logo: null }, { logo: `data:image/png;base64,${"A".repeat(2_000)}` })).toEqual([
    { field: "logo", before: null, after: "image/png, 2,022 characters" },
  ]);
});
