/**
 * Changes one line of the code at a time and runs the conformance case or the test that has to notice:
 *
 *     pnpm test:system mutations [--every N] [--only TEXT]
 *
 * `--every N` plants each N-th fault, `--only TEXT` those whose name or file has this text. Fails when a fault is not noticed, and
 * when a case or test fails without one.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { JsonTestResults } from "vitest/node";
import { inLanes } from "../packages/lanes.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { type Mutation, VARIABLE } from "./mutate.ts";
import { isCase, PLANTED_FAULTS, ROOT, testOf } from "./plantedFaults.ts";

const SOURCE = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const MUTATE = ["--import", new URL("mutate.ts", import.meta.url).href];
const CONFORMANCE = ["packages/conformance/src/cli.ts", "--all", "--registry", "system-tests/conformance/targets.ts"];
/** Faults that are planted at the same time, each in processes of its own. */
const LANES = 2;
/** A changed line may make a test wait without end. */
const TEST_ENDS_AFTER_MS = 30_000;
const RUN_ENDS_AFTER_MS = 600_000;

type Outcomes = Readonly<Record<string, string>>;

const { values } = parseArgs({ options: { every: { type: "string" }, only: { type: "string" } } });
const every = Number(values.every ?? 1);
const only = values.only ?? "";
const faults = PLANTED_FAULTS.filter(({ name, file }) => name.includes(only) || file.includes(only)).filter(
  (_, index) => index % every === 0,
);
if (faults.length === 0) throw new Error("no fault is planted");

await using scratch = await scratchFolder("planted-faults");
process.exitCode = (await isAllNoticed()) ? 0 : 1;

async function isAllNoticed(): Promise<boolean> {
  const noticing = [...new Set(faults.map(({ noticedBy }) => noticedBy))];
  const without = await outcomes(noticing, null);
  const broken = noticing.filter((one) => without[one] !== "passed");
  for (const one of broken) console.error(`without a fault: ${one}: ${without[one] ?? "did not run"}`);
  if (broken.length > 0) return false;
  const missed: string[] = [];
  console.log("| Fault | File | Noticed by |\n| --- | --- | --- |");
  await inLanes(faults, LANES, async (fault) => {
    const { name, noticedBy, ...mutation } = fault;
    const failed = (error: unknown) => ({ [noticedBy]: String(error).slice(0, 500) });
    const outcome = (await outcomes([noticedBy], mutation).catch(failed))[noticedBy] ?? "it did not run";
    console.log(`| ${name} | ${mutation.file} | ${outcome === "failed" ? noticedBy : `NOT NOTICED (${outcome})`} |`);
    if (outcome !== "failed") missed.push(name);
  });
  for (const name of missed) console.error(`not noticed: ${name}`);
  console.log(`${faults.length - missed.length} of ${faults.length} planted faults were noticed.`);
  return missed.length === 0;
}

async function outcomes(noticing: readonly string[], mutation: Mutation | null): Promise<Outcomes> {
  const cases = noticing.filter(isCase);
  const tests = noticing.filter((one) => !isCase(one));
  return {
    ...(cases.length > 0 && (await outcomesOfCases(cases, mutation))),
    ...(tests.length > 0 && (await outcomesOfTests(tests, mutation))),
  };
}

async function outcomesOfCases(ids: readonly string[], mutation: Mutation | null): Promise<Outcomes> {
  const only = ["--named", "fetch", "--only", ids.join()];
  const output = await run([...SOURCE, ...MUTATE, ...CONFORMANCE, ...only], mutation);
  const lines = [...output.matchAll(/^S\d {2}(\S+) +(ok|FAILED) /gm)];
  if (lines.length === 0) throw new Error(`no results: ${output.slice(-500)}`);
  return Object.fromEntries(lines.map(([, id = "", mark]) => [id, mark === "ok" ? "passed" : "failed"]));
}

async function outcomesOfTests(tests: readonly string[], mutation: Mutation | null): Promise<Outcomes> {
  const report = join(scratch.path, `${crypto.randomUUID()}.json`);
  const named = tests.map(testOf);
  const titles = named.map(({ title }) => title.replaceAll(/[\^$\\.*+?()[\]{}|]/g, "\\$&"));
  const parameters = [
    ...["node_modules/vitest/vitest.mjs", "run", ...new Set(named.map(({ file }) => file)), "--project=!system*"],
    ...["--retry=0", `--testTimeout=${TEST_ENDS_AFTER_MS}`, "--reporter=json", `--outputFile=${report}`],
    ...["-t", titles.join("|")],
  ];
  // The workers of the run inherit both variables.
  const output = await run(parameters, mutation, { NODE_OPTIONS: MUTATE.join(" ") });
  const json = await readFile(report, "utf8").catch(() => {
    throw new Error(`vitest made no report: ${output.slice(-500)}`);
  });
  const { testResults } = JSON.parse(json) as JsonTestResults;
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ title, status }) => {
      const one = tests.find((_, index) => name.endsWith(`/${named[index]?.file}`) && named[index]?.title === title);
      return one === undefined || status === "skipped" ? [] : [[one, status] as const];
    }),
  );
  // Tests of several `describe` blocks may share a title: one of them has to fail.
  return Object.fromEntries(results.toSorted(([, one]) => (one === "failed" ? 1 : -1)));
}

/** Runs a program with this Node and returns its output, however it ends. */
function run(parameters: readonly string[], mutation: Mutation | null, more: NodeJS.ProcessEnv = {}): Promise<string> {
  // A group of its own, because the workers of a test run that hangs would outlive it.
  const child = spawn(process.execPath, parameters, {
    cwd: ROOT,
    env: { ...process.env, ...more, ...(mutation && { [VARIABLE]: JSON.stringify(mutation) }) },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => process.kill(-Number(child.pid), "SIGKILL");
  const timer = setTimeout(end, RUN_ENDS_AFTER_MS);
  return Promise.all([text(child.stdout), text(child.stderr)])
    .then((output) => output.join(""))
    .finally(() => clearTimeout(timer));
}
