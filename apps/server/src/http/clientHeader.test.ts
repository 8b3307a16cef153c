/** From the header of a request to the versions that the panel shows. */
import { ROLLUP_SERIES } from "@social-connect/domain";
import { expect, test } from "vitest";
import { readActivity } from "../modules/rollups/readActivity.ts";
import { startRollupWriter } from "../modules/rollups/rollupWriter.ts";
import { application, service } from "../modules/testing/fixtures.ts";
import { newId } from "../platform/ids.ts";
import { server, useServer } from "./testing/testServer.ts";

useServer();

const READINESS = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });

async function call(client: string | null, key = application.key) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const named = client === null ? headers : { ...headers, "x-social-connect-client": client };
  const response = await fetch(`${server.url}/graphql`, { method: "POST", headers: named, body: READINESS });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: { extensions: object }[] };
  return { data, errors, correlationId: response.headers.get("x-correlation-id") };
}

test("a call names its library, is answered with its correlation id, and is counted for its application", async () => {
  const writer = startRollupWriter(service, service.rollups);
  const shown = async () => {
    await writer.write();
    const { counts } = await readActivity(service, { range: "WEEK", clientId: application.id, provider: null });
    return counts
      .filter(({ series }) => series === ROLLUP_SERIES.clientVersions)
      .map(({ label, count }) => `${label}: ${count}`)
      .toSorted();
  };
  const answers = [
    await call("sdk/1.2.3"),
    await call("sdk/1.2.3"),
    await call("sdk/1.3.0-beta.1"),
    await call(null),
    await call(`${"x".repeat(1_000)}"><script>`),
  ];
  for (const { data } of answers) expect(data).toMatchObject({ integrationReadiness: {} });
  expect(new Set(answers.map(({ correlationId }) => correlationId))).toHaveLength(answers.length);
  // A call without a valid key is counted for no application.
  const refused = await call("sdk/9.9.9", `${newId()}.${"0".repeat(64)}`);
  expect(refused.errors).toMatchObject([{ extensions: { correlationId: refused.correlationId } }]);
  await expect.poll(shown).toEqual(["none: 1", "other: 1", "sdk 1.2.3: 2", "sdk 1.3.0-beta.1: 1"]);
  await writer.stop();
});
