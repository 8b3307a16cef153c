/** The code of the guide on logs, run. */
import type { Hooks } from "@social-connect/sdk";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { expect, it } from "vitest";
import { connectionLost, fakeClient, KEY, SCOPE } from "./testing/fakeApi.ts";
import { connection } from "./testing/samples.ts";

const CANARIES = [KEY, ...Object.values(SCOPE)];

it("logs each request, and each retry as a warning", async () => {
  const lines: unknown[] = [];
  const logger = { info: (...line: unknown[]) => lines.push(line), warn: (...line: unknown[]) => lines.push(line) };

  // #region logging
  const hooks: Hooks = {
    onResponse: (event) => logger.info(event, "Social Connect request"),
    onRetry: (event) => logger.warn(event, "Social Connect retry"),
  };
  // #endregion logging

  const { user } = fakeClient({ connection: [connectionLost(), connection("c")] }, { hooks });
  await user.connection("c");
  expect(lines).toEqual([
    [expect.objectContaining({ operation: "connection", outcome: "TRANSPORT_FAILED" }), "Social Connect request"],
    [expect.objectContaining({ delayMs: 125 }), "Social Connect retry"],
    [expect.objectContaining({ outcome: "OK", attempt: 2 }), "Social Connect request"],
  ]);
  expectNoneOf(CANARIES, lines);
});
