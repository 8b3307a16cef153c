import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pnpm } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

const SCHEMAS = join(ROOT, "tools", "deploy", "schemas");

interface Manifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown };
}
type Model = new (manifest: unknown) => { validate(): void };
interface YamlParser {
  parseAllDocuments(
    text: string,
    options: { readonly merge: true },
  ): readonly { readonly errors: readonly Error[]; toJS(): unknown }[];
}

/** Installs Kubernetes' schemas from their lockfile. Quick if they are installed. */
export async function installSchemas(): Promise<void> {
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: SCHEMAS, timeoutMs: 300_000 });
}

/** Why files are not valid Kubernetes manifests; and the objects that they contain. */
export async function checkManifests(
  folder: string,
): Promise<{ readonly problems: readonly string[]; readonly objects: readonly string[] }> {
  const problems: string[] = [];
  const objects: string[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".yaml")).toSorted()) {
    const found = await checkManifest(await readFile(join(folder, name), "utf8"));
    objects.push(...found.objects);
    problems.push(...found.problems.map((problem) => `${name}: ${problem}`));
  }
  return { problems, objects };
}

export async function checkManifest(
  text: string,
): Promise<{ readonly problems: readonly string[]; readonly objects: readonly string[] }> {
  const require = createRequire(join(SCHEMAS, "package.json"));
  const { parseAllDocuments } = require("yaml") as YamlParser;
  const problems: string[] = [];
  const objects: string[] = [];
  for (const document of parseAllDocuments(text, { merge: true })) {
    problems.push(...document.errors.map(({ message }) => message));
    const manifest = document.toJS() as Manifest;
    const { apiVersion, kind } = manifest;
    const object = `${String(kind)} ${String(manifest.metadata?.name)}`;
    objects.push(object);
    const problem = await problemOf(`${String(apiVersion)}/${String(kind)}`, manifest);
    if (problem !== null) problems.push(`${object}: ${problem}`);
  }
  return { problems, objects };
}

/** The package has a file for each type, at its API version and kind. */
async function problemOf(type: string, manifest: unknown): Promise<string | null> {
  const file = join(SCHEMAS, "node_modules", "kubernetes-models", `${type}.js`);
  if (type.includes("..") || !existsSync(file)) return `there is no ${type}`;
  const models = (await import(file)) as Readonly<Record<string, Model>>;
  const ModelOfKind = models[type.split("/").at(-1) ?? ""];
  if (ModelOfKind === undefined) return `there is no ${type}`;
  try {
    new ModelOfKind(manifest).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
