import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createConsumerMock } from "@social-connect/mocks";
import { handlers } from "@social-connect/mocks/msw";
import { SocialConnect } from "@social-connect/sdk";
import { setupServer } from "msw/node";
import { welcome } from "../src/app/welcome.ts";

const mock = createConsumerMock({ seed: "jest" });
// Jest has separate module registries: this entry point uses the test's copy of MSW.
const server = setupServer(...handlers(mock));
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
