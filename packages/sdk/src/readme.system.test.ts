import { runProgram } from "@social-connect/sdk-core/testing/runProgram";
import { startService } from "@social-connect/sdk-core/testing/servers";
import { expect, it, onTestFinished } from "vitest";
import { fakeApi, KEY } from "./testing/fakeApi.ts";
import { connection, contentPage, post } from "./testing/samples.ts";

it("runs the first code block of the README unchanged, with URL and key from the environment", async () => {
  const metric = { value: "1204", availability: "AVAILABLE", reason: null, sourceField: null, observedAt: "" };
  const { fetch } = fakeApi({
    integrationReadiness: { providers: [{ provider: "PROVIDER_A", available: true }], idpIdentityAvailable: true },
    connections: {
      items: [connection("1"), connection("2", { status: "DISCONNECTED" })],
      pageInfo: { endCursor: null, hasNextPage: false },
    },
    content: contentPage([post("1", { metrics: [{ ...metric, name: "VIEWS" }] }), post("2")]),
  });
  const { url, close } = await startService(fetch);
  onTestFinished(close);
  const env = { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: KEY };
  const output = await runProgram(new URL("snippets/firstSteps.ts", import.meta.url), { env });
  expect(output.split("\n").map((line) => line.trim())).toEqual([
    "PROVIDER_A true",
    "PROVIDER_A CONNECTED",
    "2026-02-20T08:00:00.000Z Post 1 1204",
    "2026-02-20T08:00:00.000Z Post 2",
    "PROVIDER_A DISCONNECTED",
    "",
  ]);
}, 60_000);
