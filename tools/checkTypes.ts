/**
 * Checks the types of the workspace's projects, as many at a time as there are processors:
 *
 *     pnpm types                   all of them
 *     pnpm types packages/mocks    those in these folders
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The native compiler, several times as fast. Tools that call TypeScript's API use the package `typescript`. */
const COMPILER = "node_modules/typescript-native/bin/tsc";
/** More would infer the same types several times, and the projects keep every processor busy. */
const CHECKERS = ["--checkers", "1"];
const PROJECTS = ["{apps,packages,examples}/*/tsconfig{,.node}.json", "{benchmarks,system-tests,tools}/tsconfig.json"];

function projectsIn(folders: readonly string[]): string[] {
  const projects = globSync(PROJECTS, { cwd: ROOT }).map((path) => path.replaceAll("\\", "/"));
  const isAsked = (path: string) => folders.some((folder) => path.startsWith(`${folder.replace(/\/$/, "")}/`));
  const found = folders.length === 0 ? projects : projects.filter(isAsked);
  if (found.length === 0) {
    console.error(`No project in ${folders.join(", ")}. The projects are:\n  ${projects.sort().join("\n  ")}`);
    process.exit(2);
  }
  return found.sort();
}

async function errorsIn(project: string): Promise<string> {
  const child = spawn(process.execPath, [COMPILER, "--noEmit", ...CHECKERS, "--pretty", "false", "-p", project], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = (await child.stdout.toArray()).join("");
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("close", resolve)));
  return code === 0 ? "" : output || `The compiler ended with ${code}.\n`;
}

async function main(): Promise<void> {
  const waiting = projectsIn(process.argv.slice(2));
  const count = waiting.length;
  const check = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
      const errors = await errorsIn(project);
      if (errors === "") continue;
      process.exitCode = 1;
      process.stdout.write(`${project}\n${errors}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, check));
  if (process.exitCode === undefined) console.log(`Checked ${count} projects. No problems found.`);
}

await main();
