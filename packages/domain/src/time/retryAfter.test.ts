import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "./retryAfter.ts";

describe("Retry-After", () => {
  const now = new Date("2026-09-01T12:00:00Z");
  const wait = (value: string | null = null) => retryAfterSeconds(value, now);

  it("reads seconds and HTTP dates", () => {
    expect(wait("120")).toBe(120);
    expect(wait("Tue, 01 Sep 2026 12:02:00 GMT")).toBe(120);
    expect(wait("Tuesday, 01-Sep-26 12:02:00 GMT")).toBe(120);
    expect(wait("Tue Sep  1 12:02:00 2026")).toBe(120);
  });

  it("limits the wait to between a second and a day", () => {
    expect(wait("0")).toBe(1);
    expect(wait("99999999999999")).toBe(86_400);
    expect(wait("Tue, 01 Sep 2020 12:02:00 GMT")).toBe(1);
  });

  it("ignores other values", () => {
    expect(wait()).toBeNull();
    expect(wait("soon")).toBeNull();
    expect(wait("-5")).toBeNull();
    expect(wait("Tue, soon")).toBeNull();
  });
});
