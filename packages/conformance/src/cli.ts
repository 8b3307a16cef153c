import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { printableLines } from "@social-connect/contract";
import { CASES } from "./cases/all.ts";
import { messageOf } from "./context/expectation.ts";
import { conformAll } from "./harness/conform.ts";
import { resultLine, summaryOf } from "./harness/summary.ts";
import { openTargetFile } from "./target/devFile.ts";
import type { TargetFactory } from "./target/target.ts";

const USAGE = `conformance --target PATH/dev.json [--only PATTERN]
conformance --all [--named PATTERN] [--only PATTERN]
conformance --list

  --target    the description of a running service: dev.json of a development environment
  --all       run every target of the registry and print one table
  --named     of the registry, the targets whose name contains PATTERN, several separated by commas
  --registry  the module that exports them as TARGETS
  --only      run the cases whose id contains PATTERN, several separated by commas
  --list      list the cases without running them`;

const OPTIONS = {
  target: { type: "string" },
  all: { type: "boolean", default: false },
  named: { type: "string" },
  registry: { type: "string" },
  only: { type: "string" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

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
  const only = containing(values.only);
  if (!CASES.some(({ id }) => only(id))) throw new UsageError(`no case is called ${values.only}`);
  const targets = await targetsOf(values);
  const print = console.log;
  // A target's output during its start belongs to stderr, not to the report.
  console.log = console.error;
  const all = await conformAll(targets, CASES, {
    parallel: 6,
    only,
    onTarget: (name) => console.error(`\n${name}`),
    onResult: (result) => console.error(printableLines(resultLine(result))),
  });
  print(printableLines(summaryOf(all.runs)));
  return all.green ? 0 : 1;
}

async function targetsOf({ target, all, registry, named }: Values): Promise<readonly TargetFactory[]> {
  if (!all) {
    if (target === undefined) throw new UsageError("name a target, or --all");
    return [{ name: target, open: () => openTargetFile(target) }];
  }
  if (registry === undefined) throw new UsageError("--all needs a --registry");
  const { TARGETS } = (await import(pathToFileURL(resolve(registry)).href)) as { TARGETS: readonly TargetFactory[] };
  const isChosen = containing(named);
  const chosen = TARGETS.filter(({ name }) => isChosen(name));
  if (chosen.length === 0) throw new UsageError(`the registry has ${TARGETS.map(({ name }) => name).join(", ")}`);
  return chosen;
}

/** Whether a text contains one of the patterns; absent: any text does. */
function containing(patterns = ""): (text: string) => boolean {
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
