import { expect, test } from "vitest";
import { checkDrift, driftText } from "../packages/mocks/src/drift.ts";
import { startDeployment } from "./deployment/deployment.ts";

/** The overview of the admin API. */
async function stateOf(host: string, key: string): Promise<unknown> {
  const query =
    "{ adminClients { items { id updatedAt } } adminRegistrations { id updatedAt } adminMembers { id } adminAuditEntries { items { action } } }";
  const response = await fetch(`${host}/api/admin/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test("the service as it runs has not drifted from the mocks, and a check leaves nothing behind there", async () => {
  await using deployment = await startDeployment();
  const { adminHost: host, writeKey } = deployment.admin;
  const { baseUrl: url, key, tenantKeys } = await deployment.operator.createApplication();
  const options = { url, key, tenantKey: tenantKeys[0], admin: { host, key: writeKey } };
  const before = await stateOf(host, writeKey);
  const report = await checkDrift(options);
  expect(report, driftText(report)).toMatchObject({ hasDrift: false, schema: [] });
  expect(report.cases).toMatchObject({ differing: [], notJudged: [] });
  expect(report.cases.judged).toBeGreaterThan(200);
  expect(await stateOf(host, writeKey)).toEqual(before);
  expect(JSON.stringify(before)).toContain('"API key first used"');
});
