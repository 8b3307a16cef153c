import { setTimeout } from "node:timers/promises";
import { openOperator, type StorageDriver, type Target, type TargetFactory } from "@social-connect/conformance";
import { setupServer } from "msw/node";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import { serveMock } from "../node/serve.ts";
import { adminDriver } from "./adminDriver.ts";
import { type Control, openControl } from "./control.ts";
import { eventsDriver } from "./eventsDriver.ts";
import { identityDriver } from "./identityDriver.ts";
import { providerDriver } from "./providerDriver.ts";

interface OpenMock {
  readonly mock: ConsumerMock;
  readonly fetch: typeof globalThis.fetch;
  readonly close: () => Promise<void>;
}

interface TransportOptions extends MockOptions {
  /** What MSW does with requests to other hosts; `error` by default. */
  readonly others?: "error" | "bypass";
}

export const TRANSPORTS = {
  fetch: async ({ others: _, ...options } = {}) => {
    const mock = createConsumerMock(options);
    return { mock, fetch: mock.fetch, close: async () => undefined };
  },
  MSW: async ({ others = "error", ...options } = {}) => {
    const mock = createConsumerMock(options);
    const server = setupServer(...mock.handlers());
    server.listen({ onUnhandledFrame: others });
    const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
    return { mock, fetch, close: async () => server.close() };
  },
  HTTP: async ({ others: _, baseUrl: __, ...options } = {}) => {
    const { mock, close } = await serveMock(options);
    return { mock, fetch: globalThis.fetch, close };
  },
} satisfies Readonly<Record<string, (options?: TransportOptions) => Promise<OpenMock>>>;

export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];

const PREVIEW_TEMPLATE = "https://{label}.preview.example.test";
const OPTIONS = { seed: "conformance", previewOriginTemplate: PREVIEW_TEMPLATE, others: "bypass" } as const;

export const MOCK_TARGETS: readonly TargetFactory[] = TRANSPORT_NAMES.map((transport) => ({
  name: `mock, ${transport}`,
  open: () => openTarget(transport),
}));

/** A mock as a target of the conformance suite. The control uses the control API of each transport. */
async function openTarget(transport: keyof typeof TRANSPORTS): Promise<Target> {
  const { mock, fetch, close } = await TRANSPORTS[transport](OPTIONS);
  const { baseUrl } = mock;
  const isServed = transport === "HTTP";
  const control = openControl(baseUrl, fetch);
  const step = () => control("POST", "step");
  const admin = await adminDriver(control, baseUrl);
  const storage = storageDriver(control);
  const operator = openOperator({ admin, baseUrl, forgetClient: storage.forgetClient });
  const now = async () => new Date((await control<{ now: string }>("GET", "clock")).now);
  return {
    fetch: pulling(fetch, isServed ? 100 : 20, async () => {
      const { isWaitedFor } = await control<{ isWaitedFor: boolean }>("GET", "clock");
      if (isWaitedFor) await step();
    }),
    settle: step,
    application: await operator.createApplication(),
    connectHost: baseUrl,
    clock: { now, advance: (milliseconds) => control("POST", "clock/advance", { by: milliseconds }) },
    provider: providerDriver(control, fetch),
    identity: identityDriver(control, baseUrl, fetch),
    operator,
    admin,
    storage,
    events: eventsDriver(control, isServed ? null : mock),
    previewTemplate: PREVIEW_TEMPLATE,
    rawSocket: isServed,
    close,
  };
}

/** A fault of a service's storage is a fault of the operation here, because a mock has no storage. */
function storageDriver(control: Control): StorageDriver {
  const withFault = async <Result>(operation: string, fault: object, during: () => Promise<Result>) => {
    const { id } = await control<{ id: string }>("POST", "faults", { operation, fault });
    return during().finally(() => control("DELETE", `faults/${id}`));
  };
  return {
    withBrokenContent: (during) => withFault("content", { code: "UPSTREAM_UNAVAILABLE" }, during),
    whileOthersConnect: (_connectionId, during) =>
      withFault("disconnectConnection", { code: "RATE_LIMITED", retryAfterSeconds: 1 }, during),
    whileClientIsBusy: async (clientId, during) => {
      await control("POST", `applications/${clientId}/hold`);
      return during().finally(() => control("POST", `applications/${clientId}/release`));
    },
    forgetClient: (clientId) => control("DELETE", `applications/${clientId}`),
  };
}

/** After this time, a pending request advances the clock in small steps, because no other caller does. */
function pulling(
  fetch: typeof globalThis.fetch,
  patienceMs: number,
  goOn: () => Promise<void>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = fetch(input, init);
    const isDone = answer.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isDone, setTimeout(patienceMs, false)]))) await goOn();
    return answer;
  };
}
