import { type ServedMock, serveMock } from "../../packages/mocks/src/node.ts";

const APPLICATION = {
  slug: "demo-app",
  tenantKeys: ["acme"],
  webOrigins: ["https://app.example.com"],
  returnUrls: ["https://app.example.com/return"],
} as const;

/** The service that the consumers call: a mock with one linked account. Its keys and ids are the same at each start. */
export function startMockService(): Promise<ServedMock> {
  const linked = { provider: "PROVIDER_A", tenantKey: "acme", externalSubjectId: "user-42" } as const;
  return serveMock({ application: APPLICATION, connections: [linked] });
}
