/** Checks the imports of the workspace against importRules.ts, and finds cycles between folders. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { findFolderCycles } from "./folderCycles.ts";
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

if (import.meta.main) {
  const { problems, files } = await lintImports(argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`Checked the imports of ${files} files. No problems found.`);
}
