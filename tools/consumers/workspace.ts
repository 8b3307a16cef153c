import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServedMock, serveMock } from "../../packages/mocks/src/node.ts";
import { npm } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";

/** The types of the oldest Node that the packages promise to run under. */
export const CONSUMER_TYPES = ["@types/node@20"];

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

/** A folder outside the workspace in which npm installs the tarballs. `others`: more packages, or options of npm. */
export async function installPacked(
  folder: string,
  packages: readonly PackedPackage[],
  others: readonly string[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ name: "consumer", private: true })}\n`);
  const wanted = [...packages.map(({ tarball }) => tarball), ...others];
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...wanted], { folder });
}

/** The first piece of code that a README shows, if that is TypeScript; commands for a shell are run by who sets things up. */
export function firstSnippet(markdown: string): string | null {
  const [, language, code] = /^```(\w*)\n(.*?)^```$/ms.exec(markdown) ?? [];
  return language === "ts" && code !== undefined ? code : null;
}
