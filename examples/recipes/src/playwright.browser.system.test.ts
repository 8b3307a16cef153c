import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserProgram, reservePorts } from "@social-connect/testkit";
import { expect, test } from "vitest";
import { FROM_SOURCE, RECIPES, runNode } from "./testing/runProgram.ts";

test("the recipe for Playwright runs: a browser goes through the consent page of the command", async () => {
  const { env, ...browser } = await browserProgram();
  const port = await reservePorts(2);
  const cli = fileURLToPath(new URL("src/cli.ts", import.meta.resolve("@social-connect/mocks/package.json")));
  const node = [process.execPath, ...FROM_SOURCE].map((word) => JSON.stringify(word)).join(" ");
  const { output, exitCode } = await runNode(
    [
      ...FROM_SOURCE,
      join(RECIPES, "node_modules/@playwright/test/cli.js"),
      "test",
      "--config",
      "playwright",
      "--reporter=list",
    ],
    {
      PORT: String(port),
      MOCK_PORT: String(port + 1),
      SOCIAL_CONNECT_MOCKS: `${node} ${JSON.stringify(cli)}`,
      NODE_COMMAND: node,
      BROWSER: JSON.stringify(browser),
      ...env,
    },
  );
  expect(output).toContain("3 passed");
  expect(exitCode).toBe(0);
});
