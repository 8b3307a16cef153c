import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { printableJson, printableLines } from "@social-connect/contract";
import { CASES } from "./cases/all.ts";
import { CATALOGUE } from "./catalogue/catalogue.ts";
import { type ConformOptions, conform, conformAll } from "./harness/conform.ts";
import { messageOf } from "./harness/expectation.ts";
import { reportText, resultLine } from "./harness/report.ts";
import { summaryOf } from "./harness/summary.ts";
import { openTargetFile } from "./target/devFile.ts";
import type { TargetFactory } from "./target/target.ts";

const USAGE = `conformance --target PATH/dev.json [--only PATTERN] [--json] [--parallel N]
conformance --all [--named PATTERN] [--only PATTERN] [--json] [--parallel N]
conformance --list

  --target    the description of a running service: dev.json of a development environment
  --all       run every target of the registry and print one table
  --named     of the registry, the targets whose name contains PATTERN, several separated by commas
  --registry  the module that exports them as TARGETS
  --only      run the cases whose id contains PATTERN, several separated by commas
  --json      print one JSON object instead of the table
  --parallel  number of concurrent cases (default 6)
  --list      list the cases without running them`;

const OPTIONS = {
  target: { type: "string" },
  all: { type: "boolean", default: false },
  named: { type: "string" },
  registry: { type: "string" },
  only: { type: "string" },
  json: { type: "boolean", default: false },
  parallel: { type: "string", default: "6" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

class UsageError extends Error {}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.list) {
    for (const one of CASES) console.log(`S${one.part}  ${one.id.padEnd(62)} ${one.title}`);
    console.log(`${CASES.length} cases`);
    return 0;
  }
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1) throw new UsageError("--parallel must be a positive integer");
  const options: ConformOptions = {
    rows: CATALOGUE,
    parallel,
    ...(values.only !== undefined && { only: containing(values.only) }),
    ...(!values.json && { onResult: (result) => console.error(printableLines(resultLine(result))) }),
  };
  if (options.only && !CASES.some(({ id }) => options.only?.(id)))
    throw new UsageError(`no case is called ${values.only}`);
  if (values.all) return runAll(values, options);
  if (values.target === undefined) throw new UsageError("name a target, or --all");
  return runOne(values.target, values.json, options);
}

async function runOne(path: string, asJson: boolean, options: ConformOptions): Promise<number> {
  const target = await openTargetFile(path);
  try {
    const run = await conform(target, CASES, options);
    const isPart = options.only !== undefined;
    const text = reportText(run.results, run.coverage, { isPart });
    console.log(asJson ? printableJson(run) : printableLines(text));
    return run.green ? 0 : 1;
  } finally {
    await target.close();
  }
}

async function runAll(
  { registry, named, json }: { registry?: string; named?: string; json: boolean },
  options: ConformOptions,
): Promise<number> {
  if (registry === undefined) throw new UsageError("--all needs a --registry");
  const { TARGETS } = (await import(pathToFileURL(resolve(registry)).href)) as { TARGETS: readonly TargetFactory[] };
  const chosen = named === undefined ? TARGETS : TARGETS.filter(({ name }) => containing(named)(name));
  const print = console.log;
  // A target's output during its start belongs to stderr, not to the report.
  console.log = console.error;
  if (chosen.length === 0) throw new UsageError(`the registry has ${TARGETS.map(({ name }) => name).join(", ")}`);
  const all = await conformAll(chosen, CASES, {
    ...options,
    onTarget: (name) => console.error(`\n${name}`),
  });
  print(json ? printableJson(all) : printableLines(summaryOf(all.runs)));
  return all.green ? 0 : 1;
}

function containing(patterns: string): (text: string) => boolean {
  return (text) => patterns.split(",").some((pattern) => text.includes(pattern));
}

// The write below fails if the reader has ended, as `head` does; its callback still runs.
process.stdout.on("error", () => undefined);

main().then(
  (code) => {
    // A target's open handles must not keep the program running: its result is known. A pipe is flushed first.
    process.stdout.write("", () => process.exit(code));
  },
  (error: unknown) => {
    console.error(printableLines(messageOf(error)));
    if (error instanceof UsageError) console.error(`\n${USAGE}`);
    process.exit(2);
  },
);
