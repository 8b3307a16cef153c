// #region jest
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createConsumerMock } from "@social-connect/mocks";
import { handlers } from "@social-connect/mocks/msw";
import { SocialConnect } from "@social-connect/sdk";
import { setupServer } from "msw/node";
import { welcome } from "../src/app/welcome.ts";

const mock = createConsumerMock({ seed: "jest" });
// Jest has module registries of its own: this entry takes MSW from the test's, and so do the handlers.
const server = setupServer(...handlers(mock));
const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, clock: mock.clock });

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

async function connect() {
  const { returnUrl, scope } = mock;
  return social.forSubject(scope).connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
}

test("somebody who consents is welcomed by name", async () => {
  const { id } = await connect();
  mock.connect(id).complete({ account: "harbor-workshop" });
  expect(await welcome(social, mock.scope, id)).toBe("Welcome, Harbor workshop!");
});

test("somebody who declines is left in peace", async () => {
  const { id } = await connect();
  mock.connect(id).deny();
  expect(await welcome(social, mock.scope, id)).toContain("You declined");
});
// #endregion jest
