import { expect, test } from "vitest";
import { CASES } from "./cases/all.ts";
import { READ_SAFE_CASES } from "./readSafe.ts";

const idsOf = (cases: readonly { readonly id: string }[]) => cases.map(({ id }) => id).toSorted();

test("every case that is marked as safe to read with is among those that ship", () => {
  expect(idsOf(READ_SAFE_CASES)).toEqual(idsOf(CASES.filter(({ readSafe }) => readSafe)));
  expect(READ_SAFE_CASES.length).toBeGreaterThan(200);
});

test("a case that is marked asks for nothing that only its own test bed has, and may run beside others", () => {
  for (const { id, needs, lane, holds } of READ_SAFE_CASES) {
    const others = needs.filter((need) => need !== "tenant" && need !== "admin");
    expect({ id, others, lane, holds }).toEqual({ id, others: [], lane: "alongside", holds: [] });
  }
});
