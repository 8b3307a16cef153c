import { expect, test } from "vitest";
import { asUuid, idsFrom } from "./ids.ts";

test("an id is accepted in either case and stored in lower case", () => {
  expect(asUuid("5F0D2A34-1111-4222-8333-0123456789AB")).toBe("5f0d2a34-1111-4222-8333-0123456789ab");
});

test.each(["", "x", "5f0d2a34111142228333-0123456789ab", " 5f0d2a34-1111-4222-8333-0123456789ab"])(
  "%s is not an id",
  (id) => {
    expect(asUuid(id)).toBe(null);
  },
);

test("a start names all ids that begin with it, with or without dashes", () => {
  const range = ["5f0d2a34-1100-0000-0000-000000000000", "5f0d2a34-11ff-ffff-ffff-ffffffffffff"];
  expect(idsFrom("5F0D2A34-11")).toEqual(range);
  expect(idsFrom("5f0d2a3411")).toEqual(range);
  const id = "5f0d2a34-1111-4222-8333-0123456789ab";
  expect(idsFrom(id)).toEqual([id, id]);
});

test.each(["", "5f0d2a3", "5f0d2a3g", "user-5f0d2a34", `5f0d2a34-1111-4222-8333-0123456789ab1`])(
  "%s is not the start of an id",
  (text) => {
    expect(idsFrom(text)).toBe(null);
  },
);
