import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { Leaving } from "../leaving.ts";
import { Library } from "../library.ts";
import { Onboarding } from "../onboarding.ts";
import { Store } from "../store.ts";

/**
 * The application with requests answered by the mock: MSW intercepts the global `fetch`. Each test starts with an empty
 * store and a reset mock.
 */
export function place() {
  const mock = createConsumerMock({ seed: "integrator" });
  const server = setupServer(...mock.handlers());
  const actions = new Map<string, () => void>();
  const parts = {
    social: new SocialConnect({
      baseUrl: mock.baseUrl,
      key: mock.key,
      clock: mock.clock,
      random: () => 0.5,
      hooks: { onResponse: ({ operation }) => takeAction(operation) },
    }),
    store: new Store(),
    tenantKey: mock.scope.tenantKey,
    returnUrl: mock.returnUrl,
    now: () => mock.clock.now(),
  };
  const app = { onboarding: new Onboarding(parts), library: new Library(parts), leaving: new Leaving(parts) };

  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  beforeEach(() => {
    mock.reset();
    parts.store.clear();
    actions.clear();
  });
  afterAll(() => server.close());

  /** Mara clicks Connect, consents with this account, and returns. */
  async function link(account = "channel-1", creatorId = "mara") {
    await app.onboarding.begin(creatorId, "PROVIDER_A");
    mock.connect(attemptOf(creatorId)).complete({ account });
    return app.onboarding.finish(creatorId);
  }

  /** Runs a callback after the service has responded to an operation, before the application continues. */
  function onceAnswered(operation: string, action: () => void): void {
    actions.set(operation, action);
  }

  function takeAction(operation: string): void {
    const action = actions.get(operation);
    actions.delete(operation);
    action?.();
  }

  function attemptOf(creatorId = "mara"): string {
    return parts.store.read(creatorId).attempt?.id ?? "";
  }

  return { mock, ...parts, ...app, link, attemptOf, onceAnswered };
}
