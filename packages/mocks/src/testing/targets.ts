import type { TargetFactory } from "@social-connect/conformance";
import { mockTarget } from "./mockTarget.ts";
import { TRANSPORT_NAMES, TRANSPORTS } from "./transports.ts";

const PREVIEW_TEMPLATE = "https://{label}.preview.example.test";
const OPTIONS = { seed: "conformance", previewOriginTemplate: PREVIEW_TEMPLATE, others: "bypass" } as const;

/** The mock with each transport, for the conformance suite. */
export const MOCK_TARGETS: readonly TargetFactory[] = TRANSPORT_NAMES.map((transport) => ({
  name: `mock, ${transport}`,
  open: async () => {
    const { mock, fetch, close } = await TRANSPORTS[transport](OPTIONS);
    return mockTarget({
      name: `mock, ${transport}`,
      baseUrl: mock.baseUrl,
      fetch,
      rawSocket: transport === "HTTP",
      patienceMs: transport === "HTTP" ? 100 : 20,
      previewTemplate: PREVIEW_TEMPLATE,
      close,
    });
  },
}));
