import { EVENT_RETRY_DELAYS_SECONDS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { decideTry, problemOfStatus, type TryResult } from "./eventDelivery.ts";

const NOW = new Date("2026-09-01T12:00:00.000Z");
const DAY = 86_400_000;
const OK: TryResult = { status: 200, problem: null, retryAfterSeconds: null };
const FAILED: TryResult = { status: 500, problem: "STATUS", retryAfterSeconds: null };
const SOUND = { failingSince: null };

test.each([
  [200, null],
  [204, null],
  [299, null],
  [199, "STATUS"],
  [301, "REDIRECT"],
  [304, "REDIRECT"],
  [400, "STATUS"],
  [410, "STATUS"],
  [503, "STATUS"],
])("%i has the problem %s", (status, problem) => {
  expect(problemOfStatus(status)).toBe(problem);
});

describe("a try", () => {
  test("that succeeds ends the delivery, and the endpoint no longer fails", () => {
    const decided = decideTry({ tries: 3 }, { failingSince: addMs(NOW, -DAY) }, OK, 0.5, NOW);
    expect(decided.delivery).toMatchObject({ status: "SUCCEEDED", tries: 4, nextTryAt: null, finishedAt: NOW });
    expect(decided.endpoint).toEqual({ lastTriedAt: NOW, lastSucceededAt: NOW, failingSince: null });
    expect(decided.turnedOffReason).toBeNull();
  });

  test("that fails is repeated after each delay of the schedule, with up to a fifth more", () => {
    for (const [tries, delay] of EVENT_RETRY_DELAYS_SECONDS.entries()) {
      const waits = [0, 0.999].map((random) => decideTry({ tries }, SOUND, FAILED, random, NOW).delivery.nextTryAt);
      expect(waits[0]).toEqual(addMs(NOW, delay * 1_000));
      expect(waits[1]?.getTime()).toBeLessThanOrEqual(addMs(NOW, delay * 1_200).getTime());
      expect(waits[1]?.getTime()).toBeGreaterThan(addMs(NOW, delay * 1_190).getTime());
    }
  });

  test("that fails after the last delay ends the delivery", () => {
    const tries = EVENT_RETRY_DELAYS_SECONDS.length;
    const { delivery } = decideTry({ tries }, SOUND, FAILED, 0, NOW);
    expect(delivery).toMatchObject({ status: "FAILED", nextTryAt: null, finishedAt: NOW, responseStatus: 500 });
  });

  test("with Retry-After waits at least as long, and never shorter than the schedule", () => {
    const waitOf = (tries: number, retryAfterSeconds: number) =>
      decideTry({ tries }, SOUND, { ...FAILED, status: 503, retryAfterSeconds }, 0, NOW).delivery.nextTryAt;
    expect(waitOf(0, 3_600)).toEqual(addMs(NOW, 3_600_000));
    expect(waitOf(3, 1)).toEqual(addMs(NOW, 1_800_000));
  });

  test("that fails marks since when the endpoint fails, once", () => {
    expect(decideTry({ tries: 0 }, SOUND, FAILED, 0, NOW).endpoint.failingSince).toEqual(NOW);
    const since = addMs(NOW, -DAY);
    expect(decideTry({ tries: 0 }, { failingSince: since }, FAILED, 0, NOW).endpoint.failingSince).toEqual(since);
  });
});

describe("an endpoint", () => {
  test("is turned off by 410, and its delivery ends", () => {
    const decided = decideTry({ tries: 0 }, SOUND, { ...FAILED, status: 410 }, 0, NOW);
    expect(decided).toMatchObject({ turnedOffReason: "GONE", delivery: { status: "FAILED", nextTryAt: null } });
  });

  test.each([
    [5 * DAY, "FAILING"],
    [5 * DAY - 1, null],
  ])("that has failed for %i ms is turned off: %s", (failingMs, reason) => {
    const decided = decideTry({ tries: 0 }, { failingSince: addMs(NOW, -failingMs) }, FAILED, 0, NOW);
    expect(decided.turnedOffReason).toBe(reason);
    expect(decided.delivery.status).toBe(reason === null ? "WAITING" : "FAILED");
  });

  test("is not turned off by a fault of the service", () => {
    const local: TryResult = { status: null, problem: "LOCAL", retryAfterSeconds: null };
    expect(decideTry({ tries: 0 }, { failingSince: addMs(NOW, -9 * DAY) }, local, 0, NOW).turnedOffReason).toBeNull();
  });
});
