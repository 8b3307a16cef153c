/**
 * Runs a program on the source of the workspace's packages, without a build:
 *
 *     node tools/run.mjs FILE [ARGUMENT …]
 *     node tools/run.mjs benchmark|system [NAME] [ARGUMENT …]    a program of a group, below
 */
import { spawnSync } from "node:child_process";
import { execPath, exit, platform } from "node:process";
import { fileURLToPath } from "node:url";

const VITEST = "node_modules/vitest/vitest.mjs";
export const GROUPS = {
  benchmark: {
    fairness: "benchmarks/src/fairness/fairness.ts",
    jobs: "benchmarks/src/jobs/jobs.ts",
    scale: "benchmarks/src/scale/scale.ts",
    sdk: "packages/sdk/benchmarks/callCost.ts",
  },
  system: {
    differential: "system-tests/differential/cli.ts",
    faults: "system-tests/faults/run/main.ts",
    fuzz: "system-tests/fuzz/fuzz.ts",
    live: "system-tests/live/check.ts",
    mutations: "tools/mutations/mutations.ts",
  },
};
/** What a group runs without a name. */
const DEFAULTS = {
  benchmark: "benchmarks/src/reads/reads.ts",
  // Also the system tests of a path.
  system: [VITEST, "run", "--project=system*"],
};
/** This program measures a build of the SDK, as its users have it. */
const MEASURES_BUILD = GROUPS.benchmark.sdk;
const SOURCE = "--conditions=@social-connect/source";

// An old Node has no `import.meta.main`: it would do nothing, and report success.
if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv.slice(2));

function run([first = "", ...rest]) {
  const group = GROUPS[first];
  const isNamed = rest[0] !== undefined && !rest[0].startsWith("-") && Object.hasOwn(group ?? {}, rest[0]);
  const program = group === undefined ? first : isNamed ? group[rest[0]] : DEFAULTS[first];
  if (program === undefined) {
    console.error(`Name one of: ${Object.keys(group).join(", ")}. For example: pnpm ${first} ${Object.keys(group)[0]}`);
    exit(2);
  }
  const [file, ...own] = [program].flat();
  if (file === MEASURES_BUILD) {
    const build = ["run", "build", "--filter=@social-connect/sdk", "--output-logs=errors-only"];
    const { status } = spawnSync("turbo", build, { stdio: "inherit", shell: platform === "win32" });
    if (status !== 0) exit(1);
  }
  // vitest gives the condition to the processes of the tests.
  const flags = [
    ...(file === MEASURES_BUILD || file === VITEST ? [] : [SOURCE]),
    "--disable-warning=ExperimentalWarning",
  ];
  const parameters = [...flags, file, ...own, ...(isNamed ? rest.slice(1) : rest)];
  // The program takes the place of this process, and with it its id, signals and exit code.
  if (process.execve !== undefined && platform !== "win32") {
    process.execve(execPath, [execPath, ...parameters], process.env);
  }
  const { status } = spawnSync(execPath, parameters, { stdio: "inherit" });
  exit(status ?? 1);
}
