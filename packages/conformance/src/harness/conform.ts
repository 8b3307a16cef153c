import type { Target, TargetFactory } from "../target/target.ts";
import { coverageOf, type Row, type RowCoverage, unknownClaims } from "./coverage.ts";
import type { Case } from "./defineCase.ts";
import { messageOf } from "./expectation.ts";
import { isGreen } from "./report.ts";
import { type CaseResult, runCases } from "./runner.ts";

export interface ConformOptions {
  readonly rows: readonly Row[];
  readonly parallel: number;
  /** Which cases to run; coverage is still computed over all cases. */
  readonly only?: (id: string) => boolean;
  readonly onResult?: (result: CaseResult) => void;
}

export interface Conformance {
  readonly green: boolean;
  readonly results: readonly CaseResult[];
  readonly coverage: readonly RowCoverage[];
}

/** Runs a suite on a target and checks both: the target by its cases, the suite by the rows it misses. */
export async function conform(target: Target, cases: readonly Case[], options: ConformOptions): Promise<Conformance> {
  const ids = cases.map((one) => one.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`There are two cases with the id ${twice.join(", ")}.`);
  const unknown = unknownClaims(cases, options.rows);
  if (unknown.length > 0) throw new Error(`Cases claim rows that the catalogue does not have: ${unknown.join("; ")}`);
  const { only, ...runOptions } = options;
  await target.provider?.catchUp((await target.clock?.now()) ?? new Date());
  const results = await runCases(target, only === undefined ? cases : cases.filter((one) => only(one.id)), runOptions);
  const coverage = coverageOf(options.rows, cases, results);
  return { green: isGreen(results, coverage), results, coverage };
}

export interface ConformAllOptions extends ConformOptions {
  readonly onTarget?: (name: string) => void;
}

export interface TargetRun {
  readonly name: string;
  /** null: the target could not be opened, or the run was interrupted. */
  readonly conformance: Conformance | null;
  readonly seconds: number;
  readonly problem?: string;
}

/**
 * Runs a suite on one target after the other, each opened before and closed after its run; an error counts as a
 * failure.
 */
export async function conformAll(
  factories: readonly TargetFactory[],
  cases: readonly Case[],
  { onTarget, ...options }: ConformAllOptions,
): Promise<{ readonly green: boolean; readonly runs: readonly TargetRun[] }> {
  const runs: TargetRun[] = [];
  for (const factory of factories) {
    onTarget?.(factory.name);
    runs.push(await runOn(factory, cases, options));
  }
  // Without targets nothing is proven.
  return { green: runs.length > 0 && runs.every(({ conformance }) => conformance?.green === true), runs };
}

async function runOn(factory: TargetFactory, cases: readonly Case[], options: ConformOptions): Promise<TargetRun> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const { name } = factory;
  try {
    const target = await factory.open();
    try {
      return { name, conformance: await conform(target, cases, options), seconds: seconds() };
    } finally {
      await target.close();
    }
  } catch (error) {
    const problem = messageOf(error);
    return { name, conformance: null, seconds: seconds(), problem };
  }
}
