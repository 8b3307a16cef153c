import { printableJson } from "@social-connect/contract";
import type { ApplyResult, StepResult } from "../plan/applyPlan.ts";
import { describeEnd, describePlan, describeStepResult } from "../plan/describe.ts";
import { type ClientPlan, isDestructive } from "../plan/plan.ts";
import type { AdminWriter } from "../writer.ts";
import { type Context, writerOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { exitCodeOf } from "./explain.ts";
import { hasSomethingToDo, planAll, readDeclarations, readPlans } from "./planCommand.ts";
import { UsageError } from "./usage.ts";

/** Shows the plans, prompts for a confirmation, and applies them in order until one fails. */
export async function applyPlans(context: Context): Promise<ExitCode> {
  const { options } = context;
  if ((options.plan === undefined) === (options.file.length === 0)) {
    throw new UsageError("Pass a declaration with -f or a plan with --plan.");
  }
  const kept = options.plan === undefined ? undefined : await readPlans(context, options.plan);
  const declarations = kept === undefined ? await readDeclarations(context) : [];
  const admin = writerOf(context);
  const plans = kept ?? (await planAll(admin, declarations, context));
  if (!options.json) context.print(plans.map(describePlan).join("\n"));
  const refusal = plans.some(hasSomethingToDo) ? await findRefusal(context, plans) : undefined;
  const results: ApplyResult[] = [];
  try {
    for (const plan of refusal === undefined ? plans.filter(hasSomethingToDo) : []) {
      await applyOne(context, admin, plan, results);
      if (results.at(-1)?.complete !== true) break;
    }
  } finally {
    // Also after an error: applied steps are not undone.
    if (options.json) context.print(printableJson({ plans, results }));
  }
  if (refusal !== undefined) context.printError(refusal);
  return refusal === undefined ? codeOf(results.at(-1)) : EXIT.refused;
}

/**
 * Applies one plan and adds its result, also when it is interrupted: then the outcome of the current step is unknown.
 */
async function applyOne(context: Context, admin: AdminWriter, plan: ClientPlan, results: ApplyResult[]): Promise<void> {
  const { json, allowDestructive } = context.options;
  const { signal, environment: eventSecrets } = context;
  const steps: StepResult[] = [];
  const onStep = (step: StepResult) => {
    steps.push(step);
    if (!json) context.print(`  ${describeStepResult(step)}`);
  };
  try {
    const result = await admin.apply(plan, { allowDestructive, eventSecrets, onStep, signal });
    results.push(result);
    if (!json) context.print(describeEnd(result));
  } catch (error) {
    if (signal.aborted) {
      for (const step of plan.steps.slice(steps.length)) {
        onStep({ step, outcome: steps.some(({ outcome }) => outcome === "unknown") ? "skipped" : "unknown" });
      }
      results.push({ slug: plan.slug, complete: false, stoppedBy: "unknown", client: undefined, steps });
    }
    throw error;
  }
}

/** Returns why the plans must not be applied; undefined if they may. */
async function findRefusal(context: Context, plans: readonly ClientPlan[]): Promise<string | undefined> {
  const { yes, allowDestructive } = context.options;
  if (plans.some(({ obstacles }) => obstacles.length > 0)) return "A plan has an obstacle. Nothing was changed.";
  if (plans.some(isDestructive) && !allowDestructive) {
    return "The plan is destructive. Nothing was changed. Check the steps marked with !, then pass --allow-destructive.";
  }
  if (yes) return undefined;
  if (context.ask === undefined) return "Nothing was changed. Pass --yes to apply without a prompt.";
  const answer = await context.ask("Apply this plan? Type yes to confirm: ");
  return answer.trim().toLowerCase() === "yes" ? undefined : "Canceled. Nothing was changed.";
}

function codeOf(last: ApplyResult | undefined): ExitCode {
  if (last === undefined || last.complete) return EXIT.done;
  if (last.stoppedBy === "unknown") return EXIT.unknown;
  if (last.stoppedBy === "changed") return EXIT.stale;
  // A read-only key has the same exit code, whether the command or the service detects it.
  return exitCodeOf(last.steps.find(({ outcome }) => outcome === "failed")?.error);
}
