import { type ServedMock, serveMock } from "../../packages/mocks/src/node.ts";

/** The service that the consumers call: a mock with one linked account. Its keys and ids are the same at each start. */
export async function startMockService(): Promise<ServedMock & AsyncDisposable> {
  const service = await serveMock({
    application: {
      slug: "demo-app",
      tenantKeys: ["acme"],
      webOrigins: ["https://app.example.com"],
      returnUrls: ["https://app.example.com/return"],
    },
    connections: [{ provider: "PROVIDER_A", tenantKey: "acme", externalSubjectId: "user-42" }],
  });
  return { ...service, [Symbol.asyncDispose]: service.close };
}

/** The first piece of code that a README shows, if that is TypeScript; commands for a shell are run by who sets things up. */
export function firstSnippet(markdown: string): string | null {
  const [, language, code] = /^```(\w*)\n(.*?)^```$/ms.exec(markdown) ?? [];
  return language === "ts" && code !== undefined ? code : null;
}
