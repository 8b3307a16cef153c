import { createConsumerMock } from "@social-connect/mocks";
import { createTestApp, registrationOf } from "./testApp.ts";

export const ORIGIN = "http://127.0.0.1:4403";

/** The application without a port, whose SDK sends its requests to the mock in this process. */
export function startExample({ timeoutMs = 10_000 } = {}) {
  const mock = createConsumerMock({ seed: "web-backend", application: registrationOf(ORIGIN) });
  const actions = new Map<string, () => void>();

  function takeAction(operation: string): void {
    const action = actions.get(operation);
    actions.delete(operation);
    action?.();
  }

  const app = createTestApp({
    mock,
    origin: ORIGIN,
    client: { fetch: mock.fetch, timeoutMs, hooks: { onResponse: ({ operation }) => takeAction(operation) } },
  });

  /** Runs `action` once the service has responded to `operation`, before the application continues. */
  function onceAnswered(operation: string, action: () => void): void {
    actions.set(operation, action);
  }

  return { ...app, onceAnswered };
}
