import { CONNECTION_STATUSES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { causeOfStatus, shownCause } from "./connectionCause.ts";

test("a change of status has the cause that is told; the same status and an erasure change none", () => {
  expect(causeOfStatus("CONNECTED", "RECONNECT_REQUIRED", "GRANT_ENDED", NOW)).toEqual({
    cause: "GRANT_ENDED",
    causeSince: NOW,
  });
  expect(causeOfStatus("CONNECTED", "SUSPENDED", null, NOW)).toMatchObject({ cause: "SETTLING" });
  expect(causeOfStatus("SUSPENDED", "DISCONNECTED", "BY_OPERATOR", NOW)).toMatchObject({ cause: "BY_OPERATOR" });
  expect(causeOfStatus("RECONNECT_REQUIRED", "CONNECTED", "GRANT_ENDED", NOW)).toEqual({
    cause: null,
    causeSince: null,
  });
  expect(causeOfStatus("DISCONNECTED", "DELETING", null, NOW)).toEqual({});
  for (const status of CONNECTION_STATUSES) expect(causeOfStatus(status, status, "GRANT_ENDED", NOW)).toEqual({});
});

test("a needed reconnect without a stored cause is shown as not recorded", () => {
  expect(shownCause({ status: "RECONNECT_REQUIRED", cause: null })).toBe("NOT_RECORDED");
  expect(shownCause({ status: "RECONNECT_REQUIRED", cause: "CHECK_FAILED" })).toBe("CHECK_FAILED");
  expect(shownCause({ status: "CONNECTED", cause: null })).toBeNull();
});
