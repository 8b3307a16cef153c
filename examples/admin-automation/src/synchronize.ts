import type { AdminWriter, ApplyResult, ClientDeclaration, ClientPlan } from "@social-connect/admin-sdk";
import { describePlan, describeResult, isDestructive } from "@social-connect/admin-sdk";

export interface Synchronization {
  /** Only shows what would be done. */
  readonly isDryRun: boolean;
  /** Whether something may be taken away. Somebody has looked at the plan and said so. */
  readonly allowDestructive: boolean;
  readonly log: (text: string) => void;
}

export type Ending = "nothing to do" | "planned" | "done" | "needs a look" | "stopped";

/**
 * Brings all declared clients to their declared state. Every plan is made and shown before the first is applied, and the
 * first that does not come to its end stops the rest: the next run plans again, and starts from what is then.
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
    return "needs a look";

  for (const plan of open) {
    const result: ApplyResult = await admin.apply(plan, { allowDestructive });
    log(describeResult(result));
    if (!result.complete) return "stopped";
  }
  return "done";
}
