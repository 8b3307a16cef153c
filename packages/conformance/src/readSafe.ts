/** The cases that may run against a service in use, and their runner: for a package that bundles only these. */
import * as files from "./cases/readSafeFiles.ts";
import type { Case } from "./harness/defineCase.ts";

export type { Case } from "./harness/defineCase.ts";
export { type CaseResult, runCases } from "./harness/runner.ts";
export type { AdminDriver, Application, Target } from "./target/target.ts";

export const READ_SAFE_CASES: readonly Case[] = Object.values(files)
  .flat()
  .filter(({ readSafe }) => readSafe);
