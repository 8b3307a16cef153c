import { type ConsumerMock, createConsumerMock, type MockOperation } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import type { Dependencies } from "../context.ts";
import { Store } from "../store.ts";

/** A worker whose requests the mock answers. Its waits advance the mock's clock. */
export function startWorker({
  mock = createConsumerMock({ seed: "content-worker" }),
  store = new Store(":memory:"),
}: {
  readonly mock?: ConsumerMock;
  readonly store?: Store;
} = {}) {
  const logged: string[] = [];
  const actions = new Map<string, () => void>();
  let onSleep = () => {};
  const clock = {
    now: () => mock.clock.now(),
    sleep: (durationMs: number, signal?: AbortSignal) => {
      onSleep();
      return mock.clock.sleep(durationMs, signal);
    },
  };
  const dependencies: Dependencies = {
    social: new SocialConnect({
      baseUrl: mock.baseUrl,
      key: mock.key,
      fetch: mock.fetch,
      clock,
      random: () => 0.5,
      hooks: { onResponse: ({ operation }) => takeAction(operation) },
    }),
    store,
    clock,
    random: () => 0,
    log: (line) => logged.push(line),
    policy: { intervalMs: 6 * 3_600_000, days: 14, concurrency: 4, patienceMs: 15 * 60_000 },
  };
  store.addSubject(mock.scope);

  function takeAction(operation: string): void {
    const action = actions.get(operation);
    actions.delete(operation);
    action?.();
  }

  /** The user connects an account, or connects it again. Returns the id of the connection. */
  async function link(account = "channel-1", reconnectConnectionId?: string): Promise<string> {
    const session = await dependencies.social.forSubject(mock.scope).connect({
      provider: "PROVIDER_A",
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
      returnUrl: mock.returnUrl,
      ...(reconnectConnectionId !== undefined && { reconnectConnectionId }),
    });
    const { connectionId } = mock.connect(session.id).complete({ account });
    await mock.settle();
    mock.calls.clear();
    return connectionId ?? "";
  }

  return {
    mock,
    dependencies,
    store,
    logged,
    link,
    /** Runs `action` once the service has responded to `operation`, before the worker continues. */
    onceAnswered: (operation: MockOperation, action: () => void) => actions.set(operation, action),
    /** Runs `action` before each wait of the worker. */
    beforeSleep: (action: () => void) => {
      onSleep = action;
    },
    /** The job of the latest refresh. */
    latestJob: () => mock.job(mock.jobs().at(-1)?.id ?? ""),
  };
}
