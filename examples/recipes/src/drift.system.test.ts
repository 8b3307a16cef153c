import { serveMock } from "@social-connect/mocks/node";
import { SWEEPS_ALL } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { FROM_SOURCE, runNode } from "./testing/runProgram.ts";

/** Runs the recipe against a mock that represents the sandbox. */
async function check(change: (mock: Awaited<ReturnType<typeof serveMock>>["mock"]) => void = () => undefined) {
  const { url, mock, close } = await serveMock();
  onTestFinished(close);
  change(mock);
  const args = [...FROM_SOURCE, "--test", "--test-reporter=tap", "drift/sandbox.test.ts"];
  return runNode(args, { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: mock.key });
}

test("the recipe for drift runs, and passes where nothing differs", async () => {
  const { output, exitCode } = await check();
  expect(output).toMatch(/^# pass 1$/m);
  expect(exitCode).toBe(0);
});

test.runIf(SWEEPS_ALL)("fails on a difference, and describes it", async () => {
  const { output, exitCode } = await check((mock) => mock.faults.always("connection", { code: "RATE_LIMITED" }));
  expect(output).toContain("S5.tenant.unregistered-connection");
  expect(exitCode).toBe(1);
});
