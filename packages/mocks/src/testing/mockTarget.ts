import { openOperator, type StorageDriver, type Target } from "@social-connect/conformance";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import { adminDriver } from "./adminDriver.ts";
import { type Control, openControl } from "./control.ts";
import { eventsDriver } from "./eventsDriver.ts";
import { identityDriver } from "./identityDriver.ts";
import { providerDriver } from "./providerDriver.ts";

export interface MockTargetOptions {
  readonly name: string;
  /** Base address of the mock; its control is below `/__mock/`. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** A plain socket can be opened to the base address. */
  readonly rawSocket: boolean;
  readonly previewTemplate: string | null;
  /** The mock, if it can call a handler of this process. */
  readonly inProcess: ConsumerMock | null;
  /** Time after which a pending request advances the clock; longer for slower transports. */
  readonly patienceMs?: number;
  readonly close: () => Promise<void>;
}

const DEFAULT_PATIENCE_MS = 20;

/** A mock as a target of the conformance suite. The control uses the control API of each transport. */
export async function mockTarget(options: MockTargetOptions): Promise<Target> {
  const { baseUrl, fetch } = options;
  const control = openControl(baseUrl, fetch);
  const step = () => control("POST", "step");
  const admin = await adminDriver(control, baseUrl);
  const storage = storageDriver(control);
  const operator = openOperator({ admin, baseUrl, forgetClient: storage.forgetClient });
  const now = async () => new Date((await control<{ now: string }>("GET", "clock")).now);
  return {
    name: options.name,
    fetch: pulling(fetch, options.patienceMs ?? DEFAULT_PATIENCE_MS, async () => {
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
    events: eventsDriver(control, options.inProcess),
    previewTemplate: options.previewTemplate,
    rawSocket: options.rawSocket,
    close: options.close,
  };
}

/** What breaks a service's storage is a fault of the operation here; there is nothing else that could break. */
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

/** A pending request advances the clock in small steps, because no other caller does. */
function pulling(
  fetch: typeof globalThis.fetch,
  patienceMs: number,
  goOn: () => Promise<void>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = fetch(input, init);
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    const done = answer.then(end, end);
    while (!isDone) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([done, patience]);
      clearTimeout(timer);
      if (!isDone) await goOn();
    }
    return answer;
  };
}
