import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../packages/publishedPackages.ts";

const CONTRACT_FOLDER = join(ROOT, "packages/contract");
/** The schemas as the last release had them; written by `pnpm release --prepare` and by nothing else. */
const RELEASED_FOLDER = join(CONTRACT_FOLDER, "released");

export const CONTRACT = "@social-connect/contract";
export const SCHEMAS = ["consumer.graphql", "admin.graphql"] as const;
export type SchemaFile = (typeof SCHEMAS)[number];

export function currentSchema(file: SchemaFile): string {
  return readFileSync(join(CONTRACT_FOLDER, file), "utf8");
}

/** null when no release has it. */
export function releasedSchema(file: SchemaFile): string | null {
  const path = join(RELEASED_FOLDER, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** The current schemas count as released. */
export function keepReleasedSchemas(): void {
  mkdirSync(RELEASED_FOLDER, { recursive: true });
  for (const file of SCHEMAS) writeFileSync(join(RELEASED_FOLDER, file), currentSchema(file));
}
