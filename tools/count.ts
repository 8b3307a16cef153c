/**
 * Counts what a maintainer has to know: lines by kind, commands, settings, words of the documentation, and the files that name the server's source. Fails above a limit.
 *
 *     pnpm lint
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findServerSource } from "./lint/serverSource.ts";
import { listFiles } from "./repository/listFiles.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = /\.(?:ts|tsx|mts|mjs|css|prisma|sql)$/;
const GENERATED = /\/_generated\//;
const GENERATED_PAGES = /^docs\/reference\/(?:(?:graphql|packages)\/|(?:failed-requests|events)\.md$)/;

/** Lower these with their numbers, and never raise them. */
const SHRINKING_LIMITS: Readonly<Record<string, number>> = {
  proof: 36_000,
  // The mocks send events in 810 of them.
  doubles: 22_325,
  commands: 25,
  "files outside the server that name its source": 5,
};
const LIMITS: Readonly<Record<string, number>> = {
  ...SHRINKING_LIMITS,
  // Set with 5 % of room: 35 settings, and the words once four recipes had been written.
  settings: 37,
  // Events: a guide, the samples of five frameworks, and the operations, commands and pages of admins. Moving in: a guide.
  "words of docs": 126_000,
  "words of docs, without generated pages": 82_000,
};

/** The first that matches a file's path. The rest of `apps` and `packages` is the product. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["tests", /\.test\.tsx?$/],
  [
    "proof",
    /^(?:(?:apps\/server\/)?tools|benchmarks|system-tests|packages\/(?:conformance|testkit))\/|\/(?:testing|benchmarks)\//,
  ],
  ["doubles", /^(?:packages\/(?:mocks|provider-fixtures)|apps\/simulator)\//],
  ["examples", /^examples\//],
  ["product", /^(?:apps|packages)\//],
];

const files = listFiles(ROOT);
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function linesOf(kind: string): number {
  const own = files.filter((file) => KINDS.find(([, pattern]) => pattern.test(file))?.[0] === kind);
  return sum(
    own.filter((file) => SOURCE.test(file) && !GENERATED.test(file)).map((file) => read(file).split("\n").length - 1),
  );
}

/** Root scripts, and the names behind those that run a program of a group. */
async function countCommands(): Promise<number> {
  const { GROUPS } = (await import(new URL("run.mjs", import.meta.url).href)) as {
    GROUPS: Record<string, Record<string, string>>;
  };
  const named = ["benchmark", "system"].map((group) => Object.keys(GROUPS[group] ?? {}).length);
  return Object.keys(JSON.parse(read("package.json")).scripts).length + sum(named);
}

function wordsOf(pages: readonly string[]): number {
  return sum(pages.map((page) => read(page).match(/\S+/g)?.length ?? 0));
}

const pages = files.filter((file) => /^docs\/.*\.md$/.test(file));
const counts: Readonly<Record<string, number>> = {
  ...Object.fromEntries(KINDS.map(([kind]) => [kind, linesOf(kind)])),
  commands: await countCommands(),
  "files outside the server that name its source": findServerSource(ROOT).length,
  // A test compares this file with the settings of the service.
  settings: read(".env.example").match(/^# [A-Z][A-Z_]+=/gm)?.length ?? 0,
  "words of docs": wordsOf(pages),
  "words of docs, without generated pages": wordsOf(pages.filter((page) => !GENERATED_PAGES.test(page))),
};
for (const [name, count] of Object.entries(counts)) {
  const most = LIMITS[name];
  console.log(`${name}: ${count}${most === undefined ? "" : ` (at most ${most})`}`);
  if (most !== undefined && count > most) {
    const otherwise =
      name in SHRINKING_LIMITS ? "" : ", or give the limit 5 % of room and the reason, in tools/count.ts";
    console.error(`There are more ${name} than ${most}: remove some${otherwise}.`);
    process.exitCode = 1;
  }
}
