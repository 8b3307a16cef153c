/** The SDK above a layer that sends each request twice, as proxies and some runtimes' fetch do after a lost connection. */
import { SocialConnect } from "@social-connect/sdk";
import { expect, test } from "vitest";
import { RETURN_URL } from "../modules/testing/builders.ts";
import { application, service } from "../modules/testing/fixtures.ts";
import { server, useServer } from "./testing/testServer.ts";

useServer();

const repeating: typeof fetch = async (url, init) => {
  const lost = await fetch(url, init);
  await lost.text();
  return fetch(url, init);
};

test("a request that is repeated below the SDK starts one attempt, and each call of the SDK another", async () => {
  const social = new SocialConnect({ baseUrl: server.url, key: application.key, fetch: repeating as never });
  const user = social.forSubject(application.scope);
  const connect = () => user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL });
  const sessions = [];
  for (let count = 0; count < 5; count += 1) sessions.push(await connect());
  expect(new Set(sessions.map(({ id }) => id))).toHaveLength(5);
  expect(await service.prisma.connectAttempt.count({ where: { applicationId: application.id } })).toBe(5);
  await expect(connect()).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("the control: without the idempotency key, a repeated request starts two attempts", async () => {
  const query = `mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id } }`;
  const scope = { ...application.scope, externalSubjectId: "without-a-key" };
  const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
  const headers = { "content-type": "application/json", authorization: `Bearer ${application.key}` };
  const body = JSON.stringify({ query, variables: { input } });
  await repeating(`${server.url}/graphql`, { method: "POST", headers, body });
  const where = { applicationId: application.id, externalSubjectId: scope.externalSubjectId };
  expect(await service.prisma.connectAttempt.count({ where })).toBe(2);
});
