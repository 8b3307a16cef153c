import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";
import { SECURITY_EVENTS } from "./securityEvents.ts";
import { SECURITY_LOG_LIMITS, SecurityLog } from "./securityLog.ts";

function start() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const time = { ms: 0 };
  const log = new SecurityLog(createLogger({ level: "info", role: "test", destination }), () => time.ms);
  const refuse = (address: string) =>
    log.record("deauthorization.refused", { provider: null, reason: "signature", address }, address);
  return { lines, time, log, refuse };
}

test("a subject has 10 lines a minute, and the next window starts with the number of suppressed lines", async () => {
  const { lines, time, log, refuse } = start();
  for (let call = 0; call < 25; call += 1) refuse("192.0.2.1");
  refuse("192.0.2.2");
  await setImmediate();
  expect(lines).toHaveLength(11);
  time.ms += SECURITY_LOG_LIMITS.windowMs;
  refuse("192.0.2.1");
  await setImmediate();
  expect(lines.slice(11)).toMatchObject([
    { event: "security_log.suppressed", suppressedEvent: "deauthorization.refused", subject: "192.0.2.1", count: 15 },
    { event: "deauthorization.refused", address: "192.0.2.1" },
  ]);
  log.flush();
});

test("beyond 10 events about a subject, of all kinds, only the first of a kind has a line", async () => {
  const { lines, log, refuse } = start();
  for (let call = 0; call < 25; call += 1) refuse("192.0.2.1");
  for (let call = 0; call < 5; call += 1)
    log.record("webhook.refused", { provider: "PROVIDER_B", reason: "signature", address: "192.0.2.1" }, "192.0.2.1");
  // The control: another subject.
  for (let call = 0; call < 5; call += 1) refuse("192.0.2.2");
  await setImmediate();
  const written = lines.map(({ event, address }) => `${event} ${address}`);
  const count = (line: string) => written.filter((one) => one === line).length;
  expect(count("deauthorization.refused 192.0.2.1")).toBe(10);
  expect(count("webhook.refused 192.0.2.1")).toBe(1);
  expect(count("deauthorization.refused 192.0.2.2")).toBe(5);
  log.flush();
});

test("a subject with many kinds of events has at most three summaries", async () => {
  const { lines, log } = start();
  const apis = ["api.key_refused", "api.call_refused", "admin.transport_refused", "panel.request_forged"] as const;
  const fields = { correlationId: null, api: null, code: null, reason: null, keyId: null, sessionId: null };
  for (const [index, event] of apis.entries())
    for (let call = 0; call < 20 + index; call += 1)
      log.record(event, { ...fields, address: "192.0.2.1" }, "192.0.2.1");
  await setImmediate();
  // Ten events, and the first of each other kind.
  expect(lines).toHaveLength(13);
  log.flush();
  expect(lines.slice(13)).toMatchObject([
    { suppressedEvent: null, subject: "192.0.2.1", count: 10 + 20 },
    { suppressedEvent: "panel.request_forged", subject: "192.0.2.1", count: 22 },
    { suppressedEvent: "admin.transport_refused", subject: "192.0.2.1", count: 21 },
  ]);
});

test("a million lines of a hundred thousand addresses become at most 1,000 lines, 51 summaries and 5,000 counters", async () => {
  const { lines, log, refuse } = start();
  for (let call = 0; call < 1_000_000; call += 1) refuse(`address-${call % 100_000}`);
  await setImmediate();
  expect(lines).toHaveLength(SECURITY_LOG_LIMITS.lines);
  log.flush();
  const summaries = lines.slice(SECURITY_LOG_LIMITS.lines);
  expect(summaries).toHaveLength(SECURITY_LOG_LIMITS.summaries + 1);
  expect(summaries.reduce((sum, { count }) => sum + Number(count), 0)).toBe(1_000_000 - SECURITY_LOG_LIMITS.lines);
  expect(summaries[0]).toMatchObject({ subject: "others" });
  lines.length = 0;
  log.flush();
  expect(lines).toEqual([]);
});

test("a line is written after the response, and at the latest when the process stops", async () => {
  const { lines, log, refuse } = start();
  refuse("192.0.2.1");
  expect(lines).toEqual([]);
  await setImmediate();
  expect(lines).toHaveLength(1);
  refuse("192.0.2.1");
  log.flush();
  expect(lines).toHaveLength(2);
  await setImmediate();
  expect(lines).toHaveLength(2);
});

test("the catalogue and its page name the same events and fields", () => {
  const page = readFileSync(new URL("../../../../../docs/operations/security-log.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([\w.]+)` \| .+? \| ([\w, ]+) \| .+ \|$/gm)].map(([, name, fields]) => [
    name,
    fields?.split(", "),
  ]);
  expect(rows).toEqual(Object.entries(SECURITY_EVENTS).map(([name, { fields }]) => [name, [...fields]]));
});
