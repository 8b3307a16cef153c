import { messageOf } from "../context/expectation.ts";
import { OBSERVABLE } from "../description/observable.ts";
import type { Target, TargetFactory } from "../target/target.ts";
import type { Case } from "./defineCase.ts";
import { type CaseResult, type RunOptions, runCases } from "./runner.ts";

interface ConformOptions extends Omit<RunOptions, "seen"> {
  /** Which cases to run; absent: all. */
  readonly only?: (id: string) => boolean;
  /** What a run of every case has to see; absent: all that the contracts have. */
  readonly observable?: readonly string[];
}

export interface Conformance {
  readonly green: boolean;
  readonly results: readonly CaseResult[];
  /** What no case saw, although every case ran; empty where one did not. */
  readonly unseen: readonly string[];
}

/** Runs a suite on a target and checks both: the target by its cases, and the suite by what no case sees. */
export async function conform(target: Target, cases: readonly Case[], options: ConformOptions): Promise<Conformance> {
  const ids = cases.map((one) => one.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`There are two cases with the id ${twice.join(", ")}.`);
  const { only = () => true, observable = OBSERVABLE, ...runOptions } = options;
  await target.provider?.catchUp((await target.clock?.now()) ?? new Date());
  const seen = new Set<string>();
  const chosen = cases.filter(({ id }) => only(id));
  const results = await runCases(target, chosen, { ...runOptions, seen });
  const isWhole = results.length === cases.length && results.every(({ outcome }) => outcome !== "skipped");
  const unseen = isWhole ? observable.filter((one) => !seen.has(one)) : [];
  const hasFailed = results.some(({ outcome }) => outcome === "failed");
  return { green: !hasFailed && unseen.length === 0, results, unseen };
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
  { onTarget, ...options }: ConformOptions & { readonly onTarget?: (name: string) => void },
) {
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
    return { name, conformance: null, seconds: seconds(), problem: messageOf(error) };
  }
}
