import type { TargetFactory } from "@social-connect/conformance";
import { setupServer } from "msw/node";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { serveMock } from "../node/serve.ts";
import { mockTarget } from "./mockTarget.ts";

const PREVIEW_TEMPLATE = "https://{label}.preview.example.test";
const OPTIONS = { seed: "conformance", previewOriginTemplate: PREVIEW_TEMPLATE } as const;

/** The mock with each transport, for the conformance suite. */
export const MOCK_TARGETS: readonly TargetFactory[] = [
  {
    name: "mock, fetch",
    open: async () => {
      const mock = createConsumerMock(OPTIONS);
      return mockTarget({
        name: "mock, fetch",
        baseUrl: mock.baseUrl,
        fetch: mock.fetch,
        rawSocket: false,
        patienceMs: 20,
        previewTemplate: PREVIEW_TEMPLATE,
        close: async () => undefined,
      });
    },
  },
  {
    name: "mock, MSW",
    open: async () => {
      const mock = createConsumerMock(OPTIONS);
      const server = setupServer(...mock.handlers());
      server.listen({ onUnhandledFrame: "bypass" });
      return mockTarget({
        name: "mock, MSW",
        baseUrl: mock.baseUrl,
        fetch: (input, init) => globalThis.fetch(input, init),
        rawSocket: false,
        patienceMs: 20,
        previewTemplate: PREVIEW_TEMPLATE,
        close: async () => server.close(),
      });
    },
  },
  {
    name: "mock, HTTP",
    open: async () => {
      const served = await serveMock(OPTIONS);
      return mockTarget({
        name: "mock, HTTP",
        baseUrl: served.url,
        fetch: globalThis.fetch,
        rawSocket: true,
        patienceMs: 100,
        previewTemplate: PREVIEW_TEMPLATE,
        close: () => served.close(),
      });
    },
  },
];
