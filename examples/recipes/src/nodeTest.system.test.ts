import { expect, test } from "vitest";
import { FROM_SOURCE, runNode } from "./testing/runProgram.ts";

test("the recipe for node:test runs", async () => {
  const args = [...FROM_SOURCE, "--test", "--test-reporter=tap", "node-test/welcome.test.ts"];
  const { output, exitCode } = await runNode(args);
  expect(output).toMatch(/^# pass 2$/m);
  expect(exitCode).toBe(0);
});
