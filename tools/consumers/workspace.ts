import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServedMock, serveMock } from "../../packages/mocks/src/node.ts";
import { npm } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";

const USES = fileURLToPath(new URL("./uses/", import.meta.url));
/** The types of the oldest Node that the packages promise to run under. */
export const CONSUMER_TYPES = ["@types/node@20"];

/** The service that the consumers call: a mock with one linked account. Its keys and ids are the same at each start. */
export function startMockService(): Promise<ServedMock> {
  return serveMock({
    application: {
      slug: "demo-app",
      tenantKeys: ["acme"],
      webOrigins: ["https://app.example.com"],
      returnUrls: ["https://app.example.com/return"],
    },
    connections: [{ provider: "PROVIDER_A", tenantKey: "acme", externalSubjectId: "user-42" }],
  });
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

/** The files of `uses` that say how a consumer uses each package. */
export function usesOf(packages: readonly PackedPackage[]): readonly string[] {
  return packages.map(({ name }) => name.split("/")[1] ?? name).filter((use) => existsSync(join(USES, `${use}.ts`)));
}

/** Copies the consumers' sources into a folder and writes the program that runs all of them, for Node or for a worker. */
export async function writeConsumer(folder: string, uses: readonly string[], { mock }: ServedMock): Promise<void> {
  await copyUses(folder, ["service", ...uses], ".js");
  const all = `${uses.map((use, index) => `import { use as use${index} } from "./${use}.js";`).join("\n")}

async function all(url: string): Promise<string> {
  const service = { url, applicationKey: "${mock.key}", adminKey: "${mock.admin.writeKey}" };
${uses.map((_, index) => `  await use${index}(service);`).join("\n")}
  return "used";
}
`;
  const forNode = `
all(process.argv[2] ?? "").then(console.log, (error: Error) => {
  console.error(error);
  process.exit(1);
});
`;
  const forWorker = `
export default {
  async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(await all(JSON.parse(new URL(request.url).searchParams.get("input") ?? "")));
    } catch (error) {
      return new Response((error as Error).stack ?? String(error), { status: 500 });
    }
  },
};
`;
  await writeFile(join(folder, "main.ts"), all + forNode);
  await writeFile(join(folder, "worker.ts"), all + forWorker);
}

/** This workspace imports the `.ts` file; a consumer may import what comes out, or leave the ending to its resolution. */
export async function copyUses(folder: string, uses: readonly string[], ending: ".js" | ".ts" | ""): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const use of uses) {
    const text = await readFile(join(USES, `${use}.ts`), "utf8");
    await writeFile(join(folder, `${use}.ts`), text.replaceAll(/(from "\.\/\w+)\.ts"/g, `$1${ending}"`));
  }
}
