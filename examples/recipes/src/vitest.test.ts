import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { welcome } from "./app/welcome.ts";

const mock = createConsumerMock({ seed: "vitest" });
const server = setupServer(...mock.handlers());
const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, clock: mock.clock });

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

async function connect() {
  const { returnUrl, scope } = mock;
  return social.forSubject(scope).connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
}

test("welcomes a user who consents by name", async () => {
  const { id } = await connect();
  mock.connect(id).complete({ account: "harbor-workshop" });
  expect(await welcome(social, mock.scope, id)).toBe("Welcome, Harbor workshop!");
});

test("respects a user who declines", async () => {
  const { id } = await connect();
  mock.connect(id).deny();
  expect(await welcome(social, mock.scope, id)).toContain("You declined");
});
