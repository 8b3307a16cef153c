import { expect, test } from "vitest";
import { asUuid } from "./ids.ts";

test("an id is accepted in either case and stored in lower case", () => {
  expect(asUuid("5F0D2A34-1111-4222-8333-0123456789AB")).toBe("5f0d2a34-1111-4222-8333-0123456789ab");
});

test.each(["", "x", "5f0d2a34111142228333-0123456789ab", " 5f0d2a34-1111-4222-8333-0123456789ab"])(
  "%s is not an id",
  (id) => {
    expect(asUuid(id)).toBe(null);
  },
);
