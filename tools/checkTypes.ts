/**
 * Checks the types of the workspace's projects, as many at a time as there are processors:
 *
 *     pnpm types                   all of them
 *     pnpm types packages/mocks    those in these folders
 */
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inLanes } from "./packages/lanes.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The native compiler, several times as fast. Tools that call TypeScript's API use the package `typescript`. */
const COMPILER = "node_modules/typescript-native/bin/tsc";
/** More would infer the same types several times, and the projects keep every processor busy. */
const CHECKERS = ["--checkers", "1"];
const MOST_OUTPUT = 64 * 1024 * 1024;
const PROJECTS = ["{apps,packages,examples}/*/tsconfig{,.node}.json", "{benchmarks,system-tests,tools}/tsconfig.json"];

const folders = process.argv.slice(2);
const isAsked = (path: string) => folders.some((folder) => path.startsWith(`${folder.replace(/\/$/, "")}/`));
const projects = globSync(PROJECTS, { cwd: ROOT })
  .map((path) => path.replaceAll("\\", "/"))
  .sort();
const found = folders.length === 0 ? projects : projects.filter(isAsked);
if (found.length === 0) {
  console.error(`No project in ${folders.join(", ")}. The projects are:\n  ${projects.join("\n  ")}`);
  process.exit(2);
}
await inLanes(found, availableParallelism(), async (project) => {
  const parameters = [COMPILER, "--noEmit", ...CHECKERS, "--pretty", "false", "-p", project];
  await promisify(execFile)(process.execPath, parameters, { cwd: ROOT, maxBuffer: MOST_OUTPUT }).catch((error) => {
    process.exitCode = 1;
    console.error(`${project}\n${error.stdout || error.message}`);
  });
});
if (process.exitCode === undefined) console.log(`Checked ${found.length} projects. No problems found.`);
