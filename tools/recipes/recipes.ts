/**
 * Tries the recipes of docs/contributing/recipes.md on scratch copies of the working tree:
 *
 *     pnpm recipes            all of them
 *     pnpm recipes field      one of them
 *     pnpm recipes --write    writes the tables of files into the page
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Recipe } from "./edits.ts";
import { countedFiles, editedFiles, renamed, tableOf } from "./edits.ts";
import { FIELD } from "./field.ts";
import { JOB_KIND } from "./jobKind.ts";
import { LIMIT, STATING_TESTS } from "./limit.ts";
import { OPERATION } from "./operation.ts";
import { PROVIDER } from "./provider.ts";
import { Scratch } from "./scratch.ts";

export const PAGE = new URL("../../docs/contributing/recipes.md", import.meta.url);

interface Trial {
  readonly recipe: Recipe;
  /** Generates, checks the types, and shows that the change works. Throws if it does not. */
  readonly check: (scratch: Scratch) => void;
}

export const TRIALS: readonly Trial[] = [
  {
    recipe: FIELD,
    check: (scratch) => {
      scratch.runScript("tools/migrations/makeMigration.ts", "add_post_length");
      scratch.generate();
      scratch.checkTypes("packages/domain", "packages/sdk", "packages/mocks", "packages/conformance", "apps/server");
      scratch.runScript("tools/recipes/checks/field.ts");
      const tests = ["apps/server/src/providers", "packages/conformance/src", "packages/domain/src/content"];
      const failed = failedTests(scratch, [...tests, "examples/hono-app", "packages/sdk/src/pollers"]);
      if (failed.length > 0) throw new Error(`These tests fail:\n${failed.join("\n")}`);
    },
  },
  {
    recipe: PROVIDER,
    check: (scratch) => {
      scratch.runScript("tools/migrations/makeMigration.ts", "add_provider_d");
      scratch.generate();
      // The types of other packages are part of these projects.
      scratch.checkTypes("tools", "apps/panel", "apps/server", "packages/conformance", "packages/mocks", "examples");
      scratch.runScript("tools/recipes/checks/provider.ts");
      const own = ["apps/server/src/providers/provider-d", "apps/simulator/src/providers/provider-d"];
      const registries = ["apps/server/src/providers/publicApi", "apps/simulator/src/accounts/scripts"];
      const tables = ["packages/conformance/src", "packages/mocks/src/scenarios"];
      const failed = failedTests(scratch, [...own, ...registries, ...tables]);
      if (failed.length > 0) throw new Error(`These tests fail:\n${failed.join("\n")}`);
    },
  },
  {
    recipe: OPERATION,
    check: (scratch) => {
      scratch.generate();
      scratch.checkTypes("packages/admin-sdk", "packages/mocks", "packages/conformance", "apps/server");
      scratch.runScript("tools/recipes/checks/operation.ts");
      const cases = ["--registry", "tools/conformanceTargets.ts", "--all", "--only", "S4.admin.adminClientBySlug"];
      scratch.runScript("packages/conformance/src/cli.ts", ...cases);
      const lists = ["apps/server/src/graphql/admin/operations", "packages/conformance/src/description"];
      const failed = failedTests(scratch, [...lists, "packages/admin-sdk/src/wire", "tools/clientSecrets"]);
      if (failed.length > 0) throw new Error(`These tests fail:\n${failed.join("\n")}`);
    },
  },
  {
    recipe: JOB_KIND,
    check: (scratch) => {
      scratch.runScript("tools/migrations/makeMigration.ts", "add_recount_jobs");
      scratch.generate();
      scratch.checkTypes("packages/domain", "packages/mocks", "apps/panel", "apps/server");
      scratch.runScript("tools/recipes/checks/jobKind.ts");
      const tests = [
        "packages/domain/src/jobs",
        "apps/server/src/modules/jobs/reads",
        "apps/server/src/worker/taskQueue",
      ];
      const failed = failedTests(scratch, [...tests, "packages/mocks/src/control"]);
      if (failed.length > 0) throw new Error(`These tests fail:\n${failed.join("\n")}`);
    },
  },
  {
    recipe: LIMIT,
    check: (scratch) => {
      scratch.generate();
      const tests = ["packages/contract/src", "packages/domain/src/connect", "packages/mocks/src/scenarios"];
      const failed = failedTests(scratch, [
        ...tests,
        "packages/mocks/src/control",
        "apps/server/src/http/connectPages",
      ]);
      if (`${failed}` !== `${STATING_TESTS}`) {
        throw new Error(
          `Only tests that state the number must fail (${STATING_TESTS}), and these do:\n${failed.join("\n")}`,
        );
      }
    },
  },
];

/** The titles of failed tests, sorted. A file that fails as a whole counts by its path. */
function failedTests(scratch: Scratch, filters: readonly string[]): string[] {
  const { output } = scratch.attempt("vitest", ["run", "--reporter=json", "--outputFile=tests.json", ...filters]);
  const report: TestReport | null = JSON.parse(scratch.read("tests.json") ?? "null");
  if (report === null || report.testResults.length === 0) throw new Error(`No test ran:\n${output}`);
  return report.testResults
    .filter(({ status }) => status !== "passed")
    .flatMap(({ name, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === "failed").map(({ title }) => title);
      return titles.length > 0 ? titles : [name];
    })
    .sort();
}

interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

function tryRecipe({ recipe, check }: Trial): void {
  const scratch = new Scratch();
  try {
    applyRecipe(recipe, scratch);
    check(scratch);
  } finally {
    scratch.remove();
  }
}

function applyRecipe(recipe: Recipe, scratch: Scratch): void {
  for (const copy of recipe.copies ?? []) {
    if (existsSync(join(scratch.folder, copy.to)))
      throw new Error(`${copy.to} already exists: choose another name in the recipe.`);
    for (const file of scratch.filesBelow(copy.from)) {
      scratch.write(copy.to + renamed(file.slice(copy.from.length), copy), renamed(scratch.read(file) ?? "", copy));
    }
  }
  for (const [file, text] of editedFiles(recipe, (file) => scratch.read(file))) scratch.write(file, text);
}

/** The page with the current table of each recipe between `<!-- recipe: NAME -->` and `<!-- /recipe -->`. */
export function fillPage(page: string): string {
  return TRIALS.reduce((text, { recipe }) => {
    const files = countedFiles(recipe);
    const table = `${tableOf(recipe)}\n\n${files.length} hand-written ${files.length === 1 ? "file" : "files"}.`;
    const region = new RegExp(`(<!-- recipe: ${recipe.name} -->\n).*?(<!-- /recipe -->)`, "s");
    if (!region.test(text)) throw new Error(`The page has no place for the recipe ${recipe.name}.`);
    return text.replace(region, (_, open: string, close: string) => `${open}\n${table}\n\n${close}`);
  }, page);
}

function main(): void {
  const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });
  if (values.write) {
    writeFileSync(PAGE, fillPage(readFileSync(PAGE, "utf8")));
    return;
  }
  const trials = TRIALS.filter(({ recipe }) => positionals.length === 0 || positionals.includes(recipe.name));
  if (trials.length === 0) throw new Error(`Recipes: ${TRIALS.map(({ recipe }) => recipe.name).join(", ")}.`);
  for (const trial of trials) {
    const begin = performance.now();
    tryRecipe(trial);
    const seconds = Math.round((performance.now() - begin) / 1_000);
    console.log(`${trial.recipe.name}: ${countedFiles(trial.recipe).length} hand-written files, tried in ${seconds} s`);
  }
}

if (import.meta.main) main();
