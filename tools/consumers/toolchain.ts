import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pnpm } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

/** A separate workspace: hundreds of megabytes that only the checks of packages need. */
export const TOOLCHAIN = join(ROOT, "tools", "toolchain");
const BINARY = process.platform === "win32" ? "node.exe" : "node";

export interface Runtime {
  readonly name: string;
  readonly program: string;
}

export interface Compiler {
  readonly name: string;
  readonly program: string;
}

/** Installs the toolchain from its lockfile with the configured registry. Quick if it is installed. */
export async function installToolchain(): Promise<void> {
  await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: TOOLCHAIN, timeoutMs: 600_000 });
}

/** The versions of Node that the packages promise to run under. */
export function nodeRuntimes(): readonly Runtime[] {
  const own = { name: "Node 24", program: join(ROOT, "node_modules", "node", "bin", BINARY) };
  const others = ["20", "22"].map((major) => ({
    name: `Node ${major}`,
    program: installed(`node-${major}/bin/${BINARY}`),
  }));
  return [...others, own];
}

/** The oldest and the newest TypeScript that the packages promise to compile with. */
export function compilers(): readonly Compiler[] {
  return ["oldest", "newest"].map((age) => ({ name: age, program: installed(`typescript-${age}/bin/tsc`) }));
}

/** The file that a package of the toolchain is loaded from. */
export function entryOf(name: string): string {
  return createRequire(join(TOOLCHAIN, "package.json")).resolve(name);
}

function installed(path: string): string {
  const file = join(TOOLCHAIN, "node_modules", path);
  if (!existsSync(file)) throw new Error(`the toolchain lacks ${path}; run \`pnpm install\` in tools/toolchain`);
  return file;
}
