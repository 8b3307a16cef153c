/**
 * Runs every linter, as many at a time as there are processors, and prints the output of each when it ends.
 *
 *     pnpm lint
 *     pnpm lint --write    fixes formatting, and what else Biome can fix
 */
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { execPath } from "node:process";
import { promisify } from "node:util";
import { inLanes } from "../packages/lanes.ts";

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
  [execPath, "--disable-warning=ExperimentalWarning", "tools/release/schemaChange.ts"],
];

/** Code of the linters that Node compiled before: a second of each. */
const NODE_COMPILE_CACHE = "node_modules/.cache/lint";
const MOST_OUTPUT_BYTES = 64_000_000;

const linters = process.argv.includes("--write") ? [[...BIOME, "--write"]] : LINTERS;
await inLanes(linters, availableParallelism(), async ([program = "", ...parameters]) => {
  const env = { ...process.env, NODE_COMPILE_CACHE };
  const options = { env, maxBuffer: MOST_OUTPUT_BYTES, shell: process.platform === "win32" };
  const { stdout, stderr } = await promisify(execFile)(program, parameters, options).catch((error) => {
    process.exitCode = 1;
    // A program that does not start writes nothing.
    return { stdout: error.stdout, stderr: error.stderr || `${error.message}\n` };
  });
  process.stdout.write(stdout + stderr);
});
