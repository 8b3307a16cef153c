import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { welcome } from "../src/app/welcome.ts";

const mock = createConsumerMock({ seed: "node-test" });
// The client takes its fetch and its clock from the mock, so there is nothing to intercept.
const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock });

beforeEach(() => mock.reset());

async function connect() {
  const { returnUrl, scope } = mock;
  return social.forSubject(scope).connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
}

test("welcomes a user who consents by name", async () => {
  const { id } = await connect();
  mock.connect(id).complete({ account: "harbor-workshop" });
  assert.equal(await welcome(social, mock.scope, id), "Welcome, Harbor workshop!");
});

test("respects a user who declines", async () => {
  const { id } = await connect();
  mock.connect(id).deny();
  assert.match(await welcome(social, mock.scope, id), /You declined/);
});
