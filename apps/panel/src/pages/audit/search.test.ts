import { expect, test } from "vitest";
import { auditSearch, filterOf } from "./search.ts";

test("ignores empty filters and days that do not exist", () => {
  expect(auditSearch({ actor: " admin@example.test ", client: "", from: "2026-13-01", to: "yesterday" })).toEqual({
    actor: "admin@example.test",
  });
  expect(auditSearch({ from: "2026-02-30", to: "2024-02-29" })).toEqual({ to: "2024-02-29" });
  expect(auditSearch({ target: 42, from: "2026-11-01" })).toEqual({ target: "42", from: "2026-11-01" });
});

test("days are from midnight to midnight in UTC, the last one included", () => {
  expect(filterOf({ from: "2026-11-01", to: "2026-11-30" })).toMatchObject({
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-12-01T00:00:00.000Z",
    actor: null,
  });
  expect(filterOf({ to: "9999-12-31" }).to).toBe("9999-12-31T23:59:59.999Z");
});
