/**
 * Runs every linter, as many at a time as there are processors, and prints the output of each when it ends.
 *
 *     pnpm lint
 *     pnpm lint --write    fixes formatting, and what else Biome can fix
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { execPath } from "node:process";

const BIOME = ["biome", "check", "--error-on-warnings", "."];
const LINTERS: readonly (readonly string[])[] = [
  BIOME,
  [execPath, "tools/language/lint.ts"],
  [execPath, "tools/lint/lintImports.ts"],
  [execPath, "tools/lint/serverSource.ts"],
  [execPath, "tools/lint/regularExpressions.ts"],
  // Counts of lines, settings, commands and words.
  [execPath, "tools/count.ts"],
  // Unused files and dependencies.
  ["knip", "--no-progress", "--no-config-hints"],
  [execPath, "--disable-warning=ExperimentalWarning", "apps/server/tools/migrations/lint.ts"],
  // Changes of the published schemas need a changeset.
  [execPath, "--disable-warning=ExperimentalWarning", "tools/release/checkSchemaRelease.ts"],
];

/** Code of the linters that Node compiled before: a second of each. */
const NODE_COMPILE_CACHE = "node_modules/.cache/lint";

async function run([program = "", ...parameters]: readonly string[]): Promise<void> {
  const child = spawn(program, parameters, {
    env: { ...process.env, NODE_COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  process.stdout.write(output.flat().join(""));
  if ((await code) !== 0) process.exitCode = 1;
}

const waiting = process.argv.includes("--write") ? [[...BIOME, "--write"]] : [...LINTERS];
const runNext = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
};
await Promise.all(Array.from({ length: availableParallelism() }, runNext));
