// #region first-test
import { createConsumerMock } from "@social-connect/mocks";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const mock = createConsumerMock();
const server = setupServer(...mock.handlers());
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

// Represents your application: it has a URL and a key, and calls the global fetch.
async function ask(query: string, variables: object) {
  const response = await fetch(`${mock.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(await response.text());
}

const { scope, returnUrl } = mock;
const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl };
const connect = () => ask("mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id } }", { input });
const readNames = () =>
  ask("query ($scope: SubjectScope!) { connections(scope: $scope) { items { profile { displayName } } } }", { scope });

test("links an account", async () => {
  const { data } = await connect();
  mock.connect(data.createConnectSession.id).complete({ account: "harbor-workshop" });
  await mock.settle();
  const { items } = (await readNames()).data.connections;
  expect(items).toEqual([{ profile: { displayName: "Harbor workshop" } }]);
});

test("handles a rate limit", async () => {
  mock.faults.next("createConnectSession", { code: "RATE_LIMITED", retryAfterSeconds: 60 });
  const { errors } = await connect();
  expect(errors[0].extensions).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
  mock.calls.assertCalled("createConnectSession", 1);
});
// #endregion first-test
