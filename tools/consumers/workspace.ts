import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { npm } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";

const USES = fileURLToPath(new URL("./uses/", import.meta.url));
/** The types of the oldest Node that the packages promise to run under. */
const NODE_TYPES = "@types/node@20";

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

/** Packages that a consumer is written for, with the file that says how it uses each. */
export function listUses(
  packages: readonly { readonly name: string }[],
): readonly { readonly name: string; readonly use: string }[] {
  return packages
    .map(({ name }) => ({ name, use: name.split("/")[1] ?? name }))
    .filter(({ use }) => existsSync(join(USES, `${use}.ts`)));
}

/** Copies the consumers' sources into a folder and writes the program that runs all of them, for Node or for a worker. */
export async function writeConsumer(folder: string, uses: readonly string[], { mock }: ServedMock): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(["service", ...uses].map((use) => copyUse(use, folder)));
  const imports = uses.map((use, index) => `import { use as use${index} } from "./${use}.js";`);
  const calls = uses.map((_, index) => `  await use${index}(service);`);
  const keys = `applicationKey: "${mock.key}", adminKey: "${mock.admin.writeKey}"`;
  const all = [...imports, "", "async function all(url: string): Promise<void> {"];
  const body = [`  const service = { url, ${keys} };`, ...calls, "}"];
  const forNode = ["", 'all(process.argv[2] ?? "").then(', '  () => console.log("used"),'];
  const failing = ["  (error: Error) => {", "    console.error(error);", "    process.exit(1);", "  },", ");", ""];
  await writeFile(join(folder, "main.ts"), [...all, ...body, ...forNode, ...failing].join("\n"));
  const forWorker = [
    "",
    "export default {",
    "  async fetch(request: Request): Promise<Response> {",
    "    try {",
    '      await all(new URL(request.url).searchParams.get("service") ?? "");',
    '      return new Response("used");',
    "    } catch (error) {",
    "      return new Response((error as Error).stack ?? String(error), { status: 500 });",
    "    }",
    "  },",
    "};",
    "",
  ];
  await writeFile(join(folder, "worker.ts"), [...all, ...body, ...forWorker].join("\n"));
}

/** This workspace imports the `.ts` file; a consumer that is compiled imports what comes out. */
async function copyUse(use: string, folder: string): Promise<void> {
  const text = await readFile(join(USES, `${use}.ts`), "utf8");
  await writeFile(join(folder, `${use}.ts`), text.replaceAll(/(from "\.\/\w+)\.ts"/g, '$1.js"'));
}

export const CONSUMER_TYPES = [NODE_TYPES];
