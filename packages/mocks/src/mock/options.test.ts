import { expect, test } from "vitest";
import { MockMisuseError } from "../util/misuse.ts";
import { createConsumerMock } from "./consumerMock.ts";

test.each<[object, string]>([
  [{ sede: 1 }, "Unknown field sede. Possible fields: seed, now"],
  [{ seed: {} }, "`seed` must be a string or a number."],
  [{ now: "yesterday" }, "is not a time."],
  [{ now: "2026-01-31T08:00" }, "is not a time."],
  [{ now: 9e15 }, "is not a time."],
  [{ now: "system", advancePerRequest: "1s" }, "requires a manual clock"],
  [{ clock: "running", advancePerRequest: "1s" }, "requires a manual clock, and the clock is running."],
  [{ now: "system", clock: "manual" }, "`clock` requires a time as `now`"],
  [{ clock: "fixed" }, "Possible: manual, running."],
  [{ advancePerRequest: -1 }, "is not a duration."],
  [{ jitter: 1 }, "`jitter` must be a number from 0 to below 1."],
  [{ baseUrl: "nowhere" }, "`baseUrl` must be an absolute http or https URL"],
  [{ mode: "production" }, "Possible: sandbox, live."],
  [{ strict: "no" }, "`strict` must be true or false."],
  [{ previewOriginTemplate: "https://preview.example.test" }, "{label} as its first DNS label"],
  [{ application: { tenants: ["a"] } }, "Unknown field tenants. Possible fields: tenantKeys"],
  [{ application: { providers: ["PROVIDER_Z"] } }, "Possible: PROVIDER_A"],
  [{ application: { slug: "A B" } }, "`slug` must have 1 to 63"],
  [{ application: { returnUrls: ["https://elsewhere.test/"] } }, "must use one of the application's web origins"],
  [{ application: { testers: "nobody" } }, "a list of accounts"],
])("does not create a mock with %j", (options, expected) => {
  expect(() => createConsumerMock(options as never)).toThrow(MockMisuseError);
  expect(() => createConsumerMock(options as never)).toThrow(expected);
});
