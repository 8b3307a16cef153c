import { expect, test } from "vitest";
import { CASES } from "./cases/all.ts";
import { READ_SAFE_CASES } from "./readSafe.ts";

const idsOf = (cases: readonly { readonly id: string }[]) => cases.map(({ id }) => id).toSorted();

test("every read-safe case is among the published ones", () => {
  expect(idsOf(READ_SAFE_CASES)).toEqual(idsOf(CASES.filter(({ readSafe }) => readSafe)));
  expect(READ_SAFE_CASES.length).toBeGreaterThan(200);
});

test("a read-safe case needs no driver, and may run concurrently with others", () => {
  for (const { id, needs, lane, holds } of READ_SAFE_CASES) {
    const others = needs.filter((need) => need !== "tenant" && need !== "admin");
    expect({ id, others, lane, holds }).toEqual({ id, others: [], lane: "alongside", holds: [] });
  }
});
