import {
  type AdminWriter,
  type ApplyResult,
  type ClientDeclaration,
  type ClientPlan,
  describePlan,
  describeResult,
  isDestructive,
} from "@social-connect/admin-sdk";

export interface Synchronization {
  /** Only shows what would be done. */
  readonly isDryRun: boolean;
  /** Whether steps that remove something may be applied, after a review of the plan. */
  readonly allowDestructive: boolean;
  readonly log: (text: string) => void;
}

export type Ending = "nothing to do" | "planned" | "done" | "needs review" | "stopped";

/**
 * Updates all declared clients. Every plan is made and shown before the first is applied, and the first that does not
 * complete stops the rest: the next run plans again from the current state.
 */
export async function synchronize(
  admin: AdminWriter,
  declarations: readonly ClientDeclaration[],
  { isDryRun, allowDestructive, log }: Synchronization,
): Promise<Ending> {
  const plans: ClientPlan[] = [];
  for (const declaration of declarations) plans.push(await admin.plan(declaration));
  for (const plan of plans) log(describePlan(plan));

  const open = plans.filter((plan) => plan.steps.length > 0 || plan.obstacles.length > 0);
  if (open.length === 0) return "nothing to do";
  if (isDryRun) return "planned";
  if (open.some((plan) => plan.obstacles.length > 0 || (isDestructive(plan) && !allowDestructive)))
    return "needs review";

  for (const plan of open) {
    const result: ApplyResult = await admin.apply(plan, { allowDestructive });
    log(describeResult(result));
    if (!result.complete) return "stopped";
  }
  return "done";
}
