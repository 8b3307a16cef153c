/**
 * Makes Prisma's client and the types for Pothos. Works with any Node that the workspace is installed with, on any
 * system: the generators are WebAssembly. Prisma also asks for an engine that it would download; naming any existing file
 * prevents that, and nothing here uses it.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const program = join(dirname(createRequire(import.meta.url).resolve("prisma/package.json")), "build", "index.js");

const { status, error } = spawnSync(process.execPath, [program, "generate"], {
  cwd: PACKAGE,
  stdio: "inherit",
  env: { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_SCHEMA_ENGINE_BINARY: join(PACKAGE, "package.json") },
});
if (error) console.error(error.message);
process.exitCode = status ?? 1;
