import type { TargetFactory } from "@social-connect/conformance";
import { setupServer } from "msw/node";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import { serveMock } from "../node/serve.ts";
import { mockTarget } from "./mockTarget.ts";

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
  open: async () => {
    const { mock, fetch, close } = await TRANSPORTS[transport](OPTIONS);
    return mockTarget({
      name: `mock, ${transport}`,
      baseUrl: mock.baseUrl,
      fetch,
      rawSocket: transport === "HTTP",
      inProcess: transport === "HTTP" ? null : mock,
      patienceMs: transport === "HTTP" ? 100 : 20,
      previewTemplate: PREVIEW_TEMPLATE,
      close,
    });
  },
}));
