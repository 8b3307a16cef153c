import { expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { recentAttempts } from "./attempts.ts";

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute));
const world = { now: () => at(5) } as World;

test("attempts count for the limit of their application until their deadline, unless they were completed", () => {
  const attempt = (status: string, minute: number, applicationId = "a") => ({
    applicationId,
    status,
    expiresAt: at(minute),
  });
  const attempts = [
    ...[attempt("CREATED", 9), attempt("CANCELED", 8), attempt("FAILED", 7)],
    ...[attempt("COMPLETED", 6), attempt("CREATED", 5), attempt("CREATED", 6, "b")],
  ];
  const map = new Map(attempts.map((one, index) => [String(index), one]));
  expect(recentAttempts(world, map, "a")).toEqual({ count: 3, oldestDeadline: at(7) });
  expect(recentAttempts(world, new Map(), "a")).toEqual({ count: 0, oldestDeadline: null });
});
