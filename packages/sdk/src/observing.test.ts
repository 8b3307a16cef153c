/** The code of the guide on logs and traces, run. */
import type { Hooks } from "@social-connect/sdk";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { runProgram } from "@social-connect/sdk-core/testing/runProgram";
import { expect, it } from "vitest";
import { connectionLost, fakeClient, KEY, SCOPE } from "./testing/fakeApi.ts";
import { connection } from "./testing/samples.ts";

const CANARIES = [KEY, ...Object.values(SCOPE)];

it("records each request as a span with its outcome and correlation id", async () => {
  const output = await runProgram(new URL("testing/tracedProcess.ts", import.meta.url));
  const spans: unknown = JSON.parse(output);
  const about = { name: "Social Connect connection", kind: 2 };
  expect(spans).toMatchObject([
    { ...about, status: { code: 2, message: "TRANSPORT_FAILED" }, attributes: { "error.type": "TRANSPORT_FAILED" } },
    { ...about, status: { code: 0 }, attributes: { "http.request.resend_count": 1 } },
    {
      ...about,
      status: { code: 2, message: "FORBIDDEN" },
      attributes: { "social_connect.correlation_id": "99999999-8888-4777-8666-555555555555" },
    },
  ]);
  expectNoneOf(CANARIES, spans);
}, 60_000);

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
