import type { Service, Transaction } from "../service.ts";
import { accountBudget } from "./meteredAccess.ts";

/** Budgets whose window is over: nothing is charged to them any more. */
export async function deleteEndedBudgets(service: Service, now: Date): Promise<number> {
  return (await service.prisma.providerQuota.deleteMany({ where: { windowEndsAt: { lte: now } } })).count;
}

/** What was counted for an account that is erased. */
export async function forgetAccountBudget(
  transaction: Transaction,
  { registrationId, providerAccountId }: { readonly registrationId: string; readonly providerAccountId: string },
): Promise<void> {
  const budget = accountBudget(registrationId, providerAccountId);
  await transaction.providerQuota.deleteMany({ where: { registrationId, budget } });
}
