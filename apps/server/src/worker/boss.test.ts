import { expect, test } from "vitest";
import { TAKEOVER } from "./boss.ts";

test("by the queue's settings, whatever a dead worker was at is another's well within a minute", () => {
  const { heartbeatSeconds, superviseIntervalSeconds, retryDelaySeconds } = TAKEOVER;
  // The longest way: it dies right after a heartbeat, right after the supervisor looked, and its task waits its longest.
  const poll = 1;
  expect(heartbeatSeconds + superviseIntervalSeconds + 2 * retryDelaySeconds + poll).toBeLessThanOrEqual(20);
  expect(TAKEOVER.heartbeatRefreshSeconds).toBeLessThan(heartbeatSeconds / 2);
});
