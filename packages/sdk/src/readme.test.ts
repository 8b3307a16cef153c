import { expect, it } from "vitest";
import { KEY } from "./testing/fakeApi.ts";
import { startFakeService } from "./testing/fakeService.ts";
import { runProgram } from "./testing/runProgram.ts";
import { connection, contentPage, post } from "./testing/samples.ts";

it("runs the first code block of the README unchanged, with URL and key from the environment", async () => {
  const metric = { value: "1204", availability: "AVAILABLE", reason: null, sourceField: null, observedAt: "" };
  const service = await startFakeService({
    integrationReadiness: { providers: [{ provider: "PROVIDER_A", available: true }], idpIdentityAvailable: true },
    connections: {
      items: [connection("1"), connection("2", { status: "DISCONNECTED" })],
      pageInfo: { endCursor: null, hasNextPage: false },
    },
    content: contentPage([post("1", { metrics: [{ ...metric, name: "VIEWS" }] }), post("2")]),
  });
  try {
    const env = { SOCIAL_CONNECT_URL: service.baseUrl, SOCIAL_CONNECT_KEY: KEY };
    const output = await runProgram(new URL("snippets/firstSteps.ts", import.meta.url), { env });
    expect(output.split("\n").map((line) => line.trim())).toEqual([
      "PROVIDER_A true",
      "PROVIDER_A CONNECTED",
      "2026-02-20T08:00:00.000Z Post 1 1204",
      "2026-02-20T08:00:00.000Z Post 2",
      "PROVIDER_A DISCONNECTED",
      "",
    ]);
  } finally {
    service.close();
  }
}, 60_000);
