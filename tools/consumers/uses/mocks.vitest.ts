import { createConsumerMock } from "@social-connect/mocks";
import { handlers } from "@social-connect/mocks/msw";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";

test("the packed mocks respond through MSW in vitest instead of the network", async () => {
  const mock = createConsumerMock();
  const server = setupServer(...handlers(mock));
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  const response = await fetch(`${mock.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
    body: JSON.stringify({ query: "{ integrationReadiness { providers { provider available } } }" }),
  });
  const { data } = await response.json();
  expect(data.integrationReadiness.providers).toContainEqual({ provider: "PROVIDER_A", available: true });
  await expect(fetch("https://elsewhere.example.test/")).rejects.toThrow();
});

test("the mock finds MSW and uses the test's copy", async () => {
  const mock = createConsumerMock();
  const server = setupServer(...mock.handlers());
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  expect((await fetch(`${mock.baseUrl}/schema.graphql`)).status).toBe(200);
  expect(mock.handlers()[0]).toBeInstanceOf(handlers(mock)[0]?.constructor);
});
