/** Checks the imports of the workspace against importRules.ts, and finds cycles between folders. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { IMPORT_RULES, TEST_FILE } from "./importRules.ts";

const FOLDERS = ["apps", "packages", "examples", "tools", "benchmarks", "system-tests"];

export async function lintImports(root: string): Promise<{ problems: string[]; files: number }> {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, {
    ...IMPORT_RULES.options,
    baseDir: root,
    ruleSet: IMPORT_RULES,
    validate: true,
  });
  const { modules, summary } = output as ICruiseResult;
  const violations = summary.violations.map(({ from, to, rule, comment, cycle }) => {
    const imported = cycle?.map(({ name }) => name).join(" -> ") ?? to;
    return [`${from} must not import ${imported} (${rule.name})`, ...(comment ? [comment] : [])].join(". ");
  });
  const outside = new RegExp(TEST_FILE);
  const imports = modules
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
    .filter(({ from, to }) => !outside.test(from) && !outside.test(to));
  const cycles = findFolderCycles(imports).map((cycle) =>
    ["These imports make a cycle between folders:", ...cycle.map(({ from, to }) => `  ${from} -> ${to}`)].join("\n"),
  );
  return { problems: [...violations, ...cycles], files: summary.totalCruised };
}

/** An import, by the paths of both files. */
interface FileImport {
  readonly from: string;
  readonly to: string;
}

/**
 * The shortest cycle through each folder that has one, with the imports that form it. Dependency-cruiser's folder rule
 * counts subfolders as part of a folder, so it misses a cycle between a folder and its parent.
 */
export function findFolderCycles(imports: readonly FileImport[]): FileImport[][] {
  const between = imports.filter(({ from, to }) => folderOf(from) !== folderOf(to));
  const edges = new Map<string, FileImport[]>();
  for (const one of between) edges.set(folderOf(one.from), [...(edges.get(folderOf(one.from)) ?? []), one]);
  const cycles = [...edges.keys()].sort().flatMap((start) => shortestCycle(edges, start));
  // Each of its folders finds a cycle.
  return [
    ...new Map(
      cycles.toReversed().map((cycle) => [`${cycle.map(({ from }) => folderOf(from)).sort()}`, cycle]),
    ).values(),
  ];
}

function shortestCycle(edges: ReadonlyMap<string, readonly FileImport[]>, start: string): FileImport[][] {
  const paths: FileImport[][] = [[]];
  const seen = new Set<string>();
  // Iteration includes what is added during it, so the shortest paths come first.
  for (const path of paths) {
    for (const next of edges.get(folderOf(path.at(-1)?.to ?? `${start}/`)) ?? []) {
      const folder = folderOf(next.to);
      if (folder === start) return [[...path, next]];
      if (!seen.has(folder)) paths.push([...path, next]);
      seen.add(folder);
    }
  }
  return [];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

if (import.meta.main) {
  const { problems, files } = await lintImports(argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`Checked the imports of ${files} files. No problems found.`);
}
