/**
 * Finds the files outside the server that import its source or name it in a path: a change inside the server can break each of them.
 * Fails for a file that `serverSource.txt` does not list, and for an entry of that list that is no longer needed, has no reason, or
 * is not in order.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { listFiles } from "../repository/listFiles.ts";

const PROGRAM = /\.(?:ts|tsx|mts|mjs)$|(?:^|\/)package\.json$/;
const NAMES = /\bserver\/src\b/;
const LIST = "tools/lint/serverSource.txt";

export function findServerSource(root: string): string[] {
  return listFiles(root)
    .filter((file) => PROGRAM.test(file) && !file.startsWith("apps/server/"))
    .filter((file) => NAMES.test(readFileSync(join(root, file), "utf8")))
    .sort();
}

export function lintServerSource(root: string): string[] {
  const found = findServerSource(root);
  const lines = readFileSync(join(root, LIST), "utf8").split("\n");
  const entries = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => /^(?<file>\S+)(?: +(?<reason>\S.*))?$/.exec(line)?.groups ?? { file: line });
  const unlisted = found.filter((file) => !entries.some((entry) => entry["file"] === file));
  const problemOf = ({ file = "", reason }: Partial<Record<string, string>>, index: number) => {
    if (!found.includes(file)) return `no longer names the source of apps/server. Delete it from ${LIST}.`;
    if (reason === undefined)
      return `has no reason in ${LIST}. Write after it why it must name the source of apps/server.`;
    const isInOrder = file > (entries[index - 1]?.["file"] ?? "");
    return isInOrder ? null : `is not in the order of \`LC_ALL=C sort -u\` in ${LIST}.`;
  };
  const remedy = `Use the commands, HTTP or a package; ${LIST} gets no new entry.`;
  const problems = entries.map((entry, index) => ({ file: entry["file"], problem: problemOf(entry, index) }));
  return [
    ...unlisted.map((file) => `${file} names the source of apps/server. ${remedy}`),
    ...problems.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}`])),
  ];
}

if (import.meta.main) {
  const problems = lintServerSource(argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
