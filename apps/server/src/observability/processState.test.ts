import { refuse } from "@social-connect/domain";
import { testClock } from "@social-connect/testkit";
import { afterAll, expect, test } from "vitest";
import { FairShare } from "../platform/load/fairShare.ts";
import { SECURITY_EVENTS } from "../platform/log/securityEvents.ts";
import { SecurityLog } from "../platform/log/securityLog.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { ProviderBreakers } from "../providers/breakers.ts";
import { ProviderError } from "../providers/contract.ts";
import type { Observation } from "./metrics.ts";
import { observeProcess } from "./processState.ts";

const clock = testClock();
const { logger } = recordingLogger("silent");
const REFUSAL = refuse("RATE_LIMITED", "Too many calls.", 1);
const LIMITS = { lanes: { all: { slots: 1, share: 1, shareAlone: 1 } }, shareInAll: 1 };
const [calls, adminCalls] = [new FairShare(LIMITS, clock, REFUSAL), new FairShare(LIMITS, clock, REFUSAL)];
const call = { lane: "all", slots: 1, whenLeft: () => () => undefined } as const;
const breakers = new ProviderBreakers({ clock, logger });
const security = new SecurityLog(logger);
const observed = observeProcess({
  info: { role: "api", node: "24.0.0" },
  pools: {},
  databaseErrors: [new Map([["23505", 2]]), new Map([["23505", 1]])],
  calls: { query: { counts: () => calls.counts("all") } },
  adminCalls: { admin: { counts: () => adminCalls.counts("all") } },
  breakers,
  security,
  outputs: { stdout: { counts: () => new Map([["closed", 3]]) } },
});
afterAll(() => observed.stop());

function values(name: Observation["name"]): unknown[] {
  return observed
    .read()
    .filter((each) => each.name === name)
    .map(({ value, labels }) => [...Object.values(labels), value]);
}

test("shows dropped output by its reason, from the start", () => {
  expect(values("social_connect_output_dropped_total")).toEqual([
    ["stdout", "disk_full", 0],
    ["stdout", "closed", 3],
    ["stdout", "slow_reader", 0],
    ["stdout", "failed", 0],
  ]);
});

test("shows calls by application, and those of admins without their ids", async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = [
    calls.run({ ...call, owner: "application-1" }, () => ended),
    adminCalls.run({ ...call, owner: "admin-1" }, () => ended),
  ];
  expect(values("social_connect_calls_in_progress")).toEqual([
    ["query", "application-1", 1],
    ["admin", "admins", 1],
  ]);
  end();
  await Promise.all(running);
  expect(values("social_connect_calls_in_progress")).toEqual([]);
});

test("counts security events from 0, with those whose lines are suppressed", () => {
  const name = "social_connect_security_events_total";
  const events = Object.keys(SECURITY_EVENTS).filter((event) => event !== "security_log.suppressed");
  expect(values(name)).toEqual(events.map((event) => [event, 0]));
  for (let index = 0; index < 50; index += 1)
    security.record(
      "deauthorization.refused",
      { provider: null, reason: "signature", address: "192.0.2.7" },
      "192.0.2.7",
    );
  expect(values(name)).toEqual(events.map((event) => [event, event === "deauthorization.refused" ? 50 : 0]));
});

test("shows a registration whose calls are paused", async () => {
  const fail = (account: string) =>
    breakers
      .run("registration-1", account, () => Promise.reject(new ProviderError("unavailable", "test")))
      .catch(() => undefined);
  await fail("account-1");
  expect(values("social_connect_provider_calls_paused")).toEqual([["registration-1", 0]]);
  for (let index = 0; index < 10; index += 1) await fail(`account-${index % 2}`);
  expect(values("social_connect_provider_calls_paused")).toEqual([["registration-1", 1]]);
});

test("adds up the database's errors, and reports a full disk from the start", () => {
  expect(values("social_connect_database_errors_total")).toEqual([
    ["53100", 0],
    ["23505", 3],
  ]);
});
