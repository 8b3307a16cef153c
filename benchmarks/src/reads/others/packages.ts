import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { npm, run } from "../../../../tools/packages/commands.ts";

const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/others/", import.meta.url));
const PACKAGES = {
  postgraphile: "5.1.5",
  "@apollo/server": "5.5.1",
  graphql: "16.14.0",
  pg: "8.23.1",
  prisma: "7.10.0",
  "@prisma/client": "7.10.0",
  "@prisma/adapter-pg": "7.10.0",
};
const TABLES = fileURLToPath(new URL("../../../../apps/server/prisma/schema.prisma", import.meta.url));
/** Prisma's client for the service's tables. */
export const PRISMA_CLIENT = join(FOLDER, "client/index.js");

/** Installs the servers to compare with into a separate folder; the workspace does not depend on them. */
export async function installOthers(): Promise<void> {
  const marker = join(FOLDER, `installed-${Object.values(PACKAGES).join("-")}`);
  if (existsSync(marker)) return;
  await mkdir(FOLDER, { recursive: true });
  const manifest = { private: true, type: "module", dependencies: PACKAGES };
  await writeFile(join(FOLDER, "package.json"), JSON.stringify(manifest));
  await npm(["install", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund"], { folder: FOLDER });
  const tables = (await readFile(TABLES, "utf8")).replaceAll(/^generator \w+ \{.*?^\}$/gms, "");
  const generator = `generator client {\n  provider = "prisma-client-js"\n  output = "./client"\n  previewFeatures = ["partialIndexes"]\n}\n`;
  await writeFile(join(FOLDER, "schema.prisma"), generator + tables);
  // Prisma asks for an engine that it would download; naming any existing file prevents that, and nothing here uses it.
  const environment = { CHECKPOINT_DISABLE: "1", PRISMA_SCHEMA_ENGINE_BINARY: join(FOLDER, "package.json") };
  const program = join(FOLDER, "node_modules/prisma/build/index.js");
  const parameters = [program, "generate", "--schema", join(FOLDER, "schema.prisma")];
  await run(process.execPath, parameters, { folder: FOLDER, environment });
  await writeFile(marker, "");
}

/** Imports a module of an installed package, or by its path. */
export async function importOther(name: string): Promise<unknown> {
  return import(pathToFileURL(createRequire(join(FOLDER, "package.json")).resolve(name)).href);
}
