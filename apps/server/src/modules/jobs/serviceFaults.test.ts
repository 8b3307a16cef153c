import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EgressError } from "../../platform/network/egress.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox, type SecretBox } from "../../platform/secrets/secretBox.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { disconnect, refresh, service, storedJob, useConnectionPerTest } from "../testing/fixtures.ts";
import { runRevoke, runScan } from "../testing/tasks.ts";

useConnectionPerTest();

const { logger, lines } = recordingLogger("error");
const DAY = 86_400_000;
const otherKey = createSecretBox([{ id: "other", key: new Secret(randomBytes(32).toString("base64")) }]);

let secretBox: SecretBox;

beforeEach(() => {
  ({ secretBox } = service);
  Object.assign(service, { logger });
  lines.length = 0;
});
afterEach(() => void Object.assign(service, { secretBox }));

/** Faults that no provider can resolve, with the logged reason. */
const FAULTS: readonly (readonly [string, () => void, RegExp])[] = [
  ["a missing encryption key", () => Object.assign(service, { secretBox: otherKey }), /no encryption key has the id/],
  ["a bug", () => failWith(new TypeError("x is not a function")), /^unexpected error$/],
  [
    "the database",
    () => failWith(Object.assign(new Error("disk full"), { code: "53100", severity: "ERROR" })),
    /database/,
  ],
  ["our allowed origins", () => failWith(new EgressError("forbidden-destination", "not an allowed origin")), /origin/],
  ["our machine", () => failWith(new EgressError("local", "check its DNS servers")), /DNS/],
];

function failWith(error: Error): void {
  service.fakes.PROVIDER_A.listContent = async () => {
    throw error;
  };
}

test.each(FAULTS)("a scan that %s stops waits for the service, not for the provider", async (_, break_, reason) => {
  const { id } = await refresh();
  const { listContent } = service.fakes.PROVIDER_A;
  break_();
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await runScan(service, id);
    const { nextRetryAt, ...job } = await storedJob(id);
    expect(job).toMatchObject({ status: "QUEUED", waitReason: "SERVICE_FAULT", errorCode: null, attempt });
    service.clock.set(nextRetryAt ?? expect.fail("the job does not wait"));
  }
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    jobId: id,
    reason: expect.stringMatching(reason),
  });
  expect(service.breakers.counts().values().next().value).toMatchObject({ state: "closed" });
  Object.assign(service, { secretBox });
  Object.assign(service.fakes.PROVIDER_A, { listContent });
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED", waitReason: null });
});

test("a scan fails after two days of a fault of the service, with that reason", async () => {
  const { id } = await refresh();
  Object.assign(service, { secretBox: otherKey });
  await runScan(service, id);
  service.clock.advance(2 * DAY);
  await runScan(service, id);
  const failed = { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "SERVICE_FAULT" };
  expect(await storedJob(id)).toMatchObject(failed);
});

test("a revoke that lacks the encryption key waits for the service", async () => {
  const { revokeJobId } = await disconnect();
  Object.assign(service, { secretBox: otherKey });
  await runRevoke(service, revokeJobId);
  expect(await storedJob(revokeJobId)).toMatchObject({ status: "QUEUED", waitReason: "SERVICE_FAULT" });
});
