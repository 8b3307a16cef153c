import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pnpm } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

/** A separate workspace: hundreds of megabytes that only the checks of packages need. */
const TOOLCHAIN = join(ROOT, "tools", "toolchain");
/** Whether each compiler, Node and bundler is tried, or one of each kind. */
export const TRIES_ALL = process.argv.includes("--all");
const BINARY = process.platform === "win32" ? "node.exe" : "node";

/** A program that runs JavaScript, with the parameters before the file. */
export interface Runtime {
  readonly name: string;
  readonly program: string;
  readonly parameters?: readonly string[];
}

/** Installs the toolchain from its lockfile with the configured registry. Quick if it is installed. */
export async function installToolchain(): Promise<void> {
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: TOOLCHAIN, timeoutMs: 600_000 });
}

/** The versions of Node that the packages promise to run under: the oldest, the newest, and the one that runs every test. */
export function nodeRuntimes(): readonly Runtime[] {
  const own = { name: "Node 24", program: join(ROOT, "node_modules", "node", "bin", BINARY) };
  return [nodeOf("22"), ...(TRIES_ALL ? [own] : []), nodeOf("26")];
}

/** Node 20 ended, and the service refuses it. */
export function nodeOf(major: string): Runtime {
  return { name: `Node ${major}`, program: installed(`node-${major}/bin/${BINARY}`) };
}

export function otherRuntimes(): readonly Runtime[] {
  const deno = ["run", "--allow-all", "--no-remote", "--node-modules-dir=manual", "--quiet"];
  return [
    { name: "Bun", program: installed(".bin/bun"), parameters: ["run"] },
    { name: "Deno", program: installed(".bin/deno"), parameters: deno },
  ];
}

/** TypeScript from the oldest to the newest that the packages promise to compile with. */
export function compilers(): readonly { readonly version: number; readonly program: string }[] {
  const versions = TRIES_ALL ? ["5.0", "5.4", "5.9", "6.0", "7.0"] : ["5.0", "7.0"];
  return versions.map((version) => ({
    version: Number(version),
    program: installed(`typescript-${version}/bin/tsc`),
  }));
}

/** The file that a package of the toolchain is loaded from. */
export function entryOf(name: string): string {
  return createRequire(join(TOOLCHAIN, "package.json")).resolve(name);
}

// biome-ignore lint/suspicious/noExplicitAny: the toolchain's packages are not installed where types are checked
export async function load(name: string): Promise<any> {
  return import(pathToFileURL(entryOf(name)).href);
}

/** A file of the toolchain's packages. */
export function installed(path: string): string {
  const file = join(TOOLCHAIN, "node_modules", path);
  if (!existsSync(file)) throw new Error(`the toolchain lacks ${path}; run \`pnpm install\` in tools/toolchain`);
  return file;
}
