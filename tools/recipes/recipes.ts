/**
 * Tries the recipes of docs/contributing/recipes.md: applies their patches to a scratch copy of the working tree, and shows that
 * the changes work.
 *
 *     pnpm recipes            all of them, together in one copy
 *     pnpm recipes field      these
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonTestResults } from "vitest/node";
import { makeScratch, type Scratch } from "./scratch.ts";

interface Recipe {
  readonly name: string;
  /** The most hand-written files that the change may touch outside the folders of `copies`. */
  readonly mostFiles: number;
  /** Folders and files that begin as copies of a sibling's, with other names. */
  readonly copies?: Readonly<Record<string, string>>;
  /** A patch that varies the example. */
  readonly variant?: string;
  /** Whether it changes the database, so that it needs a migration. */
  readonly migrates?: boolean;
  /** Cases of the conformance suite. */
  readonly cases?: string;
  readonly tests: readonly string[];
  /** The titles of tests that fail because they state what the recipe changes. */
  readonly statingTests?: readonly string[];
  /** A line of the change without which a test fails that the change did not add. */
  readonly guarded?: {
    readonly file: string;
    readonly line: string;
    /** The file of the test. */
    readonly guard: string;
    /** The titles of the tests in it that fail without the line. */
    readonly failing: readonly string[];
  };
}

/** By the names of their patches and checks. */
const BY_NAME: Readonly<Record<string, Omit<Recipe, "name">>> = {
  field: {
    mostFiles: 12,
    // Fields of the other types: Float, Boolean, DateTime, an enum and a list.
    variant: "fieldTypes",
    migrates: true,
    tests: [
      "apps/server/src/providers/provider-",
      "apps/server/src/modules/content",
      "packages/conformance/src/description",
      "packages/domain/src/content",
      "packages/sdk/src/pollers",
      "examples/hono-app",
    ],
  },
  connectionField: {
    mostFiles: 12,
    migrates: true,
    cases: "S2.Connection.consentedAt",
    tests: [
      "packages/domain/src/connect",
      "apps/server/src/modules/connections",
      "packages/conformance/src/description",
    ],
  },
  operation: {
    mostFiles: 10,
    cases: "S4.admin.adminClientBySlug",
    tests: [
      "apps/server/src/graphql/admin/operations",
      "packages/conformance/src/description",
      "packages/admin-sdk/src/wire",
      "tools/clientSecrets",
    ],
  },
  page: {
    mostFiles: 14,
    tests: [
      "apps/panel/src/journeys/applicationKeys",
      "apps/server/src/graphql/admin/operations",
      "packages/conformance/src/description",
    ],
  },
  setting: {
    mostFiles: 8,
    tests: ["apps/server/src/config", "apps/server/src/modules/providerPause", "apps/server/tools/settings"],
  },
  provider: {
    mostFiles: 20,
    copies: {
      "apps/server/src/providers/provider-b/": "apps/server/src/providers/provider-d/",
      "apps/simulator/src/providers/provider-b/": "apps/simulator/src/providers/provider-d/",
      "packages/mocks/src/providers/providerB.ts": "packages/mocks/src/providers/providerD.ts",
    },
    migrates: true,
    tests: [
      "apps/server/src/providers/provider-d",
      "apps/simulator/src/providers/provider-d",
      "apps/server/src/providers/publicApi",
      "apps/simulator/src/accounts/scripts",
      "packages/conformance/src",
      "packages/mocks/src/scenarios",
    ],
  },
  providerError: {
    mostFiles: 8,
    tests: [
      "apps/server/src/providers/errorOwners",
      "apps/server/src/providers/provider-b/errors",
      "apps/simulator/src/accounts/scripts",
      "packages/mocks/src/scenarios",
    ],
    guarded: {
      file: "apps/server/src/providers/provider-b/errors.ts",
      line: '  user_in_review: "account_unreadable",\n',
      guard: "apps/server/src/providers/errorOwners",
      failing: ["the failure of under-review is told to be that of the account"],
    },
  },
  jobKind: {
    mostFiles: 8,
    migrates: true,
    tests: [
      "packages/domain/src/jobs",
      "apps/server/src/modules/jobs/reads",
      "apps/server/src/worker/taskQueue",
      "packages/mocks/src/control",
    ],
  },
  limit: {
    mostFiles: 1,
    tests: [
      "packages/contract/src",
      "packages/domain/src/connect",
      "packages/mocks/src/scenarios",
      "packages/mocks/src/control",
      "apps/server/src/http/connectPages",
    ],
    statingTests: [
      "are at most 5 for a subject and provider; the wait is until the oldest reaches its deadline",
      "forty concurrent attempts of one subject: five are created",
      "the limits have their specified values",
    ],
  },
};
export const RECIPES = Object.entries(BY_NAME).map(([name, recipe]): Recipe => ({ name, ...recipe }));

/** Names of PROVIDER_B, and those of a close relative. */
const NAMES = [
  ["PROVIDER_B", "PROVIDER_D"],
  ["provider-b", "provider-d"],
  ["providerB", "providerD"],
  ["provider B", "provider D"],
  ["tiktok.com", "clips.example"],
  ["tiktokapis.com", "clips-api.example"],
  ["TikTok", "Clips"],
  ["4407", "4409"],
  ["paper-cranes", "window-garden"],
  ["street-baker", "river-ferry"],
  ["desert-runner", "attic-radio"],
] as const;

export function patchOf(name: string): string {
  return join(import.meta.dirname, `${name}.patch`);
}

/** The hand-written files of a recipe: those of its patch, and single files that it copies. */
export function filesOf({ name, copies = {} }: Recipe): string[] {
  const patched = [...readFileSync(patchOf(name), "utf8").matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = ""]) => file);
  return [...patched, ...Object.values(copies).filter((to) => !to.endsWith("/"))].sort();
}

function tryRecipes(recipes: readonly Recipe[]): void {
  using scratch = makeScratch();
  for (const { name, variant, migrates } of recipes) {
    for (const patch of [name, ...(variant === undefined ? [] : [variant])]) scratch.patch(patchOf(patch));
    // One for each, because a migration changes one table.
    if (migrates) scratch.addMigration(`add_${name.toLowerCase()}`);
  }
  for (const [from, to] of recipes.flatMap(({ copies = {} }) => Object.entries(copies))) {
    if (existsSync(scratch.at(to))) throw new Error(`${to} already exists: choose another name.`);
    scratch.copy(from, to, NAMES);
  }
  scratch.runScript("apps/server/tools/migrations/lint.ts");
  scratch.generate();
  scratch.runScript("tools/checkTypes.ts");
  const checks = recipes.map(({ name }) => name).filter((name) => scratch.read(`tools/recipes/checks/${name}.ts`));
  if (checks.length > 0) scratch.runScript("tools/recipes/checks/run.ts", ...checks);
  const cases = recipes.flatMap((recipe) => recipe.cases ?? []);
  if (cases.length > 0) {
    const only = ["--registry", "system-tests/conformance/targets.ts", "--all", "--only", cases.join()];
    scratch.runScript("packages/conformance/src/cli.ts", ...only);
  }
  const stating = recipes.flatMap(({ statingTests = [] }) => statingTests);
  requireFailures(scratch, new Set(recipes.flatMap(({ tests }) => tests)), stating);
  for (const { guarded } of recipes) {
    if (guarded === undefined) continue;
    scratch.replace(guarded.file, guarded.line, "");
    requireFailures(scratch, new Set([guarded.guard]), guarded.failing);
  }
}

function requireFailures(scratch: Scratch, filters: ReadonlySet<string>, titles: readonly string[]): void {
  const [failed, expected] = [failedTests(scratch, filters), titles.toSorted()];
  if (`${failed}` === `${expected}`) return;
  throw new Error(`These tests must fail:\n${expected.join("\n")}\nand these do:\n${failed.join("\n")}`);
}

/** The titles of failed tests, sorted. A file that fails as a whole counts by its path. */
function failedTests(scratch: Scratch, filters: ReadonlySet<string>): string[] {
  const { output } = scratch.attempt("vitest", ["run", "--reporter=json", "--outputFile=tests.json", ...filters]);
  const report: JsonTestResults | null = JSON.parse(scratch.read("tests.json") ?? "null");
  if (report === null || report.testResults.length === 0) throw new Error(`No test ran:\n${output}`);
  return report.testResults
    .filter(({ status }) => status !== "passed")
    .flatMap(({ name, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === "failed").map(({ title }) => title);
      return titles.length > 0 ? titles : [name];
    })
    .sort();
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const recipes = RECIPES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (recipes.length === 0) throw new Error(`Recipes: ${RECIPES.map(({ name }) => name).join(", ")}.`);
  const begin = performance.now();
  tryRecipes(recipes);
  for (const recipe of recipes) console.log(`${recipe.name}: ${filesOf(recipe).length} hand-written files`);
  console.log(`tried in ${Math.round((performance.now() - begin) / 1_000)} s`);
}
