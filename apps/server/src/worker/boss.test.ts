import { expect, test } from "vitest";
import { TAKEOVER } from "./boss.ts";

test("takes over a crashed worker's task within a minute by the queue's settings", () => {
  const { heartbeatSeconds, superviseIntervalSeconds, retryDelaySeconds } = TAKEOVER;
  // The worst case: a crash right after a heartbeat and after a supervisor run, and the longest retry delay.
  const poll = 1;
  expect(heartbeatSeconds + superviseIntervalSeconds + 2 * retryDelaySeconds + poll).toBeLessThanOrEqual(20);
  expect(TAKEOVER.heartbeatRefreshSeconds).toBeLessThan(heartbeatSeconds / 2);
});
