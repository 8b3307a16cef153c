import type { TargetFactory } from "../target/target.ts";
import { type ConformOptions, conform } from "./conform.ts";
import type { Case } from "./defineCase.ts";
import { messageOf } from "./errorText.ts";
import type { TargetRun } from "./summary.ts";

export interface ConformAllOptions extends ConformOptions {
  readonly onTarget?: (name: string) => void;
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
