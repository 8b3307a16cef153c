/** A build from turbo's cache is as a new one only if turbo knows every file that the build reads. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { workspaceProgram } from "./commands.ts";
import { ROOT } from "./publishedPackages.ts";

interface Task {
  readonly taskId: string;
  readonly directory: string;
  readonly dependencies: readonly string[];
  /** From the package's folder. */
  readonly inputs: Readonly<Record<string, string>>;
}

const tasks = new Map<string, Task>();

beforeAll(async () => {
  const environment = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const plan = JSON.parse(await workspaceProgram("turbo", ["run", "build", "generate", "--dry=json"], { environment }));
  for (const task of plan.tasks as readonly Task[]) tasks.set(task.taskId, task);
});

/** The files whose change makes the task run again: its own, and those of the tasks that it depends on. */
function filesOf(taskId: string, seen = new Set<string>()): readonly string[] {
  const task = tasks.get(taskId);
  if (task === undefined || seen.has(taskId)) return [];
  seen.add(taskId);
  const own = Object.keys(task.inputs).map((path) => posix.join(task.directory, path));
  return [...own, ...task.dependencies.flatMap((other) => filesOf(other, seen))];
}

test.each([
  ["@social-connect/server#build", "tools/packages/bundledPackages.ts"],
  ["@social-connect/server#build", "packages/contract/consumer.graphql"],
  ["@social-connect/mocks#build", "packages/contract/consumer.graphql"],
  ["@social-connect/mocks#build", "packages/domain/src/index.ts"],
  ["@social-connect/sdk#build", "packages/contract/consumer.graphql"],
  ["@social-connect/codegen#generate", "packages/contract/consumer.graphql"],
])("%s runs again after a change of %s", (taskId, file) => {
  expect(filesOf(taskId)).toContain(file);
});

test("a build runs again after a change of a file outside of its package that its configuration names", () => {
  const named = globSync("{apps,packages}/*/tsup.config.ts", { cwd: ROOT }).flatMap((config) => {
    const folder = posix.dirname(config.replaceAll("\\", "/"));
    const { name } = JSON.parse(readFileSync(`${ROOT}/${folder}/package.json`, "utf8"));
    const paths = [...readFileSync(`${ROOT}/${config}`, "utf8").matchAll(/"(\.\.\/[^"]+)"/g)];
    return paths.map(([, path = ""]) => ({ task: `${name}#build`, path: posix.join(folder, path) }));
  });
  // The files of a folder. What git does not track is the output of another build.
  const read = named.flatMap(({ task, path }) =>
    execFileSync("git", ["ls-files", "--", path], { cwd: ROOT, encoding: "utf8" })
      .split("\n")
      .filter((file) => file !== "")
      .map((file) => ({ task, file })),
  );
  expect(read.length).toBeGreaterThan(4);
  expect(read.filter(({ task, file }) => !filesOf(task).includes(file))).toEqual([]);
});
