import { expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { checkResendArguments, checkResendSince, mayResend } from "./resend.ts";

const event = { type: "job.failed", occurredAt: NOW, tenantKey: "tenant-1" };
const endpoint = { enabled: true, types: [] as string[], createdAt: addMs(NOW, -1) };

test.each([
  ["to an endpoint that takes all types", {}, {}, true],
  ["to one that takes its type", {}, { types: ["job.failed"] }, true],
  ["to one that was added at the same time", {}, { createdAt: NOW }, true],
  ["not to one that takes other types", {}, { types: ["job.succeeded"] }, false],
  ["not to one that is off", {}, { enabled: false }, false],
  ["not to one that was added later", {}, { createdAt: addMs(NOW, 1) }, false],
  ["not if it is a receipt without its user", { type: "receipt.erase", tenantKey: null }, {}, false],
  ["if it is a receipt with its user", { type: "receipt.erase" }, {}, true],
  ["if it is a test event, which names no tenant", { type: "test", tenantKey: null }, {}, true],
])("an event is sent again %s", (_, ofEvent, ofEndpoint, expected) => {
  expect(mayResend({ ...event, ...ofEvent }, { ...endpoint, ...ofEndpoint })).toBe(expected);
});

test.each([
  [NOW, null],
  [addMs(NOW, -30 * DAY), null],
  [addMs(NOW, -30 * DAY - 1), "since"],
  [addMs(NOW, 1), "since"],
])("the time of a resend is in the past, and events of that time are stored: %s", (since, field) => {
  expect(checkResendSince(since, NOW)?.field ?? null).toBe(field);
});

test("a resend names either an event or a time", () => {
  expect(checkResendArguments({ eventId: "e1" })).toBeNull();
  expect(checkResendArguments({ since: NOW, eventId: null })).toBeNull();
  for (const wrong of [{}, { eventId: "e1", since: NOW }])
    expect(checkResendArguments(wrong)).toMatchObject({ code: "BAD_USER_INPUT", field: "since" });
});
