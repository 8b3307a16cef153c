import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestServer } from "../../http/testing/testServer.ts";
import { startTestServer } from "../../http/testing/testServer.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { startTestService } from "../../modules/testing/testService.ts";

/** What the draft asks for and the service description rules out, by audit, with the reason. */
const RULED_OUT: Readonly<Record<string, string>> = {
  "22EB": "answers are application/json, whatever else is acceptable",
  BF61: "the audit asks by introspection, which is off: the schema is published as a file",
  "5A70": "GET is not served",
  "2EA1": "the audit asks by introspection",
  "28B9": "the audit asks by introspection",
  D6D5: "GET is not served",
  "6A70": "GET is not served",
  "572B": "a document that cannot be parsed answers 400",
  FDE2: "a document that is not valid answers 400",
  "7B9B": "variables that do not fit answer 400",
};

let service: TestService;
let server: TestServer;

beforeAll(async () => {
  service = await startTestService();
  server = await startTestServer(service);
});
afterAll(async () => {
  await server.close();
  await service.close();
});

test("GraphQL over HTTP: every audit is passed but those that the service description rules out", async () => {
  const audits = serverAudits({ url: `${server.url}/graphql`, fetchFn: fetch });
  const results = await Promise.all(audits.map((audit) => audit.fn()));
  const told = results.filter(({ status }) => status !== "ok").map(({ id }) => id);
  expect(results.length).toBeGreaterThan(50);
  expect(told.sort()).toEqual(Object.keys(RULED_OUT).sort());
});
