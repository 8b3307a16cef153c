import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../secrets/secret.ts";
import { recordingLogger } from "../testing/recordingLogger.ts";
import type { Logger } from "./logger.ts";

const CANARY = "canary0000000000000000000000000000000000000000000000000000000000";
const KEY = `0f8fad5b-d9cb-469f-a165-70867728950e.${"c0ffee00".repeat(8)}`;

function logged(write: (logger: Logger) => void): string {
  const { logger, lines } = recordingLogger("debug");
  write(logger);
  return lines.join("");
}

test("a secret prints as [redacted] everywhere", () => {
  const secret = new Secret(CANARY);
  const prints = [String(secret), `${secret}`, JSON.stringify({ secret }), inspect({ secret }), inspect([secret])];
  for (const print of prints) {
    expect(print).toContain("[redacted]");
    expect(print).not.toContain("canary");
  }
  expect(secret.reveal()).toBe(CANARY);
});

test.each([
  ["by name", { authorization: CANARY }],
  ["by name in another case", { "Set-Cookie": CANARY }],
  ["by name, deep in arrays and objects", { request: [{ headers: { cookie: CANARY } }] }],
  ["as launch token", { launchToken: CANARY }],
  ["as proof", { resultProof: CANARY }],
  ["as stored hash or encrypted value", { clientSecret: CANARY, accessToken: CANARY, refresh_token: CANARY }],
  ["as application key", { applicationKey: { id: 1, secret: CANARY } }],
  ["in a URL", { url: `https://example.com/callback?code=${CANARY}&state=${CANARY}` }],
  ["as a password in a URL", { url: `postgres://user:${CANARY}@host/database` }],
  ["as a bearer value", { note: `sent Bearer ${CANARY}` }],
  ["wrapped", { value: new Secret(CANARY) }],
  ["on an error", { err: Object.assign(new Error("failed"), { config: { token: CANARY }, detail: CANARY }) }],
  ["in the cause of an error", { err: new Error("failed", { cause: new Error(`Bearer ${CANARY}`) }) }],
])("a secret never reaches a log line %s", (_, fields) => {
  const line = logged((logger) => logger.info(fields, "something happened"));
  expect(line).toContain("something happened");
  expect(line).not.toContain("canary");
});

test("a key in a message is redacted, too", () => {
  const line = logged((logger) => logger.warn(`refused ${KEY} twice`));
  expect(JSON.parse(line)).toMatchObject({ level: "warn", role: "test", msg: "refused [redacted] twice" });
});

test("values that are not secrets remain readable", () => {
  const error = Object.assign(new Error("no such table"), { code: "42P01" });
  const fields = { tenantKey: "acme", errorCode: null, code: "FORBIDDEN", apiKeyId: "1a2b", token: null, err: error };
  expect(JSON.parse(logged((logger) => logger.error(fields, "failed")))).toMatchObject({
    tenantKey: "acme",
    code: "FORBIDDEN",
    apiKeyId: "1a2b",
    token: null,
    err: { type: "Error", message: "no such table", code: "42P01" },
  });
});

test("a circular value is truncated and does not hang", () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(logged((logger) => logger.info({ loop }, "loop"))).toContain("[too deep]");
});
