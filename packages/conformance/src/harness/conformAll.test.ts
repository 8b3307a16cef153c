import { expect, test } from "vitest";
import type { Target, TargetFactory } from "../target/target.ts";
import { conformAll } from "./conform.ts";
import { defineCases } from "./defineCase.ts";
import { summaryOf } from "./summary.ts";

const KEY = `00000000-0000-4000-8000-000000000000.${"ab".repeat(32)}`;
const CASES = defineCases({}, (test) => {
  test("S4.status.up: The service is up.", async (t) =>
    t.equal((await t.get("status", {})).message, "up", "the message"));
  test("S5.admin.clock: Time passes.", async (t) => t.equal(1, 1, "one")).with({ needs: ["clock"] });
});

/** A service in this process whose status message is `message`; `closed` counts how often it was closed. */
function saying(name: string, message: string, counts = { closed: 0 }): TargetFactory {
  const baseUrl = "http://inside.invalid";
  const urls = { returnUrl: `${baseUrl}/return`, identityReturnUrl: `${baseUrl}/identity`, webOrigin: baseUrl };
  const target: Target = {
    application: { baseUrl, key: KEY, tenantKeys: ["tenant"], ...urls },
    connectHost: baseUrl,
    rawSocket: false,
    fetch: async () => Response.json({ data: { status: { ok: true, message } } }),
    close: async () => {
      counts.closed += 1;
    },
  };
  return { name, open: async () => target };
}

const run = (factories: readonly TargetFactory[]) =>
  conformAll(factories, CASES, { observable: ["operation:status"], parallel: 1 });

test("a run over several targets passes when each of them does, and lists them side by side", async () => {
  const { green, runs } = await run([saying("server", "up"), saying("mock", "up")]);
  expect(green).toBe(true);
  const summary = summaryOf(runs);
  expect(summary).toMatch(/^part +server +mock$/m);
  expect(summary).toMatch(/^consumer S4 endpoints +1 ok +1 ok$/m);
  expect(summary).toMatch(/^admin S5 authentication +0 ok, 1 skipped +0 ok, 1 skipped$/m);
  expect(summary).toContain("S5.admin.clock: server (clock); mock (clock)");
});

test("one target that differs from the description fails the run and is named with the actual value", async () => {
  const counts = { closed: 0 };
  const { green, runs } = await run([saying("server", "up"), saying("mock", "down", counts)]);
  expect(green).toBe(false);
  expect(counts.closed).toBe(1);
  const summary = summaryOf(runs);
  expect(summary).toMatch(/^consumer S4 endpoints +1 ok +0 ok, 1 FAILED$/m);
  expect(summary).toMatch(/GREEN +RED$/m);
  expect(summary).toContain("mock: S4.status.up: The service is up.");
  expect(summary).toContain("actual:   down");
});

test("a target that cannot be opened fails the run, and the other targets are still checked", async () => {
  const broken: TargetFactory = {
    name: "broken",
    open: async () => {
      throw new Error("it does not open");
    },
  };
  const { green, runs } = await run([broken, saying("server", "up")]);
  expect(green).toBe(false);
  expect(runs.map(({ conformance }) => conformance?.green)).toEqual([undefined, true]);
  expect(summaryOf(runs)).toContain("broken: it does not open");
});

test("a run without targets fails", async () => {
  expect((await run([])).green).toBe(false);
});
