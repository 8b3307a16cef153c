import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { refuseLinks } from "./links.ts";
import { type MergedFile, mergeIgnored, mergePackage } from "./mergeFiles.ts";
import type { Template } from "./templates.ts";

interface PlannedFile extends MergedFile {
  /** From the application's folder, with forward slashes. */
  readonly path: string;
}

export interface PlanOptions {
  readonly folder: string;
  readonly template: Template;
  /** The port of the application. */
  readonly port: number;
}

export const DEFAULT_PORT = 3000;
const TEMPLATES_FOLDER = fileURLToPath(new URL("../templates/", import.meta.url));
/** Files with names, versions and ports of an application. */
const FILLED = ["package.json", "README.md"];

/** The files of an application, compared with what its folder has. Writes nothing. */
export async function planFiles({ folder, template, port }: PlanOptions): Promise<readonly PlannedFile[]> {
  const own = await readTemplate(join(TEMPLATES_FOLDER, template.name));
  const shared = Object.entries(template.shared).map(
    async ([path, source]) => [path, await readFile(join(TEMPLATES_FOLDER, "shared", source), "utf8")] as const,
  );
  const version = await ownVersion();
  const files = [...own, ...(await Promise.all(shared))].map(([path, text]) => {
    const content = withoutRegions(text);
    return FILLED.includes(path) ? [path, filled(content, { folder, port, version })] : [path, content];
  }) as [string, string][];
  return Promise.all(files.map(([path, content]) => planFile(folder, path, content)));
}

async function planFile(folder: string, path: string, content: string): Promise<PlannedFile> {
  await refuseLinks(folder, path);
  const present = await readPresent(join(folder, path));
  if (present === null) return { path, content, state: "new" };
  // Git writes the other line ends on Windows.
  if (present.replaceAll("\r\n", "\n") === content) return { path, content, state: "unchanged" };
  if (path === ".gitignore") return { path, content: mergeIgnored(present, content), state: "merged" };
  if (path === "package.json") return { path, ...mergePackage(present, content) };
  return { path, content, state: "conflict" };
}

/** null for a file that can be created. */
async function readPresent(path: string): Promise<string | null> {
  // Reading a pipe would wait for a writer.
  const stats = await stat(path).catch(() => null);
  if (stats !== null && !stats.isFile() && !stats.isDirectory())
    throw new Error(`${path} is not a file, and the template has a file there. Remove it, or choose another folder.`);
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    if (error.code === "ENOTDIR")
      throw new Error(
        `${path} cannot be created: a part of its path is a file. Rename that, or choose another folder.`,
      );
    if (error.code === "EISDIR")
      throw new Error(`${path} is a folder, and the template has a file there. Rename it, or choose another folder.`);
    throw error;
  });
}

async function readTemplate(folder: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths
      .toSorted()
      .map(async (path) => [relative(folder, path).split(sep).join("/"), await readFile(path, "utf8")] as const),
  ) as Promise<[string, string][]>;
}

/** Packages of a release have one version, so the SDK's is this package's. */
export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

function filled(
  text: string,
  { folder, port, version }: { readonly folder: string; readonly port: number; readonly version: string },
): string {
  return text
    .replaceAll(/(?<="name": "|--name )my-app/g, packageName(folder))
    .replaceAll('"@social-connect/sdk": "latest"', `"@social-connect/sdk": "^${version}"`)
    .replaceAll(new RegExp(`\\b${DEFAULT_PORT}\\b`, "g"), String(port));
}

/** A folder's name as npm accepts it. */
function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "my-app" : name;
}

/** The markers of the regions that the documentation quotes. */
function withoutRegions(text: string): string {
  return text.replaceAll(/^[ \t]*(?:\/\/|\{\/\*) #(?:end)?region [\w-]+(?: \*\/\})?\n/gm, "");
}
